"""Kaboum at a live table: what ``kotatsu.engine.realtime`` asks of a game with a world (KA-30)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from kotatsu.engine.contract import Fact, IllegalMove, Seat
from kotatsu.engine.realtime import WorldFrame
from kotatsu.engine.record import Entry
from kotatsu.games.kaboum.codec import Motion, Poses
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.guide import ghost
from kotatsu.games.kaboum.inputs import read_input
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import KaboumState, Release, WorldBroke
from kotatsu.games.kaboum.play import Player, player
from kotatsu.games.kaboum.world.scene import TICKS_A_SECOND as TICKS_A_SECOND

TICKS_A_LOOK = 2
"""Ticks between two frames: 30 frames a second, as the study before the first version advises."""
LOOKS_A_GHOST = 4
"""Frames between two computations of the ghost, which are costly. Chosen by hand: 7.5 a second."""


class Setting(msgspec.Struct, frozen=True):
    """A turn about to begin, as it is sent to the process that runs it.

    Attributes:
        state: The state of the game.
        levels: The levels of the seats that bots have.
        seed: The seed of the turn.
    """

    state: KaboumState
    levels: dict[Seat, str]
    seed: int


class LiveKaboum:
    """A turn with its bots, and the frames of it that browsers get; see ``engine.realtime.LiveTurn``."""

    def __init__(self, setting: Setting) -> None:
        self._turn = Turn(setting.state, setting.seed)
        self._seed = setting.seed
        self._levels: dict[Seat, str] = {}
        self._players: dict[Seat, Player] = {}
        self.seat(setting.levels)
        self._poses = Poses()
        self._motion = Motion()
        self._looks = 0
        self._shown_ghost: NDArray[np.float64] | None = None

    @property
    def over(self) -> bool:
        """Whether the turn has ended; nothing comes after."""
        return self._turn.over

    def act(self, seat: Seat, text: bytes) -> None:
        """A player does something, as it came over the wire.

        Args:
            seat: who does it.
            text: the input as JSON.

        Raises:
            IllegalMove: The rules refuse it.
            msgspec.ValidationError, msgspec.DecodeError: It is not an input.
        """
        self._turn.act(seat, read_input(text))

    def seat(self, levels: Mapping[Seat, str]) -> None:
        """Bots of these levels have these seats from now on, people the others.

        Whoever takes over the builder's seat begins with an empty hand.
        """
        turn = self._turn
        changed = [seat for seat in range(turn.state.players) if self._levels.get(seat) != levels.get(seat)]
        for seat in changed:
            self._players.pop(seat, None)
            if seat in levels:
                turn_seed = f"{self._seed} {turn.world.tick}"
                self._players[seat] = player(levels[seat], seat, turn.state, turn_seed)
            if seat == turn.state.builder and turn.world.held is not None and not turn.stopped:
                turn.act(seat, Release())
        self._levels = dict(levels)

    def tick(self) -> list[Entry]:
        """Let the bots act and go on by one tick; the moves and facts since the last."""
        for seat, each in self._players.items():
            for player_input in each.inputs(self._turn):
                try:
                    self._turn.act(seat, player_input)
                except IllegalMove:
                    continue  # something was quicker than the bot
        return self._turn.step()

    def look(self) -> WorldFrame:
        """A frame of what changed since the last one; it is also kept for the replay."""
        turn = self._turn
        self._looks += 1
        look = self._poses.look(
            turn.world.tick,
            turn.world.poses,
            turn.world.held,
            turn.seconds_left,
            [(seat, aim, turn.loaded_in(seat)) for seat, aim in turn.aims.items()],
            self._ghost(),
        )
        self._motion.keep(look.header + b"".join(look.parts.values()))
        return look

    def _ghost(self) -> NDArray[np.float64] | None:
        """KA-23: where the piece in hand belongs, if the builder wants to be shown."""
        world, state = self._turn.world, self._turn.state
        builder = state.builder
        if world.held is None or builder in self._players or state.options.assist_of(builder) == "none":
            return None
        if self._looks % LOOKS_A_GHOST == 0:
            place = ghost(self._turn.referee, world, world.held)
            self._shown_ghost = None if place is None else np.concatenate(place)
        return self._shown_ghost

    def motion(self) -> bytes:
        """KA-33: all frames of this turn, compressed, for its replay."""
        return self._motion.stored()


def running(state: KaboumState) -> bool:
    """Whether a turn is to be played in the world now."""
    return state.running


def number(state: KaboumState) -> int:
    """Which turn of the game that is."""
    return state.turn


def setting(state: KaboumState, levels: Mapping[Seat, str], seed: int) -> bytes:
    """All that ``open_turn`` needs, as bytes; ``levels`` are those of the seats that bots have.

    Args:
        state: in which the turn begins.
        levels: of the seats that bots have.
        seed: of the turn's randomness.
    """
    return msgspec.msgpack.encode(Setting(state, dict(levels), seed))


def open_turn(setting: bytes) -> LiveKaboum:
    """A turn from its beginning, in the process that runs it."""
    return LiveKaboum(msgspec.msgpack.decode(setting, type=Setting))


def lost(state: KaboumState) -> list[Fact]:
    """The facts that say that a running turn's world is gone."""
    return [*GAME.witness(state, WorldBroke())]
