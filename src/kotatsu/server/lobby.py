"""The lobby: tables anybody may join, told anew whenever it changes."""

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

SHORTEST_PAUSE = 0.5
"""Seconds between two tellings: a busy lobby is told in gulps."""


@get("/api/lobby", summary="The lobby")
async def get_lobby(manager: ManagerDependency, visitor: VisitorDependency) -> Lobby:
    """The tables anybody may join: listed by their host, gathering, with an open seat."""
    return await _lobby(manager, visitor)


@websocket("/api/lobby/socket")
async def lobby_socket(socket: AnySocket, state: State) -> None:
    """The lobby as it is, and again whenever it changes. What the browser says is not heard."""
    async with admit_websocket(socket, state) as visitor:
        if visitor is None:
            return
        telling = asyncio.create_task(_tell(socket, state.manager, visitor))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                pass
        finally:
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling


async def _tell(socket: AnySocket, manager: TableManager, visitor: str) -> None:
    heard, told = 0, b""
    while True:
        now = msgspec.json.encode(await _lobby(manager, visitor))
        if now != told:
            await socket.send({"type": "websocket.send", "bytes": None, "text": now.decode()})
            told = now
        heard = await manager.changes.wait(heard)
        await asyncio.sleep(SHORTEST_PAUSE)


async def _lobby(manager: TableManager, visitor: str) -> Lobby:
    return Lobby(tuple(card(stored, info, visitor) for stored, info in await manager.lobby()))


LOBBY_ROUTES = [get_lobby, lobby_socket]
