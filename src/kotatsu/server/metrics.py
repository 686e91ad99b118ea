"""The figures a host watches, at ``/metrics`` in the form Prometheus reads."""

from __future__ import annotations

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

from kotatsu import __version__
from kotatsu.bots.contract import Situation, Thought
from kotatsu.table.house import House
from kotatsu.table.keeper import Minds

_MOVE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_THINKING_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """Fulfils ``kotatsu.table.figures.Figures``. A registry of its own: two houses do not mix theirs."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._moves = Counter("kotatsu_moves", "Moves made", ["game", "by"], registry=self.registry)
        self._latency = Histogram(
            "kotatsu_move_seconds",
            "From the arrival of a move until it is on disk and told",
            ["by"],
            buckets=_MOVE_SECONDS,
            registry=self.registry,
        )
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
        self._moved: dict[tuple[str, bool], tuple[Counter, Histogram]] = {}
        version = Gauge("kotatsu_info", "What is running", ["version"], registry=self.registry)
        version.labels(__version__).set(1)

    def watch(self, house: House) -> None:
        """Count a house's tables and connections whenever somebody asks."""
        self._tables.set_function(lambda: house.tables)
        self._connections.set_function(lambda: house.connections)

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        found = self._moved.get((game, bot))
        if found is None:
            by = "bot" if bot else "person"
            found = self._moved[game, bot] = self._moves.labels(game, by), self._latency.labels(by)
        moves, latency = found
        moves.inc()
        latency.observe(seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def thought(self, game: str, level: str, seconds: float) -> None:
        """A bot has thought for so long."""
        self._thinking.labels(game, level).observe(seconds)


class TimedMinds:
    """Minds whose thinking is counted."""

    def __init__(self, minds: Minds, metrics: Metrics) -> None:
        self._minds = minds
        self._metrics = metrics

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        began = perf_counter()
        try:
            return await self._minds.think(game, level, situation)
        finally:
            self._metrics.thought(game, level, perf_counter() - began)


@get("/metrics", summary="Figures for Prometheus", media_type="text/plain")
async def get_metrics(state: State) -> Response[bytes]:
    """Tables, moves, latency, refusals and bot time. No names, no addresses."""
    metrics: Metrics = state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
