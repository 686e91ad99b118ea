"""Kakuzu's odds: time for one decision and error against exact, by the number of visible cells.

    python bench/odds.py                       # the table, a few minutes
    python bench/odds.py --reveals 10000       # calibration: what was predicted against what happened

Positions are from play: the nine squares are opened at random, digits are drawn at random, and whoever plays
lifts the stone with the best odds. Times are of one core, with nothing cached from earlier decisions. What is
exact is counted (up to ``COUNTED`` grids); where even that is too much, the reference is a run of ``LONG``
descents with a seed of its own, and its standard error is given.
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
"""The numbers of visible cells that are measured."""
COUNTED = 20_000_000
"""Up to so many grids the reference is counted. Chosen by hand: some 15 seconds."""
LONG = 400_000
"""Descents of the reference where counting is too much. Chosen by hand: some twenty times the usual."""
Chances = NDArray[np.float64]
"""Probabilities by cell and digit - 1: float64 of shape (81, 9)."""


class Lift(NamedTuple):
    """A decision: what was visible, the digit wanted, the odds, the cell chosen and what it held."""

    visible: Flat
    wanted: int
    found: Odds
    cell: int
    digit: int


class Reference(NamedTuple):
    """The true probabilities, their largest standard error (0 if counted), and how many grids fit."""

    chances: Chances
    error: float
    remaining: float


def lifts(seed: int) -> Iterator[Lift]:
    """The decisions of one game."""
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
    """The probabilities of an answer, with one row for each cell."""
    return found.probabilities.reshape(CELLS, SIZE)


def reference(lift: Lift) -> Reference:
    """The true probabilities of a decision, or the best estimate there is."""
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
    """The odds of a decision with nothing cached, and the milliseconds of processor time they took."""
    posterior.clear_caches()
    started = process_time()
    found = odds(lift.visible, seed=seed)
    return found, 1000 * (process_time() - started)


def table(games: int, runs: int) -> None:
    """Measure time and error, and print a table.

    Args:
        games: How many games to take positions from.
        runs: How many answers to compare for each position, each with its own seed.
    """
    rows: dict[int, list[tuple[float, ...]]] = {count: [] for count in VISIBLE}
    console = Console(width=130)
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
    console.print("  ".join(f"{name:>9}" for name in head))
    for count, decided in rows.items():
        grids, exact, ms, error, regret, reference_error, false = zip(*decided, strict=True)
        cells = (
            str(count),
            str(len(decided)),
            f"{median(grids):.1e}",
            f"{100 * fmean(exact):.0f}",
            f"{fmean(ms):.1f}",
            f"{max(ms):.1f}",
            f"{fmean(error):.4f}",
            f"{fmean(regret):.5f}",
            f"{fmean(reference_error):.4f}",
            f"{sum(false):.0f}",
        )
        console.print("  ".join(f"{cell:>9}" for cell in cells))
    console.print(
        "error: the largest over all stones for the digit wanted, mean; regret: hit chance lost, mean;\n"
        "ref. ±: largest standard error of the reference, mean; false: cells wrongly called certain"
    )


def decisions(lift: Lift, runs: int) -> Iterator[tuple[float, ...]]:
    """Measure some answers to one decision.

    Args:
        lift: The decision.
        runs: How many answers, each with its own seed.

    Yields:
        The number of grids, whether the answer was exact, milliseconds, error, regret, the error of the
        reference, and how many cells were called certain and were not.
    """
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
    """Compare predicted probabilities with what happened, and print a table.

    At each position of play, for every digit that could be drawn, the best stone is revealed.

    Args:
        reveals: How many reveals to make.
    """
    said: list[float] = []
    hits: list[bool] = []
    games: list[int] = []
    false = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("revealing", total=reveals)
        game = 10_000
        while len(said) < reveals:
            game += 1
            grid: Flat = ()
            for lift in reversed(list(lifts(game))):
                grid = grid or tuple(
                    lift.digit if cell == lift.cell else d for cell, d in enumerate(lift.visible)
                )
                certain = lift.found.certain.reshape(CELLS)
                false += sum(bool(digit) and digit != grid[cell] for cell, digit in enumerate(certain))
                for digit in DIGITS:
                    if lift.visible.count(digit) < SIZE:
                        chances = by_cell(lift.found)[:, digit - 1]
                        said.append(float(chances.max()))
                        hits.append(grid[int(chances.argmax())] == digit)
                        games.append(game - 10_001)
                        progress.advance(task)
    print(f"{len(said)} reveals in {game - 10_000} games; {false} cells called certain and wrong")
    _print_calibration(np.array(said), np.array(hits, float), np.array(games))


def _print_calibration(said: Chances, happened: Chances, games: NDArray[np.int64]) -> None:
    print(f"{'said':>12}  {'reveals':>7}  {'mean said':>9}  {'happened':>9}  {'gap':>6}  {'± (1 s.e.)':>10}")
    bins = np.minimum((said * 10).astype(int), 9)
    rows = [(f"{10 * low:3}–{10 * low + 10:3} %", bins == low) for low in range(10)]
    for name, there in [*rows, ("all", bins >= 0)]:
        if there.any():
            gaps = np.bincount(games[there], (happened - said)[there])
            error = np.sqrt((gaps**2).sum()) / there.sum()
            print(
                f"{name:>12}  {there.sum():7}  {100 * said[there].mean():8.1f}%  {100 * happened[there].mean():8.1f}%"
                f"  {100 * gaps.sum() / there.sum():+6.1f}  {100 * error:10.1f}"
            )
    print("the standard error takes a game's reveals as one: they share a grid")


def main() -> None:
    """Print the table, or the calibration if ``--reveals`` is given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=12, help="games that positions are taken from")
    parser.add_argument(
        "--runs", type=int, default=3, help="decisions for each position, each with its own seed"
    )
    parser.add_argument("--reveals", type=int, default=0, help="calibrate over so many reveals instead")
    args = parser.parse_args()
    warm_up()
    if args.reveals:
        calibration(args.reveals)
    else:
        table(args.games, args.runs)


if __name__ == "__main__":
    main()
