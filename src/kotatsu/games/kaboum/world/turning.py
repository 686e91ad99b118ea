"""Rotations as unit quaternions (w, x, y, z): numpy arrays of 4 floats. Angles in radians."""

from __future__ import annotations

from math import acos, cos, sin

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
"""A position, a direction (3 floats) or a quaternion (4 floats)."""


def product(a: Vector, b: Vector) -> Vector:
    """The rotation ``b`` followed by ``a``."""
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
    """The rotation that undoes ``a``."""
    back: Vector = a * np.array((1.0, -1.0, -1.0, -1.0))
    return back


def angle_between(a: Vector, b: Vector) -> float:
    """The angle of the rotation that leads from one to the other, 0 to pi.

    Args:
        a: a unit quaternion.
        b: another.
    """
    return 2 * acos(min(1.0, abs(float(a @ b))))


def rotated(vector: Vector, turn: Vector) -> Vector:
    """A vector of 3 floats, rotated by the quaternion ``turn``."""
    w, axis = turn[0], turn[1:]
    across = 2 * np.cross(axis, vector)
    turned: Vector = vector + w * across + np.cross(axis, across)
    return turned


def about_vertical(angle: float) -> Vector:
    """The rotation by an angle about the z axis."""
    return np.array((cos(angle / 2), 0.0, 0.0, sin(angle / 2)))


def towards(a: Vector, b: Vector, max_angle: float) -> Vector:
    """The rotation on the shortest way from ``a`` to ``b`` that is at most ``max_angle`` from ``a``."""
    if a @ b < 0:
        b = -b
    angle = angle_between(a, b)
    if angle <= max_angle:
        return b
    part = max_angle / angle
    half = angle / 2
    mixed = (sin((1 - part) * half) * a + sin(part * half) * b) / sin(half)
    unit: Vector = mixed / np.linalg.norm(mixed)
    return unit


def axis_up(a: Vector) -> Vector:
    """How much the body's own x, y and z axes point up: the z coordinates of the three, each -1 to 1."""
    w, x, y, z = a
    return np.array((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
