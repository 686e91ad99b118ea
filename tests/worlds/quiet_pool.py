"""Worlds without a process: what a table asks of its pool is written down, and nothing comes back by itself."""

from __future__ import annotations

from typing import Any

from kotatsu.worlds.pool import WorldListener, WorldPool


class QuietPool(WorldPool):
    """``said`` is everything that was asked of it, in order; ``listeners`` are the tables' ears."""

    def __init__(self) -> None:
        super().__init__(1)
        self.said: list[tuple[Any, ...]] = []
        self.listeners: dict[str, WorldListener] = {}

    async def open(self, table: str, game: str, setting: bytes, listener: WorldListener) -> None:
        self.listeners[table] = listener
        self.said.append(("open", table, game, setting))

    async def prepare(self, table: str) -> None:
        self.said.append(("prepare", table))

    def act(self, table: str, seat: int, text: bytes) -> None:
        self.said.append(("act", table, seat, text))

    def set_bots(self, table: str, levels: dict[int, str]) -> None:
        self.said.append(("seat", table, dict(levels)))

    def pause(self, table: str, *, paused: bool) -> None:
        self.said.append(("pause", table, paused))

    def close(self, table: str) -> None:
        self.said.append(("close", table))

    def heard(self, *kinds: str) -> list[tuple[Any, ...]]:
        """What it was asked of some kinds, and forget everything."""
        said, self.said = self.said, []
        return [each for each in said if each[0] in kinds]
