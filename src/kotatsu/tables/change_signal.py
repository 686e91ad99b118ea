"""Rings when something has changed; whoever waits then looks for themself. A doorbell carries no news."""

from __future__ import annotations

import asyncio


class ChangeSignal:
    """Rings that come while nobody listens are heard at the next wait."""

    def __init__(self) -> None:
        self.count = 0
        self._notified = asyncio.Event()

    def notify(self) -> None:
        """Something has changed."""
        self.count += 1
        self._notified.set()
        self._notified = asyncio.Event()

    async def wait(self, heard: int) -> int:
        """Until there are more count than ``heard``; how many there are."""
        while self.count <= heard:
            await self._notified.wait()
        return self.count
