"""The races of one table: the first press freezes it, others wait, and nothing ends a race over a press under way."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from kotatsu.connections.connection import TableConnection
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.contract import Race
from kotatsu.races.freeze import Freeze
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import StoredSeat, StoredTable
from tests.tables.shelf.whisper.game import GAME, Shout, WhisperOptions, Write
from tests.tables.virtual_time import in_virtual_time

RACE = Race(Shout(), (0, 1, 2), 1)
STATE = GAME.fold(
    GAME.empty(3, WhisperOptions(shouting=True)),
    msgspec.convert({"fact": "opened", "round": 1, "theme": 0}, GAME.fact_type),
)
NEXT = GAME.fold(STATE, msgspec.convert({"fact": "opened", "round": 2, "theme": 0}, GAME.fact_type))


class Letter(msgspec.Struct, frozen=True):
    at: float


class Table:
    """Three people at a table of ``whisper``, each so many seconds away."""

    def __init__(self, *round_trips: float) -> None:
        self.now = asyncio.get_running_loop().time
        seats = tuple(StoredSeat("person", f"v{seat}") for seat in range(3))
        presence = Presence(StoredTable("t", "whisper", "v0", 1.0, 1.0, seats, status="playing"))
        for seat, seconds in enumerate(round_trips):
            estimate = RoundTripEstimate(max_age_s=1e9)
            estimate.at_most(seconds, self.now())
            presence.arrive(TableConnection(f"v{seat}", round_trip=estimate))
        self.due: list[tuple[Freeze, float]] = []
        self.again: list[tuple[Letter, float]] = []
        self.froze: list[float] = []
        self.races: RaceTracker[Letter] = RaceTracker(
            presence,
            on_due=lambda freeze: self.due.append((freeze, self.now())),
            on_again=lambda letter: self.again.append((letter, self.now())),
            on_freeze=lambda: self.froze.append(self.now()),
        )

    def must_wait(
        self, by: int | None, after: Any, *, arrived: float = 0.0, race: Race | None = RACE
    ) -> bool:
        return self.races.must_wait(GAME, race, by, after, Letter(self.now() - arrived))


@in_virtual_time
async def test_only_the_move_there_is_a_race_for_is_a_press_and_only_of_those_in_it() -> None:
    races = Table().races
    assert races.is_press(RACE, 0, Shout())
    assert not races.is_press(RACE, 0, Write(3))
    assert not races.is_press(RACE, 3, Shout())
    assert not races.is_press(None, 0, Shout())


@in_virtual_time
async def test_the_first_press_freezes_the_table_and_the_others_join() -> None:
    table = Table(0.0, 0.2, 0.0)
    await asyncio.sleep(2)
    table.races.observe(5)
    await asyncio.sleep(3)
    assert not table.races.busy
    assert table.races.frozen is None
    pressed = table.now()
    freeze = table.races.press(RACE, 0, pressed)
    assert table.races.frozen is freeze
    assert table.races.busy
    assert freeze.race is RACE
    await asyncio.sleep(0.05)
    assert table.races.press(RACE, 1, table.now()) is freeze
    assert table.froze == [pressed], "it begins to stand still once"
    await asyncio.sleep(1)
    ((due, at),) = table.due
    assert due is freeze
    assert at == pytest.approx(pressed + 0.05)
    receipt = freeze.rule(6)
    assert (receipt.seat, receipt.margin_ms) == (1, 50), "100 ms of lag are made up for"


@in_virtual_time
async def test_ways_are_measured_when_the_table_freezes() -> None:
    table = Table(0.0, 0.2, 0.0)
    await asyncio.sleep(5)
    freeze = table.races.press(RACE, 0, table.now())
    for connection in table.races._presence.connections:
        connection.round_trip.at_most(0.0, table.now())
    await asyncio.sleep(0.05)
    table.races.press(RACE, 1, table.now())
    assert freeze.rule(6).seat == 1, "what is said later changes nothing"


@in_virtual_time
async def test_who_presses_at_once_after_a_race_opened_is_hardly_back_dated() -> None:
    for reaction, allowed in ((0.04, 20), (5.0, 100)):
        table = Table(0.2, 0.0, 0.0)
        await asyncio.sleep(3)
        table.races.observe(5)
        await asyncio.sleep(reaction)
        table.races.observe(5)
        freeze = table.races.press(RACE, 0, table.now())
        (press,) = freeze.rule(6).presses
        assert press.allowed_ms == allowed


@in_virtual_time
async def test_another_race_opens_anew() -> None:
    table = Table(0.2, 0.0, 0.0)
    table.races.observe(5)
    await asyncio.sleep(5)
    table.races.observe(6)
    freeze = table.races.press(RACE, 0, table.now())
    assert freeze.rule(7).presses[0].allowed_ms == 0


@in_virtual_time
async def test_lifting_gives_back_what_was_held_in_its_order() -> None:
    table = Table(0.0, 0.2, 0.0)
    freeze = table.races.press(RACE, 0, table.now())
    first, second = Letter(1.0), Letter(2.0)
    table.races.hold(first)
    table.races.hold(second)
    assert table.races.lift() == (freeze, [first, second])
    assert table.races.frozen is None
    assert not table.races.busy
    assert table.races.lift() == (None, [])
    await asyncio.sleep(1)
    assert table.due == [], "it does not ring any more"


@in_virtual_time
async def test_nothing_waits_where_there_is_no_race_or_it_goes_on() -> None:
    table = Table(0.3, 0.3, 0.3)
    assert not table.must_wait(0, NEXT, race=None)
    assert not table.must_wait(0, STATE)
    assert not table.races.busy


@in_virtual_time
async def test_what_would_end_a_race_waits_for_the_press_of_another() -> None:
    table = Table(0.3, 0.2, 0.1)
    for by, wait in ((0, 0.1), (1, 0.15), (2, 0.15), (None, 0.15)):
        begun = table.now()
        assert table.must_wait(by, NEXT)
        assert table.races.busy
        await asyncio.sleep(0.5)
        ((letter, at),) = table.again
        assert letter == Letter(begun)
        assert at - begun == pytest.approx(wait)
        assert not table.races.busy
        table.again.clear()


@in_virtual_time
async def test_what_ends_the_last_race_waits_too() -> None:
    table = Table(0.3, 0.2, 0.1)
    over = GAME.fold(STATE, msgspec.convert({"fact": "opened", "round": 4, "theme": 0}, GAME.fact_type))
    assert GAME.race(over) is None
    assert table.must_wait(0, over)


@in_virtual_time
async def test_nothing_waits_twice_for_the_same_press() -> None:
    table = Table(0.3, 0.2, 0.1)
    await asyncio.sleep(1)
    assert table.must_wait(0, NEXT, arrived=0.099)
    assert not table.must_wait(0, NEXT, arrived=0.1)
    assert not table.must_wait(0, NEXT, arrived=0.5)


@in_virtual_time
async def test_nothing_waits_for_those_who_are_at_the_table() -> None:
    table = Table(0.3, 0.0, 0.0)
    assert not table.must_wait(0, NEXT)
    alone = Table(0.3)
    only = Race(Shout(), (0,), 1)
    assert not alone.races.must_wait(GAME, only, 0, NEXT, Letter(alone.now())), "there are no rivals"


@in_virtual_time
async def test_it_is_busy_as_long_as_anything_waits() -> None:
    table = Table(0.3, 0.2, 0.1)
    assert table.must_wait(0, NEXT)
    assert table.must_wait(1, NEXT)
    await asyncio.sleep(0.12)
    assert len(table.again) == 1
    assert table.races.busy
    await asyncio.sleep(0.12)
    assert not table.races.busy
