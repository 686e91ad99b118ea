"""A finished table, over HTTP: its record, seeing it again, playing again."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from kotatsu.engine.record import GameRecord
from kotatsu.server.dependencies import ManagerDependency, VisitorDependency
from kotatsu.server.schemas import Replay, TableCard
from kotatsu.server.table_cards import card

Viewpoint = Annotated[
    int | None, QueryParameter(description="The seat to see through; without it a spectator.", ge=0, le=31)
]


@get("/api/tables/{table:str}/record", summary="The record of a finished game")
async def get_record(manager: ManagerDependency, table: FromPath[str]) -> Response[GameRecord]:
    """Every move and every fact, in the format `kotatsu replay` reads. Closed until the game is over."""
    record = await manager.record(table)
    name = f"attachment; filename={record.game}-{table}.json"
    return Response(record, media_type="application/json", headers={"content-disposition": name})


@get("/api/tables/{table:str}/replay", summary="A finished game, step by step")
async def get_replay(manager: ManagerDependency, table: FromPath[str], viewpoint: Viewpoint = None) -> Replay:
    """What that viewpoint was told with each step, and what it saw after it."""
    info, steps = await manager.replay(table, viewpoint)
    return Replay(info, viewpoint, tuple(steps))


@post("/api/tables/{table:str}/rematch", summary="Play again", status_code=200)
async def rematch(manager: ManagerDependency, visitor: VisitorDependency, table: FromPath[str]) -> TableCard:
    """The same people at a new table, each one seat further. The first who asks makes it, the others follow."""
    made = await manager.rematch(table, visitor)
    return card(*await manager.find(made.id), visitor)


FINISHED_ROUTES = [get_record, get_replay, rematch]
