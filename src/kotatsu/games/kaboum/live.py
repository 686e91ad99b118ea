"""One turn in its world: inputs go in, moves and facts for the log come out, tick by tick.

This is where rules, world and referee meet. It has no clock: the caller decides when a tick is due, in real
time at a live table and as fast as possible in a simulation.
"""

from __future__ import annotations

from functools import reduce
from random import Random

import numpy as np

from kotatsu.engine.contract import IllegalMove, Seat
from kotatsu.engine.record import Entry, Played
from kotatsu.games.kaboum.data import BOX, PIECES
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.guide import ghost, is_in_tower, snap_rotation
from kotatsu.games.kaboum.inputs import Aim, Carry, Input
from kotatsu.games.kaboum.model import (
    Fire,
    Fired,
    Grab,
    KaboumFact,
    KaboumMove,
    KaboumState,
    Release,
    Strike,
    TowerStands,
    WorldBroke,
)
from kotatsu.games.kaboum.rail import shoot
from kotatsu.games.kaboum.referee import REST_TICKS, Referee
from kotatsu.games.kaboum.world.scene import TICKS_A_SECOND
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import World

RELOAD_TICKS = round(BOX.reload_s * TICKS_A_SECOND)
"""KA-31: how long a catapult needs after a shot, in ticks."""
EASING_TICKS = TICKS_A_SECOND // 2
"""KA-23: how long the hand may take to ease a piece into its place, in ticks. Chosen by hand."""
EASED_WITHIN = 0.0012
"""A piece is in its place when it is this near, in metres. Chosen by hand, well below the tolerance."""


