"""A wire between a browser and a house that can be slow, or go dead as a lost wireless network does: silence, no goodbye."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.browser.server_process import ServerProcess

CHUNK = 1 << 16
CLOSING_S = 5


class Wire:
    """Everything passes both ways until ``cut()``; after ``mend()`` connections can be made again.

    ``delay`` is the least number of seconds that anything takes, one way.
    """

    def __init__(self, house: ServerProcess, delay: float = 0.0) -> None:
        self.address = ""
        self._port = int(house.address.rpartition(":")[2])
        self._loop = asyncio.new_event_loop()
        self._delay = delay
        self._dead = False
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    def cut(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        self._dead = True

    def mend(self) -> None:
        """The old connections are lost for good; new ones work."""
        self._loop.call_soon_threadsafe(self._revive)

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.address = f"http://localhost:{self._server.sockets[0].getsockname()[1]}"

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        self._revive()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_S)

    def _revive(self) -> None:
        for writer in self._open:
            writer.close()
        self._open.clear()
        self._dead = False

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_house, from_house = None, None
        self._open.add(writer)
        with suppress(OSError):
            from_house, to_house = await asyncio.open_connection("127.0.0.1", self._port)
        if from_house is None or to_house is None:
            writer.close()
            return
        self._open.add(to_house)
        await asyncio.gather(self._pump(reader, to_house), self._pump(from_house, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                await asyncio.sleep(self._delay)
                if not self._dead:
                    writer.write(data)
                    await writer.drain()
        if not self._dead:
            writer.close()


@contextmanager
def wire_to(house: ServerProcess, delay: float = 0.0) -> Iterator[Wire]:
    """A wire, running in a thread of its own."""
    wire = Wire(house, delay)
    loop = wire._loop
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(wire.start(), loop).result()
    try:
        yield wire
    finally:
        asyncio.run_coroutine_threadsafe(wire.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
