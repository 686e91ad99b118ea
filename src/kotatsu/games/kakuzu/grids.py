"""Random completed Sudoku grids: the deal (KZ-10), and grids that fit what is visible.

A grid is filled at random and then shuffled by a chain of swaps, each as likely as its reverse, so that
nothing of how it was filled remains. Two kinds of swap keep a grid a Sudoku:

* Kempe: two digits change places along everything they force on each other;
* line: two rows of one band (or columns of one stack) change places along a cycle of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from kotatsu.games.kakuzu.board import CELLS, COLUMNS, DIGITS, PEERS, ROWS, SIZE, Flat

DEAL_SWAPS = 1000
"""Swaps for a deal.

In the study before the first version, 1,000 swaps left three statistics of the grids within 0.01 standard
deviations of an exactly uniform sampler; ``tests/test_grids.py`` compares deals with such a sampler.
"""
IMAGINE_SWAPS = 300
"""Swaps for a grid that fits what is visible.

Chosen by hand, for speed: in OpenSpiel such a grid is drawn before every step.
"""
LISTED_UP_TO = 32
"""If no more grids fit than this, all are listed and one is drawn uniformly. Chosen by hand, for speed."""

_ALL_DIGITS = sum(1 << digit for digit in DIGITS)
_DIGITS_OF_MASK = tuple(
    tuple(digit for digit in DIGITS if mask >> digit & 1) for mask in range(1 << (SIZE + 1))
)
"""The digits of every mask of candidates (bit d for digit d), to save the loop over bits."""


def deal(rng: Random) -> Flat:
    """KZ-10: draw a grid nearly uniformly from all completed Sudoku grids."""
    return _shuffled(next(fillings((0,) * CELLS, rng)), (), DEAL_SWAPS, rng)


def complete(visible: Flat, rng: Random) -> Flat:
    """Draw a grid that fits what is visible.

    Uniform if at most ``LISTED_UP_TO`` fit; otherwise a random filling is shuffled by swaps that leave
    visible cells alone, which is nearly uniform where those swaps reach every grid.

    Args:
        visible: the 81 cells, 0 where nothing is seen.
        rng: where chance is drawn from.

    Raises:
        ValueError: No Sudoku fits.
    """
    listed = list(islice(fillings(visible, rng), LISTED_UP_TO + 1))
    if not listed:
        raise ValueError("no Sudoku fits these digits")
    if len(listed) <= LISTED_UP_TO:
        return rng.choice(listed)
    fixed = tuple(cell for cell, digit in enumerate(visible) if digit)
    return _shuffled(next(fillings(visible, rng)), fixed, IMAGINE_SWAPS, rng)


def fillings(visible: Flat, rng: Random) -> Iterator[Flat]:
    """Generate every grid that fits, each once, in random order.

    The order is not uniform: the most constrained cell is filled first, its digits in random order.

    Args:
        visible: the 81 cells, 0 where nothing is seen.
        rng: in whose order they come.
    """
    candidates = [_ALL_DIGITS] * CELLS
    for cell, digit in enumerate(visible):
        if digit:
            for peer in PEERS[cell]:
                candidates[peer] &= ~(1 << digit)
    if any(digit and not candidates[cell] >> digit & 1 for cell, digit in enumerate(visible)):
        return
    empty = [cell for cell in range(CELLS) if not visible[cell]]
    rng.shuffle(empty)
    yield from _fill(list(visible), empty, candidates, rng)


def _fill(grid: list[int], empty: list[int], candidates: list[int], rng: Random) -> Iterator[Flat]:
    if not empty:
        yield tuple(grid)
        return
    cell = min(empty, key=lambda cell: candidates[cell].bit_count())
    rest = [other for other in empty if other != cell]
    digits = list(_DIGITS_OF_MASK[candidates[cell]])
    rng.shuffle(digits)
    for digit in digits:
        bit = 1 << digit
        blocked = [peer for peer in PEERS[cell] if not grid[peer] and candidates[peer] & bit]
        for peer in blocked:
            candidates[peer] ^= bit
        grid[cell] = digit
        if all(candidates[peer] for peer in blocked):
            yield from _fill(grid, rest, candidates, rng)
        grid[cell] = 0
        for peer in blocked:
            candidates[peer] |= bit


def _shuffled(filled: Flat, fixed: tuple[int, ...], swaps: int, rng: Random) -> Flat:
    """A grid after some random swaps that leave the ``fixed`` cells alone."""
    grid = list(filled)
    untouchable = frozenset(fixed)
    for _ in range(swaps):
        lines = rng.choice((None, ROWS, COLUMNS))
        cells = _kempe(grid, rng) if lines is None else _line_cycle(grid, lines, rng)
        if untouchable.isdisjoint(cells):
            _swap(grid, cells)
    return tuple(grid)


def _kempe(grid: list[int], rng: Random) -> dict[int, int]:
    """The cells that two random digits swap from one of their 18 cells on, with what each would hold."""
    one, other = rng.sample(DIGITS, 2)
    swapped = {one: other, other: one}
    left = {cell: swapped[digit] for cell, digit in enumerate(grid) if digit in swapped}
    cell = rng.choice(tuple(left))
    found = {cell: left.pop(cell)}
    queue = [cell]
    while queue:
        for peer in PEERS[queue.pop()]:
            if peer in left:
                found[peer] = left.pop(peer)
                queue.append(peer)
    return found


def _line_cycle(grid: list[int], lines: tuple[tuple[int, ...], ...], rng: Random) -> dict[int, int]:
    """The cells that two random lines of one band swap from a random place on, with what each would hold."""
    band = 3 * rng.randrange(3)
    one, other = rng.sample(range(band, band + 3), 2)
    upper, lower = lines[one], lines[other]
    where = {grid[cell]: index for index, cell in enumerate(upper)}
    start = index = rng.randrange(SIZE)
    found = {}
    while True:
        above, below = upper[index], lower[index]
        found[above], found[below] = grid[below], grid[above]
        index = where[grid[below]]
        if index == start:
            return found


def _swap(grid: list[int], cells: dict[int, int]) -> None:
    for cell, digit in cells.items():
        grid[cell] = digit
