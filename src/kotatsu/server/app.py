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
from kotatsu.engine.registry import games
from kotatsu.server import guard, problems, routes, site
from kotatsu.server.coaching import Coaching
from kotatsu.server.entrance import Socket
from kotatsu.server.given import GIVEN
from kotatsu.server.identity import Identity
from kotatsu.server.limits import Doors, Tries
from kotatsu.server.metrics import Metrics, TimedMinds, get_metrics
from kotatsu.server.openapi_file import OpenApiFile
from kotatsu.server.openapi_page import RoutesPage
from kotatsu.server.settings import Settings
from kotatsu.server.socket import deal_with, table_socket
from kotatsu.server.world_socket import turn_motion, world_socket
from kotatsu.store.contract import Store
from kotatsu.store.sqlite import SqliteStore
from kotatsu.table.connection import Connection
from kotatsu.table.guests import Guests
from kotatsu.table.house import House, HouseRules
from kotatsu.table.motions import Motions
from kotatsu.table.rounds import Round
from kotatsu.table.stage import Stages
from kotatsu.table.worlds import Worlds

BODY_BYTES = 64 * 1024


def create_app(settings: Settings, store: Store | None = None) -> Litestar:
    """The house as an ASGI application; without a ``store`` it opens the one in the data directory."""
    metrics = Metrics()

    @asynccontextmanager
    async def open_house(app: Litestar) -> AsyncIterator[None]:
        opened = store or SqliteStore(settings.data)
        pool = BotPool(settings.bot_workers or None)
        rules = HouseRules(settings.pace, settings.linger, settings.tables_a_day)
        app.state.identity = Identity.kept_in(settings.data)
        stages = Stages(Worlds(settings.world_processes or None), Motions(settings.data / "motions"))
        minds = TimedMinds(pool, metrics)
        app.state.house = house = House(opened, minds, rules, figures=metrics, stages=stages)
        app.state.heard = Round(deal_with)
        app.state.sending = Round(Connection.flush)
        app.state.coaching = Coaching(house, opened, pool)
        metrics.watch(house)
        app.state.guests = guests = Guests(opened)
        await guests.rate_finished()
        warming = asyncio.create_task(pool.warm_up(games())) if settings.warm_up else None
        try:
            yield
        finally:
            if warming is not None:
                warming.cancel()
                with suppress(asyncio.CancelledError):
                    await warming
            await house.close()
            await stages.worlds.stop()
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
        websocket_class=Socket,
        dependencies=GIVEN,
        exception_handlers=problems.HANDLERS,
        before_request=guard.check,
        before_send=[guard.dress],
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1024, gzip_compress_level=6, exclude_opt_key=site.PACKS_ITSELF
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
                "doors": Doors(settings.connections_per_visitor),
                "gates": Doors(settings.connections_per_address),
                "changes": Tries(settings.changes_per_second, settings.change_burst),
                "claims": Tries(settings.claims_per_minute / 60, settings.claims_per_minute),
                "site": site.SITE,
            }
        ),
    )
