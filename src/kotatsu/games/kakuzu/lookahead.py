"""Looking one stone ahead in ``announce`` (KZ-21), where a miss shows something to whoever plays next.

Every stone goes to somebody, so a lift is worth the stones it brings compared with a fair share. For each
digit a lift could reveal, the chances under all other stones are computed anew. Then every player is assumed
to lift the stones with the best chances in that order, to keep three at most, and to give a miss and the turn
to the left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import CELLS, SIZE
from kotatsu.games.kakuzu.game import LIMIT
from kotatsu.games.kakuzu.odds import Odds
from kotatsu.games.kakuzu.odds.kernels import compiled, count_given

HORIZON = 12
"""How many stones ahead are considered. Chosen by hand: four full turns of three stones."""
DISCOUNT = 0.85
"""What is expected of a turn counts this much of the turn before it, because more will be visible by then.

The value is that of the look ahead in the study before the first version, which won 61 to 65 % against greedy
play with two players.
"""
MAX_GRIDS = 2_000
"""The most grids that chances are computed from. Chosen by hand, for speed."""
CANDIDATE_MARGIN = 0.3
"""Stones whose best chance is further below the best of all are not considered. Chosen by hand, for speed."""
PRIOR_GRIDS = 10.0
"""When grids are only a sample, the chances before a reveal count like this many grids after it.

Chosen by hand: few grids of the sample may fit what was revealed.
"""

Floats = NDArray[np.float64]
"""Chances or values."""


def expected_gains(found: Odds, kept: int, players: int) -> Floats:
    """The stones that naming a digit and lifting a stone brings, beyond a fair share.

    Args:
        found: The odds of the position.
        kept: How many stones the player has kept in this turn.
        players: How many play.

    Returns:
        For each stone and digit, float64 of shape (81, 9); minus infinity for what is not considered.
    """
    grids = found.grids[:: -(-len(found.grids) // MAX_GRIDS)]
    prior_grids = 0.0 if found.exact and len(grids) == len(found.grids) else PRIOR_GRIDS
    chances = found.probabilities.reshape(CELLS, SIZE)
    hidden = np.flatnonzero(chances.any(1))
    worth = np.full((CELLS, SIZE), -np.inf)
    best = chances.max(1)
    for cell in np.flatnonzero(best >= best.max() - CANDIDATE_MARGIN):
        best_chances = _best_chances_after(grids, int(cell), chances, prior_grids)[:, : len(hidden) - 1]
        hit, miss = _turn_values(best_chances, LIMIT - kept - 1, players)
        if_missed = (chances[cell] * miss).sum()
        worth[cell] = np.where(chances[cell] > 0, if_missed + chances[cell] * (hit - miss), -np.inf)
    return worth


def _best_chances_after(grids: NDArray[np.uint8], cell: int, chances: Floats, prior_grids: float) -> Floats:
    """The best chances under the other stones after a cell is revealed.

    Returns:
        For each digit it may reveal, the ``HORIZON`` highest, highest first: shape (9, ``HORIZON``).
    """
    counts = np.zeros((SIZE, CELLS, SIZE), np.int64)
    count_given(grids, cell, counts)
    fitting = counts[:, cell, :].sum(1)[:, None, None]
    best: Floats = ((counts + prior_grids * chances) / np.maximum(fitting + prior_grids, 1)).max(2)
    best[:, ~chances.any(1)] = 0.0
    best[:, cell] = 0.0
    return -np.sort(-best, axis=1)[:, :HORIZON]


@compiled
def _turn_values(best_chances: Floats, keeps_left: int, players: int) -> tuple[Floats, Floats]:
    """What it is worth to have kept a stone, and to have missed it, for each digit that may be revealed.

    Args:
        best_chances: The chances of the stones that remain, one row for each digit, highest first.
        keeps_left: How many more stones the player may keep in this turn.
        players: How many play.

    Returns:
        Two arrays with one value for each digit: after a hit, and after a miss.
    """
    hit = np.empty(best_chances.shape[0])
    miss = np.empty(best_chances.shape[0])
    share = np.full(players, -1.0 / players)
    share[0] += 1.0
    for revealed in range(best_chances.shape[0]):
        later = np.zeros((players, 4))
        now = np.zeros((players, 4))
        for i in range(best_chances.shape[1] - 1, -1, -1):
            chance = best_chances[revealed, i]
            for seat in range(players):
                neighbour = (seat + 1) % players
                missed = share[neighbour] + DISCOUNT * later[neighbour, 3]
                for more in range(1, 4):
                    kept = share[seat] + later[seat, more - 1]
                    now[seat, more] = chance * kept + (1.0 - chance) * missed
            for seat in range(players):
                now[seat, 0] = DISCOUNT * now[(seat + 1) % players, 3]
            later, now = now, later
        hit[revealed] = share[0] + later[0, keeps_left]
        miss[revealed] = share[1] + DISCOUNT * later[1, 3]
    return hit, miss
