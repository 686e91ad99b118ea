"""The figures a host watches, at ``/metrics`` in the form Prometheus reads."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from time import perf_counter

from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from kotatsu import __version__
from kotatsu.bots.contract import Situation, Thought
from kotatsu.tables.bot_runner import BotThinker
from kotatsu.tables.manager import TableManager

_MOVE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_THINKING_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


class _MoveCollector(Collector):
    """Moves of one game by people or by bots are two numbers to add to: thousands a second pass here."""

    def __init__(self) -> None:
        self._within: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * (len(_MOVE_SECONDS) + 1))
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)

    def count(self, game: str, by: str, seconds: float) -> None:
        """One more, that took so long."""
        kind = game, by
        self._within[kind][bisect_left(_MOVE_SECONDS, seconds)] += 1
        self._seconds[kind] += seconds

    def collect(self) -> Iterator[Metric]:
        moves = CounterMetricFamily("kotatsu_moves", "Moves made", labels=["game", "by"])
        latency = HistogramMetricFamily(
            "kotatsu_move_seconds",
            "From the arrival of a move until it is on disk and told",
            labels=["by"],
        )
        for (game, by), within in self._within.items():
            moves.add_metric([game, by], sum(within))
        for by in sorted({by for _, by in self._within}):
            kinds = [kind for kind in self._within if kind[1] == by]
            together = map(sum, zip(*(self._within[kind] for kind in kinds), strict=True))
            limits = [*map(str, _MOVE_SECONDS), "+Inf"]
            buckets = list(zip(limits, accumulate(together), strict=True))
            latency.add_metric([by], buckets, sum(self._seconds[kind] for kind in kinds))
        yield from (moves, latency)


class Metrics:
    """Fulfils ``kotatsu.tables.metrics_sink.Figures``. A registry of its own: two houses do not mix theirs."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._moves = _MoveCollector()
        self.registry.register(self._moves)
        self._refusals = Counter("kotatsu_refusals", "Commands refused", ["code"], registry=self.registry)
        self._thinking = Histogram(
            "kotatsu_bot_seconds",
            "How long bots think, waiting for a worker included",
            ["game", "level"],
            buckets=_THINKING_SECONDS,
            registry=self.registry,
        )
        self._tables = Gauge("kotatsu_tables", "Tables in memory", registry=self.registry)
        self._connections = Gauge("kotatsu_connections", "Browsers at tables", registry=self.registry)
        version = Gauge("kotatsu_info", "What is running", ["version"], registry=self.registry)
        version.labels(__version__).set(1)

    def watch(self, manager: TableManager) -> None:
        """Count a house's tables and connections whenever somebody asks."""
        self._tables.set_function(lambda: manager.tables)
        self._connections.set_function(lambda: manager.connections)

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        self._moves.count(game, "bot" if bot else "person", seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def thought(self, game: str, level: str, seconds: float) -> None:
        """A bot has thought for so long."""
        self._thinking.labels(game, level).observe(seconds)


class TimedThinker:
    """Minds whose thinking is counted."""

    def __init__(self, thinker: BotThinker, metrics: Metrics) -> None:
        self._thinker = thinker
        self._metrics = metrics

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        began = perf_counter()
        try:
            return await self._thinker.think(game, level, situation)
        finally:
            self._metrics.thought(game, level, perf_counter() - began)


@get("/metrics", summary="Figures for Prometheus", media_type="text/plain")
async def get_metrics(state: State) -> Response[bytes]:
    """Tables, moves, latency, refusals and bot time. No names, no addresses."""
    metrics: Metrics = state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
