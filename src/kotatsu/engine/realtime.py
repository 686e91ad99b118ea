"""What a game brings that is played in a world of its own, in real time, besides its rules.

Its module ``realtime`` fulfils ``RealTime``. At a live table a worker process opens one ``LiveTurn`` after the other;
what players do goes in, what belongs into the log comes out, and browsers are shown what moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from kotatsu.engine.contract import Fact, Seat
from kotatsu.engine.record import Entry


class WorldFrame(msgspec.Struct, frozen=True):
    """How a world looks at a tick: a header, and the parts that changed since the last look, by their number.

    A browser is sent a header and parts, one after the other; it needs only the latest of each part.
    """

    tick: int
    header: bytes
    parts: dict[int, bytes]


class LiveTurn(Protocol):
    """One turn in its world."""

    @property
    def over(self) -> bool:
        """Whether the turn has ended; nothing comes after."""

    def act(self, seat: Seat, text: bytes) -> None:
        """A player does something, as it came over the wire.

        Raises:
            IllegalMove: the rules refuse it.
            msgspec.ValidationError, msgspec.DecodeError: it is nothing one can do.
        """

    def seat(self, levels: Mapping[Seat, str]) -> None:
        """Bots of these levels have these seats from now on, people the others."""

    def tick(self) -> list[Entry]:
        """Go on by one tick; the moves and facts since the last."""

    def look(self) -> WorldFrame:
        """What changed since the last look."""

    def motion(self) -> bytes:
        """All looks of this turn, for whoever wants to see it again."""


class RealTime(Protocol):
    """A game's module ``realtime``."""

    TICKS_A_SECOND: int
    TICKS_A_LOOK: int

    def running(self, state: Any) -> bool:
        """Whether a turn is to be played in the world now."""

    def number(self, state: Any) -> int:
        """Which turn that is."""

    def setting(self, state: Any, levels: Mapping[Seat, str], seed: int) -> bytes:
        """All that ``open_turn`` needs; ``levels`` are those of the seats that bots have."""

    def open_turn(self, setting: bytes) -> LiveTurn:
        """A turn, from its beginning. In a worker process."""

    def lost(self, state: Any) -> list[Fact]:
        """The facts that say that a running turn's world is gone."""
