"""The lobby: tables anybody may join, told anew whenever it changes."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from litestar import get, websocket
from litestar.datastructures import State

from kotatsu.server.cards import card
from kotatsu.server.entrance import AnySocket, entrance
from kotatsu.server.given import TheHouse, TheVisitor
from kotatsu.server.shapes import Lobby
from kotatsu.table.house import House

SHORTEST_PAUSE = 0.5
"""Seconds between two tellings: a busy lobby is told in gulps."""


@get("/api/lobby", summary="The lobby")
async def get_lobby(house: TheHouse, visitor: TheVisitor) -> Lobby:
    """The tables anybody may join: listed by their host, gathering, with an open seat."""
    return await _lobby(house, visitor)


@websocket("/api/lobby/socket")
async def lobby_socket(socket: AnySocket, state: State) -> None:
    """The lobby as it is, and again whenever it changes. What the browser says is not heard."""
    async with entrance(socket, state) as visitor:
        if visitor is None:
            return
        telling = asyncio.create_task(_tell(socket, state.house, visitor))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                pass
        finally:
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling


async def _tell(socket: AnySocket, house: House, visitor: str) -> None:
    heard, told = 0, b""
    while True:
        now = msgspec.json.encode(await _lobby(house, visitor))
        if now != told:
            await socket.send({"type": "websocket.send", "bytes": None, "text": now.decode()})
            told = now
        heard = await house.doorbell.wait(heard)
        await asyncio.sleep(SHORTEST_PAUSE)


async def _lobby(house: House, visitor: str) -> Lobby:
    return Lobby(tuple(card(stored, info, visitor) for stored, info in await house.lobby()))


LOBBY_ROUTES = [get_lobby, lobby_socket]
