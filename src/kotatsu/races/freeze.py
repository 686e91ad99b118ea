"""A freeze: between the first press in a race and its decision the table accepts no other move.

Browsers do not learn of a freeze before its ruling: a player who knew that another has just pressed could
press after them at no risk, in the hope that the compensation for lag makes them the first.
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
    """Collects the presses of one race and calls back when it can be decided.

    ``pressed`` are the presses of people, by connection and command, who are answered after the ruling.

    Args:
        race: the race, with the seats that may press.
        opened_at: when it began, in seconds of the event loop's clock.
        round_trips: seconds of each seat's connection.
        on_due: called with this freeze when no earlier press can arrive any more.
    """

    def __init__(
        self,
        race: Race,
        opened_at: float,
        round_trips: Mapping[Seat, float],
        on_due: Callable[[Freeze], None],
    ) -> None:
        self.race = race
        self.pressed: list[tuple[TableConnection, Play]] = []
        self._arbiter = Arbiter(race.seats, opened_at, round_trips)
        self._on_due = on_due
        self._pressed_at: dict[Seat, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def press(self, seat: Seat, arrived_at: float) -> None:
        """Add the press of a ``seat`` that ``arrived_at`` a time; a second one does not count."""
        self._pressed_at.setdefault(seat, arrived_at)
        self._arbiter.press(seat, arrived_at)
        self.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(self._arbiter.due(), self._on_due, self)

    def rule(self, seq: int) -> Receipt:
        """Decide who was first; their press becomes step ``seq``."""
        return self._arbiter.rule(seq)

    def pressed_at(self, seat: Seat) -> float:
        """Return when the first press of ``seat``, which has pressed, arrived."""
        return self._pressed_at[seat]

    def command_of(self, seat: Seat) -> str | None:
        """Return the id of the command with which a person pressed; ``None`` for a bot."""
        return next((command.command_id for _, command in self.pressed if command.seat == seat), None)

    def refusal(self, command: Play, receipt: Receipt) -> Refusal | None:
        """Return why the press ``command`` did not win by ``receipt``; ``None`` if it is the one that did."""
        if command.seat != receipt.seat:
            behind = next(press.behind_ms for press in receipt.presses if press.seat == command.seat)
            return Refusal("too_late", f"Somebody pressed {behind} ms before you." if behind else _TIE)
        if command.command_id == self.command_of(receipt.seat):
            return None
        return Refusal("stale", "You had pressed already.")

    def cancel(self) -> None:
        """Cancel the timer: ``on_due`` will not be called for the presses so far."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
