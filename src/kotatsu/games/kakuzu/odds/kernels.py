"""The compiled search over the grids that fit what is visible.

Every kernel lives in this one file: numba keeps compiled code on disk, and looks only at a kernel's own file to
see whether that code is stale.

A position is what each row, column and square still lacks, as masks (bit d-1 for digit d), and the list of
its open cells. The cell with fewest candidates is filled first. Positions with few completions are enumerated;
for those too open for that there are random descents through the same tree:

The tree is unfolded breadth-first to a frontier, so that every completion lies below exactly one of its
boards. Each board gets a share of the descents by a guess of how much lies below it. On its way down a
descent picks a candidate at random and multiplies its weight by their number; where weight times guess is
far above what descents had at that depth before, it splits over several candidates, and where it is far
below, it is given up half the time and counts double otherwise. None of this changes what is expected, and
all of it keeps weights even. Below ``TAIL`` the few completions left are enumerated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import SQUARE_OF, UNITS

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

Board = NDArray[np.uint8]
"""81 digits, 0 where a stone lies."""
Boards = NDArray[np.uint8]
Cells = NDArray[np.uint8]
"""Unsigned, as all that is used as an index in the inner loops: it saves the check for a negative one."""
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Random = NDArray[np.uint64]
"""splitmix64 over a one-element array, so that a seed means the same everywhere."""

ROW = np.repeat(np.arange(9, dtype=np.uint8), 9)
COLUMN = np.tile(np.arange(9, dtype=np.uint8), 9)
SQUARE = np.array(SQUARE_OF, np.uint8)
COUNT = np.array([mask.bit_count() for mask in range(512)])
INDEX = np.array([max(mask.bit_length() - 1, 0) for mask in range(512)])
FORBIDDEN = -1
"""What ``set_up`` answers when two visible digits clash."""
LOG = np.log(np.maximum(COUNT, 1))
GUESS = 0.2
"""How the logarithm of the completions grows with a position's openness."""
TAIL = 10.0
"""The openness from which on completions are enumerated."""
UNEVEN = 3.0
"""How far above or below the usual a weight must be to split or to be given up."""
KEPT_OF_TAIL = 256
PROOF_STEPS = 3_000
"""How far a proof that a cell is certain is followed; one that is longer is none."""
UNIT_CELLS = np.array(UNITS)
STACK = 81 * 9


def compiled(function: Kernel) -> Kernel:
    """Compile at the first call, or load what an earlier process compiled."""
    kernel: Any = numba.njit(cache=True)(function)
    return cast("Kernel", kernel)


def seeded(seed: int) -> Random:
    """A stream of randomness; any integer is a seed."""
    return np.array([seed % (1 << 64)], np.uint64)


@compiled
def draw(random: Random) -> Any:
    """64 random bits."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def below(random: Random, n: int) -> int:
    """A number from 0 to n - 1."""
    return np.int64(draw(random) % np.uint64(n))  # type: ignore[return-value]


@compiled
def fraction(random: Random) -> float:
    """A number from 0 up to but not 1."""
    return np.float64(draw(random) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def set_up(board: Board, lacks: Integers, cells: Cells) -> int:
    """Fill ``lacks`` (3 by 9) and ``cells`` (81) for a board; the number of open cells, or ``FORBIDDEN``."""
    lacks[:] = 511
    n = 0
    for cell in range(81):
        digit = board[cell]
        if digit == 0:
            cells[n] = cell
            n += 1
            continue
        bit = 1 << (digit - 1)
        if not candidates(lacks, cell) & bit:
            return FORBIDDEN
        flip(lacks, cell, bit)
    return n


@compiled
def flip(lacks: Integers, cell: int, bit: int) -> None:
    """Place a digit, or take it back."""
    lacks[0, ROW[cell]] ^= bit
    lacks[1, COLUMN[cell]] ^= bit
    lacks[2, SQUARE[cell]] ^= bit


@compiled
def candidates(lacks: Integers, cell: int) -> int:
    """The digits a cell could take, as a mask."""
    mask: int = lacks[0, ROW[cell]] & lacks[1, COLUMN[cell]] & lacks[2, SQUARE[cell]]
    return mask


@compiled
def tightest(lacks: Integers, cells: Cells, n: int) -> int:
    """Move the open cell with fewest candidates to the end of the first ``n``, and give its candidates."""
    best = 10
    at = 0
    found = 0
    for i in range(n):
        mask = candidates(lacks, cells[i])
        count = COUNT[np.uint64(mask)]
        if count < best:
            best, at, found = count, i, mask
            if count <= 1:
                break
    cells[at], cells[n - 1] = cells[n - 1], cells[at]
    return found


@compiled
def visit(
    grid: Board,
    lacks: Integers,
    cells: Cells,
    n: int,
    weight: float,
    sums: Floats,
    out: Boards,
    limit: int,
) -> int:
    """Visit every completion of ``grid`` and count them; stop after ``limit`` + 1.

    Adds ``weight`` to ``sums[cell, digit - 1]`` for each completion and open cell, and writes
    the first completions to ``out``. ``lacks`` and the set of open cells are left as they were.
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
    todo[0] = tightest(lacks, cells, n)
    while depth >= 0:
        cell = cells[n - 1 - depth]
        mask = todo[depth]
        if mask == 0 or total > limit:
            depth -= 1
            if depth >= 0:
                cell = cells[n - 1 - depth]
                flip(lacks, cell, chosen[depth])
                sums[cell, INDEX[chosen[depth]]] += weight * (total - before[depth])
            continue
        bit = mask & -mask
        todo[depth] = mask ^ bit
        grid[cell] = INDEX[bit] + 1
        if depth == n - 1:
            if total < out.shape[0]:
                out[total] = grid
            total += 1
            sums[cell, INDEX[bit]] += weight
            continue
        flip(lacks, cell, bit)
        below = tightest(lacks, cells, n - 1 - depth)
        if below == 0:
            flip(lacks, cell, bit)
            continue
        chosen[depth] = bit
        before[depth] = total
        depth += 1
        todo[depth] = below
    return total


