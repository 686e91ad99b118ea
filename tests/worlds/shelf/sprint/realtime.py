"""The world of the toy: two seconds of ten ticks, in which whoever asks for a step takes one, and bots take theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kotatsu.engine.contract import Fact, IllegalMove, Seat
from kotatsu.engine.realtime import WorldFrame
from kotatsu.engine.record import Entry, Played

from .game import RunEnded, RunLost, Step, Stepped

TICKS_A_SECOND = 10
TICKS_A_LOOK = 2
TICKS = 40
BOT_EVERY = 7


class Setting(msgspec.Struct, frozen=True):
    run: int
    levels: dict[Seat, str]
    seed: int


class LiveSprint:
    def __init__(self, setting: Setting) -> None:
        self._run = setting.run
        self._levels = dict(setting.levels)
        self._ticks = 0
        self._asked: list[tuple[Seat, bool]] = []
        self._looks: list[bytes] = []

    @property
    def over(self) -> bool:
        return self._ticks >= TICKS

    def act(self, seat: Seat, text: bytes) -> None:
        match msgspec.json.decode(text):
            case {"move": "step"}:
                self._asked.append((seat, True))
            case {"move": "rest"}:
                self._asked.append((seat, False))  # a move that brings about nothing
            case {"move": "fall"}:
                raise ZeroDivisionError("the world has a bug")
            case _:
                raise IllegalMove("SP-3", "Here one steps.")

    def seat(self, levels: Mapping[Seat, str]) -> None:
        if "clumsy" in levels.values():
            raise ZeroDivisionError("the bot has a bug")
        self._levels = dict(levels)

    def tick(self) -> list[Entry]:
        self._ticks += 1
        if self._ticks % BOT_EVERY == 0:
            self._asked += [(seat, True) for seat in sorted(self._levels)]
        entries: list[Entry] = []
        for seat, steps in self._asked:
            entries.append(Played(seat, Step()))
            entries += [Stepped(seat)] if steps else []
        self._asked = []
        if self.over:
            entries.append(RunEnded(self._run))
        return entries

    def look(self) -> WorldFrame:
        header = b"tick %d|" % self._ticks
        self._looks.append(header)
        return WorldFrame(self._ticks, header, {self._ticks % 3: b"part %d|" % self._ticks})

    def motion(self) -> bytes:
        return b"".join(self._looks)


def running(state: Any) -> bool:
    return bool(state.running)


def number(state: Any) -> int:
    return int(state.run)


def setting(state: Any, levels: Mapping[Seat, str], seed: int) -> bytes:
    return msgspec.json.encode(Setting(state.run, dict(levels), seed))


def open_turn(setting: bytes) -> LiveSprint:
    return LiveSprint(msgspec.json.decode(setting, type=Setting))


def lost(state: Any) -> list[Fact]:
    return [RunLost(state.run)]
