"""Watches a world and reports what the rules need to know: dice at rest, towers that stand or fell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from kotatsu.games.kaboum.data import PLACES, TilePlace
from kotatsu.games.kaboum.judging import MM, NEARBY_MARGIN_MM, Fit, find_tower
from kotatsu.games.kaboum.model import DieRests, Sighting, TowerFell, TowerStands
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import FIRST_DIE, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import axis_up
from kotatsu.games.kaboum.world.world import BELOW_TABLE, World

REST_TICKS = TICKS_A_SECOND // 2
"""KA-22: how long a tower must be at rest, in ticks: half a second."""
DIE_REST_TICKS = TICKS_A_SECOND // 5
"""How long a die must be at rest, in ticks. Chosen by hand: a fifth of a second."""
DIE_TIMEOUT_TICKS = 4 * TICKS_A_SECOND
"""A die that has not come to rest after this many ticks is judged where it is.

Half of all dice rest within a second, but in the study before the first version some never did.
"""
TOWER_CHECK_TICKS = 6
"""Ticks between two looks at the towers: ten looks a second. Chosen by hand, for speed."""
TOUCH_DISTANCE = 0.4 * MM
"""Pieces nearer to each other than this touch, in metres (KA-22: nothing else touches a tower).

Chosen by hand, as the next two; ``tests/test_referee.py`` stages near misses.
"""
REST_DISTANCE = 1.0 * MM
"""A piece no further than this from another rests on it, in metres."""
MAX_OVERLAP = 1.0 * MM
"""A die deeper than this in a piece, in metres, was there when the piece was put down (KA-8). Chosen by hand."""
TABLE_TOLERANCE = 1.5 * MM
"""A piece no further than this from its height on the table stands on it, in metres."""
NEIGHBOUR_DISTANCE = 0.14
"""Bodies whose middles are further apart than this cannot touch, in metres: two planks reach 0.125."""
KABOUM_FACE = 2
"""The sign is on the face towards the die's own +z."""


