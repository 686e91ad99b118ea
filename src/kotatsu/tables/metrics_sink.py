"""What a table lets be counted. Whoever runs the house decides where the figures go."""

from __future__ import annotations

from typing import Protocol


class MetricsSink(Protocol):
    """Told as things happen; must be quick."""

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        """A move is on disk and told, so many seconds after it arrived."""

    def refused(self, code: str) -> None:
        """A command was refused."""


class NoMetrics:
    """Nobody counts."""

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        pass

    def refused(self, code: str) -> None:
        pass
