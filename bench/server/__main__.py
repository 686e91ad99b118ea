"""Our server and boardgame.io under the same load, side by side.

Tables of two at full speed, then at a given pace; our server durable (SQLite, synchronous=FULL) with
Kimono's real rules, on its fast wire and on its plain one, boardgame.io with a game of about the same size, in memory and in files. The load
comes from one process and is the same for all, and they take turns at it. Trust ratios: on two cores the
load takes its share.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median, quantiles
from sys import stderr
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import click
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


class Subject:
    """One server under test, and what each round has shown of it. One that broke its connections is left alone."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.table_kb = 0.0
        self._tables = Tables(server)
        self._rounds: dict[str, list[Figures]] = defaultdict(list)
        self._broken = False

    async def open(self, most: int) -> None:
        """Start it, warm it up, and weigh its idle tables."""
        await self.server.start()
        for _ in range(2):
            some = await self._tables.set(20)
            await play(some, MOVES, 0)
            await self._tables.clear(some)
        before = memory_kb(self.server.pid)
        idle = await self._tables.set(most)
        await asyncio.sleep(2)
        self.table_kb = (memory_kb(self.server.pid) - before) / most
        await self._tables.clear(idle)

    async def round(self, where: str, many: int, every: float) -> None:
        """Let so many tables play."""
        if self._broken:
            return
        try:
            playing = await self._tables.set(many)
            started, used = perf_counter(), cpu_seconds(self.server.pid)
            latencies = (await play(playing, MOVES, every)).latencies
            seconds, cpu = perf_counter() - started, cpu_seconds(self.server.pid) - used
            await self._tables.clear(playing)
        except ConnectionError:
            self._broken = True
            self._rounds.pop(where, None)
            return
        cuts, moves = quantiles(latencies, n=100), len(latencies)
        found = Figures(moves / seconds, 1e3 * cuts[49], 1e3 * cuts[98], 1e6 * cpu / moves)
        self._rounds[where].append(found)

    def rounds(self, where: str) -> Sequence[Figures]:
        """What each round has shown, in their order."""
        return self._rounds.get(where, ())

    def at(self, where: str) -> Figures | None:
        """The median of its rounds; ``None`` where it broke."""
        rounds = self._rounds.get(where)
        return Figures(*map(median, zip(*rounds, strict=True))) if rounds else None

    def show(self, loads: Iterable[str]) -> None:
        print(f"{self.server.name}: {self.table_kb:.0f} kB for each idle table with two connections")
        for where in loads:
            each = self.at(where)
            if each is None:
                print(f"  {where:<24}  not measured: the server broke the connections")
                continue
            print(
                f"  {where:<24}{each.moves_s:>9,.0f} moves/s   p50 {each.p50_ms:>7.1f} ms"
                f"   p99 {each.p99_ms:>7.1f} ms   {each.cpu_us:>6.0f} µs of processor a move"
            )


def compare_wires(fast: Subject, plain: Subject, counts: Sequence[int]) -> None:
    """What the private parts of uvicorn under the fast wire are worth."""
    for many in counts:
        where = f"{many} tables"
        quick, slow = fast.at(where), plain.at(where)
        if quick is not None and slow is not None:
            more = slow.cpu_us / quick.cpu_us
            print(f"the plain wire's processor time for a move, {where}: {more:.2f} × the fast one's")


def compare(ours: Subject, memory: Subject, files: Subject, counts: Sequence[int]) -> None:
    goals = [("100 kB over ours for an idle table", 100 / max(ours.table_kb, 0.1), 1.0)]
    for many in counts:
        where = f"{many} tables"
        us, them, durable = ours.at(where), memory.at(where), files.at(where)
        if us is None or them is None or durable is None:
            print(f"nothing to compare at {where}")
            continue
        moves = f"moves for the processor's time, {where}"
        goals += [
            (f"{moves}: × boardgame.io in memory", them.cpu_us / us.cpu_us, 2.5),
            (f"{moves}: × its file store", durable.cpu_us / us.cpu_us, 8.0),
            (f"its p99 in memory over ours, {where}", them.p99_ms / us.p99_ms, 2.0),
        ]
    for what, ratio, goal in goals:
        print(f"{what}: {ratio:.2f}, goal {goal}: {'reached' if ratio >= goal else 'missed'}")


async def measure(subjects: Sequence[Subject], chosen: argparse.Namespace) -> list[str]:
    """Round by round, each server in turn: a noisy machine is noisy for all of them. The loads, by name."""
    counts, most = chosen.tables, max(chosen.tables)
    loads = {f"{many} tables": (many, 0.0, chosen.rounds * -(-ENOUGH // (many * MOVES))) for many in counts}
    if chosen.pace:
        loads[f"{most} tables, {chosen.pace:,.0f}/s"] = (most, most / chosen.pace, 1)
    in_all = sum(rounds for _, _, rounds in loads.values())
    try:
        for subject in subjects:
            await subject.open(most)
        with click.progressbar(length=in_all, label="rounds", file=stderr) as bar:
            for where, (many, every, rounds) in loads.items():
                for number in range(rounds):
                    for subject in subjects if number % 2 else reversed(subjects):
                        await subject.round(where, many, every)
                    bar.update(1)
    finally:
        for subject in subjects:
            await subject.server.stop()
    return list(loads)


async def bench(chosen: argparse.Namespace) -> None:
    with TemporaryDirectory(prefix="kotatsu-bench-npm-") as temporary:
        folder = chosen.peer or Path(temporary)
        subjects = [Subject(Ours("fast")), Subject(Ours("plain"))]
        if not chosen.alone:
            try:
                await install(folder)
                subjects += [Subject(Theirs(folder, in_files=in_files)) for in_files in (False, True)]
            except CannotInstall as why:
                print(f"boardgame.io is not measured: npm could not install it: {why}")
        loads = await measure(subjects, chosen)
    for subject in subjects:
        subject.show(loads)
    fast, plain, *peers = subjects
    compare_wires(fast, plain, chosen.tables)
    match peers:
        case [memory, files]:
            compare(fast, memory, files, chosen.tables)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.server",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 200, 500], help="at full speed, each")
    parser.add_argument("--pace", type=float, default=1000, help="then so many moves a second; 0 for not")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured; the median counts")
    parser.add_argument("--alone", action="store_true", help="our server only")
    parser.add_argument("--peer", type=Path, help="a folder in which boardgame.io is, or is to be, installed")
    uvloop.run(bench(parser.parse_args()))


if __name__ == "__main__":
    main()
