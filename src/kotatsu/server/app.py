"""The application: everything wired together, opened with the server and closed with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig

from kotatsu import __version__
from kotatsu.bots.pool import BotPool
from kotatsu.connections.batch import LoopBatch
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.registry import games
from kotatsu.people.visitors import VisitorService
from kotatsu.server import guard, problems, routes, site
from kotatsu.server.coaching import Coaching
from kotatsu.server.dependencies import DEPENDENCIES
from kotatsu.server.identity import Identity
from kotatsu.server.limits import AddressRateLimit, ConnectionLimit
from kotatsu.server.metrics import Metrics, TimedThinker, get_metrics
from kotatsu.server.openapi_file import OpenApiFile
from kotatsu.server.openapi_page import RoutesPage
from kotatsu.server.settings import ServerSettings
from kotatsu.server.table_socket import handle_inbound, table_socket
from kotatsu.server.world_socket import turn_motion, world_socket
from kotatsu.store.contract import Store
from kotatsu.store.sqlite import SqliteStore
from kotatsu.tables.manager import ManagerSettings, TableManager
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.pool import WorldPool
from kotatsu.worlds.table_world import TableWorlds

BODY_BYTES = 64 * 1024


def create_app(settings: ServerSettings, store: Store | None = None) -> Litestar:
    """The house as an ASGI application; without a ``store`` it opens the one in the data directory."""
    metrics = Metrics()

    @asynccontextmanager
    async def open_house(app: Litestar) -> AsyncIterator[None]:
        opened = store or SqliteStore(settings.data)
        pool = BotPool(settings.bot_workers or None)
        rules = ManagerSettings(settings.pace, settings.linger, settings.tables_a_day)
        app.state.identity = Identity.from_directory(settings.data)
        worlds = TableWorlds(
            WorldPool(settings.world_processes or None), MotionFiles(settings.data / "motions")
        )
        thinker = TimedThinker(pool, metrics)
        app.state.manager = manager = TableManager(opened, thinker, rules, metrics=metrics, worlds=worlds)
        app.state.heard = LoopBatch(handle_inbound)
        app.state.sending = LoopBatch(TableConnection.flush)
        app.state.coaching = Coaching(manager, opened, pool)
        metrics.watch(manager)
        app.state.visitors = visitors = VisitorService(opened)
        await visitors.rate_finished()
        warming = asyncio.create_task(pool.warm_up(games())) if settings.warm_up else None
        try:
            yield
        finally:
            if warming is not None:
                warming.cancel()
                with suppress(asyncio.CancelledError):
                    await warming
            await manager.close()
            await worlds.pool.stop()
            pool.close()
            await opened.close()

    return Litestar(
        route_handlers=[
            *routes.ROUTES,
            get_metrics,
            table_socket,
            world_socket,
            turn_motion,
            site.home,
            site.any_page,
        ],
        lifespan=[open_house],
        dependencies=DEPENDENCIES,
        exception_handlers=problems.HANDLERS,
        before_request=guard.check_request,
        before_send=[guard.add_security_headers],
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1024, gzip_compress_level=6, exclude_opt_key=site.PRECOMPRESSED
        ),
        request_max_body_size=BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="Kotatsu",
            version=__version__,
            path="/schema",
            use_handler_docstrings=True,
            render_plugins=[RoutesPage(path="/"), OpenApiFile()],
        ),
        logging_config=None,
        state=State(
            {
                "settings": settings,
                "origins": guard.allowed_origins(settings.origins),
                "metrics": metrics,
                "doors": ConnectionLimit(settings.connections_per_visitor),
                "gates": ConnectionLimit(settings.connections_per_address),
                "changes": AddressRateLimit(settings.changes_per_second, settings.change_burst),
                "claims": AddressRateLimit(settings.claims_per_minute / 60, settings.claims_per_minute),
                "site": site.SITE,
            }
        ),
    )
