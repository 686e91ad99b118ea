"""A bot that builds: chooses a tower, fetches its pieces, puts them down, and rebuilds what fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from random import Random

import numpy as np

from kotatsu.games.kaboum.data import PIECES, POINTS
from kotatsu.games.kaboum.guide import TowerProgress, progress
from kotatsu.games.kaboum.inputs import Carry, Input
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import Grab, Release
from kotatsu.games.kaboum.players.sets import SETS, best_set_points
from kotatsu.games.kaboum.players.skill import Skill
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import MM, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, product
from kotatsu.games.kaboum.world.world import World

# Unless it says more, a figure here was chosen by hand. What is checked is the result: a steady hand puts up
# every tower (``tests/test_live.py``, KA-21), and ``BALANCE.md`` has the points of each level against each.
CLEARANCE = 0.035
"""How far above what it passes a piece is carried, in metres."""
MAX_CARRY_HEIGHT = 0.32
"""The highest a piece is carried, in metres; the highest tower has 0.167."""
MIN_LIFT = 0.03
"""How far a piece is lifted at least before it is carried, in metres."""
LOWERING_SPEED = 0.16
"""How fast the hand goes down, in metres a second, times 0.6 plus the level's ``carry_speed``."""
RELEASE_GAP = 0.0006
"""How far above its place a piece is let go, in metres, so that it is not pressed into what is below."""
ARRIVED_WITHIN = 0.004
"""A piece has followed the hand when it is this near, in metres, plus three times the tremor."""
RELEASE_DELAY_S = 0.2
"""How long a piece is held still before it is let go, in seconds."""
ARRIVAL_TIMEOUT_S = 1.5
"""How long a piece may lag behind the hand, in seconds, before something is taken to be in its way.

It was 5 s at first; builders then tried for the rest of the turn where something was in the way.
"""
MAX_OBSTRUCTIONS = 2
"""How often something may be in the way on a tile before it is left alone for this turn."""
PASSING_DISTANCE = 0.11
"""Bodies this near to the line of the hand, in metres, are passed above."""
HALF_PIECE = 0.03
"""What a body may reach above its middle, in metres: half a pillar."""
PAUSE_SPREAD = (0.6, 1.4)
"""Every pause is the level's times a random factor from this range."""
IDLE_S = 0.3
"""How long it waits when there is nothing to build before it looks again, in seconds."""
TREMOR_MEMORY, TREMOR_GAIN = 0.85, 0.5
"""The tremor is an autoregressive process of first order whose deviation is 0.95 times the level's."""
CARRY_LENGTH = 0.65
"""How far a piece is carried, in metres, for the estimate of how long a tower takes."""
PUT_DOWN_S = 0.9
"""How long lowering and letting go take, in seconds, for the same estimate."""
START_S = 1.0
"""What beginning a tower takes, in seconds, for the same estimate."""
START_COST_S = 3.0
"""Added to the seconds a tower takes before its points are divided by them: favours larger towers."""
SURVIVAL = 0.97
"""How likely an unfinished tower of four pieces is taken to survive a second; larger ones less."""
OBSTRUCTED_FACTOR = 0.4
"""The worth of a tower is multiplied by this where something lies about on its tile."""
WORTH_SPREAD = (0.9, 1.1)
"""Every worth is multiplied by a random factor from this range."""
MAX_SET_POINTS = max(each.points for each in SETS)
"""The most points of small towers that can stand at the same time: 14."""
SET_POINTS_EXPONENT = 3
"""How strongly towers are preferred that leave pieces for others.

With this preference the levels of builders came to be in order (``BALANCE.md``).
"""
Plan = tuple[TowerProgress, int, int]
"""An unfinished tower, the number of the next piece of its drawing, and the piece to use for it."""


