"""The timer of a table's deadline. Seconds are of the event loop's clock.

Most deadlines rest while nobody is connected to the table. One that keeps running is timed from the moment in the
log when it began: the table then says how many seconds of it have passed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kotatsu.engine.contract import Deadline

RETRY_S = 1.0
"""Least seconds before a deadline that could not be handled passes again. Chosen by hand: a disk that is full now
is not free a moment later, and the table must not keep the server busy with it."""


class DeadlineTimer:
    """Calls ``on_expiry`` once for each deadline that passes without being replaced by another.

    ``deadline`` is the present one, ``None`` if nothing is timed.
    """

    __slots__ = ("_ends", "_handle", "_left", "_loop", "_not_before", "_on_expiry", "deadline")

    def __init__(self, on_expiry: Callable[[Deadline], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_expiry = on_expiry
        self.deadline: Deadline | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._ends = 0.0
        self._left = 0.0
        self._not_before = 0.0

    def wait_for(self, deadline: Deadline | None, *, running: bool, passed: float | None = None) -> None:
        """Time this deadline: an equal one continues, a different one starts from its beginning.

        Args:
            deadline: the game's present one; ``None`` if nothing is timed.
            running: whether the time runs, or stands still for now.
            passed: how many seconds of the deadline have passed by now, where it is known; if that is all of them
                and the timer runs, it expires at once.
        """
        if deadline is None and self.deadline is None:
            return
        if deadline != self.deadline:
            self.pause()
            self.deadline = deadline
            self._left = 0.0 if deadline is None else deadline.seconds
        if deadline is not None and passed is not None:
            self.pause()
            self._left = max(0.0, deadline.seconds - passed)
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
            now = self._loop.time()
            self._ends = now + self._left
            self._handle = self._loop.call_at(
                max(self._ends, self._not_before), self._on_expiry, self.deadline
            )

    def expire_if_overdue(self) -> None:
        """Let a deadline that has passed already expire once more: it had to wait for a bot that was thinking."""
        if self.deadline is not None and self._handle is not None and self.left == 0:
            self._on_expiry(self.deadline)

    def retry(self) -> None:
        """After a failure: time the same deadline again, from its beginning if it rests with the table."""
        self._not_before = self._loop.time() + RETRY_S
        self.restart()

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
