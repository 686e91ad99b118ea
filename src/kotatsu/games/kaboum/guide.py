"""How far a tower has come on its tile and what comes next: for assistance (KA-23) and for bots."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, hypot, pi, radians, sin
from typing import NamedTuple

import numpy as np

from kotatsu.games.kaboum.data import PIECES, TilePlace
from kotatsu.games.kaboum.judging import (
    MM,
    NEARBY_MARGIN_MM,
    TOLERANCE,
    TOLERANCE_ANGLE,
    deviation,
    is_round,
    symmetries,
)
from kotatsu.games.kaboum.referee import Referee
from kotatsu.games.kaboum.towers import TOWERS, Drawn
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, inverse, product
from kotatsu.games.kaboum.world.world import World

MAX_SHIFT = 20 * MM
"""How far from the middle of its tile the middle of an unfinished tower may be, in metres. Chosen by hand."""
SAME_TURN = 0.01
"""Angles closer than this, in radians, are the same angle. Chosen by hand, against rounding."""
SNAP_REACH = 22 * MM
"""KA-23: how near to its place a piece must be let go for the hand to ease it there, in metres.

Chosen by hand: nearly three times the tolerance of KA-22.
"""
SNAP_ANGLE = radians(35)
"""KA-23: how near to its orientation it must be, in radians. Chosen by hand."""


class TowerProgress(NamedTuple):
    """An unfinished tower.

    Attributes:
        tile: The number of its tile.
        x: Where the middle of the drawing is, in metres from the middle of the table.
        y: The same.
        turn: How the drawing is turned about the vertical, in radians.
        present: Which piece (0 to 15) stands for which piece of the drawing, by the latter's number.
    """

    tile: int
    x: float
    y: float
    turn: float
    present: dict[int, int]

    @property
    def missing(self) -> list[int]:
        """The pieces of the drawing that are not there yet, by their numbers."""
        return [each for each in range(len(TOWERS[self.tile].pieces)) if each not in self.present]

    @property
    def ready(self) -> list[int]:
        """Those that are missing and could be put down now: all they rest on is there."""
        drawn = TOWERS[self.tile].pieces
        return [each for each in self.missing if all(under in self.present for under in drawn[each].on)]

    def pose(self, number: int) -> tuple[Vector, Vector]:
        """Where a piece of the drawing belongs.

        Args:
            number: Its number in the drawing.

        Returns:
            The position of its middle in metres, and its quaternion (w, x, y, z).
        """
        drawn = TOWERS[self.tile].pieces[number]
        c, s = cos(self.turn), sin(self.turn)
        x = self.x + (c * drawn.x - s * drawn.y) * MM
        y = self.y + (s * drawn.x + c * drawn.y) * MM
        return np.array((x, y, drawn.z * MM)), product(about_vertical(self.turn), np.array(drawn.quaternion))


def progress(tile: int, place: TilePlace, world: World, free: Iterable[int]) -> TowerProgress:
    """The best reading of what has been built on a tile: the one with most pieces in place.

    Args:
        tile: The number of the tile.
        place: Where it lies.
        world: The world.
        free: The pieces that may be part of the tower; one in hand is not counted.
    """
    drawn = TOWERS[tile].pieces
    reach = (place.side / 2 + NEARBY_MARGIN_MM) * MM
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
                if hypot(x - place.x * MM, y - place.y * MM) > MAX_SHIFT:
                    continue
                present = _present(drawn, x, y, turn, world, near)
                if number in present and len(present) > len(best.present):
                    best = TowerProgress(tile, x, y, turn, present)
    return best


def _turns(drawn: Drawn, pose: Vector) -> list[float]:
    """The angles of the whole tower at which this piece is as drawn, the smallest first."""
    if is_round(drawn.shape):
        return [0.0]
    found: list[float] = []
    for same in symmetries(drawn.shape):
        left = product(pose[3:], inverse(product(np.array(drawn.quaternion), same)))
        if hypot(left[0], left[3]) > cos(TOLERANCE_ANGLE / 2):
            turn = (2 * atan2(left[3], left[0]) + pi) % (2 * pi) - pi
            if all(abs(turn - other) > SAME_TURN for other in found):
                found.append(turn)
    return sorted(found, key=abs)


def _present(
    drawn: tuple[Drawn, ...], x: float, y: float, turn: float, world: World, near: list[int]
) -> dict[int, int]:
    """The pieces in place, if the middle of the drawing is at (x, y) and it is turned by ``turn``."""
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
    """KA-23: where the piece in hand belongs, if it is over a tile whose tower can take it next.

    Args:
        referee: The turn's referee.
        world: The world.
        piece: The piece in hand.

    Returns:
        The position in metres and the quaternion of the nearest such place; ``None`` if there is none.
    """
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


def is_in_tower(referee: Referee, world: World, piece: int) -> bool:
    """KA-8: whether a piece that is not in hand has its place in a tower on its tile, complete or not.

    Args:
        referee: The turn's referee.
        world: The world.
        piece: The piece.
    """
    x, y, _ = world.poses[piece, :3]
    tile = referee.tile_at(x, y)
    if tile is None or tile not in referee.places:
        return False
    elsewhere = {each for other, fit in referee.standing.items() if other != tile for each in fit.pieces}
    free = [each for each in range(len(PIECES)) if each not in elsewhere]
    return piece in progress(tile, referee.places[tile], world, free).present.values()


def snap_rotation(drawn_at: Vector, drawn_turn: Vector, shape: str, pose: Vector) -> Vector | None:
    """KA-23: the orientation in which a piece is eased into its place by the shortest way.

    Args:
        drawn_at: Where it belongs, in metres.
        drawn_turn: The quaternion the drawing gives it.
        shape: Its shape.
        pose: Its pose now, position and quaternion.

    Returns:
        The quaternion that looks as drawn and is nearest; ``None`` if the piece is too far from its place.
    """
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
