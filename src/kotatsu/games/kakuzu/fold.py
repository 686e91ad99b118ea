"""Kakuzu's state as the fold of its facts. No rules, no chance."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome
from kotatsu.games.kakuzu.board import Cell, at, flattened
from kotatsu.games.kakuzu.model import (
    HOUSE,
    Announced,
    Dealt,
    DigitDrawn,
    KakuzuFact,
    KakuzuGameEnded,
    KakuzuState,
    KakuzuTurnEnded,
    Lifted,
    Opened,
    Retired,
    TimeSpent,
)


def fold(state: KakuzuState, fact: KakuzuFact) -> KakuzuState:
    """The state after one more fact."""
    match fact:
        case Dealt(first, to_open, bag, clocks, grid):
            return replace(
                state, grid=flattened(grid), first=first, turn=first, to_open=to_open, bag=bag, clocks=clocks
            )
        case Opened(_, cell, digit, to_open, following):
            return replace(state, visible=_shown(state, cell, digit), to_open=to_open, turn=following)
        case DigitDrawn(_, digit):
            bag = _without(state.bag, digit)
            return replace(state, wanted=digit, drawn=(*state.drawn, digit), bag=bag)
        case Announced(_, digit):
            return replace(state, wanted=digit)
        case Lifted():
            return _lifted(state, fact)
        case Retired(digit):
            retired = tuple(sorted((*state.retired, digit)))
            return replace(state, retired=retired, bag=_without(state.bag, digit))
        case TimeSpent(seat, ms):
            return replace(state, clocks=_with(state.clocks, seat, state.clocks[seat] - ms))
        case KakuzuTurnEnded(_, _, following, bag):
            return replace(state, turn=following, wanted=None, drawn=(), bag=bag, kept=0)
        case KakuzuGameEnded(scores, winners, _, breakdown):
            return replace(state, result=Outcome(scores, winners, breakdown), wanted=None)


def _lifted(state: KakuzuState, fact: Lifted) -> KakuzuState:
    to_house = fact.to == HOUSE
    return replace(
        state,
        visible=_shown(state, fact.cell, fact.digit),
        stones=state.stones if to_house else _with(state.stones, fact.to, state.stones[fact.to] + 1),
        house=state.house + to_house,
        kept=state.kept + (fact.to == fact.seat),
        wanted=fact.next_wanted,
    )


def _shown(state: KakuzuState, cell: Cell, digit: int) -> tuple[int, ...]:
    return _with(state.visible, at(cell), digit)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _without(bag: tuple[int, ...], digit: int) -> tuple[int, ...]:
    return tuple([each for each in bag if each != digit])
