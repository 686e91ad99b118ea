"""Kaboum's world: how fast it runs, how much it sends, and how many tables one core runs in real time.

    python -m bench.kaboum                 # a few minutes
    python -m bench.kaboum --real-time     # and the result again by the wall clock; wants a quiet machine

Speeds are simulated seconds a second of processor time. Tables run in the process that runs them in a server,
with bots of level adept in all seats, turn after turn, each table at another moment of its turn. The clock is
the processor time used, and it is put forward instead of waiting: so other programs on the same machine do
not count. A frame is late by the time from when it is due to when it is written. A core runs some tables in
real time if at most one frame in a hundred is more than 10 ms late.
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
"""Turns of typical play that are measured. Chosen by hand, for a run of a few minutes."""
CARRIED_S = 30
"""How long each number of tables is run, in seconds. Chosen likewise."""
AWAKE_S = 8
"""How long everything is kept moving, in simulated seconds. Chosen likewise."""
PLAYERS = 3
"""Players at each table: the builder and two saboteurs."""
LEVEL = "adept"
"""The level of all bots."""
LATE_MS = 10.0
"""One frame in a hundred may be later than this, in milliseconds. Chosen by hand: a third of a frame."""
LOOKS_A_SECOND = TICKS_A_SECOND // realtime.TICKS_A_LOOK
"""Frames a second."""
Advance = Callable[[float], None]
"""Called with the share of a measurement that was done, for the progress bar."""


def running(players: int, seed: int) -> KaboumState:
    """A state in which a turn has just begun.

    Args:
        players: How many play.
        seed: The seed of the game.
    """
    options, rng = KaboumOptions(), Random(seed)
    state = GAME.empty(players, options)
    for fact in GAME.setup(players, options, rng):
        state = fold(state, fact)
    for fact in GAME.decide(state, state.builder, Flip(), rng):
        state = fold(state, fact)
    return state


def everything_awake(advance: Advance) -> float:
    """Throw all pieces and dice about and let nothing sleep; returns simulated seconds a second."""
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
    """What turns between bots cost.

    Attributes:
        speed: Simulated seconds a second.
        rate: Bytes a second for one browser.
        largest: The largest frame, in bytes.
        stored: A stored turn, in bytes.
    """

    speed: float
    rate: float
    largest: int
    stored: float


def typical(advance: Advance) -> Typical:
    """Measure whole turns, with bots, referee and frames."""
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
    """The clock of a core that does nothing else: work takes the processor time it takes, waiting takes none.

    Calling it returns the time in seconds.
    """

    def __init__(self) -> None:
        self._skipped = -process_time()

    def __call__(self) -> float:
        return process_time() + self._skipped

    def rest(self, seconds: float) -> None:
        """Put the clock forward by some seconds."""
        self._skipped += seconds


class WallClock:
    """Real time; calling it returns seconds."""

    def __call__(self) -> float:
        return monotonic()

    def rest(self, seconds: float) -> None:
        """Sleep for some seconds."""
        sleep(seconds)


class Measured(RunningTurn):
    """A running turn that notes how late each frame was written, and begins another turn when one is over.

    Args:
        number: The number of the table, and the seed of its first turn.
        late: Where the seconds each frame was late are added.
        clock: The clock.
    """

    def __init__(self, number: int, late: list[float], clock: OneCore | WallClock) -> None:
        self.turn = number
        self.late = late
        self.clock = clock
        super().__init__(f"t{number}", "kaboum", self._setting(), 0.0)

    def begin(self, into_its_turn: float) -> None:
        """Play the first seconds of the turn at once, to be in the middle of it."""
        for _ in range(round(into_its_turn * TICKS_A_SECOND)):
            self._turn.tick()

    @property
    def over(self) -> bool:
        """Never: a turn that is over is followed by another."""
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
    """What some tables on one core cost: how late frames were, in milliseconds, and the share of the core."""

    tables: int
    p50: float
    p99: float
    worst: float
    share: float

    @property
    def in_time(self) -> bool:
        """Whether frames were in time by the standard of ``LATE_MS``."""
        return self.p99 <= LATE_MS


def carry(tables: int, clock: OneCore | WallClock, advance: Advance) -> Carried:
    """Run some tables for ``CARRIED_S`` seconds.

    Args:
        tables: How many.
        clock: The clock that decides what is late.
        advance: Called as it goes on.
    """
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
    """Find the most tables that are in time: doubling until they are not, then bisecting.

    Args:
        measure: Measures a number of tables.

    Yields:
        Every measurement made.
    """
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
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--real-time", action="store_true", help="carry the most tables by the wall clock too"
    )
    args = parser.parse_args()
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
        again = measure(most, WallClock) if args.real_time and most else None
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
