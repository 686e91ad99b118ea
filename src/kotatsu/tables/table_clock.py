"""The clock of a table: the event loop's time, in which it waits, and the moments that are written in its log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

WallClock = Callable[[], float]
"""Returns the present moment in seconds since 1970."""


class TableClock:
    """Tells the moment of something that arrived at a time of the event loop.

    Waiting is timed with the event loop's clock, which nobody can set; but only moments since 1970 mean the same
    after a restart of the server, so these are what the log has.

    Args:
        wall: the clock for moments since 1970.
    """

    __slots__ = ("_now", "_wall")

    def __init__(self, wall: WallClock = time.time) -> None:
        self._now = asyncio.get_running_loop().time
        self._wall = wall

    def now(self) -> float:
        """Return the present moment, in seconds since 1970."""
        return self._wall()

    def moment(self, at: float) -> float:
        """Return the moment, in seconds since 1970, of a time ``at`` of the event loop's clock."""
        return self._wall() - (self._now() - at)
