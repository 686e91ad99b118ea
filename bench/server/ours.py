"""Kotatsu: durable SQLite, Kimono's real rules, two visitors at each table."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory

import httpx
import msgspec
from bench.server.frames import dial
from bench.server.load import Player, Server

from kotatsu.server.wire import Wire

OPEN_AT = b"Kotatsu is open at "
NO_LIMITS = {
    "KOTATSU_TABLES_A_DAY": "1000000",
    "KOTATSU_CONNECTIONS_PER_VISITOR": "1000000",
    "KOTATSU_CONNECTIONS_PER_ADDRESS": "1000000",
    "KOTATSU_CHANGES_PER_SECOND": "1000000",
    "KOTATSU_CHANGE_BURST": "1000000",
    "KOTATSU_MESSAGES_PER_SECOND": "1000000",
    "KOTATSU_MESSAGE_BURST": "1000000",
    "KOTATSU_WARM_UP": "false",
    "KOTATSU_LOG_LEVEL": "warning",
}


class _Moves(msgspec.Struct):
    moves: list[msgspec.Raw]


class _Waiting(msgspec.Struct):
    moves: list[_Moves]


class _Message(msgspec.Struct):
    type: str
    seq: int = 0
    waiting: _Waiting | None = None


_read = msgspec.json.Decoder(_Message).decode


class OurPlayer(Player):
    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        self.accepted = asyncio.Event()
        self.playing = asyncio.Event()
        self._moves: list[msgspec.Raw] = []

    def hear(self, payload: bytes) -> None:
        message = _read(payload)
        match message.type:
            case "step" | "welcome" if message.seq:
                moves = message.waiting.moves if message.waiting is not None else []
                self._moves = moves[0].moves if moves else []
                self.told(message.seq, bool(moves))
                self.playing.set()
            case "accepted":
                self.accepted.set()
            case "refused":
                self.lost(payload.decode())

    async def ask(self, message: bytes) -> None:
        self.accepted.clear()
        self.wire.send(message)
        await self.accepted.wait()

    def send_move(self) -> None:
        move = bytes(self.rng.choice(self._moves))
        self.wire.send(
            b'{"type":"play","command_id":"%d","seat":%d,"seen":%d,"move":%b}'
            % (self.seq, self.seat, self.seq, move)
        )


class Ours(Server):
    """With one of the wires a house can have (``KOTATSU_WIRE``)."""

    def __init__(self, wire: Wire = "fast", environment: Mapping[str, str] = os.environ) -> None:
        self.name = f"Kotatsu, SQLite FULL, {wire} wire"
        self._wire = wire
        self._environment = environment
        self._folder = TemporaryDirectory(prefix="kotatsu-bench-")
        self._process: Process | None = None
        self._visitors: list[httpx.AsyncClient] = []
        self._port = 0

    async def start(self) -> None:
        command = [sys.executable, "-m", "kotatsu", "serve", "--no-open", "--port", "0"]
        self._process = await asyncio.create_subprocess_exec(
            *command,
            "--data",
            self._folder.name,
            stdout=PIPE,
            stderr=DEVNULL,
            env={**self._environment, **NO_LIMITS, "KOTATSU_WIRE": self._wire},
        )
        assert self._process.stdout is not None
        said = await self._process.stdout.readline()
        address = said.removeprefix(OPEN_AT).split()[0].decode().rstrip("/")
        self._port = int(address.rpartition(":")[2])
        self.pid = self._process.pid
        brief = httpx.Limits(keepalive_expiry=1)  # no request on a connection the server is just closing
        self._visitors = [httpx.AsyncClient(base_url=address, timeout=60, limits=brief) for _ in range(2)]
        for visitor in self._visitors:
            (await visitor.get("/api/me")).raise_for_status()

    async def stop(self) -> None:
        for visitor in self._visitors:
            await visitor.aclose()
        if self._process is not None:
            self._process.terminate()
            await self._process.wait()
        self._folder.cleanup()

    async def set_table(self, number: int) -> Sequence[Player]:
        body = {"game": "kimono", "players": 2, "seats": ["me", "open"]}
        made = (await self._visitors[0].post("/api/tables", json=body)).raise_for_status().json()
        host, guest = OurPlayer(0, number), OurPlayer(1, number)
        for player, visitor in zip((host, guest), self._visitors, strict=True):
            path = f"/api/tables/{made['table']['id']}/socket"
            cookie = f"kotatsu={visitor.cookies['kotatsu']}"
            player.wire = await dial(self._port, path, player.hear, player.lost, cookie)
        await guest.ask(b'{"type":"sit","command_id":"sit","seat":1}')
        await host.ask(b'{"type":"start","command_id":"start","level":"random"}')
        await asyncio.gather(host.playing.wait(), guest.playing.wait())
        return host, guest
