"""KA-22: whether some pieces are the tower of a drawing. Only their poses count here. Metres and radians."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product as pairs
from math import atan2, cos, hypot, pi, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kaboum.data import PIECES, TilePlace
from kotatsu.games.kaboum.towers import TOWERS, Drawn
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, inverse, product

MM = 0.001
"""Metres in a millimetre."""
TOLERANCE = 8 * MM
"""KA-22: how far a piece may be from where the drawing has it: 8 mm."""
TOLERANCE_ANGLE = radians(12)
"""KA-22: how far it may be turned: 12°."""
SAME_ANGLE = radians(1.5)
"""Angles of a tower closer than this are tried once. Chosen by hand: an eighth of the tolerance."""
NEARBY_MARGIN_MM = 25
"""How far beyond its tile, in millimetres, the middle of a piece may be to be looked at for a tower.

Chosen by hand: more than the tolerances for the place of the tower (KA-8) and of a piece (KA-22) together, 16
mm.
"""
_MIN_DOT = cos(TOLERANCE_ANGLE / 2)
"""The cosine of half the tolerance: two unit quaternions within it have at least this product."""
_S = 0.5**0.5


class Fit(NamedTuple):
    """A tower that was found.

    Attributes:
        pieces: The piece (0 to 15) that stands for each piece of the drawing, in its order.
        x: Where the middle of the drawing is, in metres from the middle of the table.
        y: The same.
        turn: How the drawing is turned about the vertical, in radians.
    """

    pieces: tuple[int, ...]
    x: float
    y: float
    turn: float


@cache
def symmetries(shape: str) -> NDArray[np.float64]:
    """The rotations that leave a shape as it was, as quaternions (w, x, y, z), one a row.

    A drum's rotations about its own axis are not among them: see ``is_round``.
    """
    about_z = [about_vertical(k * pi / 2) for k in range(4)]
    over_x = np.array((0.0, 1.0, 0.0, 0.0))
    match shape:
        case "cube":
            faces = [
                np.array((1.0, 0, 0, 0)),
                over_x,
                np.array((_S, _S, 0, 0)),
                np.array((_S, -_S, 0, 0)),
                np.array((_S, 0, _S, 0)),
                np.array((_S, 0, -_S, 0)),
            ]
            return np.array([product(face, turn) for face in faces for turn in about_z])
        case "pillar" | "slab" | "drum":
            return np.array([product(flip, turn) for flip in (about_z[0], over_x) for turn in about_z])
        case "plank":
            return np.array([product(flip, turn) for flip in (about_z[0], over_x) for turn in about_z[::2]])
        case _:
            return np.array(about_z[::2])


def is_round(shape: str) -> bool:
    """Whether rotating a shape about its own axis changes nothing."""
    return shape == "drum"


class _Wanted(NamedTuple):
    """One piece of a drawing: its place in metres, and all quaternions that look like its orientation."""

    drawn: Drawn
    at: Vector
    turns: NDArray[np.float64]


@cache
def _wanted(tile: int) -> tuple[_Wanted, ...]:
    return tuple(
        _Wanted(
            drawn,
            np.array((drawn.x, drawn.y, drawn.z)) * MM,
            np.array([product(np.array(drawn.quaternion), same) for same in symmetries(drawn.shape)]),
        )
        for drawn in TOWERS[tile].pieces
    )


def find_tower(tile: int, poses: NDArray[np.float64], nearby: Sequence[int], place: TilePlace) -> Fit | None:
    """The tower of a tile among pieces that are nearby.

    Only how the pieces lie is judged: each within the tolerance of where the drawing has it, seen from one of
    them, and the whole of it on its tile. Whether they touch and rest as drawn is for the referee.

    Args:
        tile: The number of the tile.
        poses: float64 of shape (n, 7), positions in metres and quaternions, by the number of the piece.
        nearby: The pieces to look at.
        place: Where the tile lies.

    Returns:
        The first tower found, or ``None``.
    """
    wanted = _wanted(tile)
    by_shape: dict[str, list[int]] = {}
    for piece in nearby:
        by_shape.setdefault(PIECES[piece], []).append(piece)
    for shape in {each.drawn.shape for each in wanted}:
        if len(by_shape.get(shape, ())) < sum(each.drawn.shape == shape for each in wanted):
            return None
    for turn in _possible_turns(wanted, poses, by_shape):
        for anchor in wanted:
            for piece in by_shape[anchor.drawn.shape]:
                fit = _fit(wanted, poses, by_shape, anchor, piece, turn)
                if fit is not None and _is_on_tile(wanted, fit, place):
                    return fit
    return None


def deviation(drawn: Drawn, at: Vector, turn: float, pose: Vector) -> tuple[float, float]:
    """How far a piece is from where the drawing has it.

    Args:
        drawn: The piece of the drawing.
        at: Where the middle of the drawing is, in metres.
        turn: How the drawing is turned about the vertical, in radians.
        pose: The pose of the piece, position and quaternion.

    Returns:
        The distance in metres and the angle in radians.
    """
    c, s = cos(turn), sin(turn)
    x, y, z = drawn.x * MM, drawn.y * MM, drawn.z * MM
    apart = hypot(pose[0] - at[0] - c * x + s * y, pose[1] - at[1] - s * x - c * y, pose[2] - z)
    same = np.array([product(np.array(drawn.quaternion), each) for each in symmetries(drawn.shape)])
    return apart, 2 * float(np.arccos(min(1.0, _likeness(drawn, same, turn, pose[3:]))))


def _likeness(drawn: Drawn, turns: NDArray[np.float64], turn: float, actual: Vector) -> float:
    """The cosine of half the angle between a piece and the nearest orientation that is right."""
    seen = product(inverse(about_vertical(turn)), actual)
    if is_round(drawn.shape):
        # what is left of the turn once its part about the body's own axis is taken away
        rest = product(inverse(turns[0]), seen)
        upright, upside_down = hypot(rest[0], rest[3]), hypot(rest[1], rest[2])
        return float(max(upright, upside_down))
    return float(np.abs(turns @ seen).max())


def _possible_turns(
    wanted: tuple[_Wanted, ...], poses: NDArray[np.float64], by_shape: dict[str, list[int]]
) -> Iterator[float]:
    """The angles about the vertical at which some piece is as drawn."""
    tried: list[float] = []
    for each in wanted:
        if is_round(each.drawn.shape):
            continue
        for piece, right in pairs(by_shape[each.drawn.shape], each.turns):
            left = product(poses[piece, 3:], inverse(right))
            if hypot(left[0], left[3]) < _MIN_DOT:
                continue
            turn = 2 * atan2(left[3], left[0]) % (2 * pi)
            if all(abs((turn - other + pi) % (2 * pi) - pi) > SAME_ANGLE for other in tried):
                tried.append(turn)
                yield turn
    if not tried:
        yield 0.0


def _fit(
    wanted: tuple[_Wanted, ...],
    poses: NDArray[np.float64],
    by_shape: dict[str, list[int]],
    anchor: _Wanted,
    piece: int,
    turn: float,
) -> Fit | None:
    """The tower, if ``piece`` is ``anchor`` of a drawing that is turned by ``turn``; else ``None``."""
    c, s = cos(turn), sin(turn)
    ax, ay, _ = anchor.at
    x = poses[piece, 0] - (c * ax - s * ay)
    y = poses[piece, 1] - (s * ax + c * ay)
    if abs(poses[piece, 2] - anchor.at[2]) > TOLERANCE:
        return None
    found: list[int] = []
    for each in wanted:
        ex, ey, ez = each.at
        px, py = x + c * ex - s * ey, y + s * ex + c * ey
        here = next(
            (
                other
                for other in by_shape[each.drawn.shape]
                if other not in found
                and hypot(poses[other, 0] - px, poses[other, 1] - py, poses[other, 2] - ez) <= TOLERANCE
                and _likeness(each.drawn, each.turns, turn, poses[other, 3:]) >= _MIN_DOT
            ),
            None,
        )
        if here is None:
            return None
        found.append(here)
    return Fit(tuple(found), float(x), float(y), turn)


def _is_on_tile(wanted: tuple[_Wanted, ...], fit: Fit, place: TilePlace) -> bool:
    """KA-8: every piece that stands on the table has its base on the tile, give or take the tolerance."""
    room = place.side / 2 * MM + TOLERANCE
    for each in wanted:
        if each.drawn.on:
            continue
        half_x, half_y = each.drawn.size[0] / 2 * MM, each.drawn.size[1] / 2 * MM
        own = radians(each.drawn.turn)
        for sx, sy in pairs((-1, 1), (-1, 1)):
            cx = each.at[0] + cos(own) * sx * half_x - sin(own) * sy * half_y
            cy = each.at[1] + sin(own) * sx * half_x + cos(own) * sy * half_y
            x = fit.x + cos(fit.turn) * cx - sin(fit.turn) * cy
            y = fit.y + sin(fit.turn) * cx + cos(fit.turn) * cy
            if abs(x - place.x * MM) > room or abs(y - place.y * MM) > room:
                return False
    return True
