"""The server measures round trips by its own pings, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from uvicorn.server import ServerState

from kotatsu.server.pulse import QUICK, MeasuredWebSocket
from kotatsu.server.run import config
from kotatsu.server.settings import Settings
from kotatsu.table.arbiter import LONGEST_ALLOWANCE_MS, Receipt
from kotatsu.table.connection import Connection
from kotatsu.table.wire import Accepted, Step
from tests.browser.house import House
from tests.server.visitor import Visitor
from tests.table.people import a_house

ONE_WAY_S = 0.1


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Everything arrives, in order, a while later."""
    loop = asyncio.get_running_loop()
    while data := await reader.read(65536):
        loop.call_later(ONE_WAY_S, writer.write, data)
    await asyncio.sleep(2 * ONE_WAY_S)
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def long_way(address: str) -> AsyncIterator[str]:
    """The address of the same house, farther away."""
    where = urlsplit(address)
    ways: set[asyncio.Task[None]] = set()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(where.hostname, where.port)
        for way in (_carry(reader, back), _carry(there, writer)):
            ways.add(asyncio.create_task(way))

    server = await asyncio.start_server(connect, "127.0.0.1")
    port = server.sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.close()
    await asyncio.gather(*ways)


@pytest.mark.rule("KB-21")
async def test_whoever_is_farther_away_is_allowed_for(house: House, ana: Visitor) -> None:
    """No upper bound is asserted but the rule's own: a busy machine only makes a way longer."""
    async with long_way(house.address) as address, Visitor(address) as ben:
        while True:
            table = await ana.make("kabuki", "me", "open", start=False, window_s=10, turn_s=0)
            hers, his = await ana.join(table), await ben.join(table)
            assert isinstance(await his.ask("sit", seat=1), Accepted)
            assert isinstance(await hers.ask("start", level="random"), Accepted)
            await his.until(lambda event: getattr(event, "seq", 0) == 1)
            if 0 in hers.moves:
                break
        assert isinstance(await hers.play(0, {"move": "place", "stack": 2}), Accepted)
        await his.until(lambda event: isinstance(event, Step))
        assert isinstance(await his.play(1, {"move": "stop"}), Accepted)
        receipt: Receipt = his.all(Step)[-1].receipt
        assert (receipt.seat, receipt.decided_by) == (1, "alone")
        (press,) = receipt.presses
        assert ONE_WAY_S * 1000 <= press.allowed_ms <= LONGEST_ALLOWANCE_MS
        assert (await hers.until(lambda event: isinstance(event, Step))).receipt == receipt


async def test_pings_are_quick_only_where_it_matters_who_is_first() -> None:
    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        return None

    wire = MeasuredWebSocket(config(nothing, Settings()), ServerState(), {}, asyncio.get_running_loop())
    assert wire.ping_interval is not None
    assert wire.ping_interval > QUICK
    wire.pulse.quicken()
    assert wire.ping_interval == QUICK
    house = a_house()
    races = {}
    for name in ("kabuki", "kimono"):
        made = await house.create("ana", name, {}, ("me", "open"))
        races[name] = (await house.enter(made.id, Connection("ana"))).races
    assert races == {"kabuki": True, "kimono": False}
    await house.close()
