"""An independent way to draw Sudoku grids, exact by construction: the cross.

The upper band and the left stack are drawn uniformly from all ways to fill them, every completion of the
four squares left over is listed, and one of them is chosen. A cross with twice as many completions deserves
twice the weight; with that weight every grid is as likely.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kakuzu.odds.kernels import enumerate_grids

Grids = NDArray[np.uint8]
MOST_COMPLETIONS = 7_000


def uniform_grids(count: int, seed: int) -> tuple[Grids, NDArray[np.float64]]:
    """Grids and their weights, which sum to 1."""
    rng = Random(seed)
    grids = np.empty((count, 81), np.uint8)
    weights = np.empty(count)
    out = np.empty((MOST_COMPLETIONS, 81), np.uint8)
    for number in range(count):
        found = enumerate_grids(_cross(rng), np.zeros((81, 9)), out, MOST_COMPLETIONS)
        assert 0 < found <= MOST_COMPLETIONS
        grids[number] = out[rng.randrange(found)]
        weights[number] = found
    return grids, weights / weights.sum()


def _cross(rng: Random) -> Grids:
    corner = np.array(_shuffled(rng), np.uint8).reshape(3, 3)
    board = np.zeros((9, 9), np.uint8)
    board[:3] = _band(corner, rng)
    board[:, :3] = _band(corner.T, rng).T
    return board.reshape(81)


def _band(corner: Grids, rng: Random) -> Grids:
    """Three rows that begin with a given square: the next square repeats no digit, the last has what is left."""
    while True:
        second = np.array(_shuffled(rng), np.uint8).reshape(3, 3)
        if not any(set(corner[row]) & set(second[row]) for row in range(3)):
            break
    third = [sorted(set(range(1, 10)) - set(corner[row]) - set(second[row])) for row in range(3)]
    for row in third:
        rng.shuffle(row)
    return np.hstack([corner, second, np.array(third, np.uint8)])


def _shuffled(rng: Random) -> list[int]:
    return rng.sample(range(1, 10), 9)
