"""A finished table, over HTTP: its record, seeing it again, playing again."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from kotatsu.engine.record import Record
from kotatsu.server.cards import card
from kotatsu.server.given import TheHouse, TheVisitor
from kotatsu.server.shapes import Replay, TableCard

Eyes = Annotated[
    int | None, QueryParameter(description="The seat to see through; without it a spectator.", ge=0, le=31)
]


@get("/api/tables/{table:str}/record", summary="The record of a finished game")
async def get_record(house: TheHouse, table: FromPath[str]) -> Response[Record]:
    """Every move and every fact, in the format `kotatsu replay` reads. Closed until the game is over."""
    record = await house.record(table)
    name = f"attachment; filename={record.game}-{table}.json"
    return Response(record, media_type="application/json", headers={"content-disposition": name})


@get("/api/tables/{table:str}/replay", summary="A finished game, step by step")
async def get_replay(house: TheHouse, table: FromPath[str], eyes: Eyes = None) -> Replay:
    """What those eyes were told with each step, and what they saw after it."""
    info, steps = await house.replay(table, eyes)
    return Replay(info, eyes, tuple(steps))


@post("/api/tables/{table:str}/rematch", summary="Play again", status_code=200)
async def rematch(house: TheHouse, visitor: TheVisitor, table: FromPath[str]) -> TableCard:
    """The same people at a new table, each one seat further. The first who asks makes it, the others follow."""
    made = await house.rematch(table, visitor)
    return card(*await house.find(made.id), visitor)


AFTERWARDS_ROUTES = [get_record, get_replay, rematch]
