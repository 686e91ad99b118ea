"""Metrics for operators, at ``/metrics`` in the format of Prometheus."""

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
from kotatsu.tables.metrics_sink import MetricsSink

_MOVE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histogram of move times: steps like those of prometheus_client's defaults, but from 1
ms on, for the median at 1,000 moves a second was measured at 0.75 ms."""

_THINKING_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Upper bounds of the histogram of thinking times. Chosen by hand, from the quickest bots to the longest
searches."""


class _MoveCollector(Collector):
    """Counts moves by game and by people or bots. Only adds numbers, for there are thousands a second."""

    def __init__(self) -> None:
        self._within: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * (len(_MOVE_SECONDS) + 1))
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)

    def count(self, game: str, by: str, seconds: float) -> None:
        """Count a move that took so many seconds."""
        kind = game, by
        self._within[kind][bisect_left(_MOVE_SECONDS, seconds)] += 1
        self._seconds[kind] += seconds

    def collect(self) -> Iterator[Metric]:
        moves = CounterMetricFamily("kotatsu_moves", "Moves made", labels=["game", "by"])
        latency = HistogramMetricFamily(
            "kotatsu_move_seconds",
            "From the arrival of a move until it is on disk and was broadcast",
            labels=["by"],
        )
        for (game, by), within in self._within.items():
            moves.add_metric([game, by], sum(within))
        for by in sorted({by for _, by in self._within}):
            kinds = [kind for kind in self._within if kind[1] == by]
            sums = map(sum, zip(*(self._within[kind] for kind in kinds), strict=True))
            limits = [*map(str, _MOVE_SECONDS), "+Inf"]
            buckets = list(zip(limits, accumulate(sums), strict=True))
            latency.add_metric([by], buckets, sum(self._seconds[kind] for kind in kinds))
        yield from (moves, latency)


class Metrics(MetricsSink):
    """Collects the metrics of one server, in a ``registry`` of its own, so that several do not mix theirs."""

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
        """Report the number of tables and connections of ``manager`` from now on."""
        self._tables.set_function(lambda: manager.tables)
        self._connections.set_function(lambda: manager.connections)

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        self._moves.count(game, "bot" if bot else "person", seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def thought(self, game: str, level: str, seconds: float) -> None:
        """Count a thought of a bot of ``level`` of ``game`` that took so many ``seconds``."""
        self._thinking.labels(game, level).observe(seconds)


class TimedThinker(BotThinker):
    """Passes thoughts on to another ``thinker`` and reports their time to ``metrics``."""

    def __init__(self, thinker: BotThinker, metrics: Metrics) -> None:
        self._thinker = thinker
        self._metrics = metrics

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        began = perf_counter()
        try:
            return await self._thinker.think(game, level, situation)
        finally:
            self._metrics.thought(game, level, perf_counter() - began)


@get("/metrics", summary="Metrics for Prometheus", media_type="text/plain")
async def get_metrics(state: State) -> Response[bytes]:
    """Return tables, moves, latency, refusals and thinking time of bots. No names, no addresses."""
    metrics: Metrics = state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
