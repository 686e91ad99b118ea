"""The races of one table: a press freezes it until it is ruled who was first, and what would end a race waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from kotatsu.engine.contract import AnyGame, Move, Race, Seat
from kotatsu.races.arbiter import allowance_ms
from kotatsu.races.freeze import Freeze
from kotatsu.seats.presence import Presence


class Arrival(Protocol):
    """Something that came to the table at a moment of the event loop's clock."""

    @property
    def at(self) -> float:
        """When it came."""


A = TypeVar("A", bound=Arrival)


class RaceTracker(Generic[A]):
    """What a table needs to know of its races.

    ``frozen`` is the freeze the table stands still for, if somebody has pressed and it is not ruled on yet.

    Args:
        presence: how far away each seat is.
        on_due: called with a freeze when it can be ruled on.
        on_again: called with what had to wait, when it may be looked at again.
        on_freeze: called when the table begins to stand still.
    """

    __slots__ = (
        "_delayed",
        "_held",
        "_loop",
        "_now",
        "_on_again",
        "_on_due",
        "_on_freeze",
        "_opened_at",
        "_presence",
        "_since",
        "frozen",
    )

    def __init__(
        self,
        presence: Presence,
        *,
        on_due: Callable[[Freeze], None],
        on_again: Callable[[A], None],
        on_freeze: Callable[[], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._now = self._loop.time  # what presses are timed by
        self._presence = presence
        self._on_due = on_due
        self._on_again = on_again
        self._on_freeze = on_freeze
        self.frozen: Freeze | None = None
        self._held: list[A] = []
        self._delayed = 0
        self._since = 0
        self._opened_at = 0.0

    @property
    def busy(self) -> bool:
        """Whether a ruling, or something that waits for a press, is under way."""
        return bool(self.frozen or self._delayed)

    def observe(self, since: int) -> None:
        """The present race has been on since that step: note when it opened, if it is a new one."""
        if since != self._since:
            self._since, self._opened_at = since, self._now()

    def is_press(self, race: Race | None, seat: Seat, move: Move) -> bool:
        """Whether a move is the one there is a race for."""
        return race is not None and move == race.move and seat in race.seats

    def press(self, race: Race, seat: Seat, arrived_at: float) -> Freeze:
        """Somebody pressed: the table stands still until it is ruled who was first."""
        if self.frozen is None:
            now = self._now()
            round_trips = {other: self._presence.round_trip(other, now) for other in race.seats}
            self._on_freeze()
            self.frozen = Freeze(race, self._opened_at, round_trips, self._on_due)
        self.frozen.press(seat, arrived_at)
        return self.frozen

    def hold(self, arrival: A) -> None:
        """What comes while the table stands still is looked at afterwards."""
        self._held.append(arrival)

    def must_wait(self, game: AnyGame, race: Race | None, by: Seat | None, after: object, arrival: A) -> bool:
        """Whether something would end a race while a press made before it may be under way; then it comes again.

        Args:
            game: the rules.
            race: the one that is on, if one is.
            by: the seat whose move it is, if it is one.
            after: the state it would lead to.
            arrival: what would bring it about.
        """
        if race is None:
            return False
        then, now = game.race(after), self._now()
        if then is not None and then.token == race.token:
            return False
        rivals = [seat for seat in race.seats if seat != by]
        lag = max((allowance_ms(self._presence.round_trip(seat, now)) for seat in rivals), default=0)
        until = arrival.at + lag / 1000
        if until <= now:
            return False
        self._delayed += 1
        self._loop.call_at(until, self._again, arrival)
        return True

    def lift(self) -> tuple[Freeze | None, Sequence[A]]:
        """The table moves again: what it stood still for, and what was held meanwhile, to be looked at first."""
        freeze, self.frozen = self.frozen, None
        held, self._held = self._held, []
        if freeze is not None:
            freeze.lift()
        return freeze, held

    def _again(self, arrival: A) -> None:
        self._delayed -= 1
        self._on_again(arrival)
