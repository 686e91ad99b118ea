"""The 26 towers, read from ``towers.json``: what tiles show, what the referee checks, and what is drawn.

A drawing lists its pieces from the ground up: shape, pose, place (millimetres from the middle of the tile),
angle (degrees about the vertical), and the earlier pieces it rests on. The height of a piece follows from
those.
"""

from __future__ import annotations

from importlib.resources import files
from math import cos, radians, sin, sqrt
from typing import Literal, NamedTuple

import msgspec

from kotatsu.games.kaboum.data import SHAPES

Pose = Literal["up", "lie", "edge", "cup"]
"""As in the box; lying on its long side (turned about y); on its edge (about x); upside down."""
Quaternion = tuple[float, float, float, float]
"""A rotation: w, x, y, z."""

_HALF = sqrt(0.5)
POSES: dict[Pose, Quaternion] = {
    "up": (1.0, 0.0, 0.0, 0.0),
    "lie": (_HALF, 0.0, _HALF, 0.0),
    "edge": (_HALF, _HALF, 0.0, 0.0),
    "cup": (0.0, 1.0, 0.0, 0.0),
}
"""The rotation of each pose."""


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One piece of a drawing, as it is in ``towers.json``."""

    shape: str
    pose: Pose
    at: tuple[float, float]
    turn: float
    on: tuple[int, ...]


class WrittenTower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing, as it is in ``towers.json``: its name in English and in French, and its pieces."""

    name: str
    nom: str
    pieces: tuple[Written, ...]


class Drawn(NamedTuple):
    """One piece of a tower. Millimetres and degrees.

    Attributes:
        shape: Its shape.
        pose: How it stands.
        x: The middle of its bounding box, from the middle of the tile.
        y: The same.
        z: The same, from the table.
        turn: Its angle about the vertical, in degrees.
        on: The earlier pieces it rests on; none means the table.
        size: Its bounding box in this pose, before ``turn``.
    """

    shape: str
    pose: Pose
    x: float
    y: float
    z: float
    turn: float
    on: tuple[int, ...]
    size: tuple[float, float, float]

    @property
    def quaternion(self) -> Quaternion:
        """Its orientation: the pose, then the turn about the vertical."""
        half = radians(self.turn) / 2
        return multiply((cos(half), 0.0, 0.0, sin(half)), POSES[self.pose])


class Tower(NamedTuple):
    """A tower as it is drawn: its names in English and in French, and its pieces from the ground up."""

    name: str
    nom: str
    pieces: tuple[Drawn, ...]

    @property
    def height(self) -> float:
        """Its height in millimetres."""
        return max(piece.z + piece.size[2] / 2 for piece in self.pieces)


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation ``b`` followed by ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def size_in(shape: str, pose: Pose) -> tuple[float, float, float]:
    """The bounding box of a shape in a pose, in millimetres."""
    x, y, z = SHAPES[shape].size
    match pose:
        case "lie":
            return z, y, x
        case "edge":
            return x, z, y
        case _:
            return x, y, z


def _drawn(written: WrittenTower) -> Tower:
    pieces: list[Drawn] = []
    for piece in written.pieces:
        size = size_in(piece.shape, piece.pose)
        floor = max((pieces[under].z + pieces[under].size[2] / 2 for under in piece.on), default=0.0)
        z = floor + size[2] / 2
        pieces.append(Drawn(piece.shape, piece.pose, *piece.at, z, piece.turn, piece.on, size))
    return Tower(written.name, written.nom, tuple(pieces))


TOWERS: tuple[Tower, ...] = tuple(
    map(
        _drawn,
        msgspec.json.decode(
            files(__package__).joinpath("towers.json").read_bytes(), type=tuple[WrittenTower, ...]
        ),
    )
)
"""KA-20, KA-21: the 25 small ones and the giant one, by the number of their tile."""
