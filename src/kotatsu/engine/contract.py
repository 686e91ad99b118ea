"""What a game is: a pure function from moves to facts.

A game owns its rules and nothing else. It never reads a clock, never draws from
global randomness and never touches the outside; time reaches it through
``expire`` and chance through the ``rng`` it is handed.

Moves, facts and states are frozen, so no cycle runs through them: ``gc=False`` spares the collector the search.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

Seat = int
"""A position at the table, from 0 in clockwise order."""


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Move(
    msgspec.Struct, frozen=True, gc=False, tag_field="move", tag=_snake_case, forbid_unknown_fields=True
):
    """An intent. ``class Take(Move)`` is ``{"move": "take"}`` on the wire."""


class Fact(
    msgspec.Struct, frozen=True, gc=False, tag_field="fact", tag=_snake_case, forbid_unknown_fields=True
):
    """Something that happened. ``class MarketDealt(Fact)`` is ``{"fact": "market_dealt"}`` on the wire."""


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A table's choices for one game; every field has a default, and limits as ``msgspec.Meta``."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a game ended: ``winners`` are several when the victory is shared."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[dict[str, int], ...] = ()


class Deadline(msgspec.Struct, frozen=True, gc=False):
    """What is being waited for and how long; a different value than before starts a new wait.

    ``token`` tells two waits of the same kind apart (a placement's number, say).
    """

    waits_for: str
    seconds: float
    seats: tuple[Seat, ...] = ()
    token: int = 0


class Race(msgspec.Struct, frozen=True, gc=False):
    """A move that counts for the first of ``seats`` to make it; an exact tie goes to the earlier in that order.

    ``token`` tells one race from the next: a press meant for the last one is no press in this one.
    """

    move: Move
    seats: tuple[Seat, ...]
    token: int


class IllegalMove(Exception):
    """A move the rules refuse, the clause that refuses it, and a sentence a person understands."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(message)
        self.clause = clause
        self.message = message

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str]]:
        return type(self), (self.clause, self.message)


S = TypeVar("S")
M = TypeVar("M", bound=Move)
F = TypeVar("F", bound=Fact)
V = TypeVar("V")
Chosen = TypeVar("Chosen", bound=Options)


class Game(ABC, Generic[S, M, F, V, Chosen]):
    """One kind of game.

    ``fold`` builds the state and is dumb: everything that happened is in the facts, and so is whatever a rule had to
    say about it (whose turn comes next, what a tile was worth). So a record replays without rules and without chance,
    and gives the views it always gave even where a rule was changed since. ``decide`` is where rules live.
    """

    name: ClassVar[str]
    seats: ClassVar[range]
    move_type: ClassVar[Any]
    fact_type: ClassVar[Any]
    options_type: ClassVar[type[Options]]
    forgetful: ClassVar[bool] = False
    """Whether what was told is not told again: whoever missed facts gets a fresh view, never the facts."""
    silent: ClassVar[bool] = False
    """Whether players keep quiet until the game is over, for words could tell what everyone should remember."""
    secretive: ClassVar[bool] = False
    """Whether a seat sees what another may not: those who share a device then hand it over behind a curtain."""

    @abstractmethod
    def empty(self, players: int, options: Chosen) -> S:
        """The state before the first fact."""

    @abstractmethod
    def setup(self, players: int, options: Chosen, rng: Random) -> list[F]:
        """The facts that open a game."""

    @abstractmethod
    def fold(self, state: S, fact: F) -> S:
        """The state after one more fact. It asks no rule and no figure of the box: both may change, facts do not."""

    @abstractmethod
    def acting(self, state: S) -> frozenset[Seat]:
        """The seats that may move now; empty when the game is over or only time can go on."""

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Sequence[M]:
        """Every legal move of a seat, in a fixed order."""

    @abstractmethod
    def decide(self, state: S, seat: Seat, move: M, rng: Random) -> list[F]:
        """The facts a move brings about.

        Raises:
            IllegalMove: before anything is drawn from ``rng``.
        """

    def upgrade(self, state: S, fact: dict[str, Any]) -> dict[str, Any]:
        """A fact as it was written when facts said less, with what they say today; the same object if it lacks nothing.

        Called with every fact read from an old record or a stored log, before it is decoded. Only a game whose facts
        have grown needs it; what is missing is worked out by the rules of today.

        Args:
            state: the state it happened in.
            fact: its JSON values; not to be changed in place.
        """
        return fact

    def deadline(self, state: S) -> Deadline | None:
        """What is being waited for, and how long; ``None`` when players may take their time."""
        return None

    def expire(self, state: S, rng: Random) -> list[F]:
        """The facts that follow when the deadline has passed."""
        raise ValueError(f"{self.name} is waiting for nothing")

    def spend(self, state: S, seat: Seat, seconds: float) -> list[F]:
        """The facts that say how long a seat took over the move it is about to make.

        They are folded before ``decide`` and logged with it. Only a game with a time bank has any.
        """
        return []

    def race(self, state: S) -> Race | None:
        """The move that only the first to make it gets, if there is one now.

        The table rules on it by when players pressed, not by whose message arrived first.
        """
        return None

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """What a seat may see; ``None`` is a spectator. Private until declared public.

        As dumb as ``fold``: it picks from the state and works nothing out by rules.
        """

    @abstractmethod
    def redact(self, state: S, fact: F, seat: Seat | None) -> F | None:
        """What a seat may learn of a fact that led to ``state``; ``None`` hides it wholly."""

    @abstractmethod
    def imagine(self, state: S, seat: Seat | None, rng: Random) -> S:
        """A state this seat cannot tell from the true one, its hidden parts drawn anew."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, once the game is over."""

    def tell(self, fact: F, names: Sequence[str]) -> str:
        """One sentence of the story of a game, in words (English)."""
        fields = msgspec.to_builtins(fact)
        kind = fields.pop("fact").replace("_", " ")
        seat = fields.pop("seat", None)
        who = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
        rest = ", ".join(f"{key} {value}" for key, value in fields.items())
        return f"{who}{kind}{f' ({rest})' if rest else ''}"


AnyGame = Game[Any, Any, Any, Any, Any]
