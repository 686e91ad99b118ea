"""The worker process in which worlds run, those of many tables: ``python -m kotatsu.worlds.worker``.

It reads requests from its standard input, runs each world's ticks when they are due, and writes replies to
its standard output (``kotatsu.worlds.messages``). When its input ends, its server is gone, and it exits.
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
    encode_message,
    request_decoder,
)

logger = logging.getLogger(__name__)
T = TypeVar("T")

CATCH_UP_TICKS = 4
"""A world that is late runs at most this many ticks at once; time it is later by is dropped. Chosen by hand:
67 ms at 60 ticks a second, so that a world that cannot keep up slows down instead of stopping the others."""

LOG_DELAY_S = 1.0
"""Moves without facts are collected for so many seconds before they go to the log. Chosen by hand: a player
carries a piece with sixty inputs a second, and one row a second is enough to replay them."""

_IDLE_S = 1.0
"""Seconds until the next look at worlds when none is due. Chosen by hand: a request interrupts it anyway."""


class RunningTurn:
    """One table's turn, with the time at which its next tick is due.

    Times are seconds of one monotonic clock.

    Args:
        table: the table's id.
        game: its game's name.
        setting: what the turn begins with (``RealTime.setting``).
        now: the present time; the first tick is due at once.

    Raises:
        LookupError: the game is not a real-time one.
    """

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
        """Whether the turn has ended."""
        return self._turn.over

    def pause(self, paused: bool, now: float) -> None:
        """Stop the turn's time while ``paused``; otherwise its next tick is due ``now``."""
        self.paused = paused
        self._due = now

    def act(self, given: PlayerInput) -> WorldReply | None:
        """Carry out a player's input; return the refusal if the rules forbid it or it cannot be read."""
        try:
            self._turn.act(given.seat, given.text)
        except IllegalMove as illegal:
            return InputRejected(self.table, given.seat, illegal.clause, illegal.message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            return InputRejected(self.table, given.seat, "form", f"That is nothing one can do: {error}")
        return None

    def set_bots(self, levels: dict[Seat, str]) -> None:
        """Have bots of these levels play these seats from now on, people the others."""
        self._turn.seat(levels)

    def run(self, now: float, send: Callable[[WorldReply], None]) -> float:
        """Run the ticks that are due ``now``, ``send`` their results, and return when the next one is due."""
        if self.paused:
            return now + _IDLE_S
        self._due = max(self._due, now - CATCH_UP_TICKS * self._tick_s)
        while self._due <= now and not self._turn.over:
            self._due += self._tick_s
            self._one_tick(now, send)
        return self._due

    def _one_tick(self, now: float, send: Callable[[WorldReply], None]) -> None:
        if not self._waiting:
            self._waiting_since = now
        self._waiting += self._turn.tick()
        self._ticks += 1
        over = self._turn.over
        if self._ticks % self._ticks_a_look == 0 or over:
            send(FrameReported(self.table, self._turn.look()))
        has_fact = any(isinstance(entry, Fact) for entry in self._waiting)
        if over or has_fact or (self._waiting and now - self._waiting_since >= LOG_DELAY_S):
            entries = msgspec.json.encode([plain_entry(entry) for entry in self._waiting])
            self._waiting = []
            send(EntriesReported(self.table, entries, self._turn.motion() if over else None))


class WorldWorker:
    """All worlds of this process.

    Args:
        out: where replies are written.
        clock: a monotonic clock in seconds.
    """

    def __init__(self, out: BinaryIO, clock: Callable[[], float] = monotonic) -> None:
        self._out = out
        self._clock = clock
        self._turns: dict[str, RunningTurn] = {}

    def handle(self, message: AnyRequestToWorld) -> None:
        """Carry out a request; requests for a table without a turn are ignored."""
        turn = self._turns.get(message.table)
        match message:
            case OpenTurn(table, game, setting):
                self._guard(table, lambda: self._open(table, game, setting))
            case PlayerInput() if turn is not None:
                refusal = self._guard(message.table, lambda: turn.act(message))
                if refusal is not None:
                    self._send(refusal)
            case BotsSeated(levels=levels) if turn is not None:
                self._guard(message.table, lambda: turn.set_bots(levels))
            case PauseTurn(paused=paused) if turn is not None:
                turn.pause(paused, self._clock())
            case CloseTurn(table):
                self._turns.pop(table, None)

    def run(self) -> float:
        """Run every tick that is due and write the replies; return for how many seconds nothing is due."""
        now = self._clock()
        due = now + _IDLE_S
        for table, turn in list(self._turns.items()):
            next_due = self._guard(table, partial(turn.run, now, self._send))
            if next_due is not None:
                due = min(due, next_due)
            if turn.over:
                self._turns.pop(table, None)
        self._out.flush()
        return max(0.0, due - self._clock())

    def _open(self, table: str, game: str, setting: bytes) -> None:
        self._turns[table] = RunningTurn(table, game, setting, self._clock())

    def _guard(self, table: str, work: Callable[[], T]) -> T | None:
        """Run ``work``; if it raises, drop and report this table's turn, so that others go on."""
        try:
            return work()
        except Exception as error:
            logger.exception("the real-time world of table %s failed", table)
            self._turns.pop(table, None)
            self._send(TurnFailed(table, f"{type(error).__name__}: {error}"))
            return None

    def _send(self, message: WorldReply) -> None:
        self._out.write(encode_message(message))


def read_requests(source: BinaryIO, queue: SimpleQueue[AnyRequestToWorld | None]) -> None:
    """Put every request from ``source`` into ``queue``, and ``None`` at its end.

    Blocks: run it in a thread.
    """
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        body = source.read(length)
        if len(body) < length:
            break
        queue.put(request_decoder.decode(body))
    queue.put(None)


def main() -> None:
    """Run worlds until the server closes the standard input or stops reading the output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    queue: SimpleQueue[AnyRequestToWorld | None] = SimpleQueue()
    Thread(target=read_requests, args=(sys.stdin.buffer, queue), daemon=True).start()
    worker = WorldWorker(sys.stdout.buffer)
    idle = 0.0
    while True:
        for message in _requests_within(queue, idle):
            if message is None:
                return
            worker.handle(message)
        try:
            idle = worker.run()
        except BrokenPipeError:
            return


def _requests_within(
    queue: SimpleQueue[AnyRequestToWorld | None], seconds: float
) -> Iterator[AnyRequestToWorld | None]:
    """Wait up to ``seconds`` for the first request, then take all that are there."""
    with suppress(Empty):
        yield queue.get(timeout=seconds) if seconds > 0 else queue.get_nowait()
        while True:
            yield queue.get_nowait()


if __name__ == "__main__":
    main()
