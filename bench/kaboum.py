"""Kaboum's world: how fast it runs, how much it sends, and how many tables one core carries in real time.

    python -m bench.kaboum                 # a few minutes
    python -m bench.kaboum --real-time     # and the result again by the wall clock; wants a quiet machine

Speeds are simulated seconds a second of processor time. Tables are carried by the process that carries them in a
server, with bots of level adept in all seats, turn after turn, each table at another moment of its turn. Its clock
is the processor time it uses, and where it would wait the clock is put forward: so others on the same machine do
not count. A frame is late by the time from when it is due to when it is written. One core carries so many tables if
one frame in a hundred at most is later than 10 ms.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic, process_time, sleep
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from kotatsu.games.kaboum import realtime
from kotatsu.games.kaboum.codec import CHUNK, header
from kotatsu.games.kaboum.fold import fold
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.model import Flip, KaboumOptions, KaboumState
from kotatsu.games.kaboum.world.scene import BODIES, TICKS_A_SECOND
from kotatsu.games.kaboum.world.world import World
from kotatsu.worlds.messages import WorldReply
from kotatsu.worlds.worker import RunningTurn, WorldWorker

TURNS = 8
CARRIED_S = 30
AWAKE_S = 8
PLAYERS = 3
LEVEL = "adept"
LATE_MS = 10.0
LOOKS_A_SECOND = TICKS_A_SECOND // realtime.TICKS_A_LOOK
Advance = Callable[[float], None]


def running(players: int, seed: int) -> KaboumState:
    """A turn just begun."""
    options, rng = KaboumOptions(), Random(seed)
    state = GAME.empty(players, options)
    for fact in GAME.setup(players, options, rng):
        state = fold(state, fact)
    for fact in GAME.decide(state, state.builder, Flip(), rng):
        state = fold(state, fact)
    return state


def everything_awake(advance: Advance) -> float:
    """All pieces and dice thrown about, and nothing allowed to sleep: simulated seconds a second."""
    world = World(sleeps=False)
    rng = np.random.default_rng(1)
    for body in range(BODIES):
        world.put(body, rng.uniform((-0.15, -0.15, 0.05), (0.15, 0.15, 0.4)))
    started = process_time()
    for _ in range(AWAKE_S):
        for _ in range(TICKS_A_SECOND):
            world.step()
        advance(1 / AWAKE_S)
    return AWAKE_S / (process_time() - started)


class Typical(NamedTuple):
    """Turns between bots: speed, bytes a second for a browser, the largest frame, bytes of a stored turn."""

    speed: float
    rate: float
    largest: int
    stored: float


def typical(advance: Advance) -> Typical:
    """Whole turns, bots, referee and frames included."""
    seconds = spent = 0.0
    sent = largest = stored = 0
    for seed in range(TURNS):
        state = running(PLAYERS, seed)
        live = realtime.LiveKaboum(realtime.Setting(state, dict.fromkeys(range(PLAYERS), LEVEL), seed))
        started = process_time()
        while not live.over:
            for _ in range(realtime.TICKS_A_LOOK):
                live.tick()
            look = live.look()
            size = len(look.header) + sum(map(len, look.parts.values()))
            sent += size
            largest = max(largest, size)
        spent += process_time() - started
        seconds += state.options.hourglass_s
        stored += len(live.motion())
        advance(1 / TURNS)
    return Typical(seconds / spent, sent / seconds, largest, stored / TURNS)


class OneCore:
    """The clock of a core that does nothing else: work takes the time it takes, waiting takes none."""

    def __init__(self) -> None:
        self._skipped = -process_time()

    def __call__(self) -> float:
        return process_time() + self._skipped

    def rest(self, seconds: float) -> None:
        self._skipped += seconds


class WallClock:
    """The time on the wall."""

    def __call__(self) -> float:
        return monotonic()

    def rest(self, seconds: float) -> None:
        sleep(seconds)


class Measured(RunningTurn):
    """Notes how late each frame was written; begins another turn when one is over."""

    def __init__(self, number: int, late: list[float], clock: OneCore | WallClock) -> None:
        self.turn = number
        self.late = late
        self.clock = clock
        super().__init__(f"t{number}", "kaboum", self._setting(), 0.0)

    def begin(self, into_its_turn: float) -> None:
        """Be somewhere in the middle of a turn."""
        for _ in range(round(into_its_turn * TICKS_A_SECOND)):
            self._turn.tick()

    @property
    def over(self) -> bool:
        if super().over:
            self.turn += 1000
            self._turn = realtime.open_turn(self._setting())
        return False

    def _setting(self) -> bytes:
        return realtime.setting(running(PLAYERS, self.turn), dict.fromkeys(range(PLAYERS), LEVEL), self.turn)

    def _one_tick(self, now: float, send: Callable[[WorldReply], None]) -> None:
        due = self._due - self._tick_s
        super()._one_tick(now, send)
        if self._ticks % self._ticks_a_look == 0:
            self.late.append(self.clock() - due)


class Carried(NamedTuple):
    """So many tables: how late a frame was, in milliseconds, and the share of the core they took."""

    tables: int
    p50: float
    p99: float
    worst: float
    share: float

    @property
    def in_time(self) -> bool:
        return self.p99 <= LATE_MS


def carry(tables: int, clock: OneCore | WallClock, advance: Advance) -> Carried:
    """So many tables for a while."""
    late: list[float] = []
    hourglass = KaboumOptions().hourglass_s
    with Path(os.devnull).open("wb") as nowhere:
        process = WorldWorker(nowhere, clock)
        for number in range(tables):
            table = Measured(number, late, clock)
            table.begin(number / tables * hourglass)
            process._turns[table.table] = table
            advance(0.5 / tables)
        started, spent = clock(), process_time()
        for number, each in enumerate(process._turns.values()):
            each._due = started + number / tables / LOOKS_A_SECOND
        shown = 0.0
        while (passed := (clock() - started) / CARRIED_S) < 1:
            clock.rest(process.run())
            if passed - shown > 0.01:
                advance((passed - shown) / 2)
                shown = passed
        share = (process_time() - spent) / (clock() - started)
    p50, p99 = (float(each) * 1000 for each in np.percentile(late, (50, 99)))
    return Carried(tables, p50, p99, max(late) * 1000, share)


def most_tables(measure: Callable[[int], Carried]) -> Iterator[Carried]:
    """Twice as many until it is too much, then the bounds are narrowed down."""
    fits, too_many = 0, 1
    while (tried := measure(too_many)).in_time:
        yield tried
        fits, too_many = too_many, 2 * too_many
    yield tried
    while too_many - fits > 1:
        tried = measure((fits + too_many) // 2)
        yield tried
        fits, too_many = (tried.tables, too_many) if tried.in_time else (fits, tried.tables)


@contextmanager
def _part(bars: Progress, name: str) -> Iterator[Advance]:
    task = bars.add_task(name, total=1.0)
    yield lambda share: bars.advance(task, share)
    bars.remove_task(task)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--real-time", action="store_true", help="carry the most tables by the wall clock too"
    )
    asked = parser.parse_args()
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        with _part(bars, "everything awake") as advance:
            awake = everything_awake(advance)
        with _part(bars, f"{TURNS} turns") as advance:
            play = typical(advance)

        def measure(tables: int, clock: type[OneCore | WallClock] = OneCore) -> Carried:
            with _part(bars, f"{tables} tables") as advance:
                return carry(tables, clock(), advance)

        tried = sorted(most_tables(measure))
        most = max((each.tables for each in tried if each.in_time), default=0)
        again = measure(most, WallClock) if asked.real_time and most else None
    _print(awake, play, tried, most, again)


def _print(awake: float, play: Typical, tried: list[Carried], most: int, again: Carried | None) -> None:
    console = Console(highlight=False)
    figures = Table("what", "measured", box=None, pad_edge=False)
    full = len(header(0, None, 0.0)) + BODIES * CHUNK
    for what, measured in (
        ("everything awake, nothing may sleep", f"{awake:.1f} simulated s / CPU s"),
        ("typical play, bots, referee and frames included", f"{play.speed:.1f} simulated s / CPU s"),
        ("one browser", f"{play.rate / 1000:.2f} kB/s"),
        (
            "one browser if everything moved all the time",
            f"{full * LOOKS_A_SECOND / 1000:.1f} kB/s ({full} bytes a frame)",
        ),
        ("largest frame in play", f"{play.largest} bytes"),
        ("a stored turn", f"{play.stored / 1000:.1f} kB"),
        (f"tables one core carries (p99 at most {LATE_MS:.0f} ms late)", str(most)),
    ):
        figures.add_row(what, measured)
    console.print(figures, "")
    table = Table("tables on one core", box=None, pad_edge=False)
    for heading in ("p50 late, ms", "p99 late, ms", "worst, ms", "of the core"):
        table.add_column(heading, justify="right")
    for each in (*tried, *([] if again is None else [again])):
        name = f"{each.tables} by the wall clock" if each is again else str(each.tables)
        table.add_row(
            name, f"{each.p50:.1f}", f"{each.p99:.1f}", f"{each.worst:.1f}", f"{100 * each.share:.0f} %"
        )
    console.print(table)


if __name__ == "__main__":
    main()
