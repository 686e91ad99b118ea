"""Kakuzu's words: moves, facts, state and view. No rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Outcome, Seat
from kotatsu.games.kakuzu.board import CELLS, Cell, Flat, Rows

HOUSE: Seat = -1
"""KZ-23: who gets the stones a lone player misses; KZ-22: and those that no other player has the time left to get."""

Line = Annotated[int, msgspec.Meta(ge=0, le=8)]
Digit = Annotated[int, msgspec.Meta(ge=1, le=9)]
Cause = Literal["zero", "miss", "bag", "ninth", "limit", "time"]


class KakuzuOptions(Options, frozen=True):
    """``clock_s`` is each player's time for the whole game; 0 is no clock. ``competitive``: the coach is silent."""

    same_digit: bool = False
    announce: bool = False
    clock_s: Annotated[int, msgspec.Meta(ge=0, le=7200)] = 0
    competitive: bool = False


class OpenCell(Move, frozen=True, tag="open"):
    """Setup: lift a stone from a square that has not been opened."""

    cell: tuple[Line, Line]


class Lift(Move, frozen=True):
    """Look for the wanted digit under a stone."""

    cell: tuple[Line, Line]


class Announce(Move, frozen=True):
    """Name the digit to look for."""

    digit: Digit


class Dealt(Fact, frozen=True):
    """A game begins: ``to_open`` stones are lifted first, ``bag`` is what is in the bag.

    ``clocks`` is each seat's time in ms, or nothing. ``grid`` is the house's secret: it is empty for everyone who is told.
    """

    first: Seat
    to_open: int
    bag: tuple[int, ...]
    clocks: tuple[int, ...]
    grid: Rows = ()


class Opened(Fact, frozen=True):
    """``to_open`` stones are still to be lifted before the play begins; ``next`` is the seat whose turn it is now."""

    seat: Seat
    cell: Cell
    digit: int
    to_open: int
    next: Seat


class DigitDrawn(Fact, frozen=True, tag="drew"):
    """A seat has drawn a digit from the bag (KZ-3)."""

    seat: Seat
    digit: int


class Announced(Fact, frozen=True):
    """A seat has named the digit it looks for (KZ-21)."""

    seat: Seat
    digit: int


class Lifted(Fact, frozen=True):
    """A stone was lifted and is now ``to``'s: a seat's, or nobody's at the table, which is ``HOUSE``.

    ``next_wanted`` is what is looked for then.
    """

    seat: Seat
    cell: Cell
    digit: int
    wanted: int
    to: Seat
    next_wanted: int | None


class Retired(Fact, frozen=True):
    """All nine of a digit are visible."""

    digit: int


class TimeSpent(Fact, frozen=True):
    """KZ-22: what a seat's last move, or its waiting, took from its time."""

    seat: Seat
    ms: int


class KakuzuTurnEnded(Fact, frozen=True, tag="turn_ended"):
    """``next`` is the seat whose turn it is now, ``bag`` what is in the bag again."""

    seat: Seat
    cause: Cause
    next: Seat
    bag: tuple[int, ...]


class KakuzuGameEnded(Fact, frozen=True, tag="game_ended"):
    """``breakdown`` is whose stones are whose."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    grid: Rows
    breakdown: tuple[dict[str, int], ...]


KakuzuMove = OpenCell | Lift | Announce
KakuzuFact = (
    Dealt | Opened | DigitDrawn | Announced | Lifted | Retired | TimeSpent | KakuzuTurnEnded | KakuzuGameEnded
)


class KakuzuState(msgspec.Struct, frozen=True, gc=False):
    """The fold of the facts.

    ``to_open`` is how many stones the opening still lifts, ``wanted`` is the digit looked for, ``drawn`` and ``kept``
    are this turn's digits out of the bag and stones won, ``clocks`` each seat's time left in ms.
    """

    options: KakuzuOptions
    stones: tuple[int, ...]
    clocks: tuple[int, ...] = ()
    grid: Flat = ()
    visible: Flat = (0,) * CELLS
    first: Seat = 0
    turn: Seat = 0
    to_open: int = 0
    wanted: int | None = None
    drawn: tuple[int, ...] = ()
    bag: tuple[int, ...] = ()
    kept: int = 0
    house: int = 0
    retired: tuple[int, ...] = ()
    result: Outcome | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.stones)


class KakuzuView(msgspec.Struct, frozen=True):
    """What everyone at the table sees; a 0 in ``visible`` is a stone.

    ``turn`` is the seat to move, ``bag`` what is in the bag, ``drawn`` what this turn took out of it.
    """

    phase: Literal["opening", "play", "over"]
    visible: Rows
    first: Seat
    turn: Seat | None
    wanted: int | None
    drawn: tuple[int, ...]
    bag: tuple[int, ...]
    retired: tuple[int, ...]
    kept: int
    stones: tuple[int, ...]
    house: int
    clocks: tuple[int, ...]
    grid: Rows
    result: Outcome | None
    options: KakuzuOptions
