"""Worlds staged for tests: towers set down as they are drawn, or nearly so."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from kotatsu.games.kaboum.data import PIECES, PLACES
from kotatsu.games.kaboum.model import Sighting
from kotatsu.games.kaboum.referee import Referee
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import MM
from kotatsu.games.kaboum.world.turning import about_vertical, product
from kotatsu.games.kaboum.world.world import World

LAYOUT = tuple(range(25))
"""Tile number i lies at place i."""


def referee(*tiles: int) -> Referee:
    return Referee(LAYOUT, tiles or range(26))


def set_up(
    world: World, tile: int, on_tile: int | None = None, x: float = 0.0, y: float = 0.0, turn: float = 0.0
) -> list[int]:
    """Put a tower up on a tile, its middle off by millimetres, turned by degrees; the pieces it is made of."""
    place = PLACES[tile if on_tile is None else on_tile]
    angle = radians(turn)
    free = list(range(len(PIECES)))
    used = []
    for drawn in TOWERS[tile].pieces:
        piece = next(each for each in free if PIECES[each] == drawn.shape)
        free.remove(piece)
        used.append(piece)
        px = place.x + x + cos(angle) * drawn.x - sin(angle) * drawn.y
        py = place.y + y + sin(angle) * drawn.x + cos(angle) * drawn.y
        turned = product(about_vertical(angle), np.array(drawn.quaternion))
        world.put(piece, (px * MM, py * MM, drawn.z * MM + 1e-4), turned)
    return used


def nudge(
    world: World, piece: int, x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0
) -> None:
    """Move a piece by millimetres and turn it by degrees about the vertical."""
    pose = world.poses[piece].copy()
    at = pose[:3] + np.array((x, y, z)) * MM
    world.put(piece, at, product(about_vertical(radians(turn)), pose[3:]))


def watch(world: World, judge: Referee, seconds: float) -> list[Sighting]:
    """Let time pass; all that the referee saw."""
    seen: list[Sighting] = []
    for _ in range(round(seconds * 60)):
        world.step()
        seen += judge.watch(world)
    return seen
