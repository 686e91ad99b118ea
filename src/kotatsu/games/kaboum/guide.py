"""How far a tower has come on its tile and what belongs next: for the ghost, for the easing hand, and for bots."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, hypot, pi, radians, sin
from typing import NamedTuple

import numpy as np

from kotatsu.games.kaboum.data import PIECES, TilePlace
from kotatsu.games.kaboum.judging import MM, TOLERANCE, TOLERANCE_ANGLE, deviation, is_round, symmetries
from kotatsu.games.kaboum.referee import Referee
from kotatsu.games.kaboum.towers import TOWERS, Drawn
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, inverse, product
from kotatsu.games.kaboum.world.world import World

SNAP_REACH = 22 * MM
SNAP_ANGLE = radians(35)
"""KA-23: how near a piece must be let go for the hand to ease it into its place."""


class TowerProgress(NamedTuple):
    """A tower under way: where its middle is, how it is turned, and which piece stands for which of the drawing."""

    tile: int
    x: float
    y: float
    turn: float
    present: dict[int, int]

    @property
    def missing(self) -> list[int]:
        """What is not there yet."""
        return [each for each in range(len(TOWERS[self.tile].pieces)) if each not in self.present]

    @property
    def ready(self) -> list[int]:
        """What is missing and could be put down now: all it rests on is there."""
        drawn = TOWERS[self.tile].pieces
        return [each for each in self.missing if all(under in self.present for under in drawn[each].on)]

    def pose(self, number: int) -> tuple[Vector, Vector]:
        """Where a piece of the drawing belongs, and how it is turned."""
        drawn = TOWERS[self.tile].pieces[number]
        c, s = cos(self.turn), sin(self.turn)
        x = self.x + (c * drawn.x - s * drawn.y) * MM
        y = self.y + (s * drawn.x + c * drawn.y) * MM
        return np.array((x, y, drawn.z * MM)), product(about_vertical(self.turn), np.array(drawn.quaternion))


def progress(tile: int, place: TilePlace, world: World, free: Iterable[int]) -> TowerProgress:
    """The best reading of what has been built on a tile, out of pieces that are free to be part of it."""
    drawn = TOWERS[tile].pieces
    reach = (place.side / 2 + 25) * MM
    near = [
        piece
        for piece in free
        if piece != world.held
        and abs(world.poses[piece, 0] - place.x * MM) <= reach
        and abs(world.poses[piece, 1] - place.y * MM) <= reach
    ]
    best = TowerProgress(tile, place.x * MM, place.y * MM, 0.0, {})
    if not near:
        return best
    best = best._replace(present=_present(drawn, best.x, best.y, 0.0, world, near))
    for number, each in enumerate(drawn):
        if each.on:
            continue
        for piece in near:
            if PIECES[piece] != each.shape or abs(world.poses[piece, 2] - each.z * MM) > TOLERANCE:
                continue
            for turn in _turns(each, world.poses[piece]):
                x = float(world.poses[piece, 0] - (cos(turn) * each.x - sin(turn) * each.y) * MM)
                y = float(world.poses[piece, 1] - (sin(turn) * each.x + cos(turn) * each.y) * MM)
                if hypot(x - place.x * MM, y - place.y * MM) > 20 * MM:
                    continue
                present = _present(drawn, x, y, turn, world, near)
                if number in present and len(present) > len(best.present):
                    best = TowerProgress(tile, x, y, turn, present)
    return best


def _turns(drawn: Drawn, pose: Vector) -> list[float]:
    """Angles of the whole tower at which this piece looks as drawn, the smallest first."""
    if is_round(drawn.shape):
        return [0.0]
    found: list[float] = []
    for same in symmetries(drawn.shape):
        left = product(pose[3:], inverse(product(np.array(drawn.quaternion), same)))
        if hypot(left[0], left[3]) > cos(TOLERANCE_ANGLE / 2):
            turn = (2 * atan2(left[3], left[0]) + pi) % (2 * pi) - pi
            if all(abs(turn - other) > 0.01 for other in found):
                found.append(turn)
    return sorted(found, key=abs)


def _present(
    drawn: tuple[Drawn, ...], x: float, y: float, turn: float, world: World, near: list[int]
) -> dict[int, int]:
    at = np.array((x, y, 0.0))
    present: dict[int, int] = {}
    for number, each in enumerate(drawn):
        if not all(under in present for under in each.on):
            continue
        for piece in near:
            if PIECES[piece] == each.shape and piece not in present.values():
                apart, tilt = deviation(each, at, turn, world.poses[piece])
                if apart <= TOLERANCE and tilt <= TOLERANCE_ANGLE:
                    present[number] = piece
                    break
    return present


def ghost(referee: Referee, world: World, piece: int) -> tuple[Vector, Vector] | None:
    """KA-23: where a piece in hand belongs, if it is over a tile whose tower wants it next."""
    x, y, _ = world.poses[piece, :3]
    tile = referee.tile_at(x, y)
    if tile is None or tile not in referee.places or tile in referee.standing:
        return None
    used = {each for fit in referee.standing.values() for each in fit.pieces}
    free = [each for each in range(len(PIECES)) if each not in used and each != piece]
    so_far = progress(tile, referee.places[tile], world, free)
    wanted = [each for each in so_far.ready if TOWERS[tile].pieces[each].shape == PIECES[piece]]
    if not wanted:
        return None
    poses = [so_far.pose(each) for each in wanted]
    return min(poses, key=lambda pose: float(np.linalg.norm(pose[0] - world.poses[piece, :3])))


def within_reach(drawn_at: Vector, drawn_turn: Vector, shape: str, pose: Vector) -> Vector | None:
    """The turn that eases a piece into its place by the shortest way; ``None`` if it is too far off."""
    if float(np.linalg.norm(drawn_at - pose[:3])) > SNAP_REACH:
        return None
    same = np.array([product(drawn_turn, each) for each in symmetries(shape)])
    likeness = np.abs(same @ pose[3:])
    nearest: Vector = same[int(np.argmax(likeness))]
    if is_round(shape):
        rest = product(inverse(drawn_turn), pose[3:])
        upright = max(hypot(rest[0], rest[3]), hypot(rest[1], rest[2]))
        return pose[3:].copy() if upright > cos(SNAP_ANGLE / 2) else None
    return nearest if likeness.max() > cos(SNAP_ANGLE / 2) else None
