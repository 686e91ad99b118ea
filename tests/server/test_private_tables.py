"""Over the wire, too, a table one may not look on at shows a stranger neither its world nor how a turn went."""

from __future__ import annotations

from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from kotatsu.server.table_socket import NO_SUCH_TABLE
from tests.browser.server_process import ServerProcess
from tests.server.test_world import window
from tests.server.visitor import Visitor

MOTION = b"how the first turn went"


async def a_table(host: Visitor, house: ServerProcess, *, watchable: bool) -> str:
    """A table of Kaboum between its host and a bot, with the motion of a first turn."""
    body: dict[str, Any] = {
        "game": "kaboum",
        "players": 2,
        "seats": ["me", "adept"],
        "start": True,
        "settings": {"watchable": watchable},
    }
    answer = await host.http.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]["id"]
    folder = house.data / "motions" / table
    folder.mkdir(parents=True)
    (folder / "99.motion").write_bytes(MOTION)
    return table


async def motion(visitor: Visitor, table: str, turn: int = 99) -> tuple[int, bytes]:
    answer = await visitor.http.get(f"/api/tables/{table}/motions/{turn}")
    return answer.status_code, answer.content


async def test_the_motion_of_a_private_table_is_not_for_strangers(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table = await a_table(ana, house, watchable=False)
    for _asleep in (True, False):
        assert await motion(ana, table) == (200, MOTION)
        refused, kept_nowhere = await motion(ben, table), await motion(ben, table, 7)
        assert refused == kept_nowhere == await motion(ben, "nowhere"), "nothing tells one from the other"
        assert refused[0] == 404
        await ana.join(table)


async def test_the_motion_of_a_watchable_table_is_for_all(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table = await a_table(ana, house, watchable=True)
    for _asleep in (True, False):
        assert await motion(ana, table) == await motion(ben, table) == (200, MOTION)
        await ben.join(table)


async def test_the_world_of_a_private_table_is_not_for_strangers(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table = await a_table(ana, house, watchable=False)
    await ana.join(table)
    stranger = await window(ben, table)
    with pytest.raises(ConnectionClosed):
        await stranger.socket.recv()
    assert stranger.socket.close_code == NO_SUCH_TABLE
    mine = await window(ana, table)
    await mine.do(1, move="release")
    assert (await mine.word())["message"] == "That is not your seat."
    await mine.socket.close()
