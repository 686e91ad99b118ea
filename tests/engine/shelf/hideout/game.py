"""The smallest game with all the contract asks for: chance, turns, a secret, a clock that may run, one player or more."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated

import msgspec
from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, Fact, Game, IllegalMove, Move, Options, Outcome, Seat

LARGEST = 3


class HideoutOptions(Options, frozen=True):
    timed: bool = False
    bonus: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1


class Hide(Move, frozen=True):
    number: Annotated[int, msgspec.Meta(ge=0, le=9)]


class Began(Fact, frozen=True):
    first: Seat
    lucky: int


class Hid(Fact, frozen=True):
    seat: Seat
    number: int | None


class Shown(Fact, frozen=True):
    numbers: tuple[int, ...]
    drum: int


class HideoutState(msgspec.Struct, frozen=True):
    options: HideoutOptions
    hidden: tuple[int | None, ...]
    turn: Seat | None = None
    lucky: int = 0
    over: bool = False


class HideoutView(msgspec.Struct, frozen=True):
    turn: Seat | None
    lucky: int
    mine: int | None
    hidden: tuple[bool, ...]
    shown: tuple[int | None, ...] = ()


HideoutFact = Began | Hid | Shown


class Hideout(Game[HideoutState, Hide, HideoutFact, HideoutView, HideoutOptions]):
    name = "hideout"
    seats = range(1, 4)
    move_type = Hide
    fact_type = HideoutFact
    options_type = HideoutOptions
    secretive = True

    def empty(self, players: int, options: HideoutOptions) -> HideoutState:
        return HideoutState(options, (None,) * players)

    def setup(self, players: int, options: HideoutOptions, rng: Random) -> list[HideoutFact]:
        return [Began(rng.randrange(players), rng.randrange(100))]

    def fold(self, state: HideoutState, fact: HideoutFact) -> HideoutState:
        match fact:
            case Began(first, lucky):
                return replace(state, turn=first, lucky=lucky)
            case Hid(seat, number):
                hidden = tuple(number if s == seat else old for s, old in enumerate(state.hidden))
                return replace(state, hidden=hidden, turn=(seat + 1) % len(hidden))
            case Shown():
                return replace(state, turn=None, over=True)

    def acting(self, state: HideoutState) -> frozenset[Seat]:
        return frozenset() if state.turn is None else frozenset({state.turn})

    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        return [Hide(number) for number in range(LARGEST + 1)] if seat == state.turn else []

    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[HideoutFact]:
        if seat != state.turn:
            raise IllegalMove("HO-1", "It is not your turn.")
        if move.number > LARGEST:
            raise IllegalMove("HO-2", f"Hide at most {LARGEST}.")
        hid = Hid(seat, move.number)
        numbers = tuple(number for number in self.fold(state, hid).hidden if number is not None)
        return [hid, Shown(numbers, rng.randrange(9))] if len(numbers) == len(state.hidden) else [hid]

    def deadline(self, state: HideoutState) -> Deadline | None:
        return (
            Deadline("hiding", 5.0, (state.turn,)) if state.options.timed and state.turn is not None else None
        )

    def expire(self, state: HideoutState, rng: Random) -> list[HideoutFact]:
        assert state.turn is not None
        return self.decide(state, state.turn, Hide(0), rng)

    def view(self, state: HideoutState, seat: Seat | None) -> HideoutView:
        return HideoutView(
            state.turn,
            state.lucky,
            None if seat is None else state.hidden[seat],
            tuple(number is not None for number in state.hidden),
            state.hidden if state.over else (),
        )

    def redact(self, state: HideoutState, fact: HideoutFact, seat: Seat | None) -> HideoutFact:
        return replace(fact, number=None) if isinstance(fact, Hid) and fact.seat != seat else fact

    def imagine(self, state: HideoutState, seat: Seat | None, rng: Random) -> HideoutState:
        if state.over:
            return state
        hidden = tuple(
            number if number is None or other == seat else rng.randrange(LARGEST + 1)
            for other, number in enumerate(state.hidden)
        )
        return replace(state, hidden=hidden)

    def outcome(self, state: HideoutState) -> Outcome | None:
        if not state.over:
            return None
        scores = tuple((number or 0) + state.options.bonus for number in state.hidden)
        best = max(scores)
        return Outcome(scores, tuple(seat for seat, score in enumerate(scores) if score == best))


GAME = Hideout()
