"""The HTTP routes of games and tables, and the list of all routes; other subjects have files of their own."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import Body, FromPath

from kotatsu.bots.levels import levels
from kotatsu.engine.contract import AnyGame
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import game, games
from kotatsu.server.coaching import COACHING_ROUTES
from kotatsu.server.dependencies import ManagerDependency, VisitorDependency
from kotatsu.server.finished_routes import FINISHED_ROUTES
from kotatsu.server.lobby import LOBBY_ROUTES
from kotatsu.server.people_routes import PEOPLE_ROUTES
from kotatsu.server.schemas import GameInfo, Health, NewTable, TableCard
from kotatsu.server.table_cards import card


@get("/api/games", summary="List the games")
async def list_games() -> list[GameInfo]:
    """Return every game with its numbers of players, its options as a JSON schema, and its bots' levels."""
    return [game_info(game(name)) for name in games()]


@post("/api/tables", summary="Create a table")
async def create_table(
    manager: ManagerDependency, visitor: VisitorDependency, data: Annotated[NewTable, Body()]
) -> TableCard:
    """Create a table; the visitor becomes its host.

    With ``start`` the game begins at once, and no seat may be open.
    """
    seats = data.seats or ("me", *("open",) * (data.players - 1))
    if len(seats) != data.players:
        raise BadTable(f"{len(seats)} seats are given for {data.players} players")
    made = await manager.create(
        visitor, data.game, data.options, seats, start=data.start, settings=data.settings
    )
    return card(*await manager.find(made.id), visitor)


@get("/api/tables", summary="List my tables")
async def list_tables(manager: ManagerDependency, visitor: VisitorDependency) -> list[TableCard]:
    """Return the tables the visitor made or sits at, the last changed first."""
    return [card(stored, info, visitor) for stored, info in await manager.tables_of(visitor)]


@get("/api/tables/{table:str}", summary="Get a table")
async def get_table(
    manager: ManagerDependency, visitor: VisitorDependency, table: FromPath[str]
) -> TableCard:
    """Return the seats, settings and status of a table.

    The game itself is played over the table's WebSocket.
    """
    return card(*await manager.find(table), visitor)


@get("/healthz", summary="Check that the server is running")
async def healthz(manager: ManagerDependency) -> Health:
    """Return the number of tables in memory and of connections to them."""
    return Health("ok", manager.tables, manager.connections)


def game_info(kind: AnyGame) -> GameInfo:
    """Return what a browser needs to offer a game."""
    _, parts = msgspec.json.schema_components([kind.options_type], ref_template="#/$defs/{name}")
    schema = parts.pop(kind.options_type.__name__)
    if parts:
        schema["$defs"] = parts
    return GameInfo(
        kind.name,
        min(kind.seats),
        max(kind.seats),
        schema,
        tuple(levels(kind.name)),
        kind.silent,
        kind.secretive,
        dict(kind.listed_defaults),
    )


ROUTES = [
    list_games,
    create_table,
    list_tables,
    get_table,
    healthz,
    *PEOPLE_ROUTES,
    *LOBBY_ROUTES,
    *FINISHED_ROUTES,
    *COACHING_ROUTES,
]
