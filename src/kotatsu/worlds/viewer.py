"""One browser that watches a world.

It is sent only what it lacks, when it is ready, so that none slows another.
"""

from __future__ import annotations

import asyncio
from collections import deque

from kotatsu.engine.realtime import WorldFrame

FRAMES_IN_FLIGHT = 30
"""Frames sent to a browser that it has not acknowledged yet, at most. Chosen by hand: one second of frames,
more than the round trip of a slow link, so that only a browser that falls behind is held back."""

QUEUED_TEXTS = 32
"""Refusals that may wait for a browser; older ones are dropped. Chosen by hand: half a second at the limit of
60 inputs a second."""


class LatestFrame:
    """The newest version of every part of a world, with the tick it dates from.

    ``tick`` is that of the newest frame, -1 before the first.
    """

    def __init__(self) -> None:
        self.tick = -1
        self._header = b""
        self._parts: dict[int, tuple[int, bytes]] = {}

    def update(self, frame: WorldFrame) -> None:
        """Take over the parts that changed."""
        self.tick = frame.tick
        self._header = frame.header
        for number, part in frame.parts.items():
            self._parts[number] = frame.tick, part

    def since(self, tick: int) -> bytes:
        """Return the frame for a browser that has everything up to ``tick``; -1 for one that has nothing."""
        return self._header + b"".join(part for at, part in self._parts.values() if at > tick)


class WorldViewer:
    """The queue of one watching browser: the owner of its socket sends what ``take`` returns.

    ``visitor`` is whose browser it is; ``closed`` whether nothing will come any more.
    """

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.closed = False
        self._latest: LatestFrame | None = None
        self._sent = -1
        self._in_flight: deque[int] = deque()
        self._texts: deque[str] = deque(maxlen=QUEUED_TEXTS)
        self._waiter: asyncio.Future[None] | None = None

    def show(self, latest: LatestFrame) -> None:
        """Note that ``latest`` has changed; another object than before is another turn."""
        if latest is not self._latest:
            self._latest = latest
            self._sent = -1
            self._in_flight.clear()
        self._wake()

    def send_text(self, text: str) -> None:
        """Queue a JSON text; it goes out before the next frame."""
        self._texts.append(text)
        self._wake()

    def seen(self, tick: int) -> None:
        """Note that the browser has received all frames up to a tick."""
        while self._in_flight and self._in_flight[0] <= tick:
            self._in_flight.popleft()
        self._wake()

    def close(self) -> None:
        """End ``take``: nothing will come any more."""
        self.closed = True
        self._wake()

    async def take(self) -> bytes | str | None:
        """Wait for the next message: a frame (``bytes``), a text (``str``), or ``None`` when it is closed."""
        while True:
            if self.closed:
                return None
            if self._texts:
                return self._texts.popleft()
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
        if len(self._in_flight) >= FRAMES_IN_FLIGHT:
            return None  # it has not acknowledged what it was sent a second ago
        frame = latest.since(self._sent)
        self._sent = latest.tick
        self._in_flight.append(latest.tick)
        return frame

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
