"""Our server and boardgame.io under the same load, side by side.

Tables of two at full speed, then at a given pace; our server durable (SQLite, synchronous=FULL) with
Kimono's real rules, boardgame.io with a game of about the same size, in memory and in files. The load
comes from one process and is the same for all. Trust ratios: on two cores the load takes its share.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import uvloop
from bench.server.load import MOVES, Player, Server, play
from bench.server.ours import Ours
from bench.server.processes import cpu_seconds, memory_kb
from bench.server.theirs import CannotInstall, Theirs, install

AT_ONCE = 25
"""Tables that are set at the same time."""
HUNG_S = 60
ENOUGH = 6_000
"""Moves below which a measurement says little: few tables play several rounds."""


class Figures(NamedTuple):
    moves_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float


class Measured(NamedTuple):
    """``at``: figures for each load; ``None`` where the server broke under it."""

    table_kb: float
    at: dict[str, Figures | None]


class Tables:
    """Sets tables at one server, each with a number of its own, and clears them again."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._count = 0
        self._gate = asyncio.Semaphore(AT_ONCE)

    async def set(self, many: int) -> list[Sequence[Player]]:
        return await asyncio.gather(*(self._one() for _ in range(many)))

    async def clear(self, tables: list[Sequence[Player]]) -> None:
        for players in tables:
            for player in players:
                player.wire.close()
        await asyncio.sleep(0.1)

    async def _one(self) -> Sequence[Player]:
        async with self._gate, asyncio.timeout(HUNG_S):
            self._count += 1
            return await self._server.set_table(self._count)


async def measure(server: Server, counts: Sequence[int], pace: float, rounds: int) -> Measured:
    await server.start()
    try:
        tables = Tables(server)
        await warm_up(tables)
        before, most = memory_kb(server.pid), max(counts)
        idle = await tables.set(most)
        await asyncio.sleep(2)
        table_kb = (memory_kb(server.pid) - before) / most
        await tables.clear(idle)
        loads = {f"{many} tables": (many, 0.0, rounds * -(-ENOUGH // (many * MOVES))) for many in counts}
        if pace:
            loads[f"{most} tables, {pace:,.0f}/s"] = (most, most / pace, rounds)
        at: dict[str, Figures | None] = dict.fromkeys(loads)
        with suppress(ConnectionError):
            for where, load in loads.items():
                at[where] = await figures(server, tables, *load)
        return Measured(table_kb, at)
    finally:
        await server.stop()


async def warm_up(tables: Tables) -> None:
    for _ in range(2):
        some = await tables.set(20)
        await play(some, MOVES, 0)
        await tables.clear(some)


async def figures(server: Server, tables: Tables, many: int, every: float, rounds: int) -> Figures:
    seconds = cpu = 0.0
    latencies: list[float] = []
    for _ in range(rounds):
        playing = await tables.set(many)
        started, used = perf_counter(), cpu_seconds(server.pid)
        latencies += (await play(playing, MOVES, every)).latencies
        seconds += perf_counter() - started
        cpu += cpu_seconds(server.pid) - used
        await tables.clear(playing)
    cuts = quantiles(latencies, n=100)
    moves = len(latencies)
    return Figures(moves / seconds, 1e3 * cuts[49], 1e3 * cuts[98], 1e6 * cpu / moves)


def show(name: str, found: Measured) -> None:
    print(f"{name}: {found.table_kb:.0f} kB for each idle table with two connections")
    for where, each in found.at.items():
        if each is None:
            print(f"  {where:<24}  not measured: the server broke the connections", flush=True)
            continue
        print(
            f"  {where:<24}{each.moves_s:>9,.0f} moves/s   p50 {each.p50_ms:>7.1f} ms   p99 {each.p99_ms:>7.1f} ms"
            f"   {each.cpu_us:>6.0f} µs of processor a move",
            flush=True,
        )


def compare(ours: Measured, memory: Measured, files: Measured, counts: Sequence[int]) -> None:
    goals = [("100 kB over ours for an idle table", 100 / max(ours.table_kb, 0.1), 1.0)]
    for many in counts:
        where = f"{many} tables"
        us, them, durable = ours.at[where], memory.at[where], files.at[where]
        if us is None or them is None or durable is None:
            print(f"nothing to compare at {where}")
            continue
        goals += [
            (
                f"moves for the processor's time, {where}: × boardgame.io in memory",
                them.cpu_us / us.cpu_us,
                2.5,
            ),
            (f"moves for the processor's time, {where}: × its file store", durable.cpu_us / us.cpu_us, 8.0),
            (f"its p99 in memory over ours, {where}", them.p99_ms / us.p99_ms, 2.0),
        ]
    for what, ratio, goal in goals:
        print(f"{what}: {ratio:.2f}, goal {goal}: {'reached' if ratio >= goal else 'missed'}")


async def bench(chosen: argparse.Namespace) -> None:
    counts, pace, rounds = chosen.tables, chosen.pace, chosen.rounds
    ours = await measure(Ours(), counts, pace, rounds)
    show(Ours.name, ours)
    if chosen.alone:
        return
    with TemporaryDirectory(prefix="kotatsu-bench-npm-") as temporary:
        folder = chosen.peer or Path(temporary)
        try:
            await install(folder)
        except CannotInstall as why:
            print(f"boardgame.io is not measured: npm could not install it: {why}")
            return
        theirs = {}
        for in_files in (False, True):
            peer = Theirs(folder, in_files=in_files)
            theirs[in_files] = await measure(peer, counts, pace, rounds)
            show(peer.name, theirs[in_files])
    compare(ours, theirs[False], theirs[True], counts)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.server",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 200, 500], help="at full speed, each")
    parser.add_argument("--pace", type=float, default=1000, help="then so many moves a second; 0 for not")
    parser.add_argument("--rounds", type=int, default=1, help="how often each is measured")
    parser.add_argument("--alone", action="store_true", help="our server only")
    parser.add_argument("--peer", type=Path, help="a folder in which boardgame.io is, or is to be, installed")
    uvloop.run(bench(parser.parse_args()))


if __name__ == "__main__":
    main()
