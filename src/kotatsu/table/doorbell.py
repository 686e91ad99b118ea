"""Rings when something has changed; whoever waits then looks for themself. A doorbell carries no news."""

from __future__ import annotations

import asyncio


class Doorbell:
    """Rings that come while nobody listens are heard at the next wait."""

    def __init__(self) -> None:
        self.rings = 0
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something has changed."""
        self.rings += 1
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, heard: int) -> int:
        """Until there are more rings than ``heard``; how many there are."""
        while self.rings <= heard:
            await self._rung.wait()
        return self.rings
