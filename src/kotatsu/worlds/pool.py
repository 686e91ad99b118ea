"""The processes worlds run in, as the server sees them. A world that dies loses its turn, never its table."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Protocol

from kotatsu.worlds.messages import (
    LENGTH,
    BotsSeated,
    CloseTurn,
    EntriesReported,
    FrameReported,
    InputRejected,
    OpenTurn,
    PauseTurn,
    PlayerInput,
    TurnFailed,
    WorldReply,
    WorldRequest,
    packed,
    read_reply,
)

logger = logging.getLogger(__name__)

BACKLOG = 1 << 20
"""Bytes that may wait for a process before it counts as hung."""


class WorldListener(Protocol):
    """Who a world talks to: the stage of its table."""

    def looked(self, message: FrameReported) -> None:
        """How the world looks now."""

    def happened(self, message: EntriesReported) -> None:
        """What belongs into the log."""

    def refused(self, message: InputRejected) -> None:
        """What a player did was not done."""

    def failed(self) -> None:
        """The world is gone."""


class WorldPool:
    """Starts as many processes as it may, each when it is first needed, and spreads tables over them."""

    def __init__(self, processes: int | None = None) -> None:
        self._hosts = [_WorkerProcess() for _ in range(processes or max(1, (os.cpu_count() or 2) - 1))]
        self._at: dict[str, _WorkerProcess] = {}

    async def open(self, table: str, game: str, setting: bytes, listener: WorldListener) -> None:
        """Begin a turn; what its world says goes to ``listener``."""
        host = self._host_of(table)
        host.listeners[table] = listener
        try:
            await host.start()
        except OSError:
            logger.exception("no process for worlds can be started")
            listener.failed()
            return
        host.say(OpenTurn(table, game, setting))

    async def prepare(self, table: str) -> None:
        """A table will need its world soon: have a process ready."""
        with suppress(OSError):
            await self._host_of(table).start()

    def act(self, table: str, seat: int, text: bytes) -> None:
        """A player does something."""
        self._say(PlayerInput(table, seat, text))

    def seat(self, table: str, levels: dict[int, str]) -> None:
        """Bots have these seats from now on."""
        self._say(BotsSeated(table, levels))

    def pause(self, table: str, *, paused: bool) -> None:
        """Let a world's time stand still, or go on."""
        self._say(PauseTurn(table, paused))

    def close(self, table: str) -> None:
        """A table needs its world no more."""
        self._say(CloseTurn(table))
        host = self._at.pop(table, None)
        if host is not None:
            host.listeners.pop(table, None)

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(*(host.stop() for host in self._hosts))

    def _host_of(self, table: str) -> _WorkerProcess:
        host = self._at.get(table) or min(self._hosts, key=lambda each: len(each.listeners))
        self._at[table] = host
        return host

    def _say(self, message: WorldRequest) -> None:
        host = self._at.get(message.table)
        if host is not None:
            host.say(message)


class _WorkerProcess:
    """One process and the tables whose worlds it runs."""

    def __init__(self) -> None:
        self.listeners: dict[str, WorldListener] = {}
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Be there, if it is not yet."""
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "kotatsu.worlds.worker", stdin=PIPE, stdout=PIPE
            )
            self._reading = asyncio.create_task(self._read(self._process))

    def say(self, message: WorldRequest) -> None:
        """Never waits: a process that does not listen any more is ended."""
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            return
        process.stdin.write(packed(message))
        if process.stdin.transport.get_write_buffer_size() > BACKLOG:
            logger.error("a process of worlds hangs and is ended")
            process.kill()

    async def stop(self) -> None:
        """End it."""
        self.listeners.clear()
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reading is not None:
            await self._reading

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                self._hear(read_reply.decode(await process.stdout.readexactly(length)))
        await process.wait()
        if self._process is process:
            logger.error("a process of worlds has ended with %s", process.returncode)
            self._process = None
            for listener in list(self.listeners.values()):
                listener.failed()

    def _hear(self, message: WorldReply) -> None:
        listener = self.listeners.get(message.table)
        if listener is None:
            return
        match message:
            case FrameReported():
                listener.looked(message)
            case EntriesReported():
                listener.happened(message)
            case InputRejected():
                listener.refused(message)
            case TurnFailed():
                listener.failed()
