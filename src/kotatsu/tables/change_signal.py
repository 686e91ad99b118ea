"""A signal that something has changed, without saying what: waiters look for themselves."""

from __future__ import annotations

import asyncio


class ChangeSignal:
    """A counter of changes that tasks can wait on; no change between two waits is missed.

    ``count`` is the number of changes so far.
    """

    def __init__(self) -> None:
        self.count = 0
        self._notified = asyncio.Event()

    def notify(self) -> None:
        """Count a change and wake all waiters."""
        self.count += 1
        self._notified.set()
        self._notified = asyncio.Event()

    async def wait(self, seen: int) -> int:
        """Wait until ``count`` is more than ``seen``, and return it."""
        while self.count <= seen:
            await self._notified.wait()
        return self.count
