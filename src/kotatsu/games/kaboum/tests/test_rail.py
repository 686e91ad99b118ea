"""Catapults: how fast a die leaves one, and that it flies in the world as it is reckoned."""

from __future__ import annotations

from math import cos, sin, sqrt
from random import Random

import numpy as np
import pytest

from kotatsu.games.kaboum.inputs import MAX_PITCH, Aim
from kotatsu.games.kaboum.rail import GRAVITY, LAUNCH_HEIGHT, rail_place, shoot, speed
from kotatsu.games.kaboum.world.scene import FIRST_DIE, STEPS_A_SECOND, TICKS_A_SECOND, half_die
from kotatsu.games.kaboum.world.world import World


class Calm(Random):
    """Chance without scatter; dice do not spin."""

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        return mu or (1.0 if sigma == 1 else 0.0)

    def uniform(self, a: float, b: float) -> float:
        return (a + b) / 2


def shot(aim: Aim) -> World:
    world = World()
    shoot(world, 0, aim, Calm())
    return world


@pytest.mark.rule("KA-31")
@pytest.mark.parametrize(("power", "metres_a_second"), [(0.0, 1.3), (0.5, 2.95), (1.0, 4.6)])
def test_a_die_leaves_as_fast_as_docs_kaboum_md_says(power: float, metres_a_second: float) -> None:
    leaves = shot(Aim(0.6, -1.0, 0.5, power)).speeds[FIRST_DIE, :3]
    assert float(np.linalg.norm(leaves)) == pytest.approx(metres_a_second)


@pytest.mark.rule("KA-31")
@pytest.mark.parametrize("power", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("pitch", [0.0, 0.6, MAX_PITCH])
def test_a_die_flies_as_in_still_air(power: float, pitch: float) -> None:
    aim = Aim(0.62, -1.4, pitch, power)
    world = shot(aim)
    up = speed(power) * sin(pitch)
    # until just before it touches the table
    seconds = 0.9 * (up + sqrt(up * up + 2 * GRAVITY * (LAUNCH_HEIGHT - 2 * half_die(0)))) / GRAVITY
    ticks = int(seconds * TICKS_A_SECOND)
    for _ in range(ticks):
        world.step()
    flown = ticks / TICKS_A_SECOND
    x, y = rail_place(aim.at)
    along = speed(power) * cos(pitch) * flown
    wanted = (
        x + along * cos(aim.yaw),
        y + along * sin(aim.yaw),
        LAUNCH_HEIGHT + up * flown - GRAVITY / 2 * flown**2,
    )
    behind = GRAVITY / 2 * flown / STEPS_A_SECOND  # a world of steps falls as if half a step later
    assert world.poses[FIRST_DIE, :3] == pytest.approx(wanted, abs=behind + 0.001)
