"""The world of one table: a hand, shots and blows, in ticks of 1/60 s. Metres and radians.

Deterministic: the same calls in the same order give the same poses, bit for bit, on the same machine.
"""

from __future__ import annotations

from copy import copy
from math import exp, pi, sin

import mujoco
import numpy as np
from numpy.typing import NDArray

from kotatsu.games.kaboum.data import BOX, DICE, PIECES, SHAPES
from kotatsu.games.kaboum.model import STRIKE_PLACES, STRIKE_POWERS, Physics
from kotatsu.games.kaboum.world.scene import (
    ALL_BITS,
    BODIES,
    CENTRE_OF_MASS_MM,
    DICE_BITS,
    FIRST_DIE,
    FLOOR,
    MM,
    STEPS_A_SECOND,
    STEPS_A_TICK,
    TICKS_A_SECOND,
    WOOD_BIT,
    half_die,
    model,
)
from kotatsu.games.kaboum.world.turning import Vector, angle_between, rotated, towards

HAND_SPEED = 0.8
"""KA-30: how fast the hand moves, in metres a second; the value is the study's (see ``scene``)."""
HAND_TURN_SPEED = 8.0
"""KA-30: how fast the hand turns a piece, in radians a second. Chosen by hand."""
MAX_STRETCH = 0.03
"""KA-30: how far the hand gets from its piece, in metres, which limits its force; the study's value."""
MAX_TWIST = 0.7
"""KA-30: how far the hand gets from the piece's orientation, in radians (40°); the study's value."""
MAX_REACH = 0.55
"""How far from the middle of the table the hand reaches along x, in metres. Chosen by hand."""
MAX_REACH_Y = MAX_REACH + 0.03
"""The same along y: further, because the stock lies near the builder's edge. Chosen by hand."""
MAX_HAND_HEIGHT = 0.45
"""How high above the table the hand reaches, in metres. Chosen by hand; the highest tower has 0.167."""
PASSING_TICKS = TICKS_A_SECOND // 2
"""KA-8: how long dice still pass through a piece after the hand has let go of it, in ticks: half a second."""
WAKING_SPEED = 1e-6
"""Added to the velocity of a sleeping body this wakes it, in metres a second. Chosen by hand: nothing to see."""
STOCK_SPACING, STOCK_FIRST_ROW, STOCK_ROW_SPACING = 0.128, -0.545, 0.085
"""How the stock is laid out, in metres: from shape to shape, the first row's y, from row to row.

Chosen by hand: a plank has 120 mm and a slab 60, so that neighbours do not touch, and all of it lies between
the tiles and the edge of the table.
"""
STOCK_CLEARANCE = 0.06
"""A piece goes back into the stock only if nothing is this near to its place, in metres. Chosen by hand."""
RESTING_GAP = 0.001
"""A die no further than this from a piece may lie on it, in metres. Chosen by hand, as the referee's."""
STILL_SPEED = 0.01
"""A body that moves more slowly than this, in metres a second, is still. Chosen by hand."""
STILL_TURNING = 0.2
"""A body that turns more slowly than this, in radians a second, is still. Chosen by hand."""
QUAKE_TICKS = int(0.6 * TICKS_A_SECOND)
"""KA-32: how long a blow lasts, in ticks: until less than 1 % of it is left."""
QUAKE_DECAY_S = 0.12
"""KA-32: the time constant with which a blow fades, in seconds; from the study."""
QUAKE_HZ = 8.0
"""KA-32: the frequency of a blow; from the study."""
QUAKE_VERTICAL_SHARE = 0.5
"""KA-32: the vertical acceleration, as a share of the horizontal one; from the study."""
QUAKE_NEAR, QUAKE_FALLOFF, QUAKE_RANGE = 1.25, 0.4, (0.5, 1.15)
"""KA-32: how a blow weakens with distance.

A factor at the place struck, what is lost over half a table, and the bounds of the result. Chosen by hand.
"""
QUAKE_BOUNDS = {"board": (9.0, 20.0), "real": (9.0, 20.0)}
"""KA-32: the table's acceleration in m/s² at the least and at the best power, by the physics.

The study's fragile columns fell half the time at 10.3 m/s². Towers of this game are sturdier, so the bounds
were raised until KA-32 held: at 20 m/s² 62 % of the towers of six fall on felt and 50 % on bare wood, at the
least 0 to 3 % (``docs/kaboum.md``; ``tests/test_referee.py`` checks it).
"""
BELOW_TABLE = -0.05
"""A body whose middle is lower than this, in metres, has fallen off the table. Chosen by hand."""
EDGE_TOLERANCE = -0.005
"""A body whose middle is lower than this, in metres, is not on the table any more. Chosen by hand."""
LOST_DISTANCE = 8.0
"""A body further from the middle than this, in metres, means that the simulation has broken.

Chosen by hand; at 3 m a die shot off the table broke the world.
"""
_FATAL_WARNINGS = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
"""MuJoCo's warnings about numbers that are not finite or far too large."""


