"""The worker processes of worlds, as the server sees them. A process that dies loses turns, never tables."""

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
    encode_message,
    reply_decoder,
)

logger = logging.getLogger(__name__)

MAX_UNREAD_BYTES = 1 << 20
"""Bytes a process may leave unread before it counts as hung and is killed. Chosen by hand: a thread of the
process does nothing but read, so even at the limit of 16 full tables (2.5 MB/s) this is only reached if it
has stopped."""


class WorldListener(Protocol):
    """Who gets the messages of a table's world, on the event loop: ``TableWorld``."""

    def on_frame(self, message: FrameReported) -> None:
        """Handle what moved."""

    def on_entries(self, message: EntriesReported) -> None:
        """Handle entries for the log."""

    def on_rejected(self, message: InputRejected) -> None:
        """Handle that an input was not carried out."""

    def on_failed(self) -> None:
        """Handle that the world, or its process, is gone: the turn is lost."""


class WorldPool:
    """Worker processes, each started when it is first needed, and the tables spread over them.

    ``table`` is a table's id. Only ``open``, ``prepare`` and ``stop`` wait; the others send a message and
    return.

    Args:
        processes: the most processes to run; by default one fewer than there are processors.
    """

    def __init__(self, processes: int | None = None) -> None:
        self._workers = [_WorkerProcess() for _ in range(processes or max(1, (os.cpu_count() or 2) - 1))]
        self._worker_by_table: dict[str, _WorkerProcess] = {}

    async def open(self, table: str, game: str, setting: bytes, listener: WorldListener) -> None:
        """Begin a turn of a ``table``.

        Args:
            table: the table.
            game: its game's name.
            setting: what the turn begins with (``RealTime.setting``).
            listener: gets the world's messages; ``on_failed`` at once if no process can be started.
        """
        worker = self._worker_of(table)
        worker.listeners[table] = listener
        try:
            await worker.start()
        except OSError:
            logger.exception("cannot start a worker process for real-time worlds")
            listener.on_failed()
            return
        worker.send(OpenTurn(table, game, setting))

    async def prepare(self, table: str) -> None:
        """Start the process of a table that will need its world soon."""
        with suppress(OSError):
            await self._worker_of(table).start()

    def act(self, table: str, seat: int, text: bytes) -> None:
        """Send a player's input for a ``seat``, JSON ``text`` as it came from the browser."""
        self._send(PlayerInput(table, seat, text))

    def set_bots(self, table: str, levels: dict[int, str]) -> None:
        """Have bots play seats from now on, by the ``levels`` of those seats, and people the others."""
        self._send(BotsSeated(table, levels))

    def pause(self, table: str, *, paused: bool) -> None:
        """Let the time of a ``table``'s turn stand still while ``paused``."""
        self._send(PauseTurn(table, paused))

    def close(self, table: str) -> None:
        """Drop a table's turn, and its listener."""
        self._send(CloseTurn(table))
        worker = self._worker_by_table.pop(table, None)
        if worker is not None:
            worker.listeners.pop(table, None)

    async def stop(self) -> None:
        """End all processes and wait until they have ended."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    def _worker_of(self, table: str) -> _WorkerProcess:
        worker = self._worker_by_table.get(table) or min(self._workers, key=lambda each: len(each.listeners))
        self._worker_by_table[table] = worker
        return worker

    def _send(self, message: WorldRequest) -> None:
        worker = self._worker_by_table.get(message.table)
        if worker is not None:
            worker.send(message)


class _WorkerProcess:
    """One process and the listeners of the tables whose worlds it runs."""

    def __init__(self) -> None:
        self.listeners: dict[str, WorldListener] = {}
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the process, unless it is running."""
        async with self._starting:
            if self._process is not None and self._process.returncode is None:
                return
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "kotatsu.worlds.worker", stdin=PIPE, stdout=PIPE
            )
            self._reading = asyncio.create_task(self._read(self._process))

    def send(self, message: WorldRequest) -> None:
        """Never waits: a process that leaves too much unread is killed."""
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            return
        process.stdin.write(encode_message(message))
        if process.stdin.transport.get_write_buffer_size() > MAX_UNREAD_BYTES:
            logger.error("killing a worker process of real-time worlds that does not read its input")
            process.kill()

    async def stop(self) -> None:
        """Kill it and wait until it has ended."""
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
                self._dispatch(reply_decoder.decode(await process.stdout.readexactly(length)))
        await process.wait()
        if self._process is process:
            logger.error("a worker process of real-time worlds ended with status %s", process.returncode)
            self._process = None
            for listener in list(self.listeners.values()):
                listener.on_failed()

    def _dispatch(self, message: WorldReply) -> None:
        listener = self.listeners.get(message.table)
        if listener is None:
            return
        match message:
            case FrameReported():
                listener.on_frame(message)
            case EntriesReported():
                listener.on_entries(message)
            case InputRejected():
                listener.on_rejected(message)
            case TurnFailed():
                listener.on_failed()
