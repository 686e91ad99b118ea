"""What lies under the stones, as far as anyone can know: every grid that fits what is visible is as likely.

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
    enumerate_grids,
    has_another,
    seeded,
    shares,
    unfold,
)

EXACT_UP_TO = 150_000
"""So many grids are listed."""
EFFORT = 18_000
"""Descents begun for one answer."""
PILOT = 500
FRONTIER = 2_000
BATCHES = 16
SAMPLE = 4_000
_LISTS_KEPT = 4
_ANSWERS_KEPT = 8

_lists: OrderedDict[bytes, Boards] = OrderedDict()


class NoGridFits(ValueError):
    """Two visible digits contradict each other."""


@dataclass(frozen=True)
class Odds:
    """``probabilities[row, column, digit - 1]``, 0 for visible cells, with the standard error of each.

    ``certain`` has the digit of every hidden cell that is proved, 0 elsewhere; nothing sampled is a proof.
    ``grids`` are all grids that fit if ``exact``, otherwise an even sample of them, as rows of 81 digits.
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


def odds(visible: Iterable[int], effort: int = EFFORT, seed: int = 0) -> Odds:
    """P(cell = digit) for every hidden cell of a board of 81 digits, 0 where a stone lies.

    Raises:
        NoGridFits: if the visible digits clash or cannot be completed.
    """
    return _worked_out(np.fromiter(visible, np.uint8, 81).tobytes(), effort, seed)


@lru_cache(_ANSWERS_KEPT)
def _worked_out(key: bytes, effort: int, seed: int) -> Odds:
    board = np.frombuffer(key, np.uint8)
    grids = _listed(board)
    if grids is not None:
        return _exact(board, grids)
    frontier = unfold(board, FRONTIER)
    share = shares(frontier)
    _, totals, _ = _sample(board, frontier, share, PILOT, np.inf, seed)
    about = float(totals.sum())
    if about <= EXACT_UP_TO and (grids := _enumerated(board)) is not None:
        return _exact(board, grids)
    sums, totals, grids = _sample(board, frontier, share, effort, about / SAMPLE, seed + 1)
    if totals.sum() <= EXACT_UP_TO and (listed := _enumerated(board)) is not None:
        return _exact(board, listed)
    return _sampled(board, sums, totals, grids)


def _sample(
    board: Board, frontier: Boards, share: Floats, count: int, step: float, seed: int
) -> tuple[Floats, Floats, Boards]:
    sums = np.zeros((BATCHES, 81, 9))
    totals = np.zeros(BATCHES)
    sample = np.empty((2 * SAMPLE, 81), np.uint8)
    sampled = descend(board, frontier, share, count, step, seeded(seed), sums, totals, sample)
    return sums, totals, sample[:sampled]


def _sampled(board: Board, sums: Floats, totals: Floats, grids: Boards) -> Odds:
    mean = sums.sum(0) / totals.sum()
    spread = (sums - totals[:, None, None] * mean) / totals.mean()
    errors = np.sqrt((spread**2).sum(0) / (BATCHES * (BATCHES - 1)))
    certain = np.zeros(81, np.uint8)
    for cell in np.flatnonzero(mean.max(1) > 1 - 1e-9):
        digit = int(mean[cell].argmax()) + 1
        if has_another(board, int(cell), digit):
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
    if len(grids) == 0:
        raise NoGridFits("no Sudoku fits these digits")
    counts = np.stack([(grids == digit).sum(0) for digit in range(1, 10)], axis=1)
    counts[board > 0] = 0
    certain = np.where((counts.max(1) == len(grids)), counts.argmax(1) + 1, 0).astype(np.uint8)
    probabilities = (counts / len(grids)).reshape(9, 9, 9)
    return Odds(probabilities, np.zeros((9, 9, 9)), certain.reshape(9, 9), True, float(len(grids)), grids)


def _enumerated(board: Board) -> Boards | None:
    """All grids that fit, unless they are too many."""
    out = np.empty((EXACT_UP_TO, 81), np.uint8)
    found = enumerate_grids(board, np.zeros((81, 9)), out, EXACT_UP_TO)
    if found > EXACT_UP_TO:
        return None
    return _keep(board, out[:found].copy())


def _listed(board: Board) -> Boards | None:
    """All grids that fit, if a list for fewer visible digits of the same board is at hand."""
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


def forget() -> None:
    """Keep nothing of earlier answers; only how long the next takes depends on it."""
    _lists.clear()
    _worked_out.cache_clear()
