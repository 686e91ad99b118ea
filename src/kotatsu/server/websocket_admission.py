"""How a browser's WebSocket comes in: from our own page, with a cookie, and not too many at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn

from litestar import WebSocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from kotatsu.server.guard import is_same_origin
from kotatsu.server.identity import COOKIE, Identity, cookie_header
from kotatsu.server.limits import ConnectionLimit

POLICY = 1008
TOO_MANY = 4429

AnySocket = WebSocket[Any, Any, Any]


@asynccontextmanager
async def admit_websocket(socket: AnySocket, state: State) -> AsyncIterator[str | None]:
    """Let somebody in and count them out again. ``None``: they were shown out, with a reason.

    Afterwards nothing can be sent to the socket or received from it. It knew how to do both and both knew it;
    without this it would wait for a search for cycles, and all that hangs on it too.
    """
    try:
        async with _counted(socket, state) as visitor:
            yield visitor
    finally:
        socket.receive = socket.send = _closed


async def _closed(*_: object) -> NoReturn:
    raise WebSocketDisconnect(detail="this socket has been left")


@asynccontextmanager
async def _counted(socket: AnySocket, state: State) -> AsyncIterator[str | None]:
    if not is_same_origin(socket.headers, state.origins):
        await socket.close(POLICY, "this page is from another site")
        yield None
        return
    identity: Identity = state.identity
    visitor = identity.read(socket.cookies.get(COOKIE))
    headers = {}
    if visitor is None:
        visitor = identity.new_visitor()
        value = cookie_header(identity.sign(visitor), secure=socket.scope["scheme"] == "wss")
        headers["set-cookie"] = value.decode()
    await socket.accept(headers=headers)
    doors: ConnectionLimit = state.doors
    gates: ConnectionLimit = state.gates
    address = socket.client.host if socket.client else ""
    if not gates.enter(address):
        await socket.close(TOO_MANY, "too many connections from one address")
        yield None
        return
    try:
        if doors.enter(visitor):
            try:
                yield visitor
            finally:
                doors.leave(visitor)
        else:
            await socket.close(TOO_MANY, "too many connections")
            yield None
    finally:
        gates.leave(address)
