"""A table that stands still because somebody pressed in a race, until it is ruled who was first.

Nobody is told of a freeze before its ruling: whoever knew that another has just pressed could press
after them at no risk, and hope that the lag they are allowed makes them the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Race, Seat
from kotatsu.protocol.messages import Play, Receipt
from kotatsu.protocol.refusal import Refusal
from kotatsu.races.arbiter import Arbiter

_TIE = "Somebody pressed at the same moment as you, and comes first in the order of the seats."


class Freeze:
    """Takes in presses from the first one on and rings when the ruling is due.

    ``asked`` are the presses of people, who are answered when it is ruled.
    """

    def __init__(
        self,
        race: Race,
        opened_at: float,
        round_trips: Mapping[Seat, float],
        ring: Callable[[Freeze], None],
    ) -> None:
        self.race = race
        self.asked: list[tuple[TableConnection, Play]] = []
        self._arbiter = Arbiter(race.seats, opened_at, round_trips)
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    def press(self, seat: Seat, arrived_at: float) -> None:
        """A press; a second one of the same seat changes nothing."""
        self._arbiter.press(seat, arrived_at)
        self.lift()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(self._arbiter.due(), self._ring, self)

    def rule(self, seq: int) -> Receipt:
        """Who was first; their press becomes step ``seq``."""
        return self._arbiter.rule(seq)

    def command_of(self, seat: Seat) -> str | None:
        """Under which id a person pressed; ``None`` for a bot."""
        return next((command.command_id for _, command in self.asked if command.seat == seat), None)

    def refusal(self, command: Play, receipt: Receipt) -> Refusal | None:
        """Why a press did not count; ``None`` if it is the one that did."""
        if command.seat != receipt.seat:
            behind = next(press.behind_ms for press in receipt.presses if press.seat == command.seat)
            return Refusal("too_late", f"Somebody pressed {behind} ms before you." if behind else _TIE)
        if command.command_id == self.command_of(receipt.seat):
            return None
        return Refusal("stale", "You had pressed already.")

    def lift(self) -> None:
        """It will not ring any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
