"""The two wires: what each measures, what holds for both, and that the plain one stands on published parts alone."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from litestar import WebSocket
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from kotatsu.connections.connection import MAX_QUEUED_MESSAGES, TRY_AGAIN_LATER, TableConnection
from kotatsu.protocol.messages import CommandAccepted, CommandRefused, Pong, Receipt, StepMessage
from kotatsu.races.arbiter import LONGEST_ALLOWANCE_MS
from kotatsu.server.fast_websocket import FastWebSocketProtocol, WebSocketConnection
from kotatsu.server.run import config
from kotatsu.server.settings import ServerSettings
from kotatsu.server.wire import Wire
from tests.browser.server_process import ServerProcess
from tests.server.here import house_here
from tests.server.long_way import ONE_WAY_S, long_way
from tests.server.visitor import COOKIE, Visitor

NOT_UTF_8 = 1007
FLOOD = 100 * MAX_QUEUED_MESSAGES
"""Requests after which whoever does not read the answers must have been given up, whatever the kernel holds of them."""
AT_ONCE = 20
"""Few beside what may wait: who reads would never be given up."""
ALLOWED_MS: dict[Wire, tuple[int, int]] = {
    "fast": (round(1000 * ONE_WAY_S), LONGEST_ALLOWANCE_MS),
    "plain": (0, 0),
}
"""Least and most. No upper bound but the rule's own on the fast wire: a busy machine only makes a way longer."""


@pytest.mark.rule("KB-21")
async def test_only_what_the_server_measured_is_allowed_for(
    house: ServerProcess, wire: Wire, ana: Visitor
) -> None:
    async with long_way(house.address) as address, Visitor(address) as ben:
        while True:
            table = await ana.make("kabuki", "me", "open", start=False, window_s=10, turn_s=0)
            hers, his = await ana.join(table), await ben.join(table)
            assert isinstance(await his.ask("sit", seat=1), CommandAccepted)
            assert isinstance(await hers.ask("start", level="random"), CommandAccepted)
            await his.until(lambda event: getattr(event, "seq", 0) == 1)
            if 0 in hers.moves:
                break
        assert isinstance(await hers.play(0, {"move": "place", "stack": 2}), CommandAccepted)
        await his.until(lambda event: isinstance(event, StepMessage))
        assert isinstance(await his.play(1, {"move": "stop"}), CommandAccepted)
        receipt: Receipt = his.all(StepMessage)[-1].receipt
        assert (receipt.seat, receipt.decided_by) == (1, "alone")
        (press,) = receipt.presses
        least, most = ALLOWED_MS[wire]
        assert least <= press.allowed_ms <= most
        assert (await hers.until(lambda event: isinstance(event, StepMessage))).receipt == receipt


async def test_who_does_not_read_is_given_up_and_holds_nobody_up(
    tmp_path: Path, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up = asyncio.Event()
    close = TableConnection.close

    def noted(self: TableConnection, code: int, reason: str) -> None:
        if code == TRY_AGAIN_LATER:
            given_up.set()
        close(self, code, reason)

    monkeypatch.setattr(TableConnection, "close", noted)
    async with house_here(tmp_path, wire) as address, Visitor(address) as ana, Visitor(address) as ben:
        table = await ana.make("kimono", "me", "me")
        hers = await ana.join(table)
        socket_of_table = f"{address.replace('http', 'ws', 1)}api/tables/{table}/socket"
        cookie = {"Cookie": f"{COOKIE}={ben.cookie}"}
        async with connect(socket_of_table, additional_headers=cookie, max_queue=1) as deaf:
            asked = 0
            while not given_up.is_set() and asked < FLOOD:
                for _ in range(AT_ONCE):
                    await deaf.send('{"type":"catch_up","have":1000000}')
                asked += AT_ONCE
                await hers.send({"type": "ping"})
                await hers.until(lambda event: isinstance(event, Pong))
            assert given_up.is_set()
            ((seat, moves), *_) = hers.moves.items()
            assert isinstance(await hers.play(seat, moves[0]), CommandAccepted)
            answered = 0
            with suppress(ConnectionClosed):
                while True:
                    await deaf.recv()
                    answered += 1
            assert (deaf.close_code, deaf.close_reason) == (TRY_AGAIN_LATER, "too slow")
            assert answered < asked


async def test_text_that_is_not_utf_8_is_refused_by_us_or_by_uvicorn(tmp_path: Path, wire: Wire) -> None:
    async with house_here(tmp_path, wire) as address, Visitor(address) as ana:
        line = await ana.join(await ana.make("kimono", "me", "me"))
        await line.socket.send(b"\xff", text=True)
        if wire == "plain":
            assert (await line.reason())[0] == NOT_UTF_8
        else:
            refused = await line.answer(None)
            assert isinstance(refused, CommandRefused)
            assert refused.code == "malformed"


def sockets() -> list[object]:
    """What there is of sockets in this process, of either wire."""
    protocol = FastWebSocketProtocol.__base__
    assert protocol is not None
    return [one for one in gc.get_objects() if isinstance(one, (protocol, WebSocketConnection, WebSocket))]


def test_a_closed_socket_is_gone_without_a_search_for_cycles(tmp_path: Path, wire: Wire) -> None:
    """On the event loop the house is served with: transports differ in what they hold on to."""
    for_each = {"fast": 3, "plain": 2}[wire]

    async def visit() -> None:
        async with house_here(tmp_path, wire) as address, Visitor(address) as ana:
            table = await ana.make("kimono", "me", "me")
            before = len(sockets())
            line = await ana.join(table)
            assert len(sockets()) == before + for_each
            await line.socket.close()
            async with asyncio.timeout(30):
                while len(sockets()) > before:
                    await asyncio.sleep(0.01)

    gc.collect()
    gc.disable()
    try:
        with asyncio.Runner(loop_factory=config(None, ServerSettings()).get_loop_factory()) as runner:
            runner.run(visit())
    finally:
        gc.enable()


def test_nothing_of_the_fast_wire_is_imported_for_the_plain_one() -> None:
    """So a house on the plain wire opens whatever a new version of uvicorn has done to what the fast one is built on."""
    program = (
        "import sys\n"
        "from kotatsu.server.run import config\n"
        "from kotatsu.server.app import create_app\n"
        "from kotatsu.server.settings import ServerSettings\n"
        "settings = ServerSettings(wire='plain')\n"
        "chosen = config(create_app(settings), settings).ws\n"
        "assert chosen == 'websockets-sansio', chosen\n"
        "assert 'kotatsu.server.fast_websocket' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
