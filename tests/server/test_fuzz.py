"""Noise at a table's socket: every whole command is answered, no table dies, and nothing is left behind.

A few thousand messages in the suite; ``KOTATSU_FUZZ_MESSAGES=100000`` sends more, ``KOTATSU_FUZZ_SEED`` others.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kotatsu.protocol.messages import CommandAccepted, CommandRefused, Outgoing, Pong, StepMessage, Welcome
from kotatsu.server.wire import Wire
from tests.server.fuzzer import Fuzzer
from tests.server.here import house_here
from tests.server.visitor import Visitor

MESSAGES = int(os.environ.get("KOTATSU_FUZZ_MESSAGES", "3000"))
SEED = int(os.environ.get("KOTATSU_FUZZ_SEED", "1"))
TABLES = (("kimono", 2), ("kimono", 3), ("kabuki", 3), ("kakuzu", 2))
AT_EACH = 3
BATCH = 20
HUNG_S = 60
SHOWN_OUT = {1000, 1008, 1009, 1013, 4403}
"""Left, bad messages, a frame too large, too slow to read, and a host who wants no spectators."""
PARTS = ("kotatsu.table", "kotatsu.server", "uvicorn.protocols")
read = msgspec.json.Decoder(Outgoing).decode


class Pest:
    """Sends a fuzzer's messages to one table, over as many connections as it takes."""

    def __init__(self, visitor: Visitor, table: str, name: str) -> None:
        self.sent = 0
        self._visitor = visitor
        self._table = table
        self._fuzzer = Fuzzer(SEED, name)
        self._rng = Random(name)
        self._unanswered: set[str] = set()
        self._moves: dict[int, tuple[Any, ...]] = {}
        self._seq = 0

    async def bother(self, messages: int) -> None:
        until = self.sent + messages
        while self.sent < until:
            async with a_socket(self._visitor, self._table) as socket:
                self._unanswered.clear()
                try:
                    while self.sent < until and self._rng.random() < 0.95:
                        await self._batch(socket)
                    if self._rng.random() < 0.5:
                        await self._all_answered(socket)
                    else:
                        socket.transport.abort()
                except ConnectionClosed:
                    assert socket.close_code in SHOWN_OUT, (socket.close_code, socket.close_reason)

    async def _batch(self, socket: ClientConnection) -> None:
        for _ in range(BATCH):
            message = self._fuzzer.next(self._moves, self._seq)
            self.sent += 1
            if message.command is not None:
                self._unanswered.add(message.command)
            await socket.send(message.data)
        await socket.send('{"type":"ping"}')
        while not isinstance(await self._hear(socket), Pong):
            pass

    async def _all_answered(self, socket: ClientConnection) -> None:
        try:
            async with asyncio.timeout(HUNG_S):
                while self._unanswered:
                    await self._hear(socket)
        except TimeoutError:
            pytest.fail(f"table {self._table} does not answer {self._unanswered}")

    async def _hear(self, socket: ClientConnection) -> Any:
        event = read(await socket.recv())
        match event:
            case CommandAccepted(command_id=command) | CommandRefused(command_id=command):
                self._unanswered.discard(command or "")
            case Welcome() | StepMessage():
                self._seq = event.seq
                moves = event.waiting.moves if event.waiting is not None else ()
                self._moves = {each.seat: each.moves for each in moves}
        return event


@asynccontextmanager
async def a_socket(visitor: Visitor, table: str) -> AsyncIterator[ClientConnection]:
    address = str(visitor.http.base_url).replace("http", "ws", 1).rstrip("/")
    headers = {"Cookie": f"kotatsu={visitor.cookie}"}
    url = f"{address}/api/tables/{table}/socket"
    async with connect(
        url, additional_headers=headers, max_size=None, max_queue=None, close_timeout=1
    ) as socket:
        yield socket


async def is_alive(visitor: Visitor, table: str) -> None:
    """It says where it stands, and does what its host asks."""
    async with a_socket(visitor, table) as socket:
        assert isinstance(read(await socket.recv()), Welcome)
        await socket.send('{"type":"set_settings","command_id":"last","settings":{"patience":60}}')
        while not isinstance(event := read(await socket.recv()), CommandAccepted | CommandRefused):
            pass
        assert isinstance(event, CommandAccepted)
    assert (await visitor.http.get(f"/api/tables/{table}")).status_code == 200


def left_over() -> Counter[str]:
    """How many there are of what tables and sockets are made of."""
    gc.collect()
    kinds = Counter(type(thing) for thing in gc.get_objects())
    return Counter(
        {kind.__qualname__: many for kind, many in kinds.items() if str(kind.__module__).startswith(PARTS)}
    )


async def at_rest(visitor: Visitor) -> None:
    """Until the house has put every table away."""
    while (await visitor.http.get("/healthz")).json()["tables"]:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.05)


async def test_noise_is_answered_and_leaves_nothing_behind(
    tmp_path: Path, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "kotatsu")
    async with house_here(tmp_path, wire) as address, Visitor(address) as host, Visitor(address) as other:
        tables = [await host.make(game, "me", *["open"] * (seats - 1), start=False) for game, seats in TABLES]
        pests = [
            Pest((host, other)[number % 2], table, f"{place}-{number}")
            for place, table in enumerate(tables)
            for number in range(AT_EACH)
        ]
        each = MESSAGES // (2 * len(pests)) + 1
        await asyncio.gather(*(pest.bother(each) for pest in pests))
        await at_rest(host)
        before, tasks, things = left_over(), len(asyncio.all_tasks()), len(gc.get_objects())
        await asyncio.gather(*(pest.bother(each) for pest in pests))
        for table in tables:
            await is_alive(host, table)
        await at_rest(host)
        after = left_over()
        assert sum(pest.sent for pest in pests) >= MESSAGES
        assert not after - before
        assert len(asyncio.all_tasks()) == tasks
        assert len(gc.get_objects()) < 1.05 * things + each
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
