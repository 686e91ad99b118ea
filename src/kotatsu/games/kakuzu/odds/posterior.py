"""The probability of each digit under each stone: every grid that fits what is visible is equally likely.

Few grids are listed, many are sampled. A list is kept for a while and filtered when more becomes visible,
which changes how long an answer takes and nothing else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from kotatsu.games.kakuzu.odds.kernels import (
    Board,
    Boards,
    Floats,
    descend,
    descent_shares,
    enumerate_grids,
    expand_frontier,
    has_another,
    rng_from_seed,
)

EXACT_UP_TO = 150_000
"""If no more grids fit than this, all are listed and the odds are exact.

Listing one takes 0.5 to 0.9 µs (measured), so this many take about a tenth of a second.
"""
DESCENTS = 18_000
"""Random descents for one answer by default.

Measured by ``bench/odds.py`` on a busy core: 0.10 to 0.16 s where sampling is needed, and the largest error
over all stones for the digit wanted is 0.006 to 0.013 on average. The target of the study before the first
version was 0.02.
"""
PILOT_DESCENTS = 500
"""Descents of a first estimate of how many grids fit.

Chosen by hand: it decides only whether they are listed.
"""
FRONTIER_SIZE = 2_000
"""How many boards the search tree is expanded to before it is sampled (stratification). Chosen by hand."""
BATCHES = 16
"""Descents are divided into this many batches; their spread gives the standard errors. Chosen by hand."""
SAMPLE_SIZE = 4_000
"""About how many grids ``Odds.grids`` has when it is a sample. Chosen by hand."""
_LISTS_KEPT = 4
"""How many lists of grids are kept, for a few tables. A list has at most 12 MB (81 bytes a grid)."""
_ANSWERS_KEPT = 8
"""How many answers are kept: a table asks several times about one position, for bots and for hints."""

_lists: OrderedDict[bytes, Boards] = OrderedDict()


class NoGridFits(ValueError):
    """No completed Sudoku has the visible digits."""


@dataclass(frozen=True)
class Odds:
    """The probabilities of one position.

    Attributes:
        probabilities: float64 of shape (9, 9, 9), by row, column and digit - 1; 0 for visible cells.
        errors: The standard error of each probability, of the same shape; 0 if exact.
        certain: uint8 of shape (9, 9): the digit of every hidden cell that is proved, 0 elsewhere. Nothing is
            called certain because a sample says so.
        exact: Whether all grids that fit were counted.
        remaining: How many grids fit; an estimate unless exact.
        grids: uint8 of shape (n, 81): all grids that fit if exact, otherwise a uniform sample of them.
    """

    probabilities: Floats
    errors: Floats
    certain: Board
    exact: bool
    remaining: float
    grids: Boards

    @property
    def error(self) -> float:
        """The largest standard error; 0 if exact."""
        return float(self.errors.max())


def odds(visible: Iterable[int], descents: int = DESCENTS, seed: int = 0) -> Odds:
    """The probability of every digit in every hidden cell.

    Args:
        visible: 81 digits row by row, 0 where a stone lies.
        descents: How many random descents to make where the odds cannot be exact.
        seed: The seed of those descents; the same arguments give the same answer.

    Raises:
        NoGridFits: The visible digits contradict each other or cannot be completed.
    """
    return _cached_odds(np.fromiter(visible, np.uint8, 81).tobytes(), descents, seed)


@lru_cache(_ANSWERS_KEPT)
def _cached_odds(key: bytes, descents: int, seed: int) -> Odds:
    """``odds`` for a board given as 81 bytes, so that it can be cached."""
    board = np.frombuffer(key, np.uint8)
    grids = _from_known_list(board)
    if grids is not None:
        return _exact(board, grids)
    frontier = expand_frontier(board, FRONTIER_SIZE)
    share = descent_shares(frontier)
    _, totals, _ = _sample(board, frontier, share, PILOT_DESCENTS, np.inf, seed)
    estimate = float(totals.sum())
    if estimate <= EXACT_UP_TO and (grids := _list_all(board)) is not None:
        return _exact(board, grids)
    sums, totals, grids = _sample(board, frontier, share, descents, estimate / SAMPLE_SIZE, seed + 1)
    if totals.sum() <= EXACT_UP_TO and (listed := _list_all(board)) is not None:
        return _exact(board, listed)
    return _sampled(board, sums, totals, grids)


def _sample(
    board: Board, frontier: Boards, share: Floats, count: int, step: float, seed: int
) -> tuple[Floats, Floats, Boards]:
    """Make some descents; returns weighted sums by batch, total weights by batch, and a sample of grids."""
    sums = np.zeros((BATCHES, 81, 9))
    totals = np.zeros(BATCHES)
    sample = np.empty((2 * SAMPLE_SIZE, 81), np.uint8)
    sampled = descend(board, frontier, share, count, step, rng_from_seed(seed), sums, totals, sample)
    return sums, totals, sample[:sampled]


def _sampled(board: Board, sums: Floats, totals: Floats, grids: Boards) -> Odds:
    """The odds from the weighted sums of the descents."""
    mean = sums.sum(0) / totals.sum()
    spread = (sums - totals[:, None, None] * mean) / totals.mean()
    errors = np.sqrt((spread**2).sum(0) / (BATCHES * (BATCHES - 1)))
    certain = np.zeros(81, np.uint8)
    for cell in np.flatnonzero(mean.max(1) > 1 - 1e-9):  # 1, give or take rounding
        digit = int(mean[cell].argmax()) + 1
        if has_another(board, int(cell), digit):
            # another digit is possible and rarer than one grid of the sample: as if half a grid had it
            mean[cell, digit - 1] = 1 - 0.5 / len(grids)
        else:
            certain[cell] = digit
            mean[cell, digit - 1] = 1.0
            errors[cell] = 0.0
    return Odds(
        mean.reshape(9, 9, 9),
        errors.reshape(9, 9, 9),
        certain.reshape(9, 9),
        False,
        float(totals.sum()),
        grids,
    )


def _exact(board: Board, grids: Boards) -> Odds:
    """The odds from a list of all grids that fit."""
    if len(grids) == 0:
        raise NoGridFits("no Sudoku fits these digits")
    counts = np.stack([(grids == digit).sum(0) for digit in range(1, 10)], axis=1)
    counts[board > 0] = 0
    certain = np.where((counts.max(1) == len(grids)), counts.argmax(1) + 1, 0).astype(np.uint8)
    probabilities = (counts / len(grids)).reshape(9, 9, 9)
    return Odds(probabilities, np.zeros((9, 9, 9)), certain.reshape(9, 9), True, float(len(grids)), grids)


def _list_all(board: Board) -> Boards | None:
    """All grids that fit; ``None`` if they are more than ``EXACT_UP_TO``."""
    out = np.empty((EXACT_UP_TO, 81), np.uint8)
    found = enumerate_grids(board, np.zeros((81, 9)), out, EXACT_UP_TO)
    if found > EXACT_UP_TO:
        return None
    return _keep(board, out[:found].copy())


def _from_known_list(board: Board) -> Boards | None:
    """All grids that fit, if a list for fewer visible digits of the same board is kept; else ``None``."""
    for key in reversed(_lists):
        known = np.frombuffer(key, np.uint8)
        if ((known == 0) | (known == board)).all():
            new = np.flatnonzero(board != known)
            grids = _lists[key]
            if len(new):
                return _keep(board, grids[(grids[:, new] == board[new]).all(1)])
            _lists.move_to_end(key)
            return grids
    return None


def _keep(board: Board, grids: Boards) -> Boards:
    _lists[board.tobytes()] = grids
    while len(_lists) > _LISTS_KEPT:
        _lists.popitem(last=False)
    return grids


def clear_caches() -> None:
    """Forget lists and answers of earlier calls; only the time the next call takes depends on them."""
    _lists.clear()
    _cached_odds.cache_clear()
