"""Which small towers can stand at the same time: the box has two pieces of each shape, so not many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kotatsu.games.kaboum.data import PIECES, POINTS, SMALL_TILES
from kotatsu.games.kaboum.towers import TOWERS


class Together(NamedTuple):
    """Some towers, what they are worth in all, and the pieces they need; a point is a piece."""

    tiles: frozenset[int]
    points: int
    pieces: Counter[str]


def _sets(chosen: Together, first: int) -> Iterator[Together]:
    for tile in range(first, SMALL_TILES):
        pieces = chosen.pieces + Counter(piece.shape for piece in TOWERS[tile].pieces)
        if pieces <= Counter(PIECES):
            more = Together(chosen.tiles | {tile}, chosen.points + POINTS[tile], pieces)
            yield more
            yield from _sets(more, tile + 1)


SETS = tuple(_sets(Together(frozenset(), 0, Counter()), 0))


def best_company(tiles: Iterable[int], pieces: Iterable[int], most: float) -> dict[int, int]:
    """For each tile that could be built: the points of the best set it is in, with these pieces and no more points."""
    open_tiles, shapes = frozenset(tiles), Counter(PIECES[piece] for piece in pieces)
    best: dict[int, int] = {}
    for each in SETS:
        if each.points <= most and each.tiles <= open_tiles and each.pieces <= shapes:
            for tile in each.tiles:
                best[tile] = max(best.get(tile, 0), each.points)
    return best
