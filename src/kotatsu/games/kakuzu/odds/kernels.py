"""The search over the grids that fit what is visible, compiled with numba.

Every kernel lives in this one file: numba keeps compiled code on disk, and decides by a kernel's own file
whether that code is stale.

A position is the digits that each row, column and square still misses, as masks (bit d-1 for digit d), and
the list of its open cells. The cell with fewest candidates is filled first. Positions with few completions
are enumerated; those with more are sampled by random descents through the same tree:

The tree is expanded breadth-first to a frontier, so that every completion lies below exactly one of its
boards. Each board gets a share of the descents by an estimate of how much lies below it. On its way down a
descent picks a candidate at random and multiplies its weight by their number. Where weight times estimate is
far above what descents had with as many open cells before, it splits over several candidates; where it is far
below, it is given up half the time and counts double otherwise. None of this changes what is expected, and
all of it keeps weights even. Below ``TAIL_OPENNESS`` the few completions left are enumerated.

Arguments that mean the same everywhere:

* ``board``, ``grid``, ``visible``: 81 digits (uint8), 0 for an open cell;
* ``missing``: int64 of shape (3, 9), the masks of the digits each row, column and square misses;
* ``cells``, ``n``: uint8 of 81 elements, of which the first ``n`` are the open cells in any order;
* ``sums``: float64 of shape (81, 9), what completions add up to by cell and digit - 1;
* ``out``, ``sample``: uint8 of shape (any, 81), where grids are written to;
* ``rng``: the state of the random generator; it is changed by every draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import SQUARE_OF, UNITS

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
"""Any function that is compiled."""

Board = NDArray[np.uint8]
"""81 digits, 0 where a stone lies."""
Boards = NDArray[np.uint8]
"""Boards, one a row."""
Cells = NDArray[np.uint8]
"""Numbers of cells. All indices of the inner loops are unsigned, which saves a check for negative ones."""
Integers = NDArray[np.int64]
"""Masks or counts."""
Floats = NDArray[np.float64]
"""Weights, sums or probabilities."""
RngState = NDArray[np.uint64]
"""One uint64, the state of splitmix64; it makes a seed mean the same on every machine."""

ROW = np.repeat(np.arange(9, dtype=np.uint8), 9)
"""The row of each cell."""
COLUMN = np.tile(np.arange(9, dtype=np.uint8), 9)
"""The column of each cell."""
SQUARE = np.array(SQUARE_OF, np.uint8)
"""The square of each cell."""
BIT_COUNT = np.array([mask.bit_count() for mask in range(512)])
"""How many digits each mask has."""
BIT_INDEX = np.array([max(mask.bit_length() - 1, 0) for mask in range(512)])
"""The position of the highest bit of each mask: the digit - 1 of a mask of one digit."""
CONTRADICTION = -1
"""What ``set_up`` returns when two visible digits clash."""
LOG_COUNT = np.log(np.maximum(BIT_COUNT, 1))
"""The logarithm of the number of digits of each mask; its sum over open cells is a position's openness."""
LOG_COUNT_SLOPE = 0.2
"""How the logarithm of the number of completions is estimated to grow with the openness.

The value is that of the study before the first version; it changes how fast answers get precise, not what is
expected of them.
"""
TAIL_OPENNESS = 10.0
"""Positions with no more openness than this are enumerated. Chosen by hand."""
MAX_WEIGHT_RATIO = 3.0
"""How far from the mean a descent's weight must be to be split or given up. Chosen by hand."""
TAIL_KEPT = 256
"""Out of how many completions of a tail one is sampled.

Chosen by hand, far above the seven or so to be expected from ``LOG_COUNT_SLOPE`` and ``TAIL_OPENNESS``.
"""
PROOF_STEPS = 3_000
"""Steps after which the proof that a cell is certain is given up; it is not called certain then.

Chosen by hand.
"""
UNIT_CELLS = np.array(UNITS)
"""The cells of the 27 units, as an array."""
STACK_SIZE = 81 * 9
"""An upper bound: at each of 81 cells a split leaves at most eight boards for later."""


def compiled(function: Kernel) -> Kernel:
    """Compile a function at its first call, or load what an earlier process compiled."""
    kernel: Any = numba.njit(cache=True)(function)
    return cast("Kernel", kernel)


def rng_from_seed(seed: int) -> RngState:
    """A new random generator; any integer is a seed."""
    return np.array([seed % (1 << 64)], np.uint64)


