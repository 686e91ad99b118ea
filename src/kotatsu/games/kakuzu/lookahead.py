"""One stone ahead in ``announce`` (KZ-21): what a lift shows to whoever plays next, and what is left for oneself.

Every stone goes to somebody, so a lift is worth the stones it brings compared with a fair share. For each digit
a lift could reveal, the chances under all other stones are worked out anew; then everybody is taken to lift the
most promising stones in that order, to keep three at most, and to hand a miss and the turn to the left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import CELLS, SIZE
from kotatsu.games.kakuzu.game import LIMIT
from kotatsu.games.kakuzu.odds import Odds
from kotatsu.games.kakuzu.odds.kernels import compiled, count_given

HORIZON = 12
"""So many stones ahead are thought of."""
FORESIGHT = 0.85
"""What is foreseen of a turn counts so much less than the turn before it: by then more will be visible."""
GRIDS = 2_000
MARGIN = 0.3
"""A stone whose best chance is so far below the best of all is not thought about."""
DOUBT = 10.0
"""Of a sample, so many grids' worth of the chances before a reveal stay in those after it: few may be left to count."""

Floats = NDArray[np.float64]


def worths(found: Odds, kept: int, players: int) -> Floats:
    """For each stone and digit (81 by 9), the stones that naming and lifting it brings beyond a fair share.

    Minus infinity for what is not worth a thought.
    """
    grids = found.grids[:: -(-len(found.grids) // GRIDS)]
    doubt = 0.0 if found.exact and len(grids) == len(found.grids) else DOUBT
    chances = found.probabilities.reshape(CELLS, SIZE)
    hidden = np.flatnonzero(chances.any(1))
    worth = np.full((CELLS, SIZE), -np.inf)
    best = chances.max(1)
    for cell in np.flatnonzero(best >= best.max() - MARGIN):
        promising = _promising(grids, int(cell), chances, doubt)[:, : len(hidden) - 1]
        hit, miss = _outlooks(promising, LIMIT - kept - 1, players)
        if_missed = (chances[cell] * miss).sum()
        worth[cell] = np.where(chances[cell] > 0, if_missed + chances[cell] * (hit - miss), -np.inf)
    return worth


def _promising(grids: NDArray[np.uint8], cell: int, chances: Floats, doubt: float) -> Floats:
    """For each digit that a cell may reveal, the best chances under other stones then, highest first."""
    counts = np.zeros((SIZE, CELLS, SIZE), np.int64)
    count_given(grids, cell, counts)
    fitting = counts[:, cell, :].sum(1)[:, None, None]
    best: Floats = ((counts + doubt * chances) / np.maximum(fitting + doubt, 1)).max(2)
    best[:, ~chances.any(1)] = 0.0
    best[:, cell] = 0.0
    return -np.sort(-best, axis=1)[:, :HORIZON]


@compiled
def _outlooks(promising: Floats, left: int, players: int) -> tuple[Floats, Floats]:
    """For each digit that may be revealed, what it is worth to have kept the stone, with so many ``left`` to
    keep this turn, and to have given it away with the turn."""
    hit = np.empty(promising.shape[0])
    miss = np.empty(promising.shape[0])
    share = np.full(players, -1.0 / players)
    share[0] += 1.0
    for revealed in range(promising.shape[0]):
        later = np.zeros((players, 4))
        now = np.zeros((players, 4))
        for i in range(promising.shape[1] - 1, -1, -1):
            chance = promising[revealed, i]
            for seat in range(players):
                neighbour = (seat + 1) % players
                missed = share[neighbour] + FORESIGHT * later[neighbour, 3]
                for more in range(1, 4):
                    kept = share[seat] + later[seat, more - 1]
                    now[seat, more] = chance * kept + (1.0 - chance) * missed
            for seat in range(players):
                now[seat, 0] = FORESIGHT * now[(seat + 1) % players, 3]
            later, now = now, later
        hit[revealed] = share[0] + later[0, left]
        miss[revealed] = share[1] + FORESIGHT * later[1, 3]
    return hit, miss
