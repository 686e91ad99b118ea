"""This tree beside another commit, in one run: what a change costs, or gains.

    python -m bench.against HEAD~1
    python -m bench.against v0.1.0 --rounds 9 --tables 500

The other commit is checked out into a temporary folder and runs with this environment's packages. Every row of
``bench.engine`` that both trees have, then ``bench.server``'s load at each number of tables, are measured by turns;
the figure of a row is the median of the rounds' ratios. Above 1 this tree is faster.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.server.__main__ import Subject, measure
from bench.server.ours import Ours

ROOT = Path(__file__).parents[1]
SLOWER = 0.95
"""Below this a row counts as slower: the issue that asked for this bench allowed 5 %."""
WORKER = """
import sys
from bench.engine import rows, rate
known = {f"{row.kind}, {row.label}": row for row in rows() if row.kind.startswith(("plain", "compiled", "our"))}
print("\\t".join(known), flush=True)
made = {}
for line in sys.stdin:
    row = known[line.strip()]
    if row not in made:
        made[row] = row.made()
        made[row]()
    print(rate(made[row], row.games).moves, flush=True)
"""


class EngineTree:
    """A process that measures rows of one tree's ``bench.engine`` when asked."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=tree,
            env=environment(tree),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.rows = self._answer().split("\t")

    def rate(self, row: str) -> float:
        """Moves a second of processor time in one turn of a row."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{row}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise SystemExit("the bench of a tree ended; run its bench.engine alone to see why")
        return line


def environment(tree: Path) -> dict[str, str]:
    """The environment in which ``kotatsu`` and ``bench`` are a tree's."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(tree)))}


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A commit in a temporary folder."""
    with TemporaryDirectory(prefix="kotatsu-against-") as folder:
        tree = Path(folder) / "tree"
        added = subprocess.run(
            ["git", "worktree", "add", "--detach", "--quiet", str(tree), revision],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if added.returncode:
            raise SystemExit(f"{revision} cannot be checked out: {added.stderr.strip()}")
        try:
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)


def engine(other: Path, rounds: int) -> dict[str, float]:
    """For each row of the engine's bench how much faster this tree is."""
    here, there = EngineTree(ROOT), EngineTree(other)
    try:
        shared = [row for row in here.rows if row in there.rows]
        found = {}
        for row in shared:
            pairs = []
            for number in range(rounds):
                first, second = (here, there) if number % 2 else (there, here)
                rates = {first: first.rate(row), second: second.rate(row)}
                pairs.append(rates[here] / rates[there])
            found[row] = median(pairs)
            show(row, found[row])
    finally:
        here.stop()
        there.stop()
    return found


def server(other: Path, tables: list[int], rounds: int) -> dict[str, float]:
    """For each number of tables how many more moves this tree makes in a second of its processor's time."""
    chosen = argparse.Namespace(tables=tables, rounds=rounds, pace=0)
    subjects = [Subject(Ours(environment=environment(tree))) for tree in (ROOT, other)]
    loads = asyncio.run(measure(subjects, chosen))
    here, there = subjects
    found = {
        f"server, {load}": median(
            theirs.cpu_us / ours.cpu_us
            for ours, theirs in zip(here.rounds(load), there.rounds(load), strict=True)
        )
        for load in loads
    }
    for load, ratio in found.items():
        show(load, ratio)
    return found


def show(row: str, ratio: float) -> None:
    """One line of the result, as soon as it is known."""
    print(f"{row:<48} {ratio:6.2f}×{'   slower' if ratio < SLOWER else ''}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.against",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("revision", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="how often each row is measured (5)")
    parser.add_argument("--tables", type=int, nargs="*", default=[50, 500], help="server loads; none to skip")
    parser.add_argument("--no-engine", action="store_true", help="the server only")
    chosen = parser.parse_args()
    with checked_out(chosen.revision) as other:
        found = {} if chosen.no_engine else engine(other, chosen.rounds)
        if chosen.tables:
            found |= server(other, chosen.tables, chosen.rounds)
    slower = sum(ratio < SLOWER for ratio in found.values())
    print(f"{len(found)} rows, {slower} slower than {SLOWER:.0%}")


if __name__ == "__main__":
    main()
