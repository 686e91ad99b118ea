"""The world of a table over the wire: frames, inputs, limits, and the motion of a turn."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kotatsu.games.kaboum.codec import Frame, read_frame
from kotatsu.protocol.messages import StepMessage
from kotatsu.server.table_socket import NO_SUCH_TABLE
from kotatsu.server.websocket_admission import POLICY, TOO_MANY
from kotatsu.server.wire import Wire
from kotatsu.server.world_socket import INPUT_BURST, PATIENCE
from kotatsu.worlds.viewer import FRAMES_IN_FLIGHT
from tests.browser.server_process import ServerProcess
from tests.server.visitor import COOKIE, Line, Visitor


class Window:
    """A browser's view of a world."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.words: list[Any] = []

    async def frame(self, *, seen: bool = True) -> Frame:
        while isinstance(news := await self.socket.recv(), str):
            self.words.append(msgspec.json.decode(news))
        frame = read_frame(news)
        if seen:
            await self.send({"type": "seen", "tick": frame.header.tick})
        return frame

    async def word(self) -> Any:
        while isinstance(news := await self.socket.recv(), bytes):
            pass
        return msgspec.json.decode(news)

    async def do(self, seat: int, **given: Any) -> None:
        await self.send({"type": "do", "seat": seat, "input": given})

    async def send(self, message: Any) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())


async def window(visitor: Visitor, table: str) -> Window:
    address = str(visitor.http.base_url).replace("http", "ws", 1).rstrip("/")
    headers = {"Cookie": f"{COOKIE}={visitor.cookie}"}
    return Window(await connect(f"{address}/api/tables/{table}/world", additional_headers=headers))


async def a_turn(visitor: Visitor) -> tuple[str, Line, int]:
    """A table of two whose hourglass runs; its id, its socket, and who builds."""
    table = await visitor.make("kaboum", "me", "adept", hourglass_s=30)
    line = await visitor.join(table)
    if 0 in line.moves:
        await line.play(0, {"move": "flip"})
    while not (
        started := [step for step in line.all(StepMessage) if step.facts[0]["fact"] == "turn_started"]
    ):
        await line.hear()
    return table, line, started[0].facts[0]["builder"]


async def test_a_browser_sees_the_world_and_moves_in_it(ana: Visitor) -> None:
    table, _, builder = await a_turn(ana)
    world = await window(ana, table)
    first = await world.frame()
    assert set(range(26)) <= set(first.bodies)
    if builder == 0:
        await world.do(0, move="grab", piece=4)
        while (await world.frame()).header.held != 4:
            pass
    else:
        await world.do(0, move="aim", at=0.1, yaw=1.5, pitch=0.8, power=0.4)
        while 0 not in (await world.frame()).aims:
            pass
    await world.do(1, move="release")
    assert (await world.word())["message"] == "That is not your seat."
    await world.do(0, move="flip")
    assert (await world.word())["type"] == "refused"
    await world.socket.close()


async def test_a_browser_that_says_nothing_is_sent_little_and_the_other_everything(
    ana: Visitor, ben: Visitor
) -> None:
    table, _, _ = await a_turn(ana)
    await ben.join(table)
    silent, quick = await window(ben, table), await window(ana, table)
    first = await silent.frame(seen=False)
    last = first.header.tick
    while last < first.header.tick + 8 * FRAMES_IN_FLIGHT:
        last = (await quick.frame()).header.tick
    await silent.send({"type": "do", "seat": 0, "input": {"move": "release"}})
    sent = 0
    while isinstance(await silent.socket.recv(), bytes):
        sent += 1
    assert sent <= FRAMES_IN_FLIGHT
    for each in (silent, quick):
        await each.socket.close()


async def test_a_flood_is_shown_out(ana: Visitor) -> None:
    table, line, _ = await a_turn(ana)
    world = await window(ana, table)
    with suppress(ConnectionClosed):
        for _ in range(3 * (INPUT_BURST + PATIENCE)):
            await world.send({"type": "do", "seat": 0, "input": {"move": "release"}})
        while True:
            await world.socket.recv()
    assert world.socket.close_code == POLICY
    assert (await line.ask("say", text="still here")).seq > 0  # type: ignore[union-attr]


async def test_there_is_no_world_where_there_is_none(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("kimono", "me", "novice")
    await ana.join(table)
    for where in (table, "nowhere"):
        world = await window(ana, where)
        with pytest.raises(ConnectionClosed):
            await world.socket.recv()
        assert world.socket.close_code == NO_SUCH_TABLE
    assert (await ana.http.get(f"/api/tables/{table}/motions/1")).status_code == 404
    assert (await ana.http.get("/api/tables/nowhere/motions/1")).status_code == 404
    assert (await ana.http.get(f"/api/tables/{table}/motions/-1")).status_code == 404


async def test_worlds_count_among_the_connections_of_an_address(tmp_path: Path, wire: Wire) -> None:
    house = ServerProcess(tmp_path, {"KOTATSU_CONNECTIONS_PER_ADDRESS": "2", "KOTATSU_WIRE": wire})
    house.start()
    try:
        async with Visitor(house.address) as ana:
            table, *_ = await a_turn(ana)
            await (await window(ana, table)).frame()
            with pytest.raises(ConnectionClosed) as too_many:
                await (await window(ana, table)).frame()
        assert too_many.value.rcvd is not None
        assert too_many.value.rcvd.code == TOO_MANY
    finally:
        house.close()