def stock_place(piece: int) -> tuple[float, float, float]:
    """Where a piece lies before it is used: in front of the builder, one row for each copy of the shapes.

    Args:
        piece: The number of the piece.

    Returns:
        The position of its middle in metres.
    """
    shape, copy = divmod(piece, BOX.copies)
    x = (shape - (len(BOX.shapes) - 1) / 2) * STOCK_SPACING
    return x, STOCK_FIRST_ROW + STOCK_ROW_SPACING * copy, SHAPES[PIECES[piece]].size[2] / 2 * MM


class World:
    """The bodies of one table and the builder's hand.

    Bodies 0 to 15 are the pieces, 16 to 25 the dice. At the beginning the pieces lie in the stock and the
    dice are out of play.

    Args:
        physics: Felt (``board``) or bare wood (``real``), KA-23.
        sleeps: Whether bodies at rest are left out of the computation; ``False`` is for tests and
            measurements.

    Attributes:
        tick: How many ticks have passed.
        held: The piece in hand; ``None`` if it is empty.
        still_since: int64 by body, the last tick at which it moved.
    """

    def __init__(self, physics: Physics = "board", *, sleeps: bool = True) -> None:
        self._physics: Physics = physics
        self._sleeps = sleeps
        self._model = copy(model(physics, sleeps=sleeps))  # what meets what changes with the hand (KA-8)
        self._data = mujoco.MjData(self._model)
        self.tick = 0
        self.held: int | None = None
        self.still_since = np.zeros(BODIES, dtype=np.int64)
        self._hand = np.zeros(3)
        self._hold_offset = np.zeros(3)
        self._target = np.zeros(3)
        self._target_turn = np.array((1.0, 0.0, 0.0, 0.0))
        self._quake_force: Vector | None = None
        self._quake_tick = 0
        self._off_since: dict[int, int] = {}
        self._parked: set[int] = set()
        self._passing: dict[int, int] = {}
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
        """Position and quaternion (w, x, y, z) of every body: a view of shape (26, 7), for reading only."""
        poses: NDArray[np.float64] = self._data.qpos.reshape(BODIES, 7)
        return poses

    @property
    def speeds(self) -> NDArray[np.float64]:
        """Velocity and angular velocity of every body, of shape (26, 6)."""
        speeds: NDArray[np.float64] = self._data.qvel.reshape(BODIES, 6)
        return speeds

    @property
    def seconds(self) -> float:
        """How long this world has been going, in simulated seconds."""
        return self.tick / TICKS_A_SECOND

    @property
    def broken(self) -> bool:
        """Whether the simulation has failed: something is not finite, or a body is lost."""
        if any(self._data.warning[kind].number for kind in _FATAL_WARNINGS):
            return True
        positions = self.poses[:, :3]
        return not bool(np.isfinite(self._data.qpos).all() and (np.abs(positions) < LOST_DISTANCE).all())

    def put(
        self,
        body: int,
        at: tuple[float, float, float] | Vector,
        turn: tuple[float, float, float, float] | Vector = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Put a body somewhere, at rest.

        Args:
            body: The number of the body.
            at: Where, in metres.
            turn: Its quaternion (w, x, y, z).
        """
        self.poses[body, :3] = at
        self.poses[body, 3:] = turn
        self.speeds[body] = 0.0
        self._parked.discard(body)
        self.still_since[body] = self.tick + 1
        self._disturbed = True

    def park(self, die: int) -> None:
        """Take a die out of play: it lies on the floor, far from the table."""
        half = half_die(die)
        self.put(FIRST_DIE + die, ((die - DICE / 2) * 0.1, 2.0, FLOOR + half))  # 10 cm apart, 2 m away
        self._parked.add(FIRST_DIE + die)

    def grab(self, piece: int) -> None:
        """Take a piece in hand, letting go of another."""
        self.release()
        self.held = piece
        data = self._data
        self._target = self.poses[piece, :3].copy()
        self._target_turn = self.poses[piece, 3:].copy()
        self._hand = self._target.copy()
        self._hold_offset = np.array((0.0, 0.0, CENTRE_OF_MASS_MM.get(PIECES[piece], 0.0) * MM))
        data.mocap_quat[0] = self._target_turn
        data.mocap_pos[0] = self._hand + rotated(self._hold_offset, self._target_turn)
        data.eq_active[piece] = 1
        self._wake(piece)
        self._let_dice_through(piece)

    def carry(self, to: tuple[float, float, float] | Vector, turn: tuple[float, ...] | Vector) -> None:
        """Say where the piece in hand is wanted; the hand goes there as fast as it may.

        Args:
            to: The position of its middle in metres; it is clipped to the hand's reach.
            turn: Its quaternion (w, x, y, z), of any length; one of no length is ignored.
        """
        target = np.asarray(to, dtype=np.float64)
        self._target = np.clip(
            target, (-MAX_REACH, -MAX_REACH_Y, 0.0), (MAX_REACH, MAX_REACH_Y, MAX_HAND_HEIGHT)
        )
        wanted = np.asarray(turn, dtype=np.float64)
        length = float(np.linalg.norm(wanted))
        if length > 1e-6:
            self._target_turn = wanted / length

    def release(self) -> None:
        """Let go of the piece in hand, if there is one. Dice pass through it for half a second more (KA-8)."""
        if self.held is not None:
            self._data.eq_active[self.held] = 0
            self._passing[self.held] = self.tick + PASSING_TICKS
            self.held = None

    def stop_dice(self, piece: int) -> None:
        """KA-8: dice are stopped again, from now on, by a piece that the hand has let go of in its tower."""
        if piece in self._passing and piece != self.held:
            self._passing[piece] = self.tick

    def launch(self, die: int, at: Vector, turn: Vector, velocity: Vector, spin: Vector) -> None:
        """Let a die leave a catapult.

        Args:
            die: The number of the die, 0 to 9.
            at: Where, in metres.
            turn: Its quaternion.
            velocity: In metres a second.
            spin: In radians a second about each axis.
        """
        body = FIRST_DIE + die
        self.put(body, at, turn)
        self.push(body, velocity, spin)

    def push(self, body: int, velocity: Vector, spin: Vector) -> None:
        """Add a velocity (m/s) and a spin (rad/s) to those a body has."""
        self.speeds[body, :3] += velocity
        self.speeds[body, 3:] += spin
        self._disturbed = True

    def strike(self, at: int, power: int) -> None:
        """KA-32: a blow on the table's edge; everything on the table is shaken, most of all what is near.

        Args:
            at: The place on the edge (``edge_place``).
            power: How strong, 0 to ``STRIKE_POWERS`` - 1.
        """
        low, best = QUAKE_BOUNDS[self._physics]
        strength = low + (best - low) * power / (STRIKE_POWERS - 1)
        place = np.array((*edge_place(at), 0.0))
        towards_middle = -place / np.linalg.norm(place)
        distance = np.linalg.norm(self.poses[:, :2] - place[:2], axis=1)
        nearness = np.clip(QUAKE_NEAR - QUAKE_FALLOFF * distance / (BOX.table / 2 * MM), *QUAKE_RANGE)
        shake = towards_middle + np.array((0.0, 0.0, QUAKE_VERTICAL_SHARE))
        self._quake_force = -(self._masses * nearness * strength)[:, None] * shake
        self._quake_tick = 0

    def step(self) -> None:
        """Go on by one tick. When nothing moves this costs next to nothing."""
        self.tick += 1
        self._end_passing()
        if self._nothing_moves():
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
        self._return_fallen_bodies()

    def distance(self, first: int, second: int, limit: float = 0.01) -> float:
        """How far apart two bodies are at their nearest, in metres; below 0 they overlap.

        Args:
            first: A body.
            second: Another.
            limit: What is returned if they are further apart; the less, the faster.
        """
        return min(
            float(mujoco.mj_geomDistance(self._model, self._data, a, b, limit, None))
            for a in self._geoms[first]
            for b in self._geoms[second]
        )

    def is_on_table(self, body: int) -> bool:
        """Whether a body is on the table, or in the air above it."""
        x, y, z = self.poses[body, :3]
        half = BOX.table / 2 * MM
        return bool(z > EDGE_TOLERANCE and abs(x) <= half and abs(y) <= half)

    def _move_hand(self) -> None:
        if self.held is None:
            return
        data, pose = self._data, self.poses[self.held]
        hand = self._hand
        way = self._target - hand
        length = float(np.linalg.norm(way))
        max_step = HAND_SPEED / TICKS_A_SECOND
        hand = hand + way * min(1.0, max_step / length if length else 1.0)
        pull = hand - pose[:3]
        stretched = float(np.linalg.norm(pull))
        if stretched > MAX_STRETCH:
            hand = pose[:3] + pull * (MAX_STRETCH / stretched)
        turn = towards(data.mocap_quat[0], self._target_turn, HAND_TURN_SPEED / TICKS_A_SECOND)
        if angle_between(turn, pose[3:]) > MAX_TWIST:
            turn = towards(pose[3:], turn, MAX_TWIST)
        self._hand = hand
        data.mocap_pos[0] = hand + rotated(self._hold_offset, turn)
        data.mocap_quat[0] = turn

    def _let_dice_through(self, piece: int) -> None:
        """KA-8: no die is stopped by a piece in hand, and none that lies on it is carried along."""
        self._passing[piece] = self.tick
        self._model.geom_conaffinity[self._geoms[piece]] = WOOD_BIT
        for die in range(DICE):
            if self.distance(piece, FIRST_DIE + die) < RESTING_GAP:
                self._wake(FIRST_DIE + die)

    def _end_passing(self) -> None:
        """KA-8: let pieces that have been let go stop dice again, but for those dice that are inside them.

        A contact between bodies that overlap would throw them apart.
        """
        due = [piece for piece, tick in self._passing.items() if piece != self.held and self.tick >= tick]
        if not due:
            return
        mujoco.mj_kinematics(self._model, self._data)  # distances are those of the poses now
        for piece in due:
            inside = [bit for die, bit in enumerate(DICE_BITS) if self.distance(piece, FIRST_DIE + die) <= 0]
            self._model.geom_conaffinity[self._geoms[piece]] = ALL_BITS - sum(inside)
            if not inside:
                del self._passing[piece]

    def _wake(self, body: int) -> None:
        """A sleeping body wakes when it moves."""
        self.push(body, np.array((0.0, 0.0, WAKING_SPEED)), np.zeros(3))

    def _shake(self) -> None:
        """One tick of a blow: a damped oscillation of the table, as forces that wake whatever sleeps."""
        force = self._quake_force
        assert force is not None
        for step in range(STEPS_A_TICK):
            at = (self._quake_tick * STEPS_A_TICK + step) / STEPS_A_SECOND
            swing = exp(-at / QUAKE_DECAY_S) * sin(2 * pi * QUAKE_HZ * at)
            self._data.xfrc_applied[-BODIES:, :3] = force * swing
            mujoco.mj_step(self._model, self._data)
        self._quake_tick += 1
        if self._quake_tick >= QUAKE_TICKS:
            self._quake_force = None
            self._data.xfrc_applied[-BODIES:] = 0.0  # else nothing would ever sleep again

    def _nothing_moves(self) -> bool:
        """Whether nothing can have changed since the last tick."""
        return (
            self._sleeps
            and self._data.ntree_awake == 0
            and self.held is None
            and self._quake_force is None
            and not self._disturbed
            and not self._off_since
        )

    def _return_fallen_bodies(self) -> None:
        """Pick up what has been off the table for a second: pieces go into the stock, dice out of play."""
        low = [
            int(body) for body in np.flatnonzero(self.poses[:, 2] < BELOW_TABLE) if body not in self._parked
        ]
        if not low and not self._off_since:
            return
        self._off_since = {body: self._off_since.get(body, self.tick) for body in low}
        for body, since in self._off_since.items():
            if self.tick - since < TICKS_A_SECOND or body == self.held:
                continue
            if body >= FIRST_DIE:
                self.park(body - FIRST_DIE)
            elif self._is_stock_place_free(body):
                self.put(body, stock_place(body))

    def _is_stock_place_free(self, piece: int) -> bool:
        """Whether nothing lies where a piece has its place in the stock."""
        x, y, _ = stock_place(piece)
        apart = np.hypot(self.poses[:, 0] - x, self.poses[:, 1] - y)
        apart[piece] = 1.0
        return bool((apart > STOCK_CLEARANCE).all())


def edge_place(at: int) -> tuple[float, float]:
    """KA-32: a place on the table's edge.

    Args:
        at: 0 to 23, counter-clockwise from the builder's left corner.

    Returns:
        Its x and y in metres from the middle of the table.
    """
    half = BOX.table / 2 * MM
    side, along = divmod(at * 4 / STRIKE_PLACES, 1)
    reach = (2 * along - 1) * half
    return ((reach, -half), (half, reach), (-reach, half), (-half, -reach))[int(side) % 4]
