"""One table's world: it is given a hand, shots and blows, and moves on by ticks of a sixtieth of a second.

Deterministic: the same calls in the same order give the same poses, bit for bit, on the same machine.
"""

from __future__ import annotations

from math import exp, pi, sin

import mujoco
import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kaboum.data import BOX, DICE, PIECES, SHAPES
from kotatsu.games.kaboum.model import STRIKE_PLACES, STRIKE_POWERS, Physics
from kotatsu.games.kaboum.world.scene import (
    BODIES,
    CENTRES,
    FIRST_DIE,
    FLOOR,
    MM,
    STEPS_A_SECOND,
    STEPS_A_TICK,
    TICKS_A_SECOND,
    half_die,
    model,
)
from kotatsu.games.kaboum.world.turning import Vector, angle_between, rotated, towards

HAND_SPEED = 0.8
HAND_TURN = 8.0
LEASH = 0.03
LEASH_ANGLE = 0.7
"""KA-30: how fast the hand moves and turns, and how far it gets from what it holds: its force has a limit."""
REACH_X, REACH_Y = 0.55, 0.58
"""How far from the middle of the table the hand gets, in metres."""
HAND_TOP = 0.45
"""The hand stays above the table and below this height, in metres."""
STILL_SPEED = 0.01
STILL_TURNING = 0.2
QUAKE_TICKS = int(0.6 * TICKS_A_SECOND)
QUAKE_FADES_S = 0.12
QUAKE_HZ = 8.0
QUAKE_LIFT = 0.5
QUAKE_BOUNDS = {"board": (9.0, 20.0), "real": (9.0, 20.0)}
"""KA-32: the table's acceleration at the least and the best, in m/s²."""
OUTSIDE = 8.0
"""A body further out than this, in metres, is lost."""
_FATAL = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)


def stock_place(piece: int) -> tuple[float, float, float]:
    """Where a piece lies before it is used: in front of the builder, a row for each copy of the shapes."""
    shape, copy = divmod(piece, BOX.copies)
    x = (shape - (len(BOX.shapes) - 1) / 2) * 0.128
    return x, -0.545 + 0.085 * copy, SHAPES[PIECES[piece]].size[2] / 2 * MM


