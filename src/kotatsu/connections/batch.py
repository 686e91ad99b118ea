"""The same thing for many, in one go: the processor then has at hand what it needs for it.

Between the kernel's part of a move (reading, writing) and ours there is little in common, so each is done
for all tables before the other begins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Generic, TypeVar

logger = logging.getLogger(__name__)

T = TypeVar("T")


class LoopBatch(Generic[T]):
    """Once in a turn of the event loop, ``do`` something with each that was added since, in their order."""

    def __init__(self, do: Callable[[T], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._do = do
        self._added: list[T] = []

    def add(self, one: T) -> None:
        """It takes part in the next round."""
        if not self._added:
            self._loop.call_soon(self._go_round)
        self._added.append(one)

    def _go_round(self) -> None:
        added, self._added = self._added, []
        do = self._do
        for one in added:
            try:
                do(one)
            except Exception:
                logger.exception("%s failed for one of %d", do, len(added))