@compiled
def enumerate_grids(board: Board, sums: Floats, out: Boards, limit: int) -> int:
    """``visit`` every grid that fits a board."""
    lacks = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    n = set_up(board, lacks, cells)
    if n == FORBIDDEN:
        return 0
    return visit(board.copy(), lacks, cells, n, 1.0, sums, out, limit)


@compiled
def has_another(board: Board, cell: int, digit: int) -> bool:
    """Whether some grid that fits a board may have another digit than this in a cell; ``False`` is a proof."""
    masks = np.full((82, 81), 511, np.int64)
    for each in range(81):
        if board[each]:
            masks[0, each] = 1 << (board[each] - 1)
    masks[0, cell] = 511 ^ (1 << (digit - 1))
    return _may_be_solved(masks)


@compiled
def _may_be_solved(masks: Integers) -> bool:
    """Whether the candidates ``masks[0]`` allow a grid; after ``PROOF_STEPS`` the doubt stands."""
    depth = 0
    for _ in range(PROOF_STEPS):
        if propagate(masks[depth]):
            best, at = 10, -1
            for cell in range(81):
                count = COUNT[masks[depth, cell]]
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
    """Follow naked and hidden singles as far as they lead; whether nothing contradicts them."""
    changed = True
    while changed:
        changed = False
        for unit in UNIT_CELLS:
            once = more = solved = 0
            for cell in unit:
                mask = masks[cell]
                if COUNT[mask] == 1:
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
                if COUNT[mask] == 1:
                    continue
                left = mask & hidden if mask & hidden else mask & ~solved
                if COUNT[left] == 0 or (mask & hidden and COUNT[left] > 1):
                    return False
                if left != mask:
                    masks[cell] = left
                    changed = True
    return True


@compiled
def unfold(visible: Board, size: int) -> Boards:
    """Boards that share out all completions among them, at least ``size`` of them unless they run out."""
    boards = np.empty((size * 12 + 16, 81), np.uint8)
    lacks = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    boards[0] = visible
    head, tail = 0, 1
    while head < tail and tail - head < size and tail + 9 < boards.shape[0]:
        n = set_up(boards[head], lacks, cells)
        if n == 0:
            break
        mask = tightest(lacks, cells, n)
        while mask:
            bit = mask & -mask
            mask ^= bit
            boards[tail] = boards[head]
            boards[tail, cells[n - 1]] = INDEX[bit] + 1
            tail += 1
        head += 1
    return boards[head:tail]


@compiled
def shares(boards: Boards) -> Floats:
    """How much of the effort each board deserves."""
    lacks = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    share = np.zeros(boards.shape[0])
    for i in range(boards.shape[0]):
        n = set_up(boards[i], lacks, cells)
        openness = 0.0
        dead = False
        for j in range(n):
            mask = candidates(lacks, cells[j])
            dead = dead or mask == 0
            openness += LOG[mask]
        if not dead:
            share[i] = np.exp(GUESS * openness)
    return share / max(share.sum(), 1e-300)  # type: ignore[no-any-return]


