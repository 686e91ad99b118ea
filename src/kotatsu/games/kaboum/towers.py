"""The 26 towers, read from ``towers.json``: what a tile shows is what the referee checks and what is drawn.

A drawing names its pieces from the ground up: shape, pose, where (millimetres from the middle of the
tile), turned by how many degrees about the vertical, and on which earlier pieces it rests. How high a
piece is follows from what it rests on.
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
"""w, x, y, z."""

_HALF = sqrt(0.5)
POSES: dict[Pose, Quaternion] = {
    "up": (1.0, 0.0, 0.0, 0.0),
    "lie": (_HALF, 0.0, _HALF, 0.0),
    "edge": (_HALF, _HALF, 0.0, 0.0),
    "cup": (0.0, 1.0, 0.0, 0.0),
}


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One piece of a drawing, as it is written down."""

    shape: str
    pose: Pose
    at: tuple[float, float]
    turn: float
    on: tuple[int, ...]


class WrittenTower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing, as it is written down: its name in English and in French, its pieces."""

    name: str
    nom: str
    pieces: tuple[Written, ...]


class Drawn(NamedTuple):
    """One piece of a tower: the middle of its box in millimetres, how it is turned, and what it rests on.

    ``on`` are earlier pieces; nothing is the table. ``size`` is its box in this pose, before ``turn``.
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
        """The pose, then the turn about the vertical."""
        half = radians(self.turn) / 2
        return multiply((cos(half), 0.0, 0.0, sin(half)), POSES[self.pose])


class Tower(NamedTuple):
    """A tower as it is drawn, the middle of its tile being 0."""

    name: str
    nom: str
    pieces: tuple[Drawn, ...]

    @property
    def height(self) -> float:
        """How high it is."""
        return max(piece.z + piece.size[2] / 2 for piece in self.pieces)


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """``b``, then ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def size_in(shape: str, pose: Pose) -> tuple[float, float, float]:
    """The box of a shape in a pose."""
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
"""KA-20, KA-21: 25 small ones and the giant one, by the number of their tile."""
