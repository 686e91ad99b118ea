"""Which small towers can stand at the same time: the box has two pieces of each shape, so not many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kotatsu.games.kaboum.data import PIECES, POINTS, SMALL_TILES
from kotatsu.games.kaboum.towers import TOWERS


class Together(NamedTuple):
    """Some small towers that can stand at the same time.

    Attributes:
        tiles: Their tiles.
        points: What they are worth together, which is also how many pieces they need (KA-20).
        pieces: How many pieces of each shape they need.
    """

    tiles: frozenset[int]
    points: int
    pieces: Counter[str]


def _sets(chosen: Together, first: int) -> Iterator[Together]:
    """All sets that add tiles from ``first`` on to those chosen."""
    for tile in range(first, SMALL_TILES):
        pieces = chosen.pieces + Counter(piece.shape for piece in TOWERS[tile].pieces)
        if pieces <= Counter(PIECES):
            more = Together(chosen.tiles | {tile}, chosen.points + POINTS[tile], pieces)
            yield more
            yield from _sets(more, tile + 1)


SETS = tuple(_sets(Together(frozenset(), 0, Counter()), 0))
"""All sets of small towers that the pieces of the box allow: 202."""


def best_set_points(tiles: Iterable[int], pieces: Iterable[int], most: float) -> dict[int, int]:
    """The points of the best set that each tile is part of.

    Args:
        tiles: The tiles that may be built on.
        pieces: The pieces that may be used.
        most: The most points there is time for.

    Returns:
        By tile; a tile that is in no such set is not in it.
    """
    open_tiles, shapes = frozenset(tiles), Counter(PIECES[piece] for piece in pieces)
    best: dict[int, int] = {}
    for each in SETS:
        if each.points <= most and each.tiles <= open_tiles and each.pieces <= shapes:
            for tile in each.tiles:
                best[tile] = max(best.get(tile, 0), each.points)
    return best
