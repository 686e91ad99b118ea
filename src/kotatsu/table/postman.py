"""Once in a turn of the event loop somebody goes round to all browsers for which something is queued."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Postman:
    """Takes out what many tables have to say in one go, which costs less than going for each of them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls: list[Callable[[], None]] = []

    def soon(self, call: Callable[[], None]) -> None:
        """Call there on the next round."""
        if not self._calls:
            self._loop.call_soon(self._go_round)
        self._calls.append(call)

    def _go_round(self) -> None:
        calls, self._calls = self._calls, []
        for call in calls:
            try:
                call()
            except Exception:
                logger.exception("a message could not be delivered")
