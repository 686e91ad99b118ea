"""The HTTP half of the house: the shelf and the tables; oneself, the lobby and finished games have files of their own."""

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


@get("/api/games", summary="The games on the shelf")
async def list_games() -> list[GameInfo]:
    """Every game with its numbers of players, its options as a JSON schema, and the levels of its bots."""
    return [game_info(game(name)) for name in games()]


@post("/api/tables", summary="Make a table")
async def create_table(
    manager: ManagerDependency, visitor: VisitorDependency, data: Annotated[NewTable, Body()]
) -> TableCard:
    """One hosts the table one makes. With ``start`` the game begins at once; then no seat may be open."""
    seats = data.seats or ("me", *("open",) * (data.players - 1))
    if len(seats) != data.players:
        raise BadTable(f"{len(seats)} seats are given for {data.players} players")
    made = await manager.create(
        visitor, data.game, data.options, seats, start=data.start, settings=data.settings
    )
    return card(*await manager.find(made.id), visitor)


@get("/api/tables", summary="My tables")
async def list_tables(manager: ManagerDependency, visitor: VisitorDependency) -> list[TableCard]:
    """The tables one made or sits at, the one that moved last first."""
    return [card(stored, info, visitor) for stored, info in await manager.tables_of(visitor)]


@get("/api/tables/{table:str}", summary="One table")
async def get_table(
    manager: ManagerDependency, visitor: VisitorDependency, table: FromPath[str]
) -> TableCard:
    """Who sits where and how far it is. The game itself is told through the table's socket."""
    return card(*await manager.find(table), visitor)


@get("/healthz", summary="Is the house open?")
async def healthz(manager: ManagerDependency) -> Health:
    """How many tables and connections are live."""
    return Health("ok", manager.tables, manager.connections)


def game_info(kind: AnyGame) -> GameInfo:
    """A game as the shelf shows it."""
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
