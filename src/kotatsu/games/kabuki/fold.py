"""Kabuki's state as the fold of its facts. No rules, no chance, nothing from the box."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiFact,
    KabukiGameEnded,
    KabukiRoundEnded,
    KabukiState,
    MaskDrawn,
    Passed,
    Placed,
    RoundStarted,
    Stopped,
    WindowClosed,
)

_Momentous = (
    RoundStarted
    | MaskDrawn
    | Placed
    | WindowClosed
    | Stopped
    | CheckClosed
    | KabukiRoundEnded
    | KabukiGameEnded
)


def fold(state: KabukiState, fact: KabukiFact) -> KabukiState:
    """The state after one more fact."""
    if isinstance(fact, CheckOpened):
        return state  # it tells those who watch what the placements had told already
    if isinstance(fact, Passed):
        return replace(state, callers=tuple(seat for seat in state.callers if seat != fact.seat))
    return replace(_folded(state, fact), moment=state.moment + 1)


def _folded(state: KabukiState, fact: _Momentous) -> KabukiState:
    match fact:
        case RoundStarted(number, first, tokens, rounds, deck, actors):
            return KabukiState(
                state.options,
                state.players,
                deck,
                ((),) * actors,
                tokens,
                state.scores,
                round=number,
                rounds=rounds,
                turn=first,
                moment=state.moment,
            )
        case MaskDrawn(seat, mask):
            return replace(state, turn=seat, drawn=mask, deck=_without(state.deck, mask))
        case Placed(_, mask, stack, callers):
            grown = (*state.stacks[stack], mask)
            stacks = (*state.stacks[:stack], grown, *state.stacks[stack + 1 :])
            return replace(
                state, stacks=stacks, drawn=None, placed=fact, window=True, callers=callers, call=None
            )
        case WindowClosed():
            return replace(state, window=False)
        case Stopped():
            return replace(state, tokens=fact.held, call=fact, callers=(), checking=True, window=False)
        case CheckClosed():
            return replace(state, checking=False)
        case KabukiRoundEnded(by, _, tokens):
            scores = (*state.scores, tokens)
            return replace(state, scores=scores, ended_by=by, callers=(), window=False)
        case KabukiGameEnded(scores, winners, parts):
            return replace(state, result=Outcome(scores, winners, parts))


def _without(deck: tuple[int, ...], mask: int) -> tuple[int, ...]:
    return (*deck[:mask], deck[mask] - 1, *deck[mask + 1 :])
