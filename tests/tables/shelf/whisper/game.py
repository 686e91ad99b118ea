"""A small game with everything a table must cope with: secrets, moves at once, chance, a clock, a race, a bug."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec
from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, Fact, Game, IllegalMove, Move, Options, Outcome, Race, Seat

ROUNDS = 3
SMALL, LARGE = 0, 9


class WhisperOptions(Options, frozen=True):
    seconds: float = 0.0
    counts_time: bool = False
    shouting: bool = False


class Write(Move, frozen=True):
    number: Annotated[int, msgspec.Meta(ge=0, le=99)]


class Shout(Move, frozen=True):
    """The first to shout gets a point and the round is over."""


class Stumble(Move, frozen=True):
    """The rules fail over it."""


class Opened(Fact, frozen=True):
    round: int
    theme: int


class Wrote(Fact, frozen=True):
    seat: Seat
    number: int | None


class Spent(Fact, frozen=True):
    seat: Seat
    seconds: float


class Shouted(Fact, frozen=True):
    seat: Seat


class Revealed(Fact, frozen=True):
    numbers: tuple[int, ...]


class State(msgspec.Struct, frozen=True):
    options: WhisperOptions
    written: tuple[int | None, ...]
    scores: tuple[int, ...]
    round: int = 0
    theme: int = 0
    spent: float = 0.0


class View(msgspec.Struct, frozen=True):
    round: int
    theme: int
    mine: int | None
    written: tuple[bool, ...]
    scores: tuple[int, ...]


WhisperMove = Write | Shout | Stumble
WhisperFact = Opened | Wrote | Spent | Shouted | Revealed


class Whisper(Game[State, WhisperMove, WhisperFact, View, WhisperOptions]):
    name = "whisper"
    seats = range(1, 5)
    move_type = WhisperMove
    fact_type = WhisperFact
    options_type = WhisperOptions
    secretive = True

    def empty(self, players: int, options: WhisperOptions) -> State:
        assert isinstance(options, Options), "a game is played with its options"
        return State(options, (None,) * players, (0,) * players)

    def setup(self, players: int, options: WhisperOptions, rng: Random) -> list[WhisperFact]:
        return [Opened(1, rng.randrange(100))]

    def fold(self, state: State, fact: WhisperFact) -> State:
        match fact:
            case Opened(number, theme):
                return replace(state, round=number, theme=theme)
            case Wrote(seat, number):
                written = tuple(number if s == seat else old for s, old in enumerate(state.written))
                return replace(state, written=written)
            case Spent(_, seconds):
                return replace(state, spent=state.spent + seconds)
            case Shouted(seat):
                scores = tuple(score + (s == seat) for s, score in enumerate(state.scores))
                return replace(state, scores=scores, written=(None,) * len(scores))
            case Revealed(numbers):
                scores = tuple(score + number for score, number in zip(state.scores, numbers, strict=True))
                return replace(state, scores=scores, written=(None,) * len(numbers))

    def acting(self, state: State) -> frozenset[Seat]:
        if self.outcome(state) is not None:
            return frozenset()
        return frozenset(seat for seat, number in enumerate(state.written) if number is None)

    def moves(self, state: State, seat: Seat) -> Sequence[WhisperMove]:
        return [Write(n) for n in range(SMALL, LARGE + 1)] if seat in self.acting(state) else []

    def decide(self, state: State, seat: Seat, move: WhisperMove, rng: Random) -> list[WhisperFact]:
        if isinstance(move, Stumble):
            raise ZeroDivisionError("a bug in the rules")
        if seat not in self.acting(state):
            raise IllegalMove("WH-1", "You have already written your number.")
        if isinstance(move, Shout):
            if self.race(state) is None:
                raise IllegalMove("WH-3", "Nobody shouts at this table.")
            return [Shouted(seat), Opened(state.round + 1, rng.randrange(100))]
        if not SMALL <= move.number <= LARGE:
            raise IllegalMove("WH-2", "Write a number from 0 to 9.")
        wrote = Wrote(seat, move.number)
        return [wrote, *self._reveal_if_complete(self.fold(state, wrote), rng)]

    def deadline(self, state: State) -> Deadline | None:
        if not state.options.seconds or self.outcome(state) is not None:
            return None
        return Deadline("numbers", state.options.seconds, token=state.round)

    def expire(self, state: State, rng: Random) -> list[WhisperFact]:
        facts: list[WhisperFact] = [Wrote(seat, 0) for seat in sorted(self.acting(state))]
        for fact in facts:
            state = self.fold(state, fact)
        return [*facts, *self._reveal_if_complete(state, rng)]

    def spend(self, state: State, seat: Seat, seconds: float) -> list[WhisperFact]:
        return [Spent(seat, seconds)] if state.options.counts_time else []

    def race(self, state: State) -> Race | None:
        seats = tuple(sorted(self.acting(state)))
        return Race(Shout(), seats, state.round) if state.options.shouting and seats else None

    def view(self, state: State, seat: Seat | None) -> View:
        mine = None if seat is None else state.written[seat]
        written = tuple(number is not None for number in state.written)
        return View(state.round, state.theme, mine, written, state.scores)

    def redact(self, state: State, fact: WhisperFact, seat: Seat | None) -> WhisperFact:
        return replace(fact, number=None) if isinstance(fact, Wrote) and fact.seat != seat else fact

    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:
        written = tuple(
            number if number is None or other == seat else rng.randrange(SMALL, LARGE + 1)
            for other, number in enumerate(state.written)
        )
        return replace(state, written=written)

    def outcome(self, state: State) -> Outcome | None:
        if state.round <= ROUNDS:
            return None
        best = max(state.scores)
        return Outcome(state.scores, tuple(s for s, score in enumerate(state.scores) if score == best))

    def _reveal_if_complete(self, state: State, rng: Random) -> list[WhisperFact]:
        numbers = tuple(number for number in state.written if number is not None)
        if len(numbers) < len(state.written):
            return []
        return [Revealed(numbers), Opened(state.round + 1, rng.randrange(100))]


GAME = Whisper()
