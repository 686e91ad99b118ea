"""HTTP routes of finished tables: record, replay, rematch."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from kotatsu.engine.record import GameRecord
from kotatsu.server.dependencies import ManagerDependency, VisitorDependency
from kotatsu.server.schemas import Replay, TableCard
from kotatsu.server.table_cards import card

Viewpoint = Annotated[
    int | None,
    QueryParameter(description="The seat whose view to show; without it a spectator's.", ge=0, le=31),
]


@get("/api/tables/{table:str}/record", summary="Get the record of a finished game")
async def get_record(manager: ManagerDependency, table: FromPath[str]) -> Response[GameRecord]:
    """Return every move and every fact, in the format `kotatsu replay` reads.

    Refused until the game is over.
    """
    record = await manager.record(table)
    name = f"attachment; filename={record.game}-{table}.json"
    return Response(record, media_type="application/json", headers={"content-disposition": name})


@get("/api/tables/{table:str}/replay", summary="Get a finished game step by step")
async def get_replay(manager: ManagerDependency, table: FromPath[str], viewpoint: Viewpoint = None) -> Replay:
    """Return the facts that a seat, or a spectator, was sent with each step, and the view after it."""
    info, steps = await manager.replay(table, viewpoint)
    return Replay(info, viewpoint, tuple(steps))


@post("/api/tables/{table:str}/rematch", summary="Create a rematch", status_code=200)
async def rematch(manager: ManagerDependency, visitor: VisitorDependency, table: FromPath[str]) -> TableCard:
    """Create a table for the same people, each one seat further; return it to those who ask later."""
    made = await manager.rematch(table, visitor)
    return card(*await manager.find(made.id), visitor)


FINISHED_ROUTES = [get_record, get_replay, rematch]
