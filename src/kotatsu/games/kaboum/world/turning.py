"""Rotations as unit quaternions (w, x, y, z), in numpy."""

from __future__ import annotations

from math import acos, cos, sin

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def product(a: Vector, b: Vector) -> Vector:
    """``b``, then ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return np.array(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        )
    )


def inverse(a: Vector) -> Vector:
    """The turn back."""
    back: Vector = a * np.array((1.0, -1.0, -1.0, -1.0))
    return back


def angle_between(a: Vector, b: Vector) -> float:
    """How far one is turned from the other, in radians, 0 to pi."""
    return 2 * acos(min(1.0, abs(float(a @ b))))


def rotated(vector: Vector, turn: Vector) -> Vector:
    """A vector, turned."""
    w, axis = turn[0], turn[1:]
    across = 2 * np.cross(axis, vector)
    turned: Vector = vector + w * across + np.cross(axis, across)
    return turned


def about_vertical(angle: float) -> Vector:
    """A turn about the vertical."""
    return np.array((cos(angle / 2), 0.0, 0.0, sin(angle / 2)))


def towards(a: Vector, b: Vector, most: float) -> Vector:
    """From ``a`` on the way to ``b``, by an angle of ``most`` at the utmost."""
    if a @ b < 0:
        b = -b
    angle = angle_between(a, b)
    if angle <= most:
        return b
    part = most / angle
    half = angle / 2
    mixed = (sin((1 - part) * half) * a + sin(part * half) * b) / sin(half)
    unit: Vector = mixed / np.linalg.norm(mixed)
    return unit


def axis_up(a: Vector) -> Vector:
    """The body's own x, y and z axes: how much each points up."""
    w, x, y, z = a
    return np.array((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
