"""A small game in real time: a run begins at the table, everybody takes steps in its world, and then it is over."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec
from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, Fact, Game, IllegalMove, Move, Options, Outcome, Seat

RUNS = 2


class SprintOptions(Options, frozen=True):
    runs: Annotated[int, msgspec.Meta(ge=1, le=9)] = RUNS


class Go(Move, frozen=True):
    """Begin a run; anybody may."""


class Step(Move, frozen=True):
    """Only in the world."""


class RunBegun(Fact, frozen=True):
    run: int


class Stepped(Fact, frozen=True):
    seat: Seat


class RunEnded(Fact, frozen=True):
    run: int


class RunLost(Fact, frozen=True):
    run: int


class SprintState(msgspec.Struct, frozen=True):
    runs: int
    steps: tuple[int, ...]
    run: int = 0
    running: bool = False
    lost: int = 0


SprintMove = Go | Step
SprintFact = RunBegun | Stepped | RunEnded | RunLost


class Sprint(Game[SprintState, SprintMove, SprintFact, SprintState, SprintOptions]):
    name = "sprint"
    seats = range(1, 5)
    move_type = SprintMove
    fact_type = SprintFact
    options_type = SprintOptions

    def empty(self, players: int, options: SprintOptions) -> SprintState:
        return SprintState(options.runs, (0,) * players)

    def setup(self, players: int, options: SprintOptions, rng: Random) -> list[SprintFact]:
        return []

    def fold(self, state: SprintState, fact: SprintFact) -> SprintState:
        match fact:
            case RunBegun(run):
                return replace(state, run=run, running=True)
            case Stepped(seat):
                steps = tuple(taken + (other == seat) for other, taken in enumerate(state.steps))
                return replace(state, steps=steps)
            case RunEnded():
                return replace(state, running=False)
            case RunLost():
                return replace(state, run=state.run - 1, running=False, lost=state.lost + 1)

    def acting(self, state: SprintState) -> frozenset[Seat]:
        over = self.outcome(state) is not None
        return frozenset() if over or state.running else frozenset(range(len(state.steps)))

    def moves(self, state: SprintState, seat: Seat) -> Sequence[SprintMove]:
        return [Go()] if seat in self.acting(state) else []

    def decide(self, state: SprintState, seat: Seat, move: SprintMove, rng: Random) -> list[SprintFact]:
        if seat not in self.acting(state):
            raise IllegalMove("SP-1", "Nobody begins a run now.")
        if isinstance(move, Step):
            raise IllegalMove("SP-2", "Steps are taken in the world.")
        return [RunBegun(state.run + 1)]

    def deadline(self, state: SprintState) -> Deadline | None:
        """While a run lasts its world keeps the time; the table's own clock would be wrong."""
        return Deadline("run", 5.0, token=state.run) if state.running else None

    def expire(self, state: SprintState, rng: Random) -> list[SprintFact]:
        return [RunEnded(state.run)]

    def view(self, state: SprintState, seat: Seat | None) -> SprintState:
        return state

    def redact(self, state: SprintState, fact: SprintFact, seat: Seat | None) -> SprintFact:
        return fact

    def imagine(self, state: SprintState, seat: Seat | None, rng: Random) -> SprintState:
        return state

    def outcome(self, state: SprintState) -> Outcome | None:
        if state.running or state.run < state.runs:
            return None
        best = max(state.steps)
        return Outcome(state.steps, tuple(s for s, taken in enumerate(state.steps) if taken == best))


GAME = Sprint()
