"""What a table reports for metrics. ``kotatsu.server.metrics`` serves the figures to Prometheus."""

from __future__ import annotations

from typing import Protocol


class MetricsSink(Protocol):
    """Called on the event loop as things happen; must be quick and not raise."""

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        """Count a move that is on disk and was broadcast.

        Args:
            game: the game's name.
            bot: whether a bot made it.
            seconds: from its arrival until it was broadcast.
        """

    def refused(self, code: str) -> None:
        """Count a refused command by its code."""


class NoMetrics(MetricsSink):
    """Counts nothing."""

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        pass

    def refused(self, code: str) -> None:
        pass
