"""KZ-10: the deal is nearly uniform, held against an exact sampler that shares nothing with it."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import CELLS, PEERS, Flat
from kotatsu.games.kakuzu.grids import deal, fillings
from kotatsu.games.kakuzu.tests.uniform import Grids, uniform_grids

DEALS = 500
REFERENCE = 1000
PAIRS = np.array([pair for pair in combinations(range(CELLS), 2) if pair[1] not in PEERS[pair[0]]])
RECTANGLES = np.array(
    [
        (9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right)
        for top, bottom in combinations(range(9), 2)
        for left, right in combinations(range(9), 2)
        if (top // 3 == bottom // 3) != (left // 3 == right // 3)
    ]
)
MINI_ROWS = np.arange(CELLS).reshape(9, 3, 3)


def equal_pairs(grids: Grids) -> NDArray[np.float64]:
    """For each two cells that may hold the same digit, in which grids they do."""
    return np.asarray(grids[:, PAIRS[:, 0]] == grids[:, PAIRS[:, 1]], float)


def swappable_rectangles(grids: Grids) -> NDArray[np.float64]:
    """Two pairs of cells crosswise equal: two digits that could change places without anyone noticing."""
    corners = grids[:, RECTANGLES]
    crossed = (corners[:, :, 0] == corners[:, :, 3]) & (corners[:, :, 1] == corners[:, :, 2])
    return np.asarray(crossed.sum(1)[:, None], float)


def equal_mini_rows(grids: Grids) -> NDArray[np.float64]:
    """How often the same three digits stand side by side in two squares of one band."""
    sets = np.sort(grids[:, MINI_ROWS], axis=3)
    count = np.zeros(len(grids))
    for one, other in combinations([(row, square) for row in range(9) for square in range(3)], 2):
        if one[0] // 3 == other[0] // 3:
            count += (sets[:, one[0], one[1]] == sets[:, other[0], other[1]]).all(1)
    return count[:, None]


STATISTICS = (equal_pairs, swappable_rectangles, equal_mini_rows)
Statistic = Callable[[Grids], NDArray[np.float64]]


@cache
def reference() -> tuple[Grids, NDArray[np.float64]]:
    return uniform_grids(REFERENCE, seed=1)


@cache
def dealt() -> Grids:
    return np.array([deal(Random(seed)) for seed in range(DEALS)], np.uint8)


def distance(grids: Grids, statistic: Statistic) -> NDArray[np.float64]:
    """How many standard errors the mean of a statistic is away from that of uniform grids."""
    exact, weights = reference()
    there, here = statistic(exact), statistic(grids)
    mean = weights @ there
    variance = weights @ (there - mean) ** 2
    error = np.sqrt(variance * ((weights**2).sum() + 1 / len(grids)))
    return np.asarray((here.mean(0) - mean) / error)


@pytest.mark.rule("KZ-10")
@pytest.mark.parametrize("statistic", [swappable_rectangles, equal_mini_rows])
def test_deals_look_like_uniform_grids(statistic: Statistic) -> None:
    (z,) = distance(dealt(), statistic)
    assert abs(z) < 3


@pytest.mark.rule("KZ-10")
def test_any_two_cells_are_equal_as_often_as_in_uniform_grids() -> None:
    z = distance(dealt(), equal_pairs)
    assert len(z) == CELLS * (CELLS - 1 - 20) // 2
    assert np.abs(z).max() < 4.5
    assert (z**2).mean() == pytest.approx(1, abs=0.15)


@pytest.mark.rule("KZ-10")
def test_every_digit_is_as_likely_everywhere() -> None:
    counts = np.stack([(dealt() == digit).sum(0) for digit in range(1, 10)])
    z = (counts - DEALS / 9) / np.sqrt(DEALS * 8 / 81)
    assert np.abs(z).max() < 4.5


@pytest.mark.rule("KZ-10")
def test_deals_are_from_no_short_list() -> None:
    """Not even up to the names of the digits, which the first row decides."""
    named = {tuple(_renamed(tuple(grid))) for grid in dealt().tolist()}
    assert len(named) == DEALS


def test_a_grid_filled_at_random_and_not_shaken_would_be_noticed() -> None:
    raw = np.array([next(fillings((0,) * CELLS, Random(seed))) for seed in range(DEALS)], np.uint8)
    assert max(abs(distance(raw, statistic)).max() for statistic in STATISTICS) > 4.5


def test_shuffling_one_grid_would_be_noticed() -> None:
    rng = Random(1)
    pattern = np.array([[(column + 3 * row + row // 3) % 9 for column in range(9)] for row in range(9)])
    grids = []
    for _ in range(DEALS):
        lines = [
            [3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)]
            for _ in "rc"
        ]
        grids.append((np.array(rng.sample(range(1, 10), 9))[pattern[lines[0]][:, lines[1]]]).reshape(81))
    assert abs(distance(np.array(grids, np.uint8), equal_mini_rows)[0]) > 100


def _renamed(grid: Flat) -> list[int]:
    names = {digit: number for number, digit in enumerate(grid[:9], start=1)}
    return [names[digit] for digit in grid]
