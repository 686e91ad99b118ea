"""After the game: seeing it again, playing again, what is remembered of people, and forgetting it."""

from __future__ import annotations

import asyncio

import pytest

from kotatsu.bots.contract import Thought
from kotatsu.engine.contract import Outcome
from kotatsu.engine.match import BadTable
from kotatsu.people.ratings import ANCHORS, NEWCOMER, ranks, ratings_after
from kotatsu.people.visitors import CODE_LETTERS, InvalidDeviceCode, VisitorService
from kotatsu.protocol.messages import Welcome
from kotatsu.seats.rated import is_rated
from kotatsu.store.contract import Persona, PlayerRating, StoredSeat, StoredTable
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import NotOver, NotSeated, TableManager
from tests.tables.people import RULES, LocalThinker, Person

ANA, BEN = StoredSeat("person", "ana", "Ana"), StoredSeat("person", "ben", "Ben")


def a_table(*seats: StoredSeat, winners: tuple[int, ...] = (0,)) -> StoredTable:
    result = {"scores": [10 - place for place in range(len(seats))], "winners": list(winners)}
    return StoredTable("t", "kimono", "ana", 0.0, 0.0, seats, status="over", result=result)


async def a_finished_game(manager: TableManager) -> tuple[str, Person]:
    made = await manager.create("ana", "kimono", {}, ["me", "random"], start=True)
    ana = await Person(manager, "ana").enter(made.id)
    while True:
        await ana.settle()
        waiting = [event for event in ana.heard if hasattr(event, "waiting")][-1].waiting
        if waiting is None:
            return made.id, ana
        if waiting.moves:
            await ana.play(0, waiting.moves[0].moves[0])


async def test_a_finished_game_can_be_seen_again_through_any_eyes() -> None:
    manager = TableManager(MemoryStore(), LocalThinker(), RULES)
    table, ana = await a_finished_game(manager)
    for viewpoint in (0, 1, None):
        info, steps = await manager.replay(table, viewpoint)
        assert info.outcome is not None
        assert [step.seq for step in steps] == list(range(1, len(steps) + 1))
        assert steps[0].at == 0.0
        assert steps[-1].view.result is not None
    told = [fact for event in ana.heard if hasattr(event, "facts") for fact in event.facts]
    assert len(told) == sum(len(step.facts) for step in (await manager.replay(table, 0))[1][1:])
    with pytest.raises(BadTable, match="2 seats"):
        await manager.replay(table, 7)
    await manager.close()


async def test_a_game_that_goes_on_is_not_replayed() -> None:
    manager = TableManager(MemoryStore(), LocalThinker(), RULES)
    made = await manager.create("ana", "kimono", {}, ["me", "random"], start=True)
    with pytest.raises(NotOver):
        await manager.replay(made.id, None)
    with pytest.raises(NotOver):
        await manager.rematch(made.id, "ana")


async def test_a_rematch_rotates_the_seats_and_everyone_comes_to_the_same_table() -> None:
    manager = TableManager(MemoryStore(), LocalThinker(), RULES)
    table, ana = await a_finished_game(manager)
    with pytest.raises(NotSeated):
        await manager.rematch(table, "zoe")
    again = await manager.rematch(table, "ana")
    assert await manager.rematch(table, "ana") == (await manager.find(again.id))[0]
    stored, info = await manager.find(again.id)
    assert info.status == "playing"
    assert [seat.kind for seat in stored.seats] == ["bot", "person"]
    await ana.settle()
    assert ana.all(Welcome)[-1].table.rematch == again.id
    await manager.close()


async def test_a_code_carries_a_visitor_to_another_device_once() -> None:
    guests = VisitorService(MemoryStore())
    code = await guests.new_code("ana")
    assert set(code) <= set(CODE_LETTERS)
    with pytest.raises(InvalidDeviceCode):
        await guests.redeem("ZZZZZZZZ")
    assert await guests.redeem(f" {code[:4].lower()}-{code[4:]} ") == "ana"
    with pytest.raises(InvalidDeviceCode):
        await guests.redeem(code)


async def test_a_game_is_rated_once_and_bots_stay_where_they_are() -> None:
    store = MemoryStore()
    manager, guests = TableManager(store, LocalThinker(), RULES), VisitorService(store)
    table, _ = await a_finished_game(manager)
    await asyncio.gather(guests.rate_finished(), guests.rate_finished())
    rating = (await guests.ratings_of("ana"))["kimono"]
    assert rating.games == 1
    assert rating.sigma < NEWCOMER.sigma
    assert await guests.ratings_of("bot:random") == {}
    assert [found.id for found in await guests.history_of("ana")] == [table]
    assert await guests.history_of("zoe") == []
    await manager.close()


def test_who_beats_a_master_rises_more_than_who_beats_a_novice() -> None:
    won = Outcome((10, 9), (0,))
    rise = {
        level: ratings_after(a_table(ANA, StoredSeat("bot", level=level)), won, {})["ana"].mu
        for level in ANCHORS
    }
    assert rise["master"] > rise["adept"] > rise["novice"] > rise["random"] > NEWCOMER.mu


def test_with_many_games_a_rating_finds_the_anchors_place() -> None:
    known: dict[str, PlayerRating] = {}
    for game in range(200):
        outcome = Outcome((1, 0), (0,)) if game % 2 else Outcome((0, 1), (1,))
        known = ratings_after(a_table(ANA, StoredSeat("bot", level="novice")), outcome, known)
    assert known["ana"].mu == pytest.approx(ANCHORS["novice"], abs=1.5)
    assert known["ana"].sigma < 2
    assert known["ana"].games == 200


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        ((ANA, BEN), True),
        ((ANA, StoredSeat("bot", level="adept")), True),
        ((ANA,), False),
        ((ANA, StoredSeat("person", "ana", "Léa", guest=True)), False),
        ((ANA, StoredSeat("bot", "ben", "Ben", level="adept")), False),
        ((StoredSeat("bot", level="adept"), StoredSeat("bot", level="master")), False),
        ((ANA, StoredSeat("bot", level="a level of its own")), False),
        ((ANA, StoredSeat("person")), False),
    ],
)
def test_only_games_of_people_on_devices_of_their_own_count(
    seats: tuple[StoredSeat, ...], counts: bool
) -> None:
    assert is_rated(a_table(*seats)) is counts


def test_winners_share_the_first_place_and_the_others_follow_by_score() -> None:
    assert ranks(Outcome((5, 9, 7, 9), (1, 3))) == [4, 1, 3, 1]
    assert ranks(Outcome((5, 5, 3), (1,))) == [2, 1, 3]


async def test_who_is_forgotten_leaves_a_bot_behind_and_the_others_play_on() -> None:
    manager = TableManager(MemoryStore(), LocalThinker(lambda _: Thought(None)), RULES)
    await manager.set_persona("ana", Persona("Ana", "fox"))
    made = await manager.create("ana", "kimono", {}, ["me", "random", "random"], start=True)
    zoe = await Person(manager, "zoe").enter(made.id)
    await manager.delete_visitor("ana")
    await zoe.settle()
    seat = zoe.all(Welcome)[-1].table.seats[0]
    assert (seat.kind, seat.level, seat.name) == ("bot", "adept", "")
    assert await manager.persona("ana") == Persona()
    await manager.close()
