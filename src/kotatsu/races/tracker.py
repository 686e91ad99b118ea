"""The races of one table: a press freezes it until it is decided, and moves that would end a race wait.

Times are seconds of the event loop's clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from kotatsu.engine.contract import AnyGame, Move, Race, Seat
from kotatsu.races.arbiter import allowance_ms
from kotatsu.races.freeze import Freeze
from kotatsu.seats.presence import Presence


class Arrival(Protocol):
    """Something that arrived at the table: a move or an expired deadline."""

    @property
    def at(self) -> float:
        """When it arrived."""


A = TypeVar("A", bound=Arrival)


class RaceTracker(Generic[A]):
    """The state of one table's races.

    ``frozen`` is the present freeze: somebody has pressed and it is not decided yet who was first.

    Args:
        presence: knows the round trip to each seat.
        on_due: called with a freeze when it can be decided.
        on_again: called with an arrival that had to wait, when it may be handled.
        on_freeze: called when a freeze begins.
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
        self._now = self._loop.time  # the clock presses are timed with
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
        """Whether a race is being decided, or an arrival waits for a press that may be under way."""
        return bool(self.frozen or self._delayed)

    def observe(self, since: int) -> None:
        """Note that the present race began with step ``since``, and when, if it is a new one."""
        if since != self._since:
            self._since, self._opened_at = since, self._now()

    def is_press(self, race: Race | None, seat: Seat, move: Move) -> bool:
        """Whether ``move`` by ``seat`` is the one there is a ``race`` for; ``None`` if there is no race."""
        return race is not None and move == race.move and seat in race.seats

    def press(self, race: Race, seat: Seat, arrived_at: float) -> Freeze:
        """Add a press to the freeze of the present race, and begin that freeze if it is the first.

        Args:
            race: the present race.
            seat: who pressed.
            arrived_at: when the press arrived.

        Returns:
            The freeze it belongs to.
        """
        if self.frozen is None:
            now = self._now()
            round_trips = {other: self._presence.round_trip(other, now) for other in race.seats}
            self._on_freeze()
            self.frozen = Freeze(race, self._opened_at, round_trips, self._on_due)
        self.frozen.press(seat, arrived_at)
        return self.frozen

    def hold(self, arrival: A) -> None:
        """Keep an arrival until the freeze is over; ``lift`` returns it."""
        self._held.append(arrival)

    def must_wait(self, game: AnyGame, race: Race | None, by: Seat | None, after: object, arrival: A) -> bool:
        """Whether an arrival would end a race while a press made before it may still be on its way.

        If so, ``on_again`` is called with it once no such press can arrive any more.

        Args:
            game: the rules.
            race: the present race; ``None`` if there is none.
            by: the seat whose move it is; ``None`` for an expired deadline.
            after: the state it would lead to.
            arrival: the move or the expired deadline.
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
        """End the freeze.

        Returns:
            The freeze, if there was one, and the arrivals held meanwhile, which are to be handled first.
        """
        freeze, self.frozen = self.frozen, None
        held, self._held = self._held, []
        if freeze is not None:
            freeze.cancel()
        return freeze, held

    def _again(self, arrival: A) -> None:
        self._delayed -= 1
        self._on_again(arrival)