@compiled
def random_bits(rng: RngState) -> Any:
    """64 random bits, by splitmix64 with its published constants (Steele, Lea and Flood 2014)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def random_below(rng: RngState, n: int) -> int:
    """A random integer from 0 to n - 1."""
    return np.int64(random_bits(rng) % np.uint64(n))  # type: ignore[return-value]


@compiled
def random_fraction(rng: RngState) -> float:
    """A random number from 0 up to but not including 1."""
    return np.float64(random_bits(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)  # 2**-53


@compiled
def set_up(board: Board, missing: Integers, cells: Cells) -> int:
    """Fill ``missing`` and ``cells`` for a board.

    Returns:
        The number of open cells, or ``CONTRADICTION`` if two visible digits clash.
    """
    missing[:] = 511
    n = 0
    for cell in range(81):
        digit = board[cell]
        if digit == 0:
            cells[n] = cell
            n += 1
            continue
        bit = 1 << (digit - 1)
        if not candidates(missing, cell) & bit:
            return CONTRADICTION
        toggle_digit(missing, cell, bit)
    return n


@compiled
def toggle_digit(missing: Integers, cell: int, bit: int) -> None:
    """Place a digit in a cell, or take it back; ``bit`` is its mask."""
    missing[0, ROW[cell]] ^= bit
    missing[1, COLUMN[cell]] ^= bit
    missing[2, SQUARE[cell]] ^= bit


@compiled
def candidates(missing: Integers, cell: int) -> int:
    """The digits a cell could take, as a mask."""
    mask: int = missing[0, ROW[cell]] & missing[1, COLUMN[cell]] & missing[2, SQUARE[cell]]
    return mask


@compiled
def most_constrained(missing: Integers, cells: Cells, n: int) -> int:
    """Move the open cell with fewest candidates to the end of the first ``n``, and return its candidates."""
    best = 10
    at = 0
    found = 0
    for i in range(n):
        mask = candidates(missing, cells[i])
        count = BIT_COUNT[np.uint64(mask)]
        if count < best:
            best, at, found = count, i, mask
            if count <= 1:
                break
    cells[at], cells[n - 1] = cells[n - 1], cells[at]
    return found


@compiled
def visit(
    grid: Board,
    missing: Integers,
    cells: Cells,
    n: int,
    weight: float,
    sums: Floats,
    out: Boards,
    limit: int,
) -> int:
    """Visit every completion of a position and count them; stop after ``limit`` + 1.

    Adds ``weight`` to ``sums[cell, digit - 1]`` for each completion and open cell, and writes as many
    completions to ``out`` as there is room for. ``missing`` and the set of open cells are left as they were.

    Returns:
        How many completions were visited.
    """
    if n == 0:
        if out.shape[0] > 0:
            out[0] = grid
        return 1
    todo = np.empty(81, np.int64)
    chosen = np.empty(81, np.int64)
    before = np.empty(81, np.int64)
    total = 0
    depth = 0
    todo[0] = most_constrained(missing, cells, n)
    while depth >= 0:
        cell = cells[n - 1 - depth]
        mask = todo[depth]
        if mask == 0 or total > limit:
            depth -= 1
            if depth >= 0:
                cell = cells[n - 1 - depth]
                toggle_digit(missing, cell, chosen[depth])
                sums[cell, BIT_INDEX[chosen[depth]]] += weight * (total - before[depth])
            continue
        bit = mask & -mask
        todo[depth] = mask ^ bit
        grid[cell] = BIT_INDEX[bit] + 1
        if depth == n - 1:
            if total < out.shape[0]:
                out[total] = grid
            total += 1
            sums[cell, BIT_INDEX[bit]] += weight
            continue
        toggle_digit(missing, cell, bit)
        child_mask = most_constrained(missing, cells, n - 1 - depth)
        if child_mask == 0:
            toggle_digit(missing, cell, bit)
            continue
        chosen[depth] = bit
        before[depth] = total
        depth += 1
        todo[depth] = child_mask
    return total


@compiled
def enumerate_grids(board: Board, sums: Floats, out: Boards, limit: int) -> int:
    """``visit`` every grid that fits a board, with a weight of 1.

    Returns:
        How many grids there are; ``limit`` + 1 means more than ``limit``.
    """
    missing = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    n = set_up(board, missing, cells)
    if n == CONTRADICTION:
        return 0
    return visit(board.copy(), missing, cells, n, 1.0, sums, out, limit)


@compiled
def has_another(board: Board, cell: int, digit: int) -> bool:
    """Whether some grid that fits a board may have another digit than this in a cell.

    ``False`` is a proof that none has. ``True`` may also mean that the proof is longer than ``PROOF_STEPS``.
    """
    masks = np.full((82, 81), 511, np.int64)
    for each in range(81):
        if board[each]:
            masks[0, each] = 1 << (board[each] - 1)
    masks[0, cell] = 511 ^ (1 << (digit - 1))
    return _may_be_solved(masks)


@compiled
def _may_be_solved(masks: Integers) -> bool:
    """Whether the candidates ``masks[0]`` (81 masks) allow a grid; true also if it takes too long to tell."""
    depth = 0
    for _ in range(PROOF_STEPS):
        if propagate(masks[depth]):
            best, at = 10, -1
            for cell in range(81):
                count = BIT_COUNT[masks[depth, cell]]
                if 1 < count < best:
                    best, at = count, cell
            if at < 0:
                return True
            bit = masks[depth, at] & -masks[depth, at]
            masks[depth + 1] = masks[depth]
            masks[depth + 1, at] = bit
            masks[depth, at] ^= bit
            depth += 1
        else:
            depth -= 1
            if depth < 0:
                return False
    return True


@compiled
def propagate(masks: Integers) -> bool:
    """Apply naked and hidden singles to 81 masks of candidates until nothing changes.

    Returns:
        Whether no contradiction was found.
    """
    changed = True
    while changed:
        changed = False
        for unit in UNIT_CELLS:
            once = more = solved = 0
            for cell in unit:
                mask = masks[cell]
                if BIT_COUNT[mask] == 1:
                    if solved & mask:
                        return False
                    solved |= mask
                more |= once & mask
                once |= mask
            if once != 511:
                return False
            hidden = once & ~more
            for cell in unit:
                mask = masks[cell]
                if BIT_COUNT[mask] == 1:
                    continue
                left = mask & hidden if mask & hidden else mask & ~solved
                if BIT_COUNT[left] == 0 or (mask & hidden and BIT_COUNT[left] > 1):
                    return False
                if left != mask:
                    masks[cell] = left
                    changed = True
    return True


@compiled
def expand_frontier(visible: Board, size: int) -> Boards:
    """Expand the search tree breadth-first.

    Args:
        visible: The board at the root.
        size: How many boards to expand to.

    Returns:
        Boards of which every completion of ``visible`` completes exactly one: at least ``size``, unless there
        are no more.
    """
    # a queue, with what was expanded in front of it; 12 was chosen by hand, and when it is full we stop early
    boards = np.empty((size * 12 + 16, 81), np.uint8)
    missing = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    boards[0] = visible
    head, tail = 0, 1
    while head < tail and tail - head < size and tail + 9 < boards.shape[0]:
        n = set_up(boards[head], missing, cells)
        if n == 0:
            break
        mask = most_constrained(missing, cells, n)
        while mask:
            bit = mask & -mask
            mask ^= bit
            boards[tail] = boards[head]
            boards[tail, cells[n - 1]] = BIT_INDEX[bit] + 1
            tail += 1
        head += 1
    return boards[head:tail]


@compiled
def descent_shares(boards: Boards) -> Floats:
    """The share of the descents that each board gets, in proportion to its estimated completions.

    A board with an open cell that has no candidate gets 0.
    """
    missing = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    share = np.zeros(boards.shape[0])
    for i in range(boards.shape[0]):
        n = set_up(boards[i], missing, cells)
        openness = 0.0
        dead = False
        for j in range(n):
            mask = candidates(missing, cells[j])
            dead = dead or mask == 0
            openness += LOG_COUNT[mask]
        if not dead:
            share[i] = np.exp(LOG_COUNT_SLOPE * openness)
    return share / max(share.sum(), 1e-300)  # type: ignore[no-any-return]  # all 0 if every board is dead


@compiled
def descend(
    visible: Board,
    frontier: Boards,
    share: Floats,
    count: int,
    step: float,
    rng: RngState,
    sums: Floats,
    totals: Floats,
    sample: Boards,
) -> int:
    """Start about ``count`` random descents from the frontier and add up what they find.

    Args:
        visible: The board at the root.
        frontier: The boards that descents start from.
        share: The share of the descents for each of them, 1 together.
        count: How many descents to start.
        step: For how much weight of completions one of them is written to ``sample``.
        rng: The random generator.
        sums: float64 of shape (batches, 81, 9), added to: the weight of each digit in each cell.
        totals: float64 of shape (batches,), added to: the weight of all completions, an estimate of their
            number.
        sample: Where the sampled grids are written to; when it is full, no more are.

    Returns:
        How many grids were written to ``sample``.
    """
    missing = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    grid = np.empty(81, np.uint8)
    pending = np.empty((STACK_SIZE, 81), np.uint8)
    pending_weights = np.empty(STACK_SIZE)
    mass_by_open_cells = np.zeros(82)
    out = np.empty((TAIL_KEPT, 81), np.uint8)
    started = sampled = 0
    next_start = random_fraction(rng)
    until_sample = step * random_fraction(rng)
    for i in range(frontier.shape[0]):
        expected = share[i] * count
        while next_start < expected:
            next_start += 1.0
            started += 1
            batch = started % totals.shape[0]
            pending[0] = frontier[i]
            pending_weights[0] = 1.0 / expected
            top = 1
            while top > 0:
                top -= 1
                grid[:] = pending[top]
                n = set_up(grid, missing, cells)
                n, weight, top = _descend_to_tail(
                    grid,
                    missing,
                    cells,
                    n,
                    pending_weights[top],
                    started,
                    mass_by_open_cells,
                    pending,
                    pending_weights,
                    top,
                    rng,
                )
                if weight == 0.0:
                    continue
                found = visit(
                    grid, missing, cells, n, weight, sums[batch], out, 1 << 40
                )  # no limit: a tail is small
                if found == 0:
                    continue
                weight *= found
                totals[batch] += weight
                _add_path(visible, out[0], cells, n, weight, sums[batch])
                until_sample -= weight
                while until_sample < 0.0 and sampled < sample.shape[0]:
                    until_sample += step
                    sample[sampled] = out[random_below(rng, min(found, TAIL_KEPT))]
                    sampled += 1
        next_start -= expected
    return sampled


@compiled
def _descend_to_tail(
    grid: Board,
    missing: Integers,
    cells: Cells,
    n: int,
    weight: float,
    started: int,
    mass_by_open_cells: Floats,
    pending: Boards,
    pending_weights: Floats,
    top: int,
    rng: RngState,
) -> tuple[int, float, int]:
    """Fill cells at random until few completions are left.

    What a split leaves for later is put on the stack ``pending`` (its size is ``top``).

    Returns:
        The number of open cells left, the descent's weight (0 if it ended in nothing), and the new ``top``.
    """
    while n > 0:
        mask, openness = _select_cell(missing, cells, n)
        if mask == 0:
            return n, 0.0, top
        cell = cells[n - 1]
        choices = BIT_COUNT[mask]
        copies = 1
        if choices > 1:
            if openness <= TAIL_OPENNESS:
                break
            mass = weight * np.exp(LOG_COUNT_SLOPE * openness)
            mass_by_open_cells[n] += mass
            relative = mass * started / mass_by_open_cells[n]
            if relative > MAX_WEIGHT_RATIO:
                copies = min(choices, int(relative / MAX_WEIGHT_RATIO) + 1)
            elif relative * MAX_WEIGHT_RATIO < 1.0:
                if random_fraction(rng) < 0.5:
                    return n, 0.0, top
                weight *= 2.0
        weight *= choices / copies
        bit = 0
        while copies > 0:
            each = mask & -mask
            mask ^= each
            if random_below(rng, choices) < copies:
                copies -= 1
                if copies > 0:
                    pending[top] = grid
                    pending[top, cell] = BIT_INDEX[each] + 1
                    pending_weights[top] = weight
                    top += 1
                bit = each
            choices -= 1
        grid[cell] = BIT_INDEX[bit] + 1
        toggle_digit(missing, cell, bit)
        n -= 1
    return n, weight, top


@compiled
def _select_cell(missing: Integers, cells: Cells, n: int) -> tuple[int, float]:
    """As ``most_constrained``; returns its candidates, and the position's openness.

    Where a cell has one candidate or none the openness is not complete; it is not needed then.
    """
    best = 10
    at = 0
    found = 0
    openness = 0.0
    for i in range(n):
        mask = candidates(missing, cells[i])
        count = BIT_COUNT[np.uint64(mask)]
        openness += LOG_COUNT[np.uint64(mask)]
        if count < best:
            best, at, found = count, i, mask
            if count <= 1:
                break
    cells[at], cells[n - 1] = cells[n - 1], cells[at]
    return found, openness


@compiled
def _add_path(visible: Board, grid: Board, tail: Cells, n: int, weight: float, sums: Floats) -> None:
    """Add a weight for every cell that was filled on the way to a tail of ``n`` open cells."""
    for cell in range(81):
        if visible[cell] == 0:
            sums[cell, grid[cell] - 1] += weight
    for i in range(n):
        sums[tail[i], grid[tail[i]] - 1] -= weight


@compiled
def count_given(grids: Boards, cell: int, counts: Integers) -> None:
    """Count digits by cell, for each digit that one cell may have.

    Args:
        grids: The grids to count in.
        cell: The cell whose digit they are divided by.
        counts: int64 of shape (9, 81, 9), added to: by the digit - 1 of ``cell``, the other cell, its digit -
            1.
    """
    for i in range(grids.shape[0]):
        given = grids[i, cell] - 1
        for other in range(81):
            counts[given, other, grids[i, other] - 1] += 1
