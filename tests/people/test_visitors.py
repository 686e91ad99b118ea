"""What the house remembers of people: codes that work once and soon, finished games, and each game rated once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from kotatsu.people import visitors
from kotatsu.people.visitors import CODE_LENGTH, CODE_LETTERS, CODE_SECONDS, InvalidDeviceCode, VisitorService
from kotatsu.store.contract import LoggedStep, StoredSeat, StoredTable, TableChange
from kotatsu.store.memory import MemoryStore

ANA = StoredSeat("person", "ana", "Ana")
BEN = StoredSeat("person", "ben", "Ben")
BOT = StoredSeat("bot", level="adept")


class Clock:
    """The time of day, as a test sets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        monkeypatch.setattr(visitors, "time", self)

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class House:
    def __init__(self) -> None:
        self.store = MemoryStore()
        self.people = VisitorService(self.store)

    async def finished(
        self, name: str, *seats: StoredSeat, winner: int = 0, at: float = 5.0, game: str = "kimono"
    ) -> None:
        table = StoredTable(name, game, "ana", at, at, seats)
        await self.store.create(table, limit=99, since=0)
        scores = [9 if seat == winner else 5 for seat in range(len(seats))]
        over = TableChange(status="over", result={"scores": scores, "winners": [winner]})
        await self.store.append(name, LoggedStep(1, at, b"[]"), over)


async def test_a_code_makes_another_device_the_same_visitor_once(clock: Clock) -> None:
    people = House().people
    code = await people.new_code("ana")
    assert await people.redeem(code) == "ana"
    with pytest.raises(InvalidDeviceCode, match="not, or no longer, valid"):
        await people.redeem(code)


async def test_a_code_can_be_read_aloud_and_not_be_guessed(clock: Clock) -> None:
    people = House().people
    codes = {await people.new_code(f"v{number}") for number in range(300)}
    assert len(codes) == 300
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert {letter for code in codes for letter in code} == set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("01OIL")


async def test_how_a_code_is_typed_does_not_matter(clock: Clock) -> None:
    people = House().people
    for typed in (str.lower, lambda code: f" {code[:4]}-{code[4:]}\n", lambda code: " ".join(code)):
        code = await people.new_code("ana")
        assert await people.redeem(typed(code)) == "ana"
    for wrong in ("", "ABC", "XXXXXXXX"):
        with pytest.raises(InvalidDeviceCode):
            await people.redeem(wrong)


async def test_a_code_is_good_for_ten_minutes(clock: Clock) -> None:
    people = House().people
    assert CODE_SECONDS == 600
    code = await people.new_code("ana")
    clock.now += 600
    assert await people.redeem(code) == "ana"
    code = await people.new_code("ana")
    clock.now += 600.1
    with pytest.raises(InvalidDeviceCode):
        await people.redeem(code)


async def test_a_new_code_replaces_the_last(clock: Clock) -> None:
    people = House().people
    first, second = await people.new_code("ana"), await people.new_code("ana")
    with pytest.raises(InvalidDeviceCode):
        await people.redeem(first)
    assert await people.redeem(second) == "ana"


async def test_whoever_reads_the_data_cannot_use_a_code(clock: Clock) -> None:
    house = House()
    code = await house.people.new_code("ana")
    assert code not in repr(house.store._codes)
    assert len(house.store._codes) == 1


async def test_history_is_the_finished_games_one_had_a_seat_in_the_latest_first() -> None:
    house = House()
    await house.finished("early", ANA, BEN, at=5.0)
    await house.finished("late", BEN, ANA, at=9.0)
    await house.finished("hosted", BEN, BOT, at=7.0)
    await house.finished("stood_in", replace(ANA, kind="bot", level="adept"), BEN, at=8.0)
    going_on = StoredTable("on", "kimono", "ana", 9.0, 9.0, (ANA, BEN))
    await house.store.create(going_on, limit=99, since=0)
    assert [table.id for table in await house.people.history_of("ana")] == ["late", "early"]
    assert [table.id for table in await house.people.history_of("ben")] == [
        "late",
        "stood_in",
        "hosted",
        "early",
    ]
    assert len(await house.people.history_of("ben", limit=2)) <= 2
    assert await house.people.history_of("zoe") == []


async def test_blocks_are_the_stores() -> None:
    house = House()
    await house.store.block("ana", "ben", "Ben", 1.0)
    (blocked,) = await house.people.blocks_of("ana")
    assert blocked.name == "Ben"
    await house.people.unblock("ben", blocked.number)
    assert await house.people.blocks_of("ana")
    await house.people.unblock("ana", blocked.number)
    assert await house.people.blocks_of("ana") == []


async def test_every_game_that_counts_is_rated_once_in_the_order_they_ended() -> None:
    house = House()
    await house.finished("second", ANA, BEN, winner=1, at=9.0)
    await house.finished("first", ANA, BEN, winner=0, at=5.0)
    await house.people.rate_finished()
    rating = (await house.people.ratings_of("ana"))["kimono"]
    assert rating.games == 2
    again = House()
    await again.finished("first", ANA, BEN, winner=0, at=5.0)
    await again.people.rate_finished()
    await again.finished("second", ANA, BEN, winner=1, at=9.0)
    await again.people.rate_finished()
    await again.people.rate_finished()
    assert (await again.people.ratings_of("ana"))["kimono"] == rating
    assert await house.store.unrated_tables() == []


async def test_games_of_different_kinds_are_rated_apart() -> None:
    house = House()
    await house.finished("one", ANA, BEN, winner=0, game="kimono")
    await house.finished("two", ANA, BEN, winner=1, game="kakuzu")
    await house.people.rate_finished()
    ratings = await house.people.ratings_of("ana")
    assert [rating.games for rating in ratings.values()] == [1, 1]
    assert ratings["kimono"].mu > ratings["kakuzu"].mu


async def test_games_that_do_not_count_are_looked_at_once_and_rate_nobody() -> None:
    house = House()
    await house.finished("alone", ANA, replace(ANA, guest=True))
    unended = StoredTable("no_result", "kimono", "ana", 1.0, 1.0, (ANA, BEN))
    await house.store.create(unended, limit=99, since=0)
    await house.store.append("no_result", LoggedStep(1, 1.0, b"[]"), TableChange(status="over"))
    await house.people.rate_finished()
    assert await house.people.ratings_of("ana") == {}
    assert await house.store.unrated_tables() == []


async def test_two_who_rate_at_once_rate_no_game_twice() -> None:
    class Slow(MemoryStore):
        async def ratings(self, game: str, players: Any) -> Any:
            await asyncio.sleep(0)
            return await super().ratings(game, players)

    house = House()
    house.store = Slow()
    house.people = VisitorService(house.store)
    for number in range(3):
        await house.finished(f"t{number}", ANA, BEN, at=float(number))
    await asyncio.gather(*(house.people.rate_finished() for _ in range(3)))
    assert (await house.people.ratings_of("ana"))["kimono"].games == 3