class Referee:
    """The referee of one turn.

    Args:
        layout: The tile on each of the small places, in the order of ``data.PLACES``.
        tiles: The tiles that are in play in this turn.

    Attributes:
        places: Where each tile in play lies.
        standing: The towers seen complete and not seen fallen since, by their tile.
    """

    def __init__(self, layout: Iterable[int], tiles: Iterable[int]) -> None:
        places = dict(zip(layout, PLACES[:-1], strict=True)) | {len(PLACES) - 1: PLACES[-1]}
        self.places: dict[int, TilePlace] = {tile: places[tile] for tile in tiles}
        self._all_places = places
        self.standing: dict[int, Fit] = {}
        self._flying: dict[int, int] = {}
        self._checked_at: dict[int, int] = {}

    def fired(self, die: int, world: World) -> None:
        """Tell the referee that a die has left its catapult now.

        Args:
            die: which one.
            world: in which it flies.
        """
        self._flying[die] = world.tick

    def watch(self, world: World) -> list[Sighting]:
        """What the rules have to be told since the last tick; to be called once a tick."""
        return [*self._dice(world), *(self._towers(world) if world.tick % TOWER_CHECK_TICKS == 0 else ())]

    def is_complete(self, tile: int, world: World) -> Fit | None:
        """KA-22, but for the half second of rest: the tower of a tile, if it is there now.

        Args:
            tile: A tile that is in play.
            world: The world.
        """
        place = self.places[tile]
        fit = find_tower(tile, world.poses, self._nearby(tile, world), place)
        if fit is None:
            return None
        return fit if _rests_as_drawn(tile, fit, world) and _touches_nothing_else(fit, world) else None

    def tile_at(self, x: float, y: float) -> int | None:
        """The tile under a point of the table, whether in play or not; ``None`` beside the tiles.

        Args:
            x: In metres from the middle of the table.
            y: The same.
        """
        for tile, place in self._all_places.items():
            if place.holds(x / MM, y / MM):
                return tile
        return None

    def _dice(self, world: World) -> list[Sighting]:
        seen: list[Sighting] = []
        for die, since in list(self._flying.items()):
            body = FIRST_DIE + die
            where: int | Literal["off"] | None
            if not world.is_on_table(body):
                if world.poses[body, 2] > BELOW_TABLE and world.tick - since < DIE_TIMEOUT_TICKS:
                    continue  # it may be over the edge and not yet down
                where = "off"  # KA-11
            elif (
                world.tick - world.still_since[body] >= DIE_REST_TICKS
                or world.tick - since >= DIE_TIMEOUT_TICKS
            ):
                where = self.tile_at(world.poses[body, 0], world.poses[body, 1])  # KA-10
            else:
                continue
            del self._flying[die]
            seen.append(DieRests(die, where, shows_kaboum(world, die)))
        return seen

    def _towers(self, world: World) -> list[Sighting]:
        return [*self._fallen(world), *self._completed(world)]

    def _fallen(self, world: World) -> list[Sighting]:
        """Towers that fell. While one shakes only its shape counts; once it rests, all of KA-22 does."""
        seen: list[Sighting] = []
        for tile, fit in list(self.standing.items()):
            moved = max(world.still_since[piece] for piece in fit.pieces)
            held = world.held in fit.pieces
            if moved <= self._checked_at.get(tile, 0) and not held:
                continue
            if world.tick - moved >= REST_TICKS:
                self._checked_at[tile] = world.tick
                now = self.is_complete(tile, world)
            else:
                place = self.places[tile]
                now = None if held else find_tower(tile, world.poses, self._nearby(tile, world), place)
            if now is None:
                del self.standing[tile]
                seen.append(TowerFell(tile))
            else:
                self.standing[tile] = now
        return seen

    def _completed(self, world: World) -> list[Sighting]:
        seen: list[Sighting] = []
        for tile in self.places:
            if tile in self.standing:
                continue
            nearby = self._nearby(tile, world)
            if len(nearby) < len(TOWERS[tile].pieces):
                continue
            moved = max(world.still_since[piece] for piece in nearby)
            if moved <= self._checked_at.get(tile, -1):
                continue
            fit = self.is_complete(tile, world)
            if fit is not None and self._has_rested(fit, world):
                self.standing[tile] = fit
                self._checked_at[tile] = world.tick
                seen.append(TowerStands(tile))
            elif fit is None and world.tick - moved >= REST_TICKS:
                self._checked_at[tile] = world.tick  # nothing will change until something moves
        return seen

    def _has_rested(self, fit: Fit, world: World) -> bool:
        return all(world.tick - world.still_since[piece] >= REST_TICKS for piece in fit.pieces)

    def _nearby(self, tile: int, world: World) -> list[int]:
        """KA-7: pieces over a tile that are in no tower that stands elsewhere; not the one in hand."""
        place = self.places[tile]
        taken = {piece for other, fit in self.standing.items() if other != tile for piece in fit.pieces}
        reach = (place.side / 2 + NEARBY_MARGIN_MM) * MM
        offsets = np.abs(world.poses[:FIRST_DIE, :2] - (place.x * MM, place.y * MM)).max(axis=1)
        near = map(int, np.flatnonzero(offsets <= reach))
        return [piece for piece in near if piece != world.held and piece not in taken]


def shows_kaboum(world: World, die: int) -> bool:
    """KA-12: whether a die's sign is up.

    Args:
        die: which one.
        world: in which it lies.
    """
    up = axis_up(world.poses[FIRST_DIE + die, 3:])
    return bool(np.argmax(np.abs(up)) == KABOUM_FACE and up[KABOUM_FACE] > 0)


def _rests_as_drawn(tile: int, fit: Fit, world: World) -> bool:
    """KA-22: every piece rests on what the drawing puts it on, on no die, and (KA-8) was not put over one."""
    for number, drawn in enumerate(TOWERS[tile].pieces):
        piece = fit.pieces[number]
        if not drawn.on and abs(world.poses[piece, 2] - drawn.z * MM) > TABLE_TOLERANCE:
            return False
        if any(world.distance(piece, fit.pieces[under]) > REST_DISTANCE for under in drawn.on):
            return False
        bottom = world.poses[piece, 2] - drawn.size[2] / 2 * MM
        for die in _neighbours(world, piece, range(FIRST_DIE, len(world.poses))):
            gap = world.distance(piece, die)
            if gap < -MAX_OVERLAP or (world.poses[die, 2] < bottom and gap < REST_DISTANCE):
                return False
    return True


def _touches_nothing_else(fit: Fit, world: World) -> bool:
    """KA-22: no piece of a tower touches one that is not part of it."""
    others = [piece for piece in range(FIRST_DIE) if piece not in fit.pieces]
    return all(
        world.distance(piece, other) > TOUCH_DISTANCE
        for piece in fit.pieces
        for other in _neighbours(world, piece, others)
    )


def _neighbours(world: World, body: int, others: Iterable[int]) -> list[int]:
    """Those of other bodies that are near enough to touch."""
    return [
        other
        for other in others
        if float(np.linalg.norm(world.poses[other, :3] - world.poses[body, :3])) < NEIGHBOUR_DISTANCE
    ]
