"""The process in which worlds run, many tables to one: ``python -m kotatsu.worlds.worker``.

It reads what is said to its worlds on its standard input, ticks each at its pace and writes what they say on its
standard output. When its input ends, its server is gone, and it goes too.
"""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import BinaryIO, TypeVar, cast

import msgspec

from kotatsu.engine.contract import Fact, IllegalMove, Seat
from kotatsu.engine.realtime import LiveTurn, RealTime
from kotatsu.engine.record import Entry, plain_entry
from kotatsu.engine.registry import part
from kotatsu.worlds.messages import (
    LENGTH,
    AnyRequestToWorld,
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
    packed,
    read_request,
)

logger = logging.getLogger(__name__)
T = TypeVar("T")

CATCH_UP_TICKS = 4
"""A world that is late runs this many ticks at once at most; what it is later by than that is forgotten."""
QUIET_S = 1.0
"""Moves that brought no fact wait so long for company on their way into the log."""


class RunningTurn:
    """One table's turn, and when its next tick is due."""

    def __init__(self, table: str, game: str, setting: bytes, now: float) -> None:
        module = part(game, "realtime")
        if module is None:
            raise LookupError(f"{game} has no world")
        kind = cast("RealTime", module)
        self.table = table
        self.paused = False
        self._turn: LiveTurn = kind.open_turn(setting)
        self._tick_s = 1.0 / kind.TICKS_A_SECOND
        self._ticks_a_look = kind.TICKS_A_LOOK
        self._ticks = 0
        self._due = now
        self._waiting: list[Entry] = []
        self._waiting_since = now

    @property
    def over(self) -> bool:
        return self._turn.over

    def pause(self, paused: bool, now: float) -> None:
        self.paused = paused
        self._due = now

    def act(self, asked: PlayerInput) -> WorldReply | None:
        """A player does something; a refusal, if it was not done."""
        try:
            self._turn.act(asked.seat, asked.text)
        except IllegalMove as illegal:
            return InputRejected(self.table, asked.seat, illegal.clause, illegal.message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            return InputRejected(self.table, asked.seat, "form", f"That is nothing one can do: {error}")
        return None

    def seat(self, levels: dict[Seat, str]) -> None:
        self._turn.seat(levels)

    def run(self, now: float, say: Callable[[WorldReply], None]) -> float:
        """Do the ticks that are due; when the next one is."""
        if self.paused:
            return now + 1.0
        self._due = max(self._due, now - CATCH_UP_TICKS * self._tick_s)
        while self._due <= now and not self._turn.over:
            self._due += self._tick_s
            self._one_tick(now, say)
        return self._due

    def _one_tick(self, now: float, say: Callable[[WorldReply], None]) -> None:
        if not self._waiting:
            self._waiting_since = now
        self._waiting += self._turn.tick()
        self._ticks += 1
        over = self._turn.over
        if self._ticks % self._ticks_a_look == 0 or over:
            say(FrameReported(self.table, self._turn.look()))
        told = any(isinstance(entry, Fact) for entry in self._waiting)
        if over or told or (self._waiting and now - self._waiting_since >= QUIET_S):
            entries = msgspec.json.encode([plain_entry(entry) for entry in self._waiting])
            self._waiting = []
            say(EntriesReported(self.table, entries, self._turn.motion() if over else None))


class WorldWorker:
    """All worlds of this process."""

    def __init__(self, out: BinaryIO, clock: Callable[[], float] = monotonic) -> None:
        self._out = out
        self._clock = clock
        self._hosted: dict[str, RunningTurn] = {}

    def hear(self, message: AnyRequestToWorld) -> None:
        """Do what is asked."""
        hosted = self._hosted.get(message.table)
        match message:
            case OpenTurn(table, game, setting):
                self._guard(table, lambda: self._open(table, game, setting))
            case PlayerInput() if hosted is not None:
                refusal = self._guard(message.table, lambda: hosted.act(message))
                if refusal is not None:
                    self._say(refusal)
            case BotsSeated(levels=levels) if hosted is not None:
                self._guard(message.table, lambda: hosted.seat(levels))
            case PauseTurn(paused=paused) if hosted is not None:
                hosted.pause(paused, self._clock())
            case CloseTurn(table):
                self._hosted.pop(table, None)

    def run(self) -> float:
        """Do every tick that is due, and say what there is to say; how long nothing is due after that."""
        now = self._clock()
        due = now + 1.0
        for table, hosted in list(self._hosted.items()):
            next_due = self._guard(table, partial(hosted.run, now, self._say))
            if next_due is not None:
                due = min(due, next_due)
            if hosted.over:
                self._hosted.pop(table, None)
        self._out.flush()
        return max(0.0, due - self._clock())

    def _open(self, table: str, game: str, setting: bytes) -> None:
        self._hosted[table] = RunningTurn(table, game, setting, self._clock())

    def _guard(self, table: str, work: Callable[[], T]) -> T | None:
        """Whatever goes wrong in one world stays there."""
        try:
            return work()
        except Exception as error:
            logger.exception("the world of table %s broke down", table)
            self._hosted.pop(table, None)
            self._say(TurnFailed(table, f"{type(error).__name__}: {error}"))
            return None

    def _say(self, message: WorldReply) -> None:
        self._out.write(packed(message))


def read_messages(source: BinaryIO, queue: SimpleQueue[AnyRequestToWorld | None]) -> None:
    """Everything that is said, until the end."""
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        body = source.read(length)
        if len(body) < length:
            break
        queue.put(read_request.decode(body))
    queue.put(None)


def main() -> None:
    """Until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    queue: SimpleQueue[AnyRequestToWorld | None] = SimpleQueue()
    Thread(target=read_messages, args=(sys.stdin.buffer, queue), daemon=True).start()
    process = WorldWorker(sys.stdout.buffer)
    rest = 0.0
    while True:
        for message in _said_within(queue, rest):
            if message is None:
                return
            process.hear(message)
        try:
            rest = process.run()
        except BrokenPipeError:
            return


def _said_within(
    queue: SimpleQueue[AnyRequestToWorld | None], seconds: float
) -> Iterator[AnyRequestToWorld | None]:
    """What is said: wait for the first of it, then take what is there."""
    with suppress(Empty):
        yield queue.get(timeout=seconds) if seconds > 0 else queue.get_nowait()
        while True:
            yield queue.get_nowait()


if __name__ == "__main__":
    main()