class Builder:
    """The builder of one turn.

    Args:
        skill: How well it builds.
        rng: Its errors and choices.
    """

    def __init__(self, skill: Skill, rng: Random) -> None:
        self._skill = skill
        self._rng = rng
        self._tremor_offset = np.zeros(3)
        self._tile: int | None = None
        self._obstructions: Counter[int] = Counter()
        self._script: Iterator[Input | None] | None = None

    def inputs(self, turn: Turn) -> list[Input]:
        """What it does in this tick; to be called once a tick."""
        if turn.stopped:
            return []
        if self._script is None:
            self._script = self._build(turn)
        done = next(self._script, None)
        return [] if done is None else [done]

    def _build(self, turn: Turn) -> Iterator[Input | None]:
        while True:
            yield from self._wait(self._skill.pause * self._rng.uniform(*PAUSE_SPREAD))
            plan = self._choose(turn)
            if plan is None:
                self._tile = None
                yield from self._wait(IDLE_S)
                continue
            yield from self._place_piece(turn, plan)

    def _place_piece(self, turn: Turn, plan: Plan) -> Iterator[Input | None]:
        """Fetch one piece and put it where it belongs."""
        so_far, number, piece = plan
        rng, world, skill = self._rng, turn.world, self._skill
        at, rotation = so_far.pose(number)
        slip = np.array((rng.gauss(0, skill.position_error), rng.gauss(0, skill.position_error), 0.0))
        rotation = product(about_vertical(rng.gauss(0, skill.angle_error)), rotation)
        start = world.poses[piece, :3].copy()
        before = world.poses[piece, 3:].copy()
        yield Grab(piece)
        half = TOWERS[so_far.tile].pieces[number].size[2] / 2 * MM
        height = min(MAX_CARRY_HEIGHT, _highest_between(world, start, at, piece) + half + CLEARANCE)
        up = np.array((start[0], start[1], max(start[2] + MIN_LIFT, height)))
        above = np.array((at[0], at[1], height)) + slip
        yield from self._move_hand(world, piece, start, up, before, before, skill.carry_speed)
        yield from self._move_hand(world, piece, up, above, before, rotation, skill.carry_speed)
        if so_far.tile in turn.state.blocked:
            self._tile = None
            yield Release()  # there is nothing to be gained here any more
            return
        down = at + slip + (0.0, 0.0, RELEASE_GAP)
        arrived = yield from self._move_hand(
            world, piece, above, down, rotation, rotation, LOWERING_SPEED * (0.6 + skill.carry_speed)
        )
        self._obstructions[so_far.tile] += not arrived
        yield from self._wait(RELEASE_DELAY_S)
        yield Release()

    def _move_hand(
        self,
        world: World,
        piece: int,
        start: Vector,
        end: Vector,
        before: Vector,
        after: Vector,
        speed: float,
    ) -> Generator[Input | None, None, bool]:
        """Lead the hand along a line, and wait at its end until the piece has followed.

        Args:
            world: The world.
            piece: The piece in hand.
            start: Where the line begins, in metres.
            end: Where it ends.
            before: The orientation at the beginning, a quaternion.
            after: The orientation at the end.
            speed: How fast, in metres a second.

        Returns:
            Whether the piece has arrived.
        """
        length = float(np.linalg.norm(end - start))
        ticks = max(1, round(length / speed * TICKS_A_SECOND))
        timeout = ticks + round(ARRIVAL_TIMEOUT_S * TICKS_A_SECOND)
        if before @ after < 0:
            after = -after
        for tick in range(1, timeout):
            part = min(1.0, tick / ticks)
            eased = part * part * (3 - 2 * part)
            turn = before + (after - before) * min(1.0, 1.5 * eased)  # turned after two thirds of the way
            if tick % 2 == 0 or part == 1.0:
                self._update_tremor()
                to = start + (end - start) * eased + self._tremor_offset
                x, y, z = (float(each) for each in to)
                unit = turn / np.linalg.norm(turn)
                w, i, j, k = (float(each) for each in unit)
                yield Carry((x, y, z), (w, i, j, k))
            else:
                yield None
            if world.held != piece:
                return False
            if (
                part == 1.0
                and float(np.linalg.norm(world.poses[piece, :3] - end))
                < ARRIVED_WITHIN + 3 * self._skill.tremor
            ):
                return True
        return False

    def _update_tremor(self) -> None:
        noise = np.array([self._rng.gauss(0, 1) for _ in range(3)])
        self._tremor_offset = TREMOR_MEMORY * self._tremor_offset + TREMOR_GAIN * self._skill.tremor * noise

    def _wait(self, seconds: float) -> Iterator[None]:
        for _ in range(max(1, round(seconds * TICKS_A_SECOND))):
            yield None

    def _choose(self, turn: Turn) -> Plan | None:
        """Go on with the tower begun, or take the one with the most points for the time and the risk."""
        used = {piece for fit in turn.referee.standing.values() for piece in fit.pieces}
        free = [piece for piece in range(len(PIECES)) if piece not in used and turn.world.is_on_table(piece)]
        if self._tile is not None and self._is_buildable(turn, self._tile):
            plan = self._next_piece(turn, self._tile, free)
            if plan is not None:
                return plan
        left = turn.seconds_left
        tiles = [
            tile
            for tile in turn.state.tiles
            if self._is_buildable(turn, tile) and _has_pieces_for(tile, free)
        ]
        set_points = best_set_points(tiles, free, left / self._seconds_a_piece())
        worths: dict[int, float] = {}
        for tile in tiles:
            so_far = progress(tile, turn.referee.places[tile], turn.world, free)
            takes = len(so_far.missing) * self._seconds_a_piece() + START_S
            if not so_far.missing or takes > left:
                continue
            survival = SURVIVAL ** (takes * len(TOWERS[tile].pieces) / 4)
            worth = POINTS[tile] * survival / (takes + START_COST_S)
            worth *= OBSTRUCTED_FACTOR if self._is_obstructed(turn, so_far) else 1.0
            worth *= (set_points.get(tile, POINTS[tile]) / MAX_SET_POINTS) ** SET_POINTS_EXPONENT
            worths[tile] = worth * self._rng.uniform(*WORTH_SPREAD)
        self._tile = self._pick_tower(worths)
        return None if self._tile is None else self._next_piece(turn, self._tile, free)

    def _pick_tower(self, worths: dict[int, float]) -> int | None:
        """The tower of the highest worth; the less ``foresight``, the more at random."""
        if not worths:
            return None
        most, foresight = max(worths.values()), self._skill.foresight
        return max(
            worths, key=lambda tile: foresight * worths[tile] / most + (1 - foresight) * self._rng.random()
        )

    def _seconds_a_piece(self) -> float:
        return self._skill.pause + CARRY_LENGTH / self._skill.carry_speed + PUT_DOWN_S

    def _is_buildable(self, turn: Turn, tile: int) -> bool:
        state = turn.state
        wanted = tile in state.tiles and tile not in state.blocked and tile not in state.standing
        return wanted and self._obstructions[tile] < MAX_OBSTRUCTIONS

    def _next_piece(self, turn: Turn, tile: int, free: list[int]) -> Plan | None:
        """The next piece of a tower, and the nearest loose piece of its shape."""
        place, world = turn.referee.places[tile], turn.world
        so_far = progress(tile, place, world, free)
        drawn = TOWERS[tile].pieces
        loose = [piece for piece in free if piece not in so_far.present.values()]
        for number in so_far.ready:
            at, _ = so_far.pose(number)
            fitting = [piece for piece in loose if PIECES[piece] == drawn[number].shape]
            if fitting:
                nearest = min(fitting, key=lambda piece: float(np.linalg.norm(world.poses[piece, :3] - at)))
                return so_far, number, nearest
        return None

    def _is_obstructed(self, turn: Turn, so_far: TowerProgress) -> bool:
        """Whether something that is not part of the tower lies on its tile."""
        place = turn.referee.places[so_far.tile]
        poses = turn.world.poses
        reach = place.side / 2 * MM
        inside = np.flatnonzero(np.abs(poses[:, :2] - (place.x * MM, place.y * MM)).max(axis=1) < reach)
        return any(int(body) not in so_far.present.values() for body in inside if poses[body, 2] > -0.01)


def _has_pieces_for(tile: int, free: list[int]) -> bool:
    shapes = [PIECES[piece] for piece in free]
    wanted = [piece.shape for piece in TOWERS[tile].pieces]
    return all(shapes.count(shape) >= wanted.count(shape) for shape in set(wanted))


def _highest_between(world: World, start: Vector, end: Vector, moving: int) -> float:
    """The top of whatever stands near the line between two points, in metres; ``moving`` is not counted."""
    way = end[:2] - start[:2]
    length = float(way @ way)
    top = HALF_PIECE
    for body, pose in enumerate(world.poses):
        if body == moving or pose[2] < 0:
            continue
        part = 0.0 if length == 0 else float(np.clip((pose[:2] - start[:2]) @ way / length, 0, 1))
        if float(np.linalg.norm(start[:2] + part * way - pose[:2])) < PASSING_DISTANCE:
            top = max(top, float(pose[2]) + HALF_PIECE)
    return top
