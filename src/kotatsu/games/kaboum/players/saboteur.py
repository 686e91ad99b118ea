"""A bot that sabotages: topples what stands, blocks what grows, and strikes the table when it costs most."""

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
from kotatsu.games.kaboum.inputs import MAX_PITCH, Aim, Input
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import STRIKE_PLACES, STRIKE_POWERS, Fire, Strike
from kotatsu.games.kaboum.players.skill import Skill
from kotatsu.games.kaboum.rail import MAX_SPEED, MIN_SPEED, aim_at, angle_difference, rail_place
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import FIRST_DIE, MM, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import edge_place

# Unless it says more, a figure here was chosen by hand. What is checked is the result: ``BALANCE.md`` has the
# points of each level of builders against each level of saboteurs.
RAIL_PLACES = 32
"""How many evenly spaced places of the rail are looked at for a shot."""
RANDOM_PLACES = 6
"""How many random places are looked at besides, so that shots do not all come from the same places."""
NEAREST_PLACES = 8
"""Of all those, how many of the nearest to the target are tried."""
TOPPLE_POWERS = (0.95, 0.8)
"""The power, 0 to 1, of a flat shot that is to topple something; the first that reaches is used."""
LOB_SPEEDS = (2.0, 2.3, 2.6, 3.0)
"""The speeds of a high shot that is to stay where it falls, in metres a second; the slowest that reaches."""
AIM_HEIGHT_SHARE = 0.85
"""A flat shot aims at this share of the height of a tower's highest piece."""
FIRST_SHOT_S = (2.0, 6.0)
"""How long it waits at the beginning of a turn, in seconds, before it looks for a target."""
LOOK_S = (0.15, 0.4)
"""How long it waits between two looks, in seconds."""
AIM_TIME_SPREAD = (0.7, 1.3)
"""Every time for aiming is the level's times a random factor from this range."""
BETWEEN_SHOTS_S = 0.6
"""What a shot takes besides aiming or reloading, in seconds, for the estimate of how long all dice take."""
LAST_SHOT_MARGIN_S = 2.0
"""What is to be left in the hourglass, in seconds, if all dice that are left are shot in a row.

Small, because waiting is what makes a saboteur strong (``docs/kaboum.md``).
"""
LARGE_DIE_WORTH = 3.0
"""What a tower to be toppled must be worth for the large die, in points, while there are small ones."""
THRESHOLD, THRESHOLD_SPREAD = 3.5, (0.5, 1.3)
"""What the next die must be worth while there is time, in points.

It is multiplied by the level's ``patience`` and by a random factor from the range.
"""
TOPPLE_FROM_SHARE, TOPPLE_CHANCE, TOPPLE_WORTH = 0.6, 0.5, 0.9
"""Whether to shoot at an unfinished tower instead of blocking its tile.

From this share of its pieces on, with this chance; it then counts this share of what blocking would.
"""
WORTH_SPREAD = (0.8, 1.25)
"""Every worth is multiplied by a random factor from this range."""
STRIKE_POINTS = 7
"""The points of standing towers from which on it strikes the table at once."""
STRIKE_LATE_S, STRIKE_LAST_S = 5.0, 1.5
"""With less time left than this, in seconds, it strikes if anything stands; at the last, in any case."""
GAUGE_ERROR = 60
"""The steps of the gauge it misses the best by, for each radian of the level's ``aim_error``."""


class Target(NamedTuple):
    """Something worth a die.

    Attributes:
        worth: What it is worth, in points.
        tile: The tile.
        topple: Whether to topple a tower there; else to block the tile.
    """

    worth: float
    tile: int
    topple: bool


