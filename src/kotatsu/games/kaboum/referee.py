"""Watches a world and says what the rules need to know: dice at rest, towers that stand, towers that fell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from kotatsu.games.kaboum.data import PLACES, TilePlace
from kotatsu.games.kaboum.judging import MM, Fit, find_tower
from kotatsu.games.kaboum.model import DieRests, Sighting, TowerFell, TowerStands
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import FIRST_DIE, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import axis_up
from kotatsu.games.kaboum.world.world import World

REST_TICKS = TICKS_A_SECOND // 2
"""KA-22: half a second."""
DIE_REST_TICKS = TICKS_A_SECOND // 5
DIE_PATIENCE_TICKS = 4 * TICKS_A_SECOND
"""A die that will not come to rest is judged where it is."""
LOOKS_EVERY = 6
TOUCHING = 0.4 * MM
RESTING = 1.0 * MM
ON_TABLE = 1.5 * MM
KABOUM_FACE = 2
"""The sign is on the face towards the die's own +z."""


class Referee:
    """One turn's referee. ``standing`` are the towers it has seen complete and not seen fall."""

    def __init__(self, layout: Iterable[int], tiles: Iterable[int]) -> None:
        places = dict(zip(layout, PLACES[:-1], strict=True)) | {len(PLACES) - 1: PLACES[-1]}
        self.places: dict[int, TilePlace] = {tile: places[tile] for tile in tiles}
        self._all_places = places
        self.standing: dict[int, Fit] = {}
        self._flying: dict[int, int] = {}
        self._looked: dict[int, int] = {}

    def fired(self, die: int, world: World) -> None:
        """A die has left its catapult."""
        self._flying[die] = world.tick

    def watch(self, world: World) -> list[Sighting]:
        """What there is to say since the last tick."""
        return [*self._dice(world), *(self._towers(world) if world.tick % LOOKS_EVERY == 0 else ())]

    def is_complete(self, tile: int, world: World) -> Fit | None:
        """KA-22, but for the half second of rest: the tower of a tile, if it is there now."""
        place = self.places[tile]
        fit = find_tower(tile, world.poses, self._nearby(tile, world), place)
        if fit is None:
            return None
        return fit if _rests_as_drawn(tile, fit, world) and _touches_nothing_else(fit, world) else None

    def tile_at(self, x: float, y: float) -> int | None:
        """The tile under a point of the table, in metres, also one that is out of play."""
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
                if world.poses[body, 2] > -0.05 and world.tick - since < DIE_PATIENCE_TICKS:
                    continue  # it may be over the edge and not yet down
                where = "off"  # KA-11
            elif (
                world.tick - world.still_since[body] >= DIE_REST_TICKS
                or world.tick - since >= DIE_PATIENCE_TICKS
            ):
                where = self.tile_at(world.poses[body, 0], world.poses[body, 1])  # KA-10
            else:
                continue
            del self._flying[die]
            seen.append(DieRests(die, where, shows_kaboum(world, die)))
        return seen

    def _towers(self, world: World) -> list[Sighting]:
        return [*self._fallen(world), *self._risen(world)]

    def _fallen(self, world: World) -> list[Sighting]:
        """While a tower shakes only its shape counts; once it rests, all of KA-22 does."""
        seen: list[Sighting] = []
        for tile, fit in list(self.standing.items()):
            moved = max(world.still_since[piece] for piece in fit.pieces)
            held = world.held in fit.pieces
            if moved <= self._looked.get(tile, 0) and not held:
                continue
            if world.tick - moved >= REST_TICKS:
                self._looked[tile] = world.tick
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

    def _risen(self, world: World) -> list[Sighting]:
        seen: list[Sighting] = []
        for tile in self.places:
            if tile in self.standing:
                continue
            nearby = self._nearby(tile, world)
            if len(nearby) < len(TOWERS[tile].pieces):
                continue
            moved = max(world.still_since[piece] for piece in nearby)
            if moved <= self._looked.get(tile, -1):
                continue
            fit = self.is_complete(tile, world)
            if fit is not None and self._has_rested(fit, world):
                self.standing[tile] = fit
                self._looked[tile] = world.tick
                seen.append(TowerStands(tile))
            elif fit is None and world.tick - moved >= REST_TICKS:
                self._looked[tile] = world.tick  # nothing will change until something moves
        return seen

    def _has_rested(self, fit: Fit, world: World) -> bool:
        return all(world.tick - world.still_since[piece] >= REST_TICKS for piece in fit.pieces)

    def _nearby(self, tile: int, world: World) -> list[int]:
        """KA-7: pieces over a tile that are in no tower that stands elsewhere; not the one in hand."""
        place = self.places[tile]
        taken = {piece for other, fit in self.standing.items() if other != tile for piece in fit.pieces}
        reach = (place.side / 2 + 25) * MM
        offsets = np.abs(world.poses[:FIRST_DIE, :2] - (place.x * MM, place.y * MM)).max(axis=1)
        near = map(int, np.flatnonzero(offsets <= reach))
        return [piece for piece in near if piece != world.held and piece not in taken]


def shows_kaboum(world: World, die: int) -> bool:
    """Whether a die's sign is up."""
    up = axis_up(world.poses[FIRST_DIE + die, 3:])
    return bool(np.argmax(np.abs(up)) == KABOUM_FACE and up[KABOUM_FACE] > 0)


def _rests_as_drawn(tile: int, fit: Fit, world: World) -> bool:
    for number, drawn in enumerate(TOWERS[tile].pieces):
        piece = fit.pieces[number]
        if not drawn.on and abs(world.poses[piece, 2] - drawn.z * MM) > ON_TABLE:
            return False
        if any(world.distance(piece, fit.pieces[under]) > RESTING for under in drawn.on):
            return False
        bottom = world.poses[piece, 2] - drawn.size[2] / 2 * MM
        if any(
            world.poses[die, 2] < bottom and world.distance(piece, die) < RESTING
            for die in _close(world, piece, range(FIRST_DIE, len(world.poses)))
        ):
            return False
    return True


def _touches_nothing_else(fit: Fit, world: World) -> bool:
    others = [piece for piece in range(FIRST_DIE) if piece not in fit.pieces]
    return all(
        world.distance(piece, other) > TOUCHING
        for piece in fit.pieces
        for other in _close(world, piece, others)
    )


def _close(world: World, body: int, others: Iterable[int]) -> list[int]:
    """Those of other bodies that are near enough to touch."""
    return [
        other
        for other in others
        if float(np.linalg.norm(world.poses[other, :3] - world.poses[body, :3])) < 0.14
    ]
