"""The one piece that runs a game: moves, time and chance become facts here, and facts become states.

``Match``, live tables, simulations, the lab and the conformance kit all stand on ``Driver``. It is also the gate:
whatever a caller hands in (a seat, a move, a number of seconds) is checked before the rules see it, so that Python
callers and browsers are refused alike. Nothing here changes in place: a refused input leaves every state as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, get_args

import msgspec

from kotatsu.engine.contract import AnyGame, Fact, IllegalMove, Move, Options, Outcome, Seat

FORM = "form"
"""The clause of an ``IllegalMove`` for something that is not a move of the game, or a move with impossible fields."""
SEAT = "seat"
"""The clause of an ``IllegalMove`` for a seat the table does not have."""
TIME = "time"
"""The clause of an ``IllegalMove`` for a thinking time that is no time, or more than the running deadline leaves."""

LONGEST_THOUGHT_S = 1e9
"""More than thirty years: a longer thinking time is a mistake, and may be a number no float can hold."""

_encode = msgspec.json.Encoder().encode


class UnknownSeat(LookupError):
    """A question about a seat the table does not have."""


class NothingAwaited(ValueError):
    """A deadline was said to have passed where none is running."""


class BadFact(ValueError):
    """A fact the game's ``fold`` cannot take in: it belongs to another position, or to no game at all."""


class Transition(msgspec.Struct, frozen=True, gc=False):
    """What one move, one expired deadline or the setup brings about; nothing has happened yet.

    ``states`` are the states after each of ``facts``, ``state`` the last of them (or the one before, without facts).
    ``spent`` is how many of the first facts say how long the seat thought: they come before its move in a log.
    ``move`` is the checked move, if it was one.
    """

    facts: Sequence[Fact]
    states: Sequence[Any]
    state: Any
    outcome: Outcome | None
    move: Move | None = None
    spent: int = 0