class Saboteur:
    """A saboteur of one turn.

    Args:
        seat: Its seat.
        skill: How well it shoots.
        rng: Its errors and choices.
    """

    def __init__(self, seat: Seat, skill: Skill, rng: Random) -> None:
        self._seat = seat
        self._skill = skill
        self._rng = rng
        self._min_worth = self._threshold()
        self._script: Iterator[Input | None] | None = None

    def inputs(self, turn: Turn) -> list[Input]:
        """What it does in this tick; to be called once a tick."""
        if turn.stopped:
            return []
        if self._script is None:
            self._script = self._sabotage(turn)
        done = next(self._script, None)
        return [] if done is None else [done]

    def _sabotage(self, turn: Turn) -> Iterator[Input | None]:
        yield from self._wait(self._rng.uniform(*FIRST_SHOT_S))
        while True:
            yield from self._wait(self._rng.uniform(*LOOK_S))
            if turn.state.striker == self._seat and self._should_strike(turn):
                yield self._strike(turn)
                continue
            small, large = small_dice_left(turn.state, self._seat), has_large_die(turn.state, self._seat)
            if not small and not large:
                continue
            target = self._choose(turn, small + large)
            if target is None:
                continue
            big = large and (not small or (target.topple and target.worth >= LARGE_DIE_WORTH))
            aim = self._aim(turn, target, big)
            if aim is None:
                continue
            yield aim
            yield from self._wait(
                max(turn.loaded_in(self._seat), self._skill.aim_time * self._rng.uniform(*AIM_TIME_SPREAD))
            )
            if turn.loaded_in(self._seat) == 0 and self._still_wanted(turn, target):
                yield Fire()
                self._min_worth = self._threshold()

    def _threshold(self) -> float:
        """What the next die must be worth as long as there is time, in points."""
        return THRESHOLD * self._skill.patience * self._rng.uniform(*THRESHOLD_SPREAD)

    def _wait(self, seconds: float) -> Iterator[None]:
        for _ in range(max(1, round(seconds * TICKS_A_SECOND))):
            yield None

    def _choose(self, turn: Turn, dice: int) -> Target | None:
        """What a die is best spent on now; ``None`` to keep it."""
        state, left = turn.state, turn.seconds_left
        options = [Target(float(POINTS[tile]), tile, True) for tile in state.standing]
        used = {piece for fit in turn.referee.standing.values() for piece in fit.pieces}
        free = [piece for piece in range(FIRST_DIE) if piece not in used]
        for tile in state.tiles:
            if tile in state.standing or tile in state.blocked:
                continue
            place = turn.referee.places[tile]
            near = (
                np.abs(turn.world.poses[:FIRST_DIE, :2] - (place.x * MM, place.y * MM)).max(axis=1)
                < place.side / 2 * MM
            )
            if not near.any():
                continue
            done = len(progress(tile, place, turn.world, free).present)
            if not done:
                continue
            share = done / len(TOWERS[tile].pieces)
            topple = share >= TOPPLE_FROM_SHARE and self._rng.random() < TOPPLE_CHANCE
            options.append(Target(POINTS[tile] * share * (TOPPLE_WORTH if topple else 1.0), tile, topple))
        if not options:
            return None
        best = max(options, key=lambda option: option.worth * self._rng.uniform(*WORTH_SPREAD))
        can_wait = left > LAST_SHOT_MARGIN_S + dice * (
            max(BOX.reload_s, self._skill.aim_time) + BETWEEN_SHOTS_S
        )
        return None if can_wait and best.worth < self._min_worth else best

    def _still_wanted(self, turn: Turn, target: Target) -> bool:
        """Whether a target is still worth a die; one already under way may have done the work."""
        if target.tile in turn.state.standing:
            return True
        return target.tile not in turn.state.blocked

    def _aim(self, turn: Turn, target: Target, big: bool) -> Aim | None:
        """An aim at a target from one of the nearest places of the rail, with its error.

        Returns:
            ``None`` if the target is out of reach from all of them.
        """
        point = self._point(turn, target)
        places = [self._rng.random() for _ in range(RANDOM_PLACES)] + [
            at / RAIL_PLACES for at in range(RAIL_PLACES)
        ]
        places.sort(key=lambda at: float(np.hypot(*np.subtract(rail_place(at), point[:2]))))
        for at in places[:NEAREST_PLACES]:
            speeds = (
                [MIN_SPEED + share * (MAX_SPEED - MIN_SPEED) for share in TOPPLE_POWERS]
                if target.topple
                else LOB_SPEEDS
            )
            for launch_speed in speeds:
                found = aim_at(at, point, launch_speed, high=not target.topple, big=big)
                if found is not None:
                    return self._with_error(found)
        return None

    def _point(self, turn: Turn, target: Target) -> Vector:
        """What to aim at, in metres: the upper part of a tower, or the middle of a tile."""
        place = turn.referee.places[target.tile]
        if not target.topple:
            return np.array((place.x * MM, place.y * MM, 0.01))  # about where a small die lies
        poses = turn.world.poses[:FIRST_DIE]
        near = np.abs(poses[:, :2] - (place.x * MM, place.y * MM)).max(axis=1) < place.side / 2 * MM
        if not near.any():
            return np.array((place.x * MM, place.y * MM, 0.03))  # about the height of a cube
        tower = poses[near]
        point: Vector = tower[int(np.argmax(tower[:, 2])), :3].copy()
        point[2] *= AIM_HEIGHT_SHARE
        return point

    def _with_error(self, aim: Aim) -> Aim:
        """The aim it sets where it means this one."""
        skill, rng = self._skill, self._rng
        yaw = angle_difference(aim.yaw + rng.gauss(0, skill.aim_error), 0.0)
        pitch = min(MAX_PITCH, max(0.0, aim.pitch + rng.gauss(0, skill.aim_error)))
        power = min(1.0, max(0.0, aim.power + rng.gauss(0, skill.power_error)))
        return Aim(aim.at, max(-pi, min(pi, yaw)), pitch, power, aim.big)

    def _should_strike(self, turn: Turn) -> bool:
        """Whether to strike the table now: when much stands, or when there is not much time left."""
        at_stake = sum(POINTS[tile] for tile in turn.state.standing)
        if turn.seconds_left < STRIKE_LATE_S:
            return at_stake > 0 or turn.seconds_left < STRIKE_LAST_S
        return at_stake >= STRIKE_POINTS or self._rng.random() > self._skill.patience

    def _strike(self, turn: Turn) -> Strike:
        """A strike as near to the most valuable tower as possible, with an error in its power."""
        standing = turn.state.standing
        best = max(standing, key=lambda tile: POINTS[tile]) if standing else turn.state.tiles[0]
        place = turn.referee.places[best]
        at = min(
            range(STRIKE_PLACES),
            key=lambda each: float(np.hypot(*np.subtract(edge_place(each), (place.x * MM, place.y * MM)))),
        )
        missed = abs(self._rng.gauss(0, GAUGE_ERROR * self._skill.aim_error))
        return Strike(at, max(0, STRIKE_POWERS - 1 - round(missed)))
