"""Time at one table: the timer of its deadline, and how long each seat has been thinking.

Both stand still while nobody is connected to the table. Seconds are of the event loop's clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from kotatsu.engine.contract import Deadline, Seat


class DeadlineTimer:
    """Calls ``on_expiry`` once for each deadline that passes without being replaced by another.

    ``deadline`` is the present one, ``None`` if nothing is timed.
    """

    __slots__ = ("_ends", "_handle", "_left", "_loop", "_on_expiry", "deadline")

    def __init__(self, on_expiry: Callable[[Deadline], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_expiry = on_expiry
        self.deadline: Deadline | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._ends = 0.0
        self._left = 0.0

    def wait_for(self, deadline: Deadline | None, *, running: bool) -> None:
        """Time this deadline: an equal one continues, a different one starts from its beginning.

        Args:
            deadline: the game's present one; ``None`` if nothing is timed.
            running: whether the time runs, or stands still for now.
        """
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
        """Let the time stand still, keeping what is left."""
        if self._handle is not None:
            self._left = self.left or 0.0
            self._handle.cancel()
            self._handle = None

    def resume(self) -> None:
        """Let the time run again."""
        if self.deadline is not None and self._handle is None:
            self._ends = self._loop.time() + self._left
            self._handle = self._loop.call_later(self._left, self._on_expiry, self.deadline)

    def restart(self) -> None:
        """Time the same deadline from its beginning again."""
        if self.deadline is not None:
            self.pause()
            self._left = self.deadline.seconds
            self.resume()

    @property
    def waited(self) -> float:
        """Seconds of the present deadline that have passed; 0 when nothing is timed."""
        return 0.0 if self.deadline is None else self.deadline.seconds - (self.left or 0.0)

    @property
    def left(self) -> float | None:
        """Seconds until the deadline passes; ``None`` when nothing is timed."""
        if self.deadline is None:
            return None
        if self._handle is None:
            return self._left
        return max(0.0, self._ends - self._loop.time())


class ThinkingTime:
    """How long each seat that may move has been able to.

    Args:
        matters: whether the game's rules depend on it; if not, nothing is measured and it is always 0.
    """

    __slots__ = ("_matters", "_now", "_since")

    def __init__(self, *, matters: bool = True) -> None:
        self._now = asyncio.get_running_loop().time
        self._matters = matters
        self._since: dict[Seat, float] = {}

    def acting(self, seats: Iterable[Seat]) -> None:
        """Set the seats that may move now; the time of those that could before goes on."""
        if not self._matters:
            return
        now = self._now()
        self._since = {seat: self._since.get(seat, now) for seat in seats}

    def restart(self) -> None:
        """Start the time of all seats now, as the table was not watched until now."""
        self._since = dict.fromkeys(self._since, self._now())

    def moved(self, seat: Seat) -> None:
        """Note that a seat has moved: if it may move again, its time starts anew."""
        self._since.pop(seat, None)

    def seconds(self, seat: Seat) -> float:
        """Return for how many seconds a seat has been thinking."""
        if not self._matters:
            return 0.0
        now = self._now()
        return now - self._since.get(seat, now)
