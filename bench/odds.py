"""Kakuzu's odds: time for one decision and error against exact, by the number of visible cells.

    python bench/odds.py                       # the table, a few minutes
    python bench/odds.py --reveals 10000       # calibration: what was said against what happened

Positions are from play: the nine squares are opened at random, digits are drawn at random, and whoever plays
lifts the stone with the best odds. Times are of one core, with nothing kept from earlier decisions. What is
exact is counted (up to ``COUNTED`` grids); where even that is too much, the reference is a run of ``LONG``
descents with its own randomness, and its standard error is given.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import fmean, median
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from kotatsu.games.kakuzu.board import CELLS, DIGITS, SIZE, SQUARES, Flat
from kotatsu.games.kakuzu.bots import warm_up
from kotatsu.games.kakuzu.grids import deal
from kotatsu.games.kakuzu.odds import Odds, odds, posterior
from kotatsu.games.kakuzu.odds.kernels import enumerate_grids

VISIBLE = (10, 15, 20, 25, 30, 40, 60)
COUNTED = 20_000_000
LONG = 400_000
Chances = NDArray[np.float64]


class Lift(NamedTuple):
    """A decision: what was visible, the digit wanted, what the odds were, and what lay under the chosen stone."""

    visible: Flat
    wanted: int
    found: Odds
    cell: int
    digit: int


class Reference(NamedTuple):
    chances: Chances
    error: float
    remaining: float


def lifts(seed: int) -> Iterator[Lift]:
    """One game's decisions."""
    rng = Random(f"odds {seed}")
    grid = deal(rng)
    visible = [0] * CELLS
    for square in SQUARES:
        cell = rng.choice(square)
        visible[cell] = grid[cell]
    while 0 in visible:
        wanted = rng.choice([digit for digit in DIGITS if visible.count(digit) < SIZE])
        found = odds(visible)
        cell = int(by_cell(found)[:, wanted - 1].argmax())
        yield Lift(tuple(visible), wanted, found, cell, grid[cell])
        visible[cell] = grid[cell]


def by_cell(found: Odds) -> Chances:
    return found.probabilities.reshape(CELLS, SIZE)


def reference(lift: Lift) -> Reference:
    """The chances as they are, or as near as can be."""
    if lift.found.exact:
        return Reference(by_cell(lift.found), 0.0, lift.found.remaining)
    sums = np.zeros((CELLS, SIZE))
    board = np.array(lift.visible, np.uint8)
    if lift.found.remaining < COUNTED:
        count = enumerate_grids(board, sums, np.empty((0, CELLS), np.uint8), 2 * COUNTED)
        if count <= 2 * COUNTED:
            return Reference(sums / count, 0.0, count)
    long = odds(lift.visible, LONG, seed=99)
    return Reference(by_cell(long), long.error, long.remaining)


def timed(lift: Lift, seed: int) -> tuple[Odds, float]:
    posterior.forget()
    started = process_time()
    found = odds(lift.visible, seed=seed)
    return found, 1000 * (process_time() - started)


def table(games: int, runs: int) -> None:
    rows: dict[int, list[tuple[float, ...]]] = {count: [] for count in VISIBLE}
    console = Console(width=120)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=games * len(VISIBLE))
        for game in range(games):
            for lift in lifts(game):
                count = CELLS - lift.visible.count(0)
                if count in rows:
                    rows[count] += decisions(lift, runs)
                    progress.advance(task)
    head = (
        "visible",
        "decisions",
        "grids",
        "exact %",
        "ms",
        "ms max",
        "error",
        "regret",
        "reference ±",
        "false",
    )
    console.print("  ".join(f"{name:>11}" for name in head))
    for count, decided in rows.items():
        grids, exact, ms, error, regret, doubt, false = zip(*decided, strict=True)
        cells = (
            str(count),
            str(len(decided)),
            f"{median(grids):.1e}",
            f"{100 * fmean(exact):.0f}",
            f"{fmean(ms):.1f}",
            f"{max(ms):.1f}",
            f"{fmean(error):.4f}",
            f"{fmean(regret):.5f}",
            f"{fmean(doubt):.4f}",
            f"{sum(false):.0f}",
        )
        console.print("  ".join(f"{cell:>11}" for cell in cells))
    console.print(
        "error: the largest over all stones for the digit wanted, mean; regret: hit chance lost, mean;\n"
        "reference ±: largest standard error of the reference, mean; false: cells wrongly called certain"
    )


def decisions(lift: Lift, runs: int) -> Iterator[tuple[float, ...]]:
    true = reference(lift)
    wanted = true.chances[:, lift.wanted - 1]
    for seed in range(runs):
        found, ms = timed(lift, seed)
        said = by_cell(found)[:, lift.wanted - 1]
        certain = found.certain.reshape(CELLS)
        proved = np.flatnonzero(certain)
        false = (true.chances[proved, certain[proved] - 1] < 1 - 1e-9).sum()
        error = np.abs(said - wanted).max()
        regret = wanted.max() - wanted[said.argmax()]
        yield true.remaining, found.exact, ms, error, regret, true.error, float(false)


def calibration(reveals: int) -> None:
    said: list[float] = []
    hits: list[bool] = []
    false = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("revealing", total=reveals)
        game = 10_000
        while len(said) < reveals:
            game += 1
            for lift in lifts(game):
                said.append(float(by_cell(lift.found)[lift.cell, lift.wanted - 1]))
                hits.append(lift.digit == lift.wanted)
                certain = lift.found.certain.reshape(CELLS)[lift.cell]
                false += bool(certain) and certain != lift.digit
                progress.advance(task)
    chances, happened = np.array(said), np.array(hits, float)
    bins = np.minimum((chances * 10).astype(int), 9)
    print(f"{len(said)} reveals of the best stone; {false} of them called certain and wrong")
    print(f"{'said':>12}  {'reveals':>7}  {'mean said':>9}  {'happened':>9}  {'gap':>6}  {'± (1 s.e.)':>10}")
    for low in range(10):
        there = bins == low
        if there.any():
            mean, share = chances[there].mean(), happened[there].mean()
            error = np.sqrt((chances[there] * (1 - chances[there])).sum()) / there.sum()
            print(
                f"{10 * low:3}–{10 * low + 10:3} %    {there.sum():7}  {100 * mean:8.1f}%  {100 * share:8.1f}%"
                f"  {100 * (share - mean):+6.1f}  {100 * error:10.1f}"
            )
    error = np.sqrt((chances * (1 - chances)).sum()) / len(chances)
    gap = happened.mean() - chances.mean()
    print(f"all: said {100 * chances.mean():.2f} %, happened {100 * happened.mean():.2f} %, ", end="")
    print(f"gap {100 * gap:+.2f} ± {100 * error:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=12, help="games that positions are taken from")
    parser.add_argument(
        "--runs", type=int, default=3, help="decisions for each position, each with its own luck"
    )
    parser.add_argument("--reveals", type=int, default=0, help="calibrate over so many reveals instead")
    chosen = parser.parse_args()
    warm_up()
    if chosen.reveals:
        calibration(chosen.reveals)
    else:
        table(chosen.games, chosen.runs)


if __name__ == "__main__":
    main()
