"""One table's stopwatch. A deadline of another value starts a new wait; a table nobody watches does not age."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kotatsu.engine.contract import Deadline


class Clock:
    """Rings once for each deadline, unless it has been replaced."""

    __slots__ = ("_ends", "_handle", "_left", "_ring", "deadline")

    def __init__(self, ring: Callable[[Deadline], None]) -> None:
        self._ring = ring
        self.deadline: Deadline | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._ends = 0.0
        self._left = 0.0

    def wait_for(self, deadline: Deadline | None, *, running: bool) -> None:
        """Go on with the same wait, or start another."""
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
            loop = asyncio.get_running_loop()
            self._ends = loop.time() + self._left
            self._handle = loop.call_later(self._left, self._ring, self.deadline)

    def restart(self) -> None:
        """Start the same wait from its beginning."""
        if self.deadline is not None:
            self.pause()
            self._left = self.deadline.seconds
            self.resume()

    @property
    def left(self) -> float | None:
        """Seconds until it rings; ``None`` when nothing is waited for."""
        if self.deadline is None:
            return None
        if self._handle is None:
            return self._left
        return max(0.0, self._ends - asyncio.get_running_loop().time())