@compiled
def descend(
    visible: Board,
    frontier: Boards,
    share: Floats,
    count: int,
    step: float,
    random: Random,
    sums: Floats,
    totals: Floats,
    sample: Boards,
) -> int:
    """Begin about ``count`` descents.

    Adds weighted completions to ``totals`` by batch, and to ``sums`` by batch, cell and digit. For each
    ``step`` of their weight one goes to ``sample``, evenly; returns how many did.
    """
    lacks = np.empty((3, 9), np.int64)
    cells = np.empty(81, np.uint8)
    grid = np.empty(81, np.uint8)
    waiting = np.empty((STACK, 81), np.uint8)
    loads = np.empty(STACK)
    usual = np.zeros(82)
    out = np.empty((KEPT_OF_TAIL, 81), np.uint8)
    begun = sampled = 0
    ahead = fraction(random)
    to_next = step * fraction(random)
    for i in range(frontier.shape[0]):
        expected = share[i] * count
        while ahead < expected:
            ahead += 1.0
            begun += 1
            batch = begun % totals.shape[0]
            waiting[0] = frontier[i]
            loads[0] = 1.0 / expected
            top = 1
            while top > 0:
                top -= 1
                grid[:] = waiting[top]
                n = set_up(grid, lacks, cells)
                n, weight, top = _to_tail(
                    grid, lacks, cells, n, loads[top], begun, usual, waiting, loads, top, random
                )
                if weight == 0.0:
                    continue
                found = visit(grid, lacks, cells, n, weight, sums[batch], out, 1 << 40)
                if found == 0:
                    continue
                weight *= found
                totals[batch] += weight
                _add_path(visible, out[0], cells, n, weight, sums[batch])
                to_next -= weight
                while to_next < 0.0 and sampled < sample.shape[0]:
                    to_next += step
                    sample[sampled] = out[below(random, min(found, KEPT_OF_TAIL))]
                    sampled += 1
        ahead -= expected
    return sampled


@compiled
def _to_tail(
    grid: Board,
    lacks: Integers,
    cells: Cells,
    n: int,
    weight: float,
    begun: int,
    usual: Floats,
    waiting: Boards,
    loads: Floats,
    top: int,
    random: Random,
) -> tuple[int, float, int]:
    """Go down to a tail, putting what a split leaves for later on the stack; weight 0 if nothing is there."""
    while n > 0:
        mask, openness = _next(lacks, cells, n)
        if mask == 0:
            return n, 0.0, top
        cell = cells[n - 1]
        choices = COUNT[mask]
        copies = 1
        if choices > 1:
            if openness <= TAIL:
                break
            mass = weight * np.exp(GUESS * openness)
            usual[n] += mass
            relative = mass * begun / usual[n]
            if relative > UNEVEN:
                copies = min(choices, int(relative / UNEVEN) + 1)
            elif relative * UNEVEN < 1.0:
                if fraction(random) < 0.5:
                    return n, 0.0, top
                weight *= 2.0
        weight *= choices / copies
        bit = 0
        while copies > 0:
            each = mask & -mask
            mask ^= each
            if below(random, choices) < copies:
                copies -= 1
                if copies > 0:
                    waiting[top] = grid
                    waiting[top, cell] = INDEX[each] + 1
                    loads[top] = weight
                    top += 1
                bit = each
            choices -= 1
        grid[cell] = INDEX[bit] + 1
        flip(lacks, cell, bit)
        n -= 1
    return n, weight, top


@compiled
def _next(lacks: Integers, cells: Cells, n: int) -> tuple[int, float]:
    """As ``tightest``, with the position's openness: the sum of the logarithms of its cells' candidates."""
    best = 10
    at = 0
    found = 0
    openness = 0.0
    for i in range(n):
        mask = candidates(lacks, cells[i])
        count = COUNT[np.uint64(mask)]
        openness += LOG[np.uint64(mask)]
        if count < best:
            best, at, found = count, i, mask
            if count <= 1:
                break
    cells[at], cells[n - 1] = cells[n - 1], cells[at]
    return found, openness


@compiled
def _add_path(visible: Board, grid: Board, tail: Cells, n: int, weight: float, sums: Floats) -> None:
    """Add a weight for every cell filled on the way to a tail of ``n`` cells."""
    for cell in range(81):
        if visible[cell] == 0:
            sums[cell, grid[cell] - 1] += weight
    for i in range(n):
        sums[tail[i], grid[tail[i]] - 1] -= weight


@compiled
def count_given(grids: Boards, cell: int, counts: Integers) -> None:
    """Add to ``counts`` (9 by 81 by 9) how often each digit is in each cell, by the digit in one cell."""
    for i in range(grids.shape[0]):
        given = grids[i, cell] - 1
        for other in range(81):
            counts[given, other, grids[i, other] - 1] += 1
