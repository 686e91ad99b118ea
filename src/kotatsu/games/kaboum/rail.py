"""The rail around the play area, the catapults on it, and the flight of a die in still air. Metres and radians."""

from __future__ import annotations

from math import atan, atan2, cos, hypot, pi, sin, sqrt
from random import Random

import numpy as np

from kotatsu.games.kaboum.data import BOX, LARGE_DIE
from kotatsu.games.kaboum.inputs import STEEPEST, Aim
from kotatsu.games.kaboum.world.scene import MM
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import World

HALF_X = (BOX.columns * BOX.tile / 2 + BOX.catapult) * MM
HALF_Y = (BOX.rows * BOX.tile / 2 + BOX.catapult) * MM
"""KA-9: the rail is one catapult's length away from the play area."""
MUZZLE = 0.06
SLOWEST, FASTEST = 1.3, 4.6
GRAVITY = 9.81
SCATTER_SPEED = 0.02
SCATTER_YAW = 0.014
SCATTER_PITCH = 0.012
"""KA-31: alike for everyone."""
SPIN = 12.0


def rail_place(at: float) -> tuple[float, float]:
    """A place of the rail, counter-clockwise from the builder's left corner."""
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
    """How fast a die leaves a catapult that was pulled so far."""
    return SLOWEST + (FASTEST - SLOWEST) * power


def aim_at(at: float, target: Vector, fast: float, *, high: bool, big: bool) -> Aim | None:
    """The aim from a place of the rail that takes a die to a point, flat or in a high arc; ``None``: out of range."""
    x, y = rail_place(at)
    reach, rise = hypot(target[0] - x, target[1] - y), target[2] - MUZZLE
    if reach < 1e-6:
        return None
    root = fast**4 - GRAVITY * (GRAVITY * reach**2 + 2 * rise * fast**2)
    if root < 0:
        return None
    pitch = atan((fast**2 + (sqrt(root) if high else -sqrt(root))) / (GRAVITY * reach))
    if not 0 <= pitch <= STEEPEST:
        return None
    yaw = atan2(target[1] - y, target[0] - x)
    return Aim(at % 1.0, yaw, pitch, (fast - SLOWEST) / (FASTEST - SLOWEST), big)


def shoot(world: World, die: int, aim: Aim, rng: Random) -> None:
    """KA-31: a die leaves a catapult as it is aimed, give or take the scatter."""
    fast = speed(aim.power) * (1 + rng.gauss(0, SCATTER_SPEED))
    yaw = aim.yaw + rng.gauss(0, SCATTER_YAW)
    pitch = aim.pitch + rng.gauss(0, SCATTER_PITCH)
    x, y = rail_place(aim.at)
    turn = np.array([rng.gauss(0, 1) for _ in range(4)])
    spin = np.array([rng.uniform(-SPIN, SPIN) for _ in range(3)]) * (0.6 if die == LARGE_DIE else 1.0)
    velocity = fast * np.array((cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch)))
    world.launch(die, np.array((x, y, MUZZLE)), turn / np.linalg.norm(turn), velocity, spin)


def angle_difference(a: float, b: float) -> float:
    """From ``b`` to ``a`` the shorter way round."""
    return (a - b + pi) % (2 * pi) - pi