class Turn:
    """A turn under way, from the moment the hourglass was turned.

    The same state, seed and inputs give the same turn, bit for bit on the same machine.

    Args:
        state: A state in which a turn runs.
        seed: The seed of everything left to chance in this turn.

    Attributes:
        state: The state now.
        world: The world.
        referee: The referee.
        aims: How each catapult that was aimed is set, by seat.
        over: Whether the turn has ended; then nothing may be called any more.
    """

    def __init__(self, state: KaboumState, seed: int | str) -> None:
        self.state = state
        self.world = World(state.options.physics)
        self.referee = Referee(state.layout, state.tiles)
        self.aims: dict[Seat, Aim] = {}
        self.over = False
        self._rng = Random(f"turn {seed}")
        self._log: list[Entry] = []
        self._loaded_at: dict[Seat, int] = {}
        self._easing: tuple[Vector, Vector, int] | None = None
        self._ends_at = state.options.hourglass_s * TICKS_A_SECOND
        self._unrested: list[int] = []

    @property
    def seconds_left(self) -> float:
        """What is left in the hourglass, in seconds."""
        return max(0.0, (self._ends_at - self.world.tick) / TICKS_A_SECOND)

    @property
    def stopped(self) -> bool:
        """Whether the hourglass is empty."""
        return self.world.tick >= self._ends_at

    def loaded_in(self, seat: Seat) -> float:
        """Seconds until a seat's catapult may shoot again; 0 if it may now."""
        return max(0, self._loaded_at.get(seat, 0) - self.world.tick) / TICKS_A_SECOND

    def act(self, seat: Seat, player_input: Input) -> None:
        """A player does something.

        Args:
            seat: Who.
            player_input: What.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """
        if self.stopped:
            raise IllegalMove("KA-13", "The hourglass is empty; everybody stops.")
        match player_input:
            case Carry(to, turn):
                self._require_builder(seat)
                if self.world.held is not None and self._easing is None:
                    self.world.carry(to, turn)
            case Aim():
                if seat == self.state.builder:
                    raise IllegalMove("KA-3", "The master builder has no catapult.")
                self.aims[seat] = player_input
            case Grab(piece):
                self._decide(seat, player_input)
                self._let_go()
                self.world.grab(piece)
            case Release():
                self._decide(seat, player_input)
                self._release(seat)
            case Fire():
                self._fire(seat, player_input)
            case Strike(at, power):
                self._decide(seat, player_input)
                self.world.strike(at, power)

    def step(self) -> list[Entry]:
        """Go on by one tick.

        Returns:
            The moves and facts for the log since the last call.
        """
        self._ease()
        self.world.step()
        if self.world.broken:
            self._apply(GAME.witness(self.state, WorldBroke()))
            self.over = True
        elif self.world.tick < self._ends_at:
            for sighting in self.referee.watch(self.world):
                self._apply(GAME.witness(self.state, sighting))
        else:
            self._finish()
        log, self._log = self._log, []
        return log

    def _finish(self) -> None:
        """KA-13: everybody stops. A tower that is right has half a second more to show that it rests.

        It is judged before the hand lets go: a piece still in it is part of no tower.
        """
        if self.world.tick == self._ends_at:
            for sighting in self.referee.watch(self.world):
                self._apply(GAME.witness(self.state, sighting))
            self._unrested = [tile for tile in self.state.tiles if self._could_stand(tile)]
            self._let_go()
        if self._unrested and self.world.tick < self._ends_at + REST_TICKS:
            return
        for tile in self._unrested:
            if self.referee.is_complete(tile, self.world):
                self._apply(GAME.witness(self.state, TowerStands(tile)))
        self._apply(GAME.expire(self.state, self._rng))
        self.over = True

    def _could_stand(self, tile: int) -> bool:
        free = tile not in self.state.standing and tile not in self.state.blocked
        return free and self.referee.is_complete(tile, self.world) is not None

    def _require_builder(self, seat: Seat) -> None:
        if seat != self.state.builder:
            raise IllegalMove("KA-3", "Only the master builder touches the pieces.")

    def _decide(self, seat: Seat, move: KaboumMove) -> None:
        facts = GAME.decide(self.state, seat, move, self._rng)
        self._log.append(Played(seat, move))
        self._apply(facts)

    def _fire(self, seat: Seat, move: Fire) -> None:
        aim = self.aims.get(seat)
        if aim is None:
            raise IllegalMove("KA-31", "Set and aim your catapult first.")
        if self.loaded_in(seat) > 0:
            raise IllegalMove("KA-31", "The catapult is not ready yet.")
        facts = GAME.fire(self.state, seat, big=aim.big)
        self._log.append(Played(seat, move))
        self._apply(facts)
        self._loaded_at[seat] = self.world.tick + RELOAD_TICKS
        for fact in facts:
            if isinstance(fact, Fired):
                shoot(self.world, fact.die, aim, self._rng)
                self.referee.fired(fact.die, self.world)

    def _release(self, seat: Seat) -> None:
        """KA-23: with ``snap`` the hand first eases a piece into its place, if it is near."""
        piece = self.world.held
        if piece is not None and self.state.options.assist_of(seat) == "snap":
            place = ghost(self.referee, self.world, piece)
            turn = snap_rotation(*place, PIECES[piece], self.world.poses[piece]) if place else None
            if place is not None and turn is not None:
                self._easing = place[0], turn, self.world.tick + EASING_TICKS
                return
        self._let_go()

    def _let_go(self) -> None:
        """KA-8: dice pass through what was just let go, unless it is in its place in a tower."""
        piece = self.world.held
        self._easing = None
        self.world.release()
        if piece is not None and is_in_tower(self.referee, self.world, piece):
            self.world.stop_dice(piece)

    def _ease(self) -> None:
        if self._easing is None or self.world.held is None:
            return
        at, turn, until = self._easing
        self.world.carry(at, turn)
        off = float(np.linalg.norm(self.world.poses[self.world.held, :3] - at))
        if off < EASED_WITHIN or self.world.tick >= until:
            self._let_go()

    def _apply(self, facts: list[KaboumFact]) -> None:
        self._log += facts
        self.state = reduce(GAME.fold, facts, self.state)
