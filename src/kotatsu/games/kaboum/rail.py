"""The rail around the play area, its catapults, and the flight of a die. Metres, seconds and radians."""

from __future__ import annotations

from math import atan, atan2, cos, hypot, pi, sin, sqrt
from random import Random

import numpy as np

from kotatsu.games.kaboum.data import BOX, LARGE_DIE
from kotatsu.games.kaboum.inputs import MAX_PITCH, Aim
from kotatsu.games.kaboum.world.scene import MM
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import World

HALF_X = (BOX.columns * BOX.tile / 2 + BOX.catapult) * MM
"""KA-9: half the length of the rail's sides; it is one catapult's length away from the play area."""
HALF_Y = (BOX.rows * BOX.tile / 2 + BOX.catapult) * MM
"""KA-9: the rail is one catapult's length away from the play area."""
LAUNCH_HEIGHT = 0.06
"""How high above the table a die leaves a catapult. Chosen by hand."""
MIN_SPEED, MAX_SPEED = 1.3, 4.6
"""How fast a die leaves a catapult, in metres a second, at the least and the most.

Chosen by hand. The slowest shot flies some 0.2 m; the play area begins at 0.12 m. In the study before the
first version a small die that hit a tower brought down at least a piece in 45 % of the cases at 3.5 m/s and
in 72 % at 5 m/s.
"""
GRAVITY = 9.81
"""In m/s², as in MuJoCo."""
SCATTER_SPEED = 0.02
"""KA-31: the standard deviation of a shot's speed, as a share of it; alike for everyone.

This one and the next two were chosen by hand; ``tests/test_live.py`` checks where shots come down.
"""
SCATTER_YAW = 0.014
"""KA-31: the standard deviation of a shot's direction, in radians (0.8°)."""
SCATTER_PITCH = 0.012
"""KA-31: the standard deviation of a shot's elevation, in radians (0.7°)."""
MAX_SPIN = 12.0
"""The largest random spin of a small die about each axis, in radians a second. Chosen by hand."""
LARGE_DIE_SPIN_SHARE = 0.6
"""The share of that for the large die. Chosen by hand."""


def rail_place(at: float) -> tuple[float, float]:
    """A place of the rail.

    Args:
        at: The fraction of its length, counter-clockwise from the builder's left corner; 1.25 is 0.25.

    Returns:
        Its x and y in metres from the middle of the table.
    """
    along = (at % 1.0) * 4 * (HALF_X + HALF_Y)
    if along < 2 * HALF_X:
        return along - HALF_X, -HALF_Y
    along -= 2 * HALF_X
    if along < 2 * HALF_Y:
        return HALF_X, along - HALF_Y
    along -= 2 * HALF_Y
    if along < 2 * HALF_X:
        return HALF_X - along, HALF_Y
    along -= 2 * HALF_X
    return -HALF_X, HALF_Y - along


def speed(power: float) -> float:
    """How fast a die leaves a catapult, in metres a second.

    Args:
        power: How far it was pulled, 0 to 1.
    """
    return MIN_SPEED + (MAX_SPEED - MIN_SPEED) * power


def aim_at(at: float, target: Vector, launch_speed: float, *, high: bool, big: bool) -> Aim | None:
    """The aim that takes a die to a point, without scatter and in still air.

    Args:
        at: The place on the rail.
        target: The point: x, y, z in metres.
        launch_speed: How fast the die leaves the catapult, in metres a second.
        high: Whether it flies in a high arc; else flat.
        big: Whether it is the large die.

    Returns:
        The aim; ``None`` if the point is out of range or the catapult cannot be raised so.
    """
    x, y = rail_place(at)
    reach, rise = hypot(target[0] - x, target[1] - y), target[2] - LAUNCH_HEIGHT
    if reach < 1e-6:
        return None
    root = launch_speed**4 - GRAVITY * (GRAVITY * reach**2 + 2 * rise * launch_speed**2)
    if root < 0:
        return None
    pitch = atan((launch_speed**2 + (sqrt(root) if high else -sqrt(root))) / (GRAVITY * reach))
    if not 0 <= pitch <= MAX_PITCH:
        return None
    yaw = atan2(target[1] - y, target[0] - x)
    return Aim(at % 1.0, yaw, pitch, (launch_speed - MIN_SPEED) / (MAX_SPEED - MIN_SPEED), big)


def shoot(world: World, die: int, aim: Aim, rng: Random) -> None:
    """KA-31: a die leaves a catapult as it is aimed, with scatter, a random orientation and a random spin.

    Args:
        world: The world.
        die: The number of the die.
        aim: How the catapult is set.
        rng: The table's random generator.
    """
    launch_speed = speed(aim.power) * (1 + rng.gauss(0, SCATTER_SPEED))
    yaw = aim.yaw + rng.gauss(0, SCATTER_YAW)
    pitch = aim.pitch + rng.gauss(0, SCATTER_PITCH)
    x, y = rail_place(aim.at)
    turn = np.array([rng.gauss(0, 1) for _ in range(4)])
    spin = np.array([rng.uniform(-MAX_SPIN, MAX_SPIN) for _ in range(3)]) * (
        LARGE_DIE_SPIN_SHARE if die == LARGE_DIE else 1.0
    )
    velocity = launch_speed * np.array((cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)))
    world.launch(die, np.array((x, y, LAUNCH_HEIGHT)), turn / np.linalg.norm(turn), velocity, spin)


def angle_difference(a: float, b: float) -> float:
    """The angle from ``b`` to ``a`` by the shorter way, from -pi to pi."""
    return (a - b + pi) % (2 * pi) - pi
