"""The lobby: the tables anybody may join, over HTTP and, whenever it changes, over a WebSocket."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from litestar import get, websocket
from litestar.datastructures import State

from kotatsu.server.dependencies import ManagerDependency, VisitorDependency
from kotatsu.server.schemas import Lobby
from kotatsu.server.table_cards import card
from kotatsu.server.websocket_admission import AnySocket, admit_websocket
from kotatsu.tables.manager import TableManager

MIN_UPDATE_INTERVAL_S = 0.5
"""Least seconds between two messages to one browser. Chosen by hand: seats fill visibly at once, and a busy
lobby is not sent for every single change."""


@get("/api/lobby", summary="The lobby")
async def get_lobby(manager: ManagerDependency, visitor: VisitorDependency) -> Lobby:
    """Return the tables anybody may join: listed by their host, with an open seat; the newest first."""
    return await _lobby(manager, visitor)


@websocket("/api/lobby/socket")
async def lobby_socket(socket: AnySocket, state: State) -> None:
    """Send the lobby at once, and again whenever it changes. Messages from the browser are ignored."""
    async with admit_websocket(socket, state) as visitor:
        if visitor is None:
            return
        sending = asyncio.create_task(_send_changes(socket, state.manager, visitor))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                pass
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending


async def _send_changes(socket: AnySocket, manager: TableManager, visitor: str) -> None:
    seen, sent = 0, b""
    while True:
        now = msgspec.json.encode(await _lobby(manager, visitor))
        if now != sent:
            await socket.send({"type": "websocket.send", "bytes": None, "text": now.decode()})
            sent = now
        seen = await manager.changes.wait(seen)
        await asyncio.sleep(MIN_UPDATE_INTERVAL_S)


async def _lobby(manager: TableManager, visitor: str) -> Lobby:
    return Lobby(tuple(card(stored, info, visitor) for stored, info in await manager.lobby()))


LOBBY_ROUTES = [get_lobby, lobby_socket]
