"""A table that stands still: it rings when the ruling is due, and says to each who pressed why it did not count."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec
import pytest

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Race, Seat
from kotatsu.protocol.messages import Play, Receipt
from kotatsu.races.freeze import Freeze
from tests.tables.shelf.whisper.game import Shout
from tests.tables.virtual_time import in_virtual_time

RACE = Race(Shout(), (2, 0, 1), 7)


class Standing:
    """A freeze of that race, which was opened a second ago; ``rung`` is when it rang."""

    def __init__(self, round_trips: Mapping[Seat, float] | None = None) -> None:
        self.now = asyncio.get_running_loop().time
        self.rung: list[tuple[Freeze, float]] = []
        self.freeze = Freeze(RACE, self.now() - 1.0, round_trips or {}, self.ring)

    def ring(self, freeze: Freeze) -> None:
        self.rung.append((freeze, self.now()))

    def press(self, seat: Seat, command: str = "") -> None:
        self.freeze.press(seat, self.now())
        if command:
            self.freeze.pressed.append((TableConnection(f"v{seat}"), asks(seat, command)))


def asks(seat: Seat, command: str) -> Play:
    return Play(command, seat, 0, msgspec.Raw(b"{}"))


@in_virtual_time
async def test_it_rings_once_when_no_earlier_press_can_arrive() -> None:
    standing = Standing({1: 0.2})
    assert standing.freeze.race is RACE
    pressed = standing.now()
    standing.press(0)
    await asyncio.sleep(1)
    ((rung, at),) = standing.rung
    assert rung is standing.freeze
    assert at - pressed == pytest.approx(0.101), "half a round trip of 200 ms, and a millisecond more"


@in_virtual_time
async def test_another_press_moves_the_ruling() -> None:
    standing = Standing({1: 0.2, 2: 0.1})
    pressed = standing.now()
    standing.press(0)
    await asyncio.sleep(0.02)
    standing.press(1)
    await asyncio.sleep(1)
    ((_, at),) = standing.rung
    assert at - pressed == pytest.approx(0.02), (
        "only seat 2 could come, and not before seat 1, who was 80 ms earlier"
    )


@in_virtual_time
async def test_a_freeze_that_is_lifted_does_not_ring() -> None:
    standing = Standing({1: 0.2})
    standing.freeze.cancel()
    standing.press(0)
    standing.freeze.cancel()
    standing.freeze.cancel()
    await asyncio.sleep(1)
    assert standing.rung == []


@in_virtual_time
async def test_everyone_who_pressed_hears_whether_it_counted() -> None:
    standing = Standing({0: 0.04})
    standing.press(1, "one")
    await asyncio.sleep(0.05)
    standing.press(0, "zero")
    standing.press(0, "zero-again")
    standing.press(2)
    receipt = standing.freeze.rule(12)
    assert (receipt.seq, receipt.seat, receipt.decided_by) == (12, 1, "time")
    assert standing.freeze.command_of(1) == "one"
    assert standing.freeze.command_of(0) == "zero"
    assert standing.freeze.command_of(2) is None, "a bot asks under no id"
    assert standing.freeze.refusal(asks(1, "one"), receipt) is None
    late = standing.freeze.refusal(asks(0, "zero"), receipt)
    assert late is not None
    assert (late.code, late.message) == ("too_late", "Somebody pressed 30 ms before you.")
    again = standing.freeze.refusal(asks(1, "one-again"), receipt)
    assert again is not None
    assert (again.code, again.message) == ("stale", "You had pressed already.")


@in_virtual_time
async def test_who_loses_a_tie_hears_that_it_was_one() -> None:
    standing = Standing()
    standing.press(1, "one")
    standing.press(2, "two")
    receipt = standing.freeze.rule(3)
    assert (receipt.seat, receipt.decided_by) == (2, "seat")
    tie = standing.freeze.refusal(asks(1, "one"), receipt)
    assert tie is not None
    assert tie.code == "too_late"
    assert "at the same moment" in tie.message


@in_virtual_time
async def test_who_was_not_in_the_race_changes_nothing() -> None:
    standing = Standing()
    standing.press(0)
    standing.press(3)
    receipt = standing.freeze.rule(3)
    assert isinstance(receipt, Receipt)
    assert [press.seat for press in receipt.presses] == [0]
