"""Kaboum's world: how fast it runs, how much it sends, and how many tables one core carries in real time.

Speeds are simulated seconds a second of processor time. The last part runs in real time and wants a quiet machine.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random
from time import monotonic, process_time, sleep
from typing import Any

import numpy as np

from kotatsu.games.kaboum import realtime
from kotatsu.games.kaboum.fold import fold
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.model import Flip, KaboumOptions, State
from kotatsu.games.kaboum.world.world import World
from kotatsu.table.world_process import Hosted, Process
from kotatsu.table.world_wire import FromWorld

TURNS = 6
AWAKE_S = 4
REAL_S = 8.0
DEADLINE_MS = 10.0
MOST_TABLES = 16


def running(players: int, seed: int) -> State:
    """A turn just begun."""
    options, rng = KaboumOptions(), Random(seed)
    state = GAME.empty(players, options)
    for fact in GAME.setup(players, options, rng):
        state = fold(state, fact)
    for fact in GAME.decide(state, state.builder, Flip(), rng):
        state = fold(state, fact)
    return state


def everything_awake() -> float:
    """All pieces and dice thrown about, and nothing allowed to sleep."""
    world = World(sleeps=False)
    rng = np.random.default_rng(1)
    for body in range(26):
        world.put(body, rng.uniform((-0.15, -0.15, 0.05), (0.15, 0.15, 0.4)))
    started = process_time()
    for _ in range(60 * AWAKE_S):
        world.step()
    return AWAKE_S / (process_time() - started)


def typical() -> tuple[float, float, float, float]:
    """Turns between adepts: speed, bytes a second for a browser, largest frame, bytes of a stored turn."""
    seconds = spent = 0.0
    sent = largest = stored = 0
    for seed in range(TURNS):
        state = running(3, seed)
        live = realtime.LiveKaboum(realtime.Setting(state, dict.fromkeys(range(3), "adept"), seed))
        started = process_time()
        while not live.over:
            live.tick()
            live.tick()
            look = live.look()
            size = len(look.header) + sum(map(len, look.parts.values()))
            sent += size
            largest = max(largest, size)
        spent += process_time() - started
        seconds += state.options.hourglass_s
        stored += len(live.motion())
    return seconds / spent, sent / seconds, largest, stored / TURNS


class Measured(Hosted):
    """Notes how late each tick was done."""

    late: list[float]

    def _one_tick(self, now: float, say: Callable[[FromWorld], None]) -> None:
        due = self._due - self._tick_s
        super()._one_tick(now, say)
        self.late.append(monotonic() - due)


class Nowhere(io.BytesIO):
    """Where frames go that nobody reads."""

    def write(self, data: Any) -> int:
        return len(data)


def lateness(tables: int) -> tuple[float, float]:
    """So many tables with bots in real time on one core: p99 in milliseconds, and the share of the core."""
    process = Process(Nowhere())
    late: list[float] = []
    for number in range(tables):
        state = running(3, number)
        setting = realtime.setting(state, dict.fromkeys(range(3), "adept"), number)
        hosted = Measured(f"t{number}", "kaboum", setting, monotonic() + number / tables / 60)
        hosted.late = late
        process._hosted[hosted.table] = hosted
    started, spent = monotonic(), process_time()
    while monotonic() - started < REAL_S:
        sleep(process.run())
    share = (process_time() - spent) / (monotonic() - started)
    return float(np.percentile(late, 99)) * 1000, share


def main() -> None:
    print(f"everything awake, nothing asleep: {everything_awake():.1f} simulated seconds a second")
    speed, rate, largest, stored = typical()
    print(f"typical play with bots: {speed:.0f} simulated seconds a second")
    print(
        f"one browser: {rate / 1000:.2f} kB/s, largest frame {largest:.0f} bytes; a stored turn {stored / 1000:.1f} kB"
    )
    for tables in (1, *range(2, MOST_TABLES + 1, 2)):
        p99, share = lateness(tables)
        print(f"{tables:2} tables on one core: p99 {p99:.1f} ms late, {100 * share:.0f} % of the core")
        if p99 > DEADLINE_MS:
            break


if __name__ == "__main__":
    main()
