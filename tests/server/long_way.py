"""A network between a visitor and a house that takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

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
