"""A saboteur: aims by ballistics, topples what stands or blocks what grows, and strikes when it hurts."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi
from random import Random
from typing import NamedTuple

import numpy as np

from kotatsu.engine.contract import Seat
from kotatsu.games.kaboum.data import BOX, POINTS
from kotatsu.games.kaboum.game import has_large_die, small_dice_left
from kotatsu.games.kaboum.guide import progress
from kotatsu.games.kaboum.inputs import STEEPEST, Aim, Input
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import STRIKE_PLACES, STRIKE_POWERS, Fire, Strike
from kotatsu.games.kaboum.players.skill import Skill
from kotatsu.games.kaboum.rail import FASTEST, SLOWEST, aim_at, angle_difference, rail_place
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import MM, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import edge_place

RAIL_PLACES = 32
HARD = (0.95, 0.8)
"""Shares of the full strength for a shot that is to topple something."""
SOFT = (2.0, 2.3, 2.6, 3.0)
"""Speeds of a lob that is to stay where it falls."""
BETWEEN_SHOTS_S = 0.6
HURRY_S = 2.0
"""What is to be left in the hourglass after the last die, when all that are left are shot one after the other."""


class Target(NamedTuple):
    """Something worth a die: a tower to topple, or a tile to block."""

    worth: float
    tile: int
    topple: bool


class Saboteur:
    """One turn's saboteur. ``inputs`` is asked once a tick."""

    def __init__(self, seat: Seat, skill: Skill, rng: Random) -> None:
        self._seat = seat
        self._skill = skill
        self._rng = rng
        self._wants = self._threshold()
        self._work: Iterator[Input | None] | None = None

    def inputs(self, turn: Turn) -> list[Input]:
        """What it does in this tick."""
        if turn.stopped:
            return []
        if self._work is None:
            self._work = self._sabotage(turn)
        done = next(self._work, None)
        return [] if done is None else [done]

    def _sabotage(self, turn: Turn) -> Iterator[Input | None]:
        yield from self._wait(self._rng.uniform(2.0, 6.0))
        while True:
            yield from self._wait(self._rng.uniform(0.15, 0.4))
            if turn.state.striker == self._seat and self._should_strike(turn):
                yield self._strike(turn)
                continue
            small, large = small_dice_left(turn.state, self._seat), has_large_die(turn.state, self._seat)
            if not small and not large:
                continue
            target = self._choose(turn, small + large)
            if target is None:
                continue
            big = large and (not small or (target.topple and target.worth >= 3.0))
            aim = self._aim(turn, target, big)
            if aim is None:
                continue
            yield aim
            yield from self._wait(
                max(turn.loaded_in(self._seat), self._skill.takes * self._rng.uniform(0.7, 1.3))
            )
            if turn.loaded_in(self._seat) == 0 and self._still_wanted(turn, target):
                yield Fire()
                self._wants = self._threshold()

    def _threshold(self) -> float:
        """What the next die must be worth as long as there is time."""
        return 3.5 * self._skill.waits * self._rng.uniform(0.5, 1.3)

    def _wait(self, seconds: float) -> Iterator[None]:
        for _ in range(max(1, round(seconds * TICKS_A_SECOND))):
            yield None

    def _choose(self, turn: Turn, dice: int) -> Target | None:
        """What a die is best spent on now; ``None`` to keep it."""
        state, left = turn.state, turn.seconds_left
        options = [Target(POINTS[tile] * 1.0, tile, True) for tile in state.standing]
        used = {piece for fit in turn.referee.standing.values() for piece in fit.pieces}
        free = [piece for piece in range(16) if piece not in used]
        for tile in state.tiles:
            if tile in state.standing or tile in state.blocked:
                continue
            place = turn.referee.places[tile]
            near = (
                np.abs(turn.world.poses[:16, :2] - (place.x * MM, place.y * MM)).max(axis=1)
                < place.side / 2 * MM
            )
            if not near.any():
                continue
            done = len(progress(tile, place, turn.world, free).present)
            if not done:
                continue
            share = done / len(TOWERS[tile].pieces)
            topple = share >= 0.6 and self._rng.random() < 0.5
            options.append(Target(POINTS[tile] * share * (0.9 if topple else 1.0), tile, topple))
        if not options:
            return None
        best = max(options, key=lambda option: option.worth * self._rng.uniform(0.8, 1.25))
        saved = left > HURRY_S + dice * (max(BOX.reload_s, self._skill.takes) + BETWEEN_SHOTS_S)
        return None if saved and best.worth < self._wants else best

    def _still_wanted(self, turn: Turn, target: Target) -> bool:
        """A die already under way may have done the work."""
        if target.tile in turn.state.standing:
            return True
        return target.tile not in turn.state.blocked

    def _aim(self, turn: Turn, target: Target, big: bool) -> Aim | None:
        point = self._point(turn, target)
        places = [self._rng.random() for _ in range(6)] + [at / RAIL_PLACES for at in range(RAIL_PLACES)]
        places.sort(key=lambda at: float(np.hypot(*np.subtract(rail_place(at), point[:2]))))
        for at in places[:8]:
            speeds = [SLOWEST + share * (FASTEST - SLOWEST) for share in HARD] if target.topple else SOFT
            for fast in speeds:
                found = aim_at(at, point, fast, high=not target.topple, big=big)
                if found is not None:
                    return self._as_well_as_it_can(found)
        return None

    def _point(self, turn: Turn, target: Target) -> Vector:
        """The upper half of a tower, or the middle of a tile."""
        place = turn.referee.places[target.tile]
        if not target.topple:
            return np.array((place.x * MM, place.y * MM, 0.01))
        poses = turn.world.poses[:16]
        near = np.abs(poses[:, :2] - (place.x * MM, place.y * MM)).max(axis=1) < place.side / 2 * MM
        if not near.any():
            return np.array((place.x * MM, place.y * MM, 0.03))
        tower = poses[near]
        point: Vector = tower[int(np.argmax(tower[:, 2])), :3].copy()
        point[2] *= 0.85
        return point

    def _as_well_as_it_can(self, aim: Aim) -> Aim:
        skill, rng = self._skill, self._rng
        yaw = angle_difference(aim.yaw + rng.gauss(0, skill.aims_off), 0.0)
        pitch = min(STEEPEST, max(0.0, aim.pitch + rng.gauss(0, skill.aims_off)))
        power = min(1.0, max(0.0, aim.power + rng.gauss(0, skill.weighs_off)))
        return Aim(aim.at, max(-pi, min(pi, yaw)), pitch, power, aim.big)

    def _should_strike(self, turn: Turn) -> bool:
        """When much stands, or when there is not much time left."""
        at_stake = sum(POINTS[tile] for tile in turn.state.standing)
        if turn.seconds_left < 5.0:
            return at_stake > 0 or turn.seconds_left < 1.5
        return at_stake >= 7 or self._rng.random() > self._skill.waits

    def _strike(self, turn: Turn) -> Strike:
        """As near to the most valuable tower as may be; the gauge is stopped more or less well."""
        standing = turn.state.standing
        best = max(standing, key=lambda tile: POINTS[tile]) if standing else turn.state.tiles[0]
        place = turn.referee.places[best]
        at = min(
            range(STRIKE_PLACES),
            key=lambda each: float(np.hypot(*np.subtract(edge_place(each), (place.x * MM, place.y * MM)))),
        )
        missed = abs(self._rng.gauss(0, 60 * self._skill.aims_off))
        return Strike(at, max(0, STRIKE_POWERS - 1 - round(missed)))
