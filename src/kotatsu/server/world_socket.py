"""The wire between a browser and the world of its table: hands and aims come in, frames of what moved go out.

It stands beside the table's own socket, so that thirty frames a second never stand in the way of a fact.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Annotated

import msgspec
from litestar import Response, get, websocket
from litestar.datastructures import State
from litestar.params import FromPath

from kotatsu.server.dependencies import ManagerDependency, VisitorDependency
from kotatsu.server.limits import TokenBucket
from kotatsu.server.table_socket import NO_SUCH_TABLE
from kotatsu.server.websocket_admission import POLICY, AnySocket, admit_websocket
from kotatsu.tables.manager import NoSuchTable, TableManager
from kotatsu.worlds.table_world import TableWorld
from kotatsu.worlds.viewer import WorldViewer

logger = logging.getLogger(__name__)

FRAMES = "application/octet-stream"
INPUTS_A_SECOND = 60.0
INPUT_BURST = 90
INPUT_BYTES = 512
PATIENCE = 300
"""Inputs beyond the limits before a browser is shown out."""


class WorldInput(msgspec.Struct, frozen=True, tag_field="type", tag="do", forbid_unknown_fields=True):
    """Do something for a seat; what can be done is the game's."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=31)]
    input: msgspec.Raw


class FrameSeen(msgspec.Struct, frozen=True, tag_field="type", tag="seen", forbid_unknown_fields=True):
    """Everything up to this tick has arrived; said a few times a second. Without it no more frames come."""

    tick: Annotated[int, msgspec.Meta(ge=0)]


_decode = msgspec.json.Decoder(WorldInput | FrameSeen).decode


@websocket("/api/tables/{table:str}/world")
async def world_socket(socket: AnySocket, table: FromPath[str], state: State) -> None:
    """From the handshake to the close. The browser has its table's socket open already."""
    async with admit_websocket(socket, state) as visitor:
        if visitor is not None:
            await _visit(socket, table, visitor, state.manager)


async def _visit(socket: AnySocket, table: str, visitor: str, manager: TableManager) -> None:
    world = manager.world(table, visitor)
    if world is None:
        await socket.close(NO_SUCH_TABLE, "there is no such world")
        return
    viewer = WorldViewer(visitor)
    world.arrive(viewer)
    writing = asyncio.create_task(_write(socket, viewer))
    try:
        await _read(socket, world, viewer)
    finally:
        world.depart(viewer)
        viewer.close()
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing


async def _write(socket: AnySocket, viewer: WorldViewer) -> None:
    """Send what there is to see. A browser that is slow is sent less, later."""
    try:
        while (news := await viewer.take()) is not None:
            if isinstance(news, bytes):
                await socket.send({"type": "websocket.send", "bytes": news, "text": None})
            else:
                await socket.send({"type": "websocket.send", "bytes": None, "text": news})
        await socket.close(1012, "the table is closing")
    except Exception:  # noqa: BLE001 - the browser is gone; the reader hears of it
        viewer.close()


async def _read(socket: AnySocket, world: TableWorld, viewer: WorldViewer) -> None:
    bucket = TokenBucket(INPUTS_A_SECOND, INPUT_BURST)
    bad = 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if message["type"] != "websocket.receive":
            continue
        text = message.get("text") or message.get("bytes") or ""
        if bucket.take() and len(text) <= INPUT_BYTES and _hear(world, viewer, text):
            continue
        bad += 1
        if bad >= PATIENCE:
            await socket.close(POLICY, "too much, too large or no input")
            return


def _hear(world: TableWorld, viewer: WorldViewer, text: str | bytes) -> bool:
    """Whether it was something one can say."""
    try:
        said = _decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    match said:
        case FrameSeen(tick):
            viewer.seen(tick)
        case WorldInput(seat, given):
            world.act(viewer, seat, bytes(given))
    return True


@get(
    "/api/tables/{table:str}/motions/{turn:int}",
    summary="How a turn went, to be seen again",
    media_type=FRAMES,
)
async def turn_motion(
    manager: ManagerDependency, visitor: VisitorDependency, table: FromPath[str], turn: FromPath[int]
) -> Response[bytes]:
    """All frames of a turn that was played in a world of its own, as the page of its game describes them."""
    motion = await manager.motion(table, visitor, turn)
    if motion is None:
        raise NoSuchTable(table)
    return Response(motion, media_type=FRAMES)