class World:
    """Bodies 0 to 15 are the pieces, 16 to 25 the dice. ``held`` is the piece in hand."""

    def __init__(self, physics: Physics = "board", *, sleeps: bool = True) -> None:
        self._physics: Physics = physics
        self._sleeps = sleeps
        self._model = model(physics, sleeps=sleeps)
        self._data = mujoco.MjData(self._model)
        self.tick = 0
        self.held: int | None = None
        self.still_since = np.zeros(BODIES, dtype=np.int64)
        self._hand = np.zeros(3)
        self._grip = np.zeros(3)
        self._target = np.zeros(3)
        self._target_turn = np.array((1.0, 0.0, 0.0, 0.0))
        self._quake_force: Vector | None = None
        self._quake_tick = 0
        self._off_since: dict[int, int] = {}
        self._parked: set[int] = set()
        self._disturbed = True
        self._masses = self._model.body_mass[-BODIES:].copy()
        self._geoms: list[list[int]] = [[] for _ in range(BODIES)]
        first = self._model.nbody - BODIES
        for geom, body in enumerate(self._model.geom_bodyid):
            if body >= first:
                self._geoms[body - first].append(geom)
        for piece in range(len(PIECES)):
            self.put(piece, stock_place(piece))
        for die in range(DICE):
            self.park(die)

    @property
    def poses(self) -> NDArray[np.float64]:
        """Position and quaternion of every body, as a view of 26 rows of 7; read only."""
        poses: NDArray[np.float64] = self._data.qpos.reshape(BODIES, 7)
        return poses

    @property
    def speeds(self) -> NDArray[np.float64]:
        """Velocity and angular velocity of every body, as 26 rows of 6."""
        speeds: NDArray[np.float64] = self._data.qvel.reshape(BODIES, 6)
        return speeds

    @property
    def seconds(self) -> float:
        """How long this world has been going."""
        return self.tick / TICKS_A_SECOND

    @property
    def broken(self) -> bool:
        """Whether something is no number any more, or a body is lost."""
        if any(self._data.warning[kind].number for kind in _FATAL):
            return True
        positions = self.poses[:, :3]
        return not bool(np.isfinite(self._data.qpos).all() and (np.abs(positions) < OUTSIDE).all())

    def put(
        self,
        body: int,
        at: tuple[float, float, float] | Vector,
        turn: tuple[float, float, float, float] | Vector = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Set a body down somewhere, at rest."""
        self.poses[body, :3] = at
        self.poses[body, 3:] = turn
        self.speeds[body] = 0.0
        self._parked.discard(body)
        self.still_since[body] = self.tick + 1
        self._disturbed = True

    def park(self, die: int) -> None:
        """Take a die out of play: it lies on the floor, far from the table."""
        half = half_die(die)
        self.put(FIRST_DIE + die, ((die - DICE / 2) * 0.1, 2.0, FLOOR + half))
        self._parked.add(FIRST_DIE + die)

    def grab(self, piece: int) -> None:
        """Take a piece in hand, letting go of another."""
        self.release()
        self.held = piece
        data = self._data
        self._target = self.poses[piece, :3].copy()
        self._target_turn = self.poses[piece, 3:].copy()
        self._hand = self._target.copy()
        self._grip = np.array((0.0, 0.0, CENTRES.get(PIECES[piece], 0.0) * MM))
        data.mocap_quat[0] = self._target_turn
        data.mocap_pos[0] = self._hand + rotated(self._grip, self._target_turn)
        data.eq_active[piece] = 1
        self.push(piece, np.array((0.0, 0.0, 1e-6)), np.zeros(3))  # a sleeping piece wakes when it moves

    def carry(self, to: tuple[float, float, float] | Vector, turn: tuple[float, ...] | Vector) -> None:
        """Where the held piece is wanted and how turned; the hand goes there as fast as it may."""
        target = np.asarray(to, dtype=np.float64)
        self._target = np.clip(target, (-REACH_X, -REACH_Y, 0.0), (REACH_X, REACH_Y, HAND_TOP))
        wanted = np.asarray(turn, dtype=np.float64)
        length = float(np.linalg.norm(wanted))
        if length > 1e-6:
            self._target_turn = wanted / length

    def release(self) -> None:
        """Let go."""
        if self.held is not None:
            self._data.eq_active[self.held] = 0
            self.held = None

    def launch(self, die: int, at: Vector, turn: Vector, velocity: Vector, spin: Vector) -> None:
        """A die leaves a catapult."""
        body = FIRST_DIE + die
        self.put(body, at, turn)
        self.push(body, velocity, spin)

    def push(self, body: int, velocity: Vector, spin: Vector) -> None:
        """Give a body a velocity and a spin on top of its own."""
        self.speeds[body, :3] += velocity
        self.speeds[body, 3:] += spin
        self._disturbed = True

    def strike(self, at: int, power: int) -> None:
        """KA-32: a blow on the table's edge; everything on it is shaken, most of all what is near."""
        low, best = QUAKE_BOUNDS[self._physics]
        strength = low + (best - low) * power / (STRIKE_POWERS - 1)
        place = np.array((*edge_place(at), 0.0))
        towards_middle = -place / np.linalg.norm(place)
        distance = np.linalg.norm(self.poses[:, :2] - place[:2], axis=1)
        near = np.clip(1.25 - 0.4 * distance / (BOX.table / 2 * MM), 0.5, 1.15)
        shake = towards_middle + np.array((0.0, 0.0, QUAKE_LIFT))
        self._quake_force = -(self._masses * near * strength)[:, None] * shake
        self._quake_tick = 0

    def step(self) -> None:
        """Go on by one tick."""
        self.tick += 1
        if self._is_asleep():
            return
        self._disturbed = False
        self._move_hand()
        if self._quake_force is None:
            mujoco.mj_step(self._model, self._data, STEPS_A_TICK)
        else:
            self._shake()
        speeds = np.abs(self.speeds)
        moving = (speeds[:, :3].max(axis=1) > STILL_SPEED) | (speeds[:, 3:].max(axis=1) > STILL_TURNING)
        self.still_since[moving] = self.tick
        self._pick_up_what_fell()

    def distance(self, first: int, second: int, most: float = 0.01) -> float:
        """How far apart two bodies are at their nearest; ``most`` if further. Below 0 they overlap."""
        return min(
            float(mujoco.mj_geomDistance(self._model, self._data, a, b, most, None))
            for a in self._geoms[first]
            for b in self._geoms[second]
        )

    def is_on_table(self, body: int) -> bool:
        """Whether a body is still on the table, or in the air above it."""
        x, y, z = self.poses[body, :3]
        half = BOX.table / 2 * MM
        return bool(z > -0.005 and abs(x) <= half and abs(y) <= half)

    def _move_hand(self) -> None:
        if self.held is None:
            return
        data, pose = self._data, self.poses[self.held]
        hand = self._hand
        way = self._target - hand
        length = float(np.linalg.norm(way))
        most = HAND_SPEED / TICKS_A_SECOND
        hand = hand + way * min(1.0, most / length if length else 1.0)
        pull = hand - pose[:3]
        stretched = float(np.linalg.norm(pull))
        if stretched > LEASH:
            hand = pose[:3] + pull * (LEASH / stretched)
        turn = towards(data.mocap_quat[0], self._target_turn, HAND_TURN / TICKS_A_SECOND)
        if angle_between(turn, pose[3:]) > LEASH_ANGLE:
            turn = towards(pose[3:], turn, LEASH_ANGLE)
        self._hand = hand
        data.mocap_pos[0] = hand + rotated(self._grip, turn)
        data.mocap_quat[0] = turn

    def _shake(self) -> None:
        """A blow: the table swings and calms down. Its forces wake whatever sleeps."""
        force = self._quake_force
        assert force is not None
        for step in range(STEPS_A_TICK):
            at = (self._quake_tick * STEPS_A_TICK + step) / STEPS_A_SECOND
            swing = exp(-at / QUAKE_FADES_S) * sin(2 * pi * QUAKE_HZ * at)
            self._data.xfrc_applied[-BODIES:, :3] = force * swing
            mujoco.mj_step(self._model, self._data)
        self._quake_tick += 1
        if self._quake_tick >= QUAKE_TICKS:
            self._quake_force = None
            self._data.xfrc_applied[-BODIES:] = 0.0  # else nothing would ever sleep again

    def _is_asleep(self) -> bool:
        """Whether nothing can have changed since the last tick."""
        return (
            self._sleeps
            and self._data.ntree_awake == 0
            and self.held is None
            and self._quake_force is None
            and not self._disturbed
            and not self._off_since
        )

    def _pick_up_what_fell(self) -> None:
        """What has been off the table for a second is picked up: a piece into the stock, a die out of play."""
        low = [int(body) for body in np.flatnonzero(self.poses[:, 2] < -0.05) if body not in self._parked]
        if not low and not self._off_since:
            return
        self._off_since = {body: self._off_since.get(body, self.tick) for body in low}
        for body, since in self._off_since.items():
            if self.tick - since < TICKS_A_SECOND or body == self.held:
                continue
            if body >= FIRST_DIE:
                self.park(body - FIRST_DIE)
            elif self._is_free(body):
                self.put(body, stock_place(body))

    def _is_free(self, piece: int) -> bool:
        """Whether nothing lies where a piece has its place in the stock."""
        x, y, _ = stock_place(piece)
        apart = np.hypot(self.poses[:, 0] - x, self.poses[:, 1] - y)
        apart[piece] = 1.0
        return bool((apart > 0.06).all())


def edge_place(at: int) -> tuple[float, float]:
    """KA-32: a place of the table's edge, counter-clockwise from the builder's left corner."""
    half = BOX.table / 2 * MM
    side, along = divmod(at * 4 / STRIKE_PLACES, 1)
    reach = (2 * along - 1) * half
    return ((reach, -half), (half, reach), (-reach, half), (-half, -reach))[int(side) % 4]
