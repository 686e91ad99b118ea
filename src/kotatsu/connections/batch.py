"""Batching of equal work within one turn of the event loop.

Reading from sockets, handling messages and writing to sockets use different code and data; done for all
tables at once, each finds its own in the processor's caches.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")


class LoopBatch(Generic[T]):
    """Calls ``handle`` once per turn of the running event loop for each item added since, in their order.

    An exception of ``handle`` is logged and does not keep it from the other items.
    """

    def __init__(self, handle: Callable[[T], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._handle = handle
        self._added: list[T] = []

    def add(self, item: T) -> None:
        """Have ``item`` handled in the next turn of the loop. Call it on the loop's thread."""
        if not self._added:
            self._loop.call_soon(self._handle_all)
        self._added.append(item)

    def _handle_all(self) -> None:
        added, self._added = self._added, []
        handle = self._handle
        for item in added:
            try:
                handle(item)
            except Exception:
                logger.exception("%s failed for one of %d items", handle, len(added))
