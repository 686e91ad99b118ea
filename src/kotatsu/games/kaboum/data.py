"""The contents of the box in millimetres, read from ``data.json``, where an owner can correct a figure."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import msgspec


class Shape(msgspec.Struct, frozen=True):
    """One of the shapes of building pieces.

    Attributes:
        name: Its name in code and data.
        letter: The letter on the piece, for those who do not see colours.
        colour: Its colour, as ``#rrggbb``.
        size: Its bounding box in pose ``up``, in millimetres.
    """

    name: str
    letter: str
    colour: str
    size: tuple[float, float, float]


class KaboumTableSize(msgspec.Struct, frozen=True):
    """KA-4: how many small dice each saboteur has in a turn, by the number of players."""

    players: int
    small_dice: int


class KaboumBox(msgspec.Struct, frozen=True):
    """The figures of ``data.json``: KA-1, KA-4, KA-15, KA-20, and how the table is laid (KA-2, KA-9).

    Sizes are in millimetres. Those of pieces, dice, tiles and the table are ours: the pictures of the printed
    game are lost.

    Attributes:
        win_points: The points that win (KA-15).
        giant: The number of the giant tile.
        giant_points: Its points.
        small_points: The points of each small tile by its number.
        copies: How many pieces of each shape there are.
        shapes: The shapes.
        arch_opening: The width and the height of an arch's opening.
        small_die: The edge of a small die.
        large_die: The edge of the large die.
        tables: What depends on the number of players.
        table: The side of the table.
        tile: The side of a small tile; the giant one has twice that.
        columns: The columns of the grid of tiles.
        rows: Its rows.
        giant_at: The column and row of the giant tile's lower left quarter.
        empty_at: The column and row where no tile lies.
        catapult: How long a catapult is (KA-9).
        reload_s: Seconds a catapult needs after a shot (KA-31).
    """

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
    """Where a tile lies: its middle, from the middle of the table, and its side, in millimetres."""

    x: float
    y: float
    side: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point, in millimetres from the middle of the table, lies on it.

        Args:
            x: millimetres from the middle of the table.
            y: likewise.
        """
        return abs(x - self.x) <= self.side / 2 and abs(y - self.y) <= self.side / 2


BOX = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes(), type=KaboumBox)
"""The box as it is decoded from ``data.json``."""
SHAPES = {shape.name: shape for shape in BOX.shapes}
"""The shapes by their name."""
PIECES: tuple[str, ...] = tuple(shape.name for shape in BOX.shapes for _ in range(BOX.copies))
"""KA-1: the shape of each of the 16 pieces, by its number."""
SMALL_DICE = 9
"""KA-1: how many small dice there are; their numbers are 0 to 8."""
LARGE_DIE = 9
"""The number of the large die."""
DICE = SMALL_DICE + 1
"""KA-1: how many dice there are."""
SMALL_TILES = len(BOX.small_points)
"""KA-1: how many small tiles there are; their numbers are 0 to 24."""
TILES = SMALL_TILES + 1
"""KA-1: how many tiles there are, the giant one included."""
POINTS: tuple[int, ...] = (*BOX.small_points, BOX.giant_points)
"""KA-20: what each tile is worth, by its number."""
SMALL_DICE_EACH = {size.players: size.small_dice for size in BOX.tables}
"""KA-4: small dice for each saboteur, by the number of players."""


def _cell(column: float, row: float, side: float) -> TilePlace:
    """A place of the grid of tiles; the middle of the grid is the middle of the table."""
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
