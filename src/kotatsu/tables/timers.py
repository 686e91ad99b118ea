"""Time at one table. A deadline of another value starts a new wait; a table nobody watches does not age."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from kotatsu.engine.contract import Deadline, Seat


class DeadlineTimer:
    """Rings once for each deadline, unless it has been replaced."""

    __slots__ = ("_ends", "_handle", "_left", "_loop", "_ring", "deadline")

    def __init__(self, ring: Callable[[Deadline], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ring = ring
        self.deadline: Deadline | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._ends = 0.0
        self._left = 0.0

    def wait_for(self, deadline: Deadline | None, *, running: bool) -> None:
        """Go on with the same wait, or start another."""
        if deadline is None and self.deadline is None:
            return
        if deadline != self.deadline:
            self.pause()
            self.deadline = deadline
            self._left = 0.0 if deadline is None else deadline.seconds
        if running:
            self.resume()
        else:
            self.pause()

    def pause(self) -> None:
        """Stop the watch and keep what is left."""
        if self._handle is not None:
            self._left = self.left or 0.0
            self._handle.cancel()
            self._handle = None

    def resume(self) -> None:
        """Let the watch run again."""
        if self.deadline is not None and self._handle is None:
            self._ends = self._loop.time() + self._left
            self._handle = self._loop.call_later(self._left, self._ring, self.deadline)

    def restart(self) -> None:
        """Start the same wait from its beginning."""
        if self.deadline is not None:
            self.pause()
            self._left = self.deadline.seconds
            self.resume()

    @property
    def waited(self) -> float:
        """Seconds of the present wait that are gone."""
        return 0.0 if self.deadline is None else self.deadline.seconds - (self.left or 0.0)

    @property
    def left(self) -> float | None:
        """Seconds until it rings; ``None`` when nothing is waited for."""
        if self.deadline is None:
            return None
        if self._handle is None:
            return self._left
        return max(0.0, self._ends - self._loop.time())


class ThinkingTime:
    """Since when each seat that may move could have moved; where it ``matters`` to no rule, it is not looked at."""

    __slots__ = ("_matters", "_now", "_since")

    def __init__(self, *, matters: bool = True) -> None:
        self._now = asyncio.get_running_loop().time
        self._matters = matters
        self._since: dict[Seat, float] = {}

    def acting(self, seats: Iterable[Seat]) -> None:
        """Those who may move now: who could already goes on, the others begin."""
        if not self._matters:
            return
        now = self._now()
        self._since = {seat: self._since.get(seat, now) for seat in seats}

    def restart(self) -> None:
        """Everyone begins now: the table was asleep."""
        self._since = dict.fromkeys(self._since, self._now())

    def moved(self, seat: Seat) -> None:
        """A seat has moved; if it may move again, that is another thought."""
        self._since.pop(seat, None)

    def seconds(self, seat: Seat) -> float:
        """How long a seat has been thinking."""
        if not self._matters:
            return 0.0
        now = self._now()
        return now - self._since.get(seat, now)
