"""The box, read from ``data.json`` so that an owner of the printed game can correct a figure. Millimetres."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import msgspec


class Shape(msgspec.Struct, frozen=True):
    """One of the shapes of building pieces; ``size`` is its bounding box as it lies in the box."""

    name: str
    letter: str
    colour: str
    size: tuple[float, float, float]


class KaboumTableSize(msgspec.Struct, frozen=True):
    """KA-4: what changes with the number of players."""

    players: int
    small_dice: int


class KaboumBox(msgspec.Struct, frozen=True):
    """KA-1, KA-4, KA-15, KA-20, and how the table is laid (KA-2, KA-9)."""

    win_points: int
    giant: int
    giant_points: int
    small_points: tuple[int, ...]
    copies: int
    shapes: tuple[Shape, ...]
    arch_opening: tuple[float, float]
    small_die: float
    large_die: float
    tables: tuple[KaboumTableSize, ...]
    table: float
    tile: float
    columns: int
    rows: int
    giant_at: tuple[int, int]
    empty_at: tuple[int, int]
    catapult: float
    reload_s: float


class TilePlace(NamedTuple):
    """A square of the table where a tile lies: its centre and its side, the middle of the table being 0."""

    x: float
    y: float
    side: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies on it."""
        return abs(x - self.x) <= self.side / 2 and abs(y - self.y) <= self.side / 2


BOX = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes(), type=KaboumBox)
SHAPES = {shape.name: shape for shape in BOX.shapes}
PIECES: tuple[str, ...] = tuple(shape.name for shape in BOX.shapes for _ in range(BOX.copies))
"""KA-1: the shape of each of the 16 pieces, by its number."""
SMALL_DICE = 9
LARGE_DIE = 9
"""The number of the large die; the small ones are 0 to 8."""
DICE = SMALL_DICE + 1
SMALL_TILES = len(BOX.small_points)
TILES = SMALL_TILES + 1
POINTS: tuple[int, ...] = (*BOX.small_points, BOX.giant_points)
"""KA-20: what each tile is worth."""
SMALL_DICE_EACH = {size.players: size.small_dice for size in BOX.tables}


def _cell(column: float, row: float, side: float) -> TilePlace:
    """The middle of the grid is the middle of the table."""
    x = (column - (BOX.columns - 1) / 2) * BOX.tile
    y = (row - (BOX.rows - 1) / 2) * BOX.tile
    return TilePlace(x, y, side)


def _places() -> tuple[TilePlace, ...]:
    column, row = BOX.giant_at
    giant = {(column + i, row + j) for i in (0, 1) for j in (0, 1)}
    small = [
        _cell(i, j, BOX.tile)
        for j in range(BOX.rows)
        for i in range(BOX.columns)
        if (i, j) not in giant and (i, j) != BOX.empty_at
    ]
    return (*small, _cell(column + 0.5, row + 0.5, 2 * BOX.tile))


PLACES: tuple[TilePlace, ...] = _places()
"""KA-2: where tiles lie. The last is the giant one's, in the middle."""
