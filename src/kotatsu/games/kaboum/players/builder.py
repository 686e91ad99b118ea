"""A builder: chooses a tower, fetches its pieces one by one, puts them down, and builds again what fell."""

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
from kotatsu.games.kaboum.players.sets import SETS, best_company
from kotatsu.games.kaboum.players.skill import Skill
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import MM, TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, product
from kotatsu.games.kaboum.world.world import World

CLEARANCE = 0.035
HIGHEST = 0.32
LOWERING = 0.16
"""The hand goes down more slowly than it goes across, in metres a second."""
MOST_TOGETHER = max(each.points for each in SETS)
COMPANY_COUNTS = 3
"""How much better a tower is that leaves pieces for others."""
NEAR = 0.004
LETS_GO_AFTER = 0.2
GIVES_UP_AFTER = 1.5
TRIES = 2
"""How often something may be in the way on a tile before it is left alone for this turn."""
Plan = tuple[TowerProgress, int, int]
"""A tower under way, the piece of its drawing that comes next, and the piece that will be it."""


class Builder:
    """One turn's builder. ``inputs`` is asked once a tick."""

    def __init__(self, skill: Skill, rng: Random) -> None:
        self._skill = skill
        self._rng = rng
        self._shake = np.zeros(3)
        self._tile: int | None = None
        self._in_the_way: Counter[int] = Counter()
        self._work: Iterator[Input | None] | None = None

    def inputs(self, turn: Turn) -> list[Input]:
        """What it does in this tick."""
        if turn.stopped:
            return []
        if self._work is None:
            self._work = self._build(turn)
        done = next(self._work, None)
        return [] if done is None else [done]

    def _build(self, turn: Turn) -> Iterator[Input | None]:
        while True:
            yield from self._wait(self._skill.pause * self._rng.uniform(0.6, 1.4))
            plan = self._choose(turn)
            if plan is None:
                self._tile = None
                yield from self._wait(0.3)
                continue
            yield from self._put(turn, plan)

    def _put(self, turn: Turn, plan: Plan) -> Iterator[Input | None]:
        """Fetch one piece and put it where it belongs."""
        so_far, number, piece = plan
        rng, world, skill = self._rng, turn.world, self._skill
        at, how = so_far.pose(number)
        slip = np.array((rng.gauss(0, skill.slips), rng.gauss(0, skill.slips), 0.0))
        how = product(about_vertical(rng.gauss(0, skill.turns_off)), how)
        start = world.poses[piece, :3].copy()
        before = world.poses[piece, 3:].copy()
        yield Grab(piece)
        half = TOWERS[so_far.tile].pieces[number].size[2] / 2 * MM
        height = min(HIGHEST, _highest_between(world, start, at, piece) + half + CLEARANCE)
        up = np.array((start[0], start[1], max(start[2] + 0.03, height)))
        above = np.array((at[0], at[1], height)) + slip
        yield from self._go(world, piece, start, up, before, before, skill.carrying)
        yield from self._go(world, piece, up, above, before, how, skill.carrying)
        if so_far.tile in turn.state.blocked:
            self._tile = None
            yield Release()  # there is nothing to be gained here any more
            return
        down = at + slip + (0.0, 0.0, 0.0006)
        arrived = yield from self._go(world, piece, above, down, how, how, LOWERING * (0.6 + skill.carrying))
        self._in_the_way[so_far.tile] += not arrived
        yield from self._wait(LETS_GO_AFTER)
        yield Release()

    def _go(
        self, world: World, piece: int, start: Vector, end: Vector, before: Vector, after: Vector, fast: float
    ) -> Generator[Input | None, None, bool]:
        """Lead the hand along a line, and wait at its end until the piece has followed; whether it has."""
        length = float(np.linalg.norm(end - start))
        ticks = max(1, round(length / fast * TICKS_A_SECOND))
        patience = ticks + round(GIVES_UP_AFTER * TICKS_A_SECOND)
        if before @ after < 0:
            after = -after
        for tick in range(1, patience):
            part = min(1.0, tick / ticks)
            eased = part * part * (3 - 2 * part)
            turn = before + (after - before) * min(1.0, 1.5 * eased)
            if tick % 2 == 0 or part == 1.0:
                self._tremble()
                to = start + (end - start) * eased + self._shake
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
                and float(np.linalg.norm(world.poses[piece, :3] - end)) < NEAR + 3 * self._skill.tremor
            ):
                return True
        return False

    def _tremble(self) -> None:
        noise = np.array([self._rng.gauss(0, 1) for _ in range(3)])
        self._shake = 0.85 * self._shake + 0.5 * self._skill.tremor * noise

    def _wait(self, seconds: float) -> Iterator[None]:
        for _ in range(max(1, round(seconds * TICKS_A_SECOND))):
            yield None

    def _choose(self, turn: Turn) -> Plan | None:
        """Go on with the tower begun, or take the one with the most points for the time and the risk."""
        used = {piece for fit in turn.referee.standing.values() for piece in fit.pieces}
        free = [piece for piece in range(len(PIECES)) if piece not in used and turn.world.is_on_table(piece)]
        if self._tile is not None and self._open(turn, self._tile):
            plan = self._next(turn, self._tile, free)
            if plan is not None:
                return plan
        left = turn.seconds_left
        tiles = [tile for tile in turn.state.tiles if self._open(turn, tile) and _enough(tile, free)]
        company = best_company(tiles, free, left / self._seconds_a_piece())
        worths: dict[int, float] = {}
        for tile in tiles:
            so_far = progress(tile, turn.referee.places[tile], turn.world, free)
            takes = len(so_far.missing) * self._seconds_a_piece() + 1.0
            if not so_far.missing or takes > left:
                continue
            worth = POINTS[tile] * 0.97 ** (takes * len(TOWERS[tile].pieces) / 4) / (takes + 3.0)
            worth *= 0.4 if self._cluttered(turn, so_far) else 1.0
            worth *= (company.get(tile, POINTS[tile]) / MOST_TOGETHER) ** COMPANY_COUNTS
            worths[tile] = worth * self._rng.uniform(0.9, 1.1)
        self._tile = self._one_of(worths)
        return None if self._tile is None else self._next(turn, self._tile, free)

    def _one_of(self, worths: dict[int, float]) -> int | None:
        """The best tower for who sees it, any for who does not."""
        if not worths:
            return None
        most, foresight = max(worths.values()), self._skill.foresight
        return max(
            worths, key=lambda tile: foresight * worths[tile] / most + (1 - foresight) * self._rng.random()
        )

    def _seconds_a_piece(self) -> float:
        return self._skill.pause + 0.65 / self._skill.carrying + 0.9

    def _open(self, turn: Turn, tile: int) -> bool:
        state = turn.state
        wanted = tile in state.tiles and tile not in state.blocked and tile not in state.standing
        return wanted and self._in_the_way[tile] < TRIES

    def _next(self, turn: Turn, tile: int, free: list[int]) -> Plan | None:
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

    def _cluttered(self, turn: Turn, so_far: TowerProgress) -> bool:
        """Whether something lies about where the tower goes."""
        place = turn.referee.places[so_far.tile]
        poses = turn.world.poses
        reach = place.side / 2 * MM
        inside = np.flatnonzero(np.abs(poses[:, :2] - (place.x * MM, place.y * MM)).max(axis=1) < reach)
        return any(int(body) not in so_far.present.values() for body in inside if poses[body, 2] > -0.01)


def _enough(tile: int, free: list[int]) -> bool:
    shapes = [PIECES[piece] for piece in free]
    wanted = [piece.shape for piece in TOWERS[tile].pieces]
    return all(shapes.count(shape) >= wanted.count(shape) for shape in set(wanted))


def _highest_between(world: World, start: Vector, end: Vector, moving: int) -> float:
    """The top of whatever stands near the way, in metres; what moves does not count."""
    way = end[:2] - start[:2]
    length = float(way @ way)
    top = 0.03
    for body, pose in enumerate(world.poses):
        if body == moving or pose[2] < 0:
            continue
        part = 0.0 if length == 0 else float(np.clip((pose[:2] - start[:2]) @ way / length, 0, 1))
        if float(np.linalg.norm(start[:2] + part * way - pose[:2])) < 0.11:
            top = max(top, float(pose[2]) + 0.03)
    return top