class Driver:
    """Runs one game for a number of players with chosen options. Pure: it holds no state of a game.

    Args:
        game: the rules.
        players: how many play; one of ``game.seats``.
        options: of the game's ``options_type``.
    """

    __slots__ = ("_decode_move", "_move_types", "_seats", "game", "options", "players")

    def __init__(self, game: AnyGame, players: int, options: Options) -> None:
        self.game = game
        self.players = players
        self.options = options
        self._seats = range(players)
        self._move_types, self._decode_move = _move_reader(game)

    def empty(self) -> Any:
        """The state before the first fact."""
        return self.game.empty(self.players, self.options)

    def setup(self, rng: Random) -> Transition:
        """The opening of a game, drawn from ``rng``, from the empty state."""
        return self.apply(self.empty(), self.game.setup(self.players, self.options, rng))

    def play(
        self, state: Any, seat: Seat, move: Move | Mapping[str, Any], rng: Random, seconds: float = 0.0
    ) -> Transition:
        """What a move brings about.

        Args:
            state: the position it is made in.
            seat: who makes it.
            move: its struct, or its JSON object as a mapping.
            rng: where chance is drawn from; untouched if the move is refused.
            seconds: how long the seat thought since it was to move, which matters to a game with a time bank or a
                limit for a turn.

        Raises:
            IllegalMove: with the clause of the rules that forbids it, or ``form``, ``seat`` or ``time``; it is
                ``time`` too if the seat thought for longer than the running deadline leaves it.
        """
        if seat not in self._seats:
            raise IllegalMove(
                SEAT, f"There is no seat {seat!r}; this table has {self.players}, the first is 0."
            )
        if seconds != 0 and not (isinstance(seconds, (int, float)) and 0 < seconds <= LONGEST_THOUGHT_S):
            raise IllegalMove(TIME, f"{seconds!r} is no time to think for.")
        checked = self.read_move(move)
        if seconds and self.overdue(state, seat, seconds):
            raise IllegalMove(TIME, "That move comes too late: the time for it is up.")
        spent = self.game.spend(state, seat, seconds)
        if not spent:
            return self.decide(state, seat, checked, rng)
        after = self.apply(state, spent)
        facts = self.game.decide(after.state, seat, checked, rng)
        return self._transition(state, [*spent, *facts], checked, len(spent))

    def decide(self, state: Any, seat: Seat, move: Move, rng: Random) -> Transition:
        """What a move that needs no checking brings about: one the game itself offers, or that ``read_move`` gave.

        Args:
            state: the position it is made in.
            seat: one of the table's.
            move: of this game, its fields in range; it may still be illegal.
            rng: where chance is drawn from; untouched if the move is refused.

        Raises:
            IllegalMove: with the clause of the rules that forbids it.
        """
        return self._transition(state, self.game.decide(state, seat, move, rng), move, 0)

    def overdue(self, state: Any, seat: Seat, seconds: float) -> bool:
        """Whether in ``state`` a move of ``seat`` after so many ``seconds`` comes when its deadline has passed.

        Only a deadline that ``keeps_running`` makes a move overdue; any other is timed by the table.
        """
        deadline = self.game.deadline(state)
        return deadline is not None and deadline.times(seat) and seconds > deadline.seconds

    def expire(self, state: Any, rng: Random) -> Transition:
        """What follows when the running deadline passes.

        Args:
            state: the position in which it passes.
            rng: where chance is drawn from.

        Raises:
            NothingAwaited: no deadline is running.
        """
        if self.game.deadline(state) is None:
            raise NothingAwaited(f"{self.game.name} is waiting for nothing")
        return self.apply(state, self.game.expire(state, rng))

    def apply(self, state: Any, facts: Sequence[Fact]) -> Transition:
        """Fold facts that are known to have happened.

        Args:
            state: the position they happened in.
            facts: in the order they happened.
        """
        return self._transition(state, facts, None, 0)

    def replay(self, facts: Iterable[Fact]) -> Any:
        """The state a log's facts lead to, from the empty state.

        Raises:
            BadFact: one of them names a seat that is not there, or cannot follow on those before it.
        """
        state = self.empty()
        for number, fact in enumerate(facts):
            try:
                self._check_seat_of(fact)
                state = self.game.fold(state, fact)
            except BadFact as bad:
                raise BadFact(f"fact {number}, {type(fact).__name__}: {bad}") from None
            except Exception as error:  # a fold trusts its facts; whatever it trips over is a bad one
                raise BadFact(f"fact {number}, {type(fact).__name__}, cannot follow: {error!r}") from error
        return state

    def read_move(self, move: Move | Mapping[str, Any]) -> Move:
        """A move of this game with every field in its range, from its struct or its JSON object.

        Raises:
            IllegalMove: with the clause ``form``.
        """
        if isinstance(move, Move) and type(move) not in self._move_types:
            raise IllegalMove(FORM, f"{self.game.name} has no such move: {type(move).__name__}")
        try:
            checked: Move = self._decode_move(_encode(move))
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
            raise IllegalMove(FORM, f"{self.game.name} has no such move: {error}") from None
        return checked

    def check_seat(self, seat: Seat | None) -> None:
        """Refuse a question about a seat that is not there; ``None``, a spectator, is welcome.

        Raises:
            UnknownSeat: with one sentence.
        """
        if seat is not None and seat not in self._seats:
            raise UnknownSeat(f"there is no seat {seat!r}; this table has {self.players}, the first is 0")

    def _transition(self, state: Any, facts: Sequence[Fact], move: Move | None, spent: int) -> Transition:
        fold, states = self.game.fold, []
        for fact in facts:
            state = fold(state, fact)
            states.append(state)
        return Transition(facts, states, state, self.game.outcome(state), move, spent)

    def _check_seat_of(self, fact: Fact) -> None:
        seat = getattr(fact, "seat", None)
        if seat is not None and seat not in self._seats:
            raise BadFact(f"there is no seat {seat!r}")


_READERS: dict[AnyGame, tuple[frozenset[type], Any]] = {}


def _move_reader(game: AnyGame) -> tuple[frozenset[type], Any]:
    """The classes of a game's moves and the strict decoder for them, made once for each game."""
    found = _READERS.get(game)
    if found is None:
        types = frozenset(get_args(game.move_type) or (game.move_type,))
        found = _READERS[game] = types, msgspec.json.Decoder(game.move_type).decode
    return found
