"""The interface of a game: a pure function from moves to facts.

A game owns its rules and nothing else. It never reads a clock, never uses global randomness and has no side
effects; time reaches it through ``expire`` and randomness through the ``rng`` argument.

Moves, facts and states are frozen, so no reference cycle goes through them: ``gc=False`` keeps the garbage
collector from searching them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
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
    """What a player wants to do. ``class Take(Move)`` is ``{"move": "take"}`` in JSON."""


class Fact(
    msgspec.Struct, frozen=True, gc=False, tag_field="fact", tag=_snake_case, forbid_unknown_fields=True
):
    """Something that happened. ``class MarketDealt(Fact)`` is ``{"fact": "market_dealt"}`` in JSON."""


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The options of a game; every field has a default, and limits as ``msgspec.Meta``."""


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """How a game ended. ``scores`` has one number for each seat; several ``winners`` share the victory.

    ``breakdown``, if not empty, says for each seat what its score is made of.
    """

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[dict[str, int], ...] = ()


class Deadline(msgspec.Struct, frozen=True, gc=False):
    """What the game waits for and for how many ``seconds``; a different value starts a new wait.

    ``seats`` are those it waits for, empty if for nobody in particular. ``token`` distinguishes two waits of
    the same kind, for example by the number of a placement. ``keeps_running``: the time of those it waits for
    counts on while nobody is connected to the table, and while the server is down; a time bank or a limit for a
    turn. Any other wait, for example a moment to react, rests meanwhile.
    """

    waits_for: str
    seconds: float
    seats: tuple[Seat, ...] = ()
    token: int = 0
    keeps_running: bool = False

    def times(self, seat: Seat) -> bool:
        """Whether the time of ``seat`` is counted by it, whatever happens: a move of that seat can be overdue."""
        return self.keeps_running and (not self.seats or seat in self.seats)


class Race(msgspec.Struct, frozen=True, gc=False):
    """A move that counts only for the first of ``seats`` to make it; a tie goes to the earlier in order.

    ``token`` distinguishes one race from the next: a press meant for the last one does not count in this one.
    """

    move: Move
    seats: tuple[Seat, ...]
    token: int


class IllegalMove(Exception):
    """A move the rules forbid.

    Args:
        clause: the rule in the game's ``RULES.md`` that forbids it, such as ``KM-12``.
        message: one sentence for the player.
    """

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
    """The rules of one game.

    All methods are pure: no side effects, and the same arguments give the same result.

    ``fold`` builds the state without knowing the rules: everything that happened is in the facts, and so is whatever
    a rule had to say about it (whose turn comes next, what a tile was worth). A record therefore replays without
    rules and without randomness, and gives the views it always gave even where a rule was changed since. ``decide``
    is where the rules are.

    ``name`` is the game's package, ``seats`` the possible numbers of players; ``move_type``, ``fact_type``
    and ``options_type`` are its msgspec types, the first two as unions.
    """

    name: ClassVar[str]
    seats: ClassVar[range]
    move_type: ClassVar[Any]
    fact_type: ClassVar[Any]
    options_type: ClassVar[type[Options]]
    forgetful: ClassVar[bool] = False
    """Whether past facts are never sent again, because players have to remember them: whoever missed some
    gets a view."""
    silent: ClassVar[bool] = False
    """Whether chat is closed until the game is over, because words could reveal what everyone has to
    remember."""
    secretive: ClassVar[bool] = False
    """Whether a seat sees what another may not: players who share a device then hand it over behind a
    curtain."""

    listed_defaults: ClassVar[Mapping[str, Any]] = {}
    """Options that have another default at a table listed in the lobby, where strangers meet, by name."""

    @abstractmethod
    def empty(self, players: int, options: Chosen) -> S:
        """Return the state before the first fact, for that many ``players`` and those ``options``."""

    @abstractmethod
    def setup(self, players: int, options: Chosen, rng: Random) -> list[F]:
        """Return the facts that open a game of ``players`` with ``options``, drawn with ``rng``."""

    @abstractmethod
    def fold(self, state: S, fact: F) -> S:
        """Return the state after one more ``fact``; ``state`` itself is not changed.

        It asks no rule and no figure of the box: both may change, facts do not.
        """

    @abstractmethod
    def acting(self, state: S) -> frozenset[Seat]:
        """Return the seats that may move now; empty when the game is over or waits for a deadline only."""

    @abstractmethod
    def moves(self, state: S, seat: Seat) -> Sequence[M]:
        """Return every legal move of ``seat`` in ``state``, in a fixed order; empty if it may not move."""

    @abstractmethod
    def decide(self, state: S, seat: Seat, move: M, rng: Random) -> list[F]:
        """Return the facts that follow from a move.

        Args:
            state: the present state; it is not changed.
            seat: who moves; any number from 0 to the number of players - 1.
            move: any value of ``move_type``, legal or not.
            rng: the source of randomness.

        Raises:
            IllegalMove: the rules forbid it; nothing was drawn from ``rng``.
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
        """Return what is being waited for, and how long; ``None`` when players may take their time."""
        return None

    def expire(self, state: S, rng: Random) -> list[F]:
        """Return the facts that follow when the deadline of ``state`` has passed, drawn with ``rng``.

        Raises:
            ValueError: there is no deadline.
        """
        raise ValueError(f"{self.name} is waiting for nothing")

    def spend(self, state: S, seat: Seat, seconds: float) -> list[F]:
        """Return the facts that say that ``seat`` thought for so many ``seconds`` in ``state``.

        They are folded before ``decide`` and logged with it. Only a game with a time bank has any.
        """
        return []

    def race(self, state: S) -> Race | None:
        """Return the move that counts only for the first to make it; ``None`` if there is none now.

        The table decides by when players pressed, not by whose message arrived first.
        """
        return None

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return what ``seat`` may see of ``state``; ``None`` is a spectator.

        Like ``fold`` it applies no rules: it picks from the state.
        """

    @abstractmethod
    def redact(self, state: S, fact: F, seat: Seat | None) -> F | None:
        """Return what ``seat``, or with ``None`` a spectator, may know of a ``fact`` that led to ``state``.

        ``None`` hides the fact; the fact itself, the same object, hides nothing.
        """

    @abstractmethod
    def imagine(self, state: S, seat: Seat | None, rng: Random) -> S:
        """Return a state that ``seat`` cannot tell from ``state``, with hidden parts drawn by ``rng``."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result of the game; ``None`` until it is over."""

    def always_ends(self, options: Chosen) -> bool:
        """Return whether a game with these ``options`` ends whatever is played.

        One that does not is brought to its end by what the players achieve: random play may go on for ever.
        """
        return True

    def cut_short(self, state: S) -> bool:
        """Return whether the game, over in ``state``, was ended by an option that caps it, not by its own end."""
        return False

    def tell(self, fact: F, names: Sequence[str]) -> str:
        """Return a ``fact`` as an English sentence, with the players' ``names`` by seat."""
        fields = msgspec.to_builtins(fact)
        kind = fields.pop("fact").replace("_", " ")
        seat = fields.pop("seat", None)
        who = f"{names[seat]}: " if isinstance(seat, int) and 0 <= seat < len(names) else ""
        rest = ", ".join(f"{key} {value}" for key, value in fields.items())
        return f"{who}{kind}{f' ({rest})' if rest else ''}"


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game whose types are not known here."""
