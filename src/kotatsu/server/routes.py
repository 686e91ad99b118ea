"""The HTTP half of the house: the shelf, oneself, tables and their records."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post, put
from litestar.datastructures import State
from litestar.params import Body

from kotatsu.bots.levels import levels
from kotatsu.engine.contract import AnyGame
from kotatsu.engine.match import BadTable
from kotatsu.engine.record import Record
from kotatsu.engine.registry import game, games
from kotatsu.server.guard import NEW_COOKIE
from kotatsu.server.identity import COOKIE, Identity
from kotatsu.server.shapes import GameInfo, Health, Introduction, Me, NewTable, TableCard
from kotatsu.store.contract import Persona, StoredTable
from kotatsu.table.house import House, held
from kotatsu.table.wire import TableInfo

AnyRequest = Request[Any, Any, Any]


async def visitor(request: AnyRequest, state: State) -> str:
    """Who asks; a browser that was never here gets a cookie with the answer."""
    identity: Identity = state.identity
    known = identity.read(request.cookies.get(COOKIE))
    if known is not None:
        return known
    new = identity.new_visitor()
    request.scope["state"][NEW_COOKIE] = identity.sign(new)
    return new


async def house(state: State) -> House:
    """The house the request is for."""
    found: House = state.house
    return found


@get("/api/games", summary="The games on the shelf")
async def list_games() -> list[GameInfo]:
    """Every game with its numbers of players, its options as a JSON schema, and the levels of its bots."""
    return [game_info(game(name)) for name in games()]


@get("/api/me", summary="Who am I?")
async def get_me(house: House, visitor: str) -> Me:
    """One's name; empty until one is chosen. A browser's first request gives it its cookie."""
    persona = await house.persona(visitor)
    return Me(persona.name, persona.avatar)


@put("/api/me", summary="Choose a name and an avatar")
async def put_me(house: House, visitor: str, data: Annotated[Introduction, Body()]) -> Me:
    """They show in every seat one holds at a table that is not over."""
    name = " ".join("".join(c for c in data.name if c.isprintable()).split())
    await house.introduce(visitor, Persona(name, data.avatar))
    return Me(name, data.avatar)


@post("/api/tables", summary="Make a table")
async def create_table(house: House, visitor: str, data: Annotated[NewTable, Body()]) -> TableCard:
    """One hosts the table one makes. With ``start`` the game begins at once; then no seat may be open."""
    seats = data.seats or ("me", *("open",) * (data.players - 1))
    if len(seats) != data.players:
        raise BadTable(f"{len(seats)} seats are given for {data.players} players")
    made = await house.create(visitor, data.game, data.options, seats, start=data.start)
    return card(*await house.find(made.id), visitor)


@get("/api/tables", summary="My tables")
async def list_tables(house: House, visitor: str) -> list[TableCard]:
    """The tables one made or sits at, the one that moved last first."""
    return [card(stored, info, visitor) for stored, info in await house.tables_of(visitor)]


@get("/api/tables/{table:str}", summary="One table")
async def get_table(house: House, visitor: str, table: str) -> TableCard:
    """Who sits where and how far it is. The game itself is told through the table's socket."""
    return card(*await house.find(table), visitor)


@get("/api/tables/{table:str}/record", summary="The record of a finished game")
async def get_record(house: House, table: str) -> Response[Record]:
    """Every move and every fact, in the format `kotatsu replay` reads. Closed until the game is over."""
    record = await house.record(table)
    name = f"attachment; filename={record.game}-{table}.json"
    return Response(record, media_type="application/json", headers={"content-disposition": name})


@get("/healthz", summary="Is the house open?")
async def healthz(house: House) -> Health:
    """How many tables and connections are live."""
    return Health("ok", house.tables, house.connections)


def game_info(kind: AnyGame) -> GameInfo:
    """A game as the shelf shows it."""
    _, parts = msgspec.json.schema_components([kind.options_type], ref_template="#/$defs/{name}")
    schema = parts.pop(kind.options_type.__name__)
    if parts:
        schema["$defs"] = parts
    return GameInfo(kind.name, min(kind.seats), max(kind.seats), schema, tuple(levels(kind.name)))


def card(stored: StoredTable, info: TableInfo, visitor: str) -> TableCard:
    """A table as one visitor knows it."""
    yours = held(stored, visitor)
    return TableCard(info, yours, stored.host == visitor, stored.created, stored.updated)


ROUTES = [list_games, get_me, put_me, create_table, list_tables, get_table, get_record, healthz]
