"""Positions as they come up in play, for the tests of odds, deductions and coach."""

from __future__ import annotations

from random import Random

from kotatsu.games.kakuzu.board import CELLS, SQUARES, Flat
from kotatsu.games.kakuzu.grids import deal


def position(seed: int, visible: int) -> tuple[Flat, Flat]:
    """A grid, and what is visible when each square has been opened and then stones here and there."""
    rng = Random(f"position {seed}")
    grid = deal(rng)
    shown = {rng.choice(square) for square in SQUARES}
    shown |= set(rng.sample(sorted(set(range(CELLS)) - shown), visible - len(shown)))
    return grid, tuple(grid[cell] if cell in shown else 0 for cell in range(CELLS))
