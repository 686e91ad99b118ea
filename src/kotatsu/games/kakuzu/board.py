"""The board's geometry: 81 cells numbered row by row, and the 27 rows, columns and squares they lie in."""

from __future__ import annotations

SIZE = 9
"""Rows, columns, squares and digits of a Sudoku."""
CELLS = SIZE * SIZE
"""How many cells the board has."""
DIGITS = range(1, SIZE + 1)
"""The digits 1 to 9."""

Cell = tuple[int, int]
"""A cell by its row and column, both 0 to 8, which is how it travels."""
Flat = tuple[int, ...]
"""81 digits row by row; 0 where a stone lies."""
Rows = tuple[tuple[int, ...], ...]
"""The same as nine rows of nine, which is how it travels."""

SQUARE_OF = tuple(row // 3 * 3 + column // 3 for row in range(SIZE) for column in range(SIZE))
"""The number of the 3×3 square of each cell; squares are numbered row by row."""
ROWS = tuple(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE))
"""The cells of each row."""
COLUMNS = tuple(tuple(range(column, CELLS, SIZE)) for column in range(SIZE))
"""The cells of each column."""
SQUARES = tuple(tuple(cell for cell in range(CELLS) if SQUARE_OF[cell] == square) for square in range(SIZE))
"""The cells of each square."""
UNITS = ROWS + COLUMNS + SQUARES
"""All rows (0 to 8), columns (9 to 17) and squares (18 to 26)."""
PEERS = tuple(
    tuple(sorted({other for unit in UNITS if cell in unit for other in unit} - {cell}))
    for cell in range(CELLS)
)
"""For each cell the 20 others that share its row, column or square."""


def at(cell: Cell) -> int:
    """The number of a cell given by row and column."""
    return cell[0] * SIZE + cell[1]


def place(cell: int) -> Cell:
    """The row and column of a cell given by its number."""
    return divmod(cell, SIZE)


def in_rows(flat: Flat) -> Rows:
    """Split 81 digits into nine rows."""
    return tuple(flat[start : start + SIZE] for start in range(0, len(flat), SIZE))


def flattened(rows: Rows) -> Flat:
    """Join nine rows into 81 digits; the inverse of ``in_rows``."""
    return tuple(digit for row in rows for digit in row)
