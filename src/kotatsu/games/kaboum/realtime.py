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
"""Frames go out thirty times a second."""
LOOKS_A_GHOST = 4


class Setting(msgspec.Struct, frozen=True):
    """A turn about to begin."""

    state: KaboumState
    levels: dict[Seat, str]
    seed: int


class LiveKaboum:
    """A turn with the bots that play in it, and what browsers are shown of it."""

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
        return self._turn.over

    def act(self, seat: Seat, text: bytes) -> None:
        self._turn.act(seat, read_input(text))

    def seat(self, levels: Mapping[Seat, str]) -> None:
        """Whoever takes a seat over begins with an empty hand."""
        turn = self._turn
        changed = [seat for seat in range(turn.state.players) if self._levels.get(seat) != levels.get(seat)]
        for seat in changed:
            self._players.pop(seat, None)
            if seat in levels:
                luck = f"{self._seed} {turn.world.tick}"
                self._players[seat] = player(levels[seat], seat, turn.state, luck)
            if seat == turn.state.builder and turn.world.held is not None and not turn.stopped:
                turn.act(seat, Release())
        self._levels = dict(levels)

    def tick(self) -> list[Entry]:
        for seat, each in self._players.items():
            for asked in each.inputs(self._turn):
                try:
                    self._turn.act(seat, asked)
                except IllegalMove:
                    continue  # something was quicker than the bot
        return self._turn.step()

    def look(self) -> WorldFrame:
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
        return self._motion.stored()


def running(state: KaboumState) -> bool:
    return state.running


def number(state: KaboumState) -> int:
    return state.turn


def setting(state: KaboumState, levels: Mapping[Seat, str], seed: int) -> bytes:
    return msgspec.msgpack.encode(Setting(state, dict(levels), seed))


def open_turn(setting: bytes) -> LiveKaboum:
    return LiveKaboum(msgspec.msgpack.decode(setting, type=Setting))


def lost(state: KaboumState) -> list[Fact]:
    return [*GAME.witness(state, WorldBroke())]
