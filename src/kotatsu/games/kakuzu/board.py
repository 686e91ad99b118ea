"""The board's geometry: 81 cells counted row by row, and the 27 lines and squares they lie in."""

from __future__ import annotations

SIZE = 9
CELLS = SIZE * SIZE
DIGITS = range(1, SIZE + 1)

Cell = tuple[int, int]
Flat = tuple[int, ...]
"""81 digits row by row; 0 where a stone lies."""
Rows = tuple[tuple[int, ...], ...]
"""The same as nine rows of nine, which is how it travels."""

SQUARE_OF = tuple(row // 3 * 3 + column // 3 for row in range(SIZE) for column in range(SIZE))
ROWS = tuple(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE))
COLUMNS = tuple(tuple(range(column, CELLS, SIZE)) for column in range(SIZE))
SQUARES = tuple(tuple(cell for cell in range(CELLS) if SQUARE_OF[cell] == square) for square in range(SIZE))
UNITS = ROWS + COLUMNS + SQUARES
PEERS = tuple(
    tuple(sorted({other for unit in UNITS if cell in unit for other in unit} - {cell}))
    for cell in range(CELLS)
)


def at(cell: Cell) -> int:
    """The number of a cell given as row and column."""
    return cell[0] * SIZE + cell[1]


def place(cell: int) -> Cell:
    """The row and column of a cell given by its number."""
    return divmod(cell, SIZE)


def in_rows(flat: Flat) -> Rows:
    """81 digits as nine rows."""
    return tuple(flat[start : start + SIZE] for start in range(0, len(flat), SIZE))


def flattened(rows: Rows) -> Flat:
    """The inverse of ``in_rows``."""
    return tuple(digit for row in rows for digit in row)
