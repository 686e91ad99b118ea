"""Pebbles: in turn everyone takes a few pebbles from the bowl; whoever takes the last one wins."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec
from msgspec.structs import replace

from kotatsu.engine.contract import Fact, Game, IllegalMove, Move, Options, Outcome, Seat


class PebblesOptions(Options, frozen=True):
    at_most: Annotated[int, msgspec.Meta(ge=2, le=5)] = 3


class Take(Move, frozen=True):
    count: Annotated[int, msgspec.Meta(ge=1, le=5)]


class BowlFilled(Fact, frozen=True):
    pebbles: int


class Took(Fact, frozen=True):
    seat: Seat
    count: int


class State(msgspec.Struct, frozen=True):
    """Also the view: nothing is hidden. ``turn`` is ``None`` before the bowl is filled and after the end."""

    at_most: int
    taken: tuple[int, ...]
    pebbles: int = 0
    turn: Seat | None = None
    result: Outcome | None = None


PebblesFact = BowlFilled | Took


class Pebbles(Game[State, Take, PebblesFact, State, PebblesOptions]):
    name = "pebbles"
    seats = range(2, 5)
    move_type = Take
    fact_type = PebblesFact
    options_type = PebblesOptions

    def empty(self, players: int, options: PebblesOptions) -> State:
        return State(options.at_most, (0,) * players)

    def setup(self, players: int, options: PebblesOptions, rng: Random) -> list[PebblesFact]:
        return [BowlFilled(rng.randint(12, 20))]

    def fold(self, state: State, fact: PebblesFact) -> State:
        if isinstance(fact, BowlFilled):
            return replace(state, pebbles=fact.pebbles, turn=0)
        left = state.pebbles - fact.count
        taken = tuple(n + fact.count * (s == fact.seat) for s, n in enumerate(state.taken))
        if left:
            return replace(state, pebbles=left, taken=taken, turn=(fact.seat + 1) % len(taken))
        scores = tuple(int(seat == fact.seat) for seat in range(len(taken)))
        return replace(state, pebbles=0, taken=taken, turn=None, result=Outcome(scores, (fact.seat,)))

    def acting(self, state: State) -> frozenset[Seat]:
        return frozenset() if state.turn is None else frozenset({state.turn})

    def moves(self, state: State, seat: Seat) -> Sequence[Take]:
        if seat != state.turn:
            return []
        return [Take(count) for count in range(1, min(state.at_most, state.pebbles) + 1)]

    def decide(self, state: State, seat: Seat, move: Take, rng: Random) -> list[PebblesFact]:
        if seat != state.turn:
            raise IllegalMove("PB-1", "It is not your turn.")
        if move.count > min(state.at_most, state.pebbles):
            raise IllegalMove("PB-2", f"Take at most {min(state.at_most, state.pebbles)}.")
        return [Took(seat, move.count)]

    def view(self, state: State, seat: Seat | None) -> State:
        return state

    def redact(self, state: State, fact: PebblesFact, seat: Seat | None) -> PebblesFact | None:
        return fact

    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:
        return state

    def outcome(self, state: State) -> Outcome | None:
        return state.result


GAME = Pebbles()
