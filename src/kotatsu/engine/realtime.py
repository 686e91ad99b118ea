"""The interface of a real-time game, beside its rules: turns that are played in a simulated world.

Its module ``realtime`` implements ``RealTime``. A worker process opens one ``LiveTurn`` after the other for a
table; players' inputs go in, entries for the log come out, and browsers are sent what moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from kotatsu.engine.contract import Fact, Seat
from kotatsu.engine.record import Entry


class WorldFrame(msgspec.Struct, frozen=True):
    """What moved up to a ``tick``: a header, and the parts that changed since the last frame, by number.

    A browser is sent a header and parts, one after the other; it needs only the latest of each part.
    """

    tick: int
    header: bytes
    parts: dict[int, bytes]


class LiveTurn(Protocol):
    """One turn in its world."""

    @property
    def over(self) -> bool:
        """Whether the turn has ended; ``tick`` is not called any more."""

    def act(self, seat: Seat, text: bytes) -> None:
        """Carry out a player's input for a ``seat``; ``text`` is JSON as the browser sent it.

        Raises:
            IllegalMove: the rules forbid it.
            msgspec.ValidationError, msgspec.DecodeError: it is not an input of this game.
        """

    def seat(self, levels: Mapping[Seat, str]) -> None:
        """Have bots of these levels play these seats from now on, people the others."""

    def tick(self) -> list[Entry]:
        """Advance the world by one tick; return the moves and facts since the last."""

    def look(self) -> WorldFrame:
        """Return what moved since the last call."""

    def motion(self) -> bytes:
        """Return all frames of this turn, in the game's own format, for replay."""


class RealTime(Protocol):
    """A game's module ``realtime``.

    ``TICKS_A_SECOND`` is how often ``LiveTurn.tick`` is called; every ``TICKS_A_LOOK`` ticks a frame is sent.
    """

    TICKS_A_SECOND: int
    TICKS_A_LOOK: int

    def running(self, state: Any) -> bool:
        """Whether in this state a turn is to be played in the world."""

    def number(self, state: Any) -> int:
        """Return the number of that turn in the game."""

    def setting(self, state: Any, levels: Mapping[Seat, str], seed: int) -> bytes:
        """Return all that ``open_turn`` needs, encoded to be sent to a worker process.

        Args:
            state: one in which a turn is ``running``.
            levels: the levels of the bots, by their seats.
            seed: of the turn's randomness.
        """

    def open_turn(self, setting: bytes) -> LiveTurn:
        """Return a turn at its beginning. Called in a worker process."""

    def lost(self, state: Any) -> list[Fact]:
        """Return the facts that say that the world of a running turn is gone."""
