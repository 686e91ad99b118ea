"""One browser that watches a world. It is sent only what it lacks, when it is ready for it, so none slows another."""

from __future__ import annotations

import asyncio
from collections import deque

from kotatsu.engine.realtime import WorldFrame

IN_FLIGHT = 30
"""Frames a browser may have been sent without its word that it has seen them: a second's worth."""
WORDS = 32
"""Refusals that may wait for a browser; older ones are dropped."""


class LatestFrame:
    """The newest of every part of a world, and since which tick it is so."""

    def __init__(self) -> None:
        self.tick = -1
        self._header = b""
        self._parts: dict[int, tuple[int, bytes]] = {}

    def take(self, look: WorldFrame) -> None:
        """A world has changed."""
        self.tick = look.tick
        self._header = look.header
        for number, part in look.parts.items():
            self._parts[number] = look.tick, part

    def since(self, tick: int) -> bytes:
        """The frame for whoever has everything up to a tick; -1: who has nothing."""
        return self._header + b"".join(part for at, part in self._parts.values() if at > tick)


class WorldViewer:
    """What the owner of a wire takes from: ``bytes`` are frames, ``str`` are words."""

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.closed = False
        self._latest: LatestFrame | None = None
        self._sent = -1
        self._in_flight: deque[int] = deque()
        self._words: deque[str] = deque(maxlen=WORDS)
        self._waiter: asyncio.Future[None] | None = None

    def show(self, latest: LatestFrame) -> None:
        """There is something new to see; another ``latest`` than before is another turn."""
        if latest is not self._latest:
            self._latest = latest
            self._sent = -1
            self._in_flight.clear()
        self._wake()

    def tell(self, word: str) -> None:
        """Something to be read."""
        self._words.append(word)
        self._wake()

    def seen(self, tick: int) -> None:
        """The browser says how far it has come."""
        while self._in_flight and self._in_flight[0] <= tick:
            self._in_flight.popleft()
        self._wake()

    def close(self) -> None:
        """Nothing will come any more."""
        self.closed = True
        self._wake()

    async def take(self) -> bytes | str | None:
        """The next thing to send, waiting for it; ``None``: it is over."""
        while True:
            if self.closed:
                return None
            if self._words:
                return self._words.popleft()
            if (frame := self._frame()) is not None:
                return frame
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def _frame(self) -> bytes | None:
        latest = self._latest
        if latest is None or latest.tick <= self._sent:
            return None
        if len(self._in_flight) >= IN_FLIGHT:
            return None  # it has not seen what it was sent a second ago
        frame = latest.since(self._sent)
        self._sent = latest.tick
        self._in_flight.append(latest.tick)
        return frame

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
