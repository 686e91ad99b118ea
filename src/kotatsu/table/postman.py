"""Once in a turn of the event loop somebody goes round to all browsers for which something is queued."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Postman:
    """Takes out what many tables have to say in one go: whoever listens to several is woken once."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._flushes: list[Callable[[], None]] = []

    def soon(self, flush: Callable[[], None]) -> None:
        """Let something out before the loop looks for what came in."""
        if not self._flushes:
            self._loop.call_soon(self._go_round)
        self._flushes.append(flush)

    def _go_round(self) -> None:
        flushes, self._flushes = self._flushes, []
        for flush in flushes:
            flush()
