"""After the game: seeing it again, playing again, what is remembered of people, and forgetting it."""

from __future__ import annotations

import asyncio

import pytest

from kotatsu.bots.contract import Thought
from kotatsu.engine.contract import Outcome
from kotatsu.engine.match import BadTable
from kotatsu.store.contract import Persona, Rating, StoredSeat, StoredTable
from kotatsu.store.memory import MemoryStore
from kotatsu.table.guests import CODE_LETTERS, Guests, WrongCode
from kotatsu.table.house import House, NotOver, NotSeated
from kotatsu.table.ratings import ANCHORS, NEWCOMER, is_rated, ranks, rated
from kotatsu.table.wire import Welcome
from tests.table.people import RULES, LocalMinds, Person

ANA, BEN = StoredSeat("person", "ana", "Ana"), StoredSeat("person", "ben", "Ben")


def a_table(*seats: StoredSeat, winners: tuple[int, ...] = (0,)) -> StoredTable:
    result = {"scores": [10 - place for place in range(len(seats))], "winners": list(winners)}
    return StoredTable("t", "kimono", "ana", 0.0, 0.0, seats, status="over", result=result)


async def a_finished_game(house: House) -> tuple[str, Person]:
    made = await house.create("ana", "kimono", {}, ["me", "random"], start=True)
    ana = await Person(house, "ana").enter(made.id)
    while True:
        await ana.settle()
        waiting = [event for event in ana.heard if hasattr(event, "waiting")][-1].waiting
        if waiting is None:
            return made.id, ana
        if waiting.moves:
            await ana.play(0, waiting.moves[0].moves[0])


async def test_a_finished_game_can_be_seen_again_through_any_eyes() -> None:
    house = House(MemoryStore(), LocalMinds(), RULES)
    table, ana = await a_finished_game(house)
    for eyes in (0, 1, None):
        info, steps = await house.replay(table, eyes)
        assert info.outcome is not None
        assert [step.seq for step in steps] == list(range(1, len(steps) + 1))
        assert steps[0].at == 0.0
        assert steps[-1].view.result is not None
    told = [fact for event in ana.heard if hasattr(event, "facts") for fact in event.facts]
    assert len(told) == sum(len(step.facts) for step in (await house.replay(table, 0))[1][1:])
    with pytest.raises(BadTable, match="2 seats"):
        await house.replay(table, 7)
    await house.close()


async def test_a_game_that_goes_on_is_not_replayed() -> None:
    house = House(MemoryStore(), LocalMinds(), RULES)
    made = await house.create("ana", "kimono", {}, ["me", "random"], start=True)
    with pytest.raises(NotOver):
        await house.replay(made.id, None)
    with pytest.raises(NotOver):
        await house.rematch(made.id, "ana")


async def test_a_rematch_rotates_the_seats_and_everyone_comes_to_the_same_table() -> None:
    house = House(MemoryStore(), LocalMinds(), RULES)
    table, ana = await a_finished_game(house)
    with pytest.raises(NotSeated):
        await house.rematch(table, "zoe")
    again = await house.rematch(table, "ana")
    assert await house.rematch(table, "ana") == (await house.find(again.id))[0]
    stored, info = await house.find(again.id)
    assert info.status == "playing"
    assert [seat.kind for seat in stored.seats] == ["bot", "person"]
    await ana.settle()
    assert ana.all(Welcome)[-1].table.rematch == again.id
    await house.close()


async def test_a_code_carries_a_visitor_to_another_device_once() -> None:
    guests = Guests(MemoryStore())
    code = await guests.new_code("ana")
    assert set(code) <= set(CODE_LETTERS)
    with pytest.raises(WrongCode):
        await guests.redeem("ZZZZZZZZ")
    assert await guests.redeem(f" {code[:4].lower()}-{code[4:]} ") == "ana"
    with pytest.raises(WrongCode):
        await guests.redeem(code)


async def test_a_game_is_rated_once_and_bots_stay_where_they_are() -> None:
    store = MemoryStore()
    house, guests = House(store, LocalMinds(), RULES), Guests(store)
    table, _ = await a_finished_game(house)
    await asyncio.gather(guests.rate_finished(), guests.rate_finished())
    rating = (await guests.ratings_of("ana"))["kimono"]
    assert rating.games == 1
    assert rating.sigma < NEWCOMER.sigma
    assert await guests.ratings_of("bot:random") == {}
    assert [found.id for found in await guests.history_of("ana")] == [table]
    assert await guests.history_of("zoe") == []
    await house.close()


def test_who_beats_a_master_rises_more_than_who_beats_a_novice() -> None:
    won = Outcome((10, 9), (0,))
    rise = {
        level: rated(a_table(ANA, StoredSeat("bot", level=level)), won, {})["ana"].mu for level in ANCHORS
    }
    assert rise["master"] > rise["adept"] > rise["novice"] > rise["random"] > NEWCOMER.mu


def test_with_many_games_a_rating_finds_the_anchors_place() -> None:
    known: dict[str, Rating] = {}
    for game in range(200):
        outcome = Outcome((1, 0), (0,)) if game % 2 else Outcome((0, 1), (1,))
        known = rated(a_table(ANA, StoredSeat("bot", level="novice")), outcome, known)
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
    house = House(MemoryStore(), LocalMinds(lambda _: Thought(None)), RULES)
    await house.introduce("ana", Persona("Ana", "fox"))
    made = await house.create("ana", "kimono", {}, ["me", "random", "random"], start=True)
    zoe = await Person(house, "zoe").enter(made.id)
    await house.forget("ana")
    await zoe.settle()
    seat = zoe.all(Welcome)[-1].table.seats[0]
    assert (seat.kind, seat.level, seat.name) == ("bot", "adept", "")
    assert await house.persona("ana") == Persona()
    await house.close()
