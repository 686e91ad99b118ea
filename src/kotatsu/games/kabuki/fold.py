"""Kabuki's state as the fold of its facts. No rules, no chance."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome
from kotatsu.games.kabuki.data import BOX, FULL_DECK
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
        return replace(state, passed=(*state.passed, fact.seat))
    return replace(_folded(state, fact), moment=state.moment + 1)


def _folded(state: KabukiState, fact: _Momentous) -> KabukiState:
    match fact:
        case RoundStarted(number, first, tokens):  # KB-4
            return KabukiState(
                state.options,
                state.players,
                FULL_DECK,
                ((),) * BOX.actors,
                tokens,
                state.scores,
                round=number,
                turn=first,
                moment=state.moment,
            )
        case MaskDrawn(seat, mask):
            return replace(state, turn=seat, drawn=mask, deck=_plus(state.deck, mask, -1))
        case Placed(_, mask, stack):
            grown = (*state.stacks[stack], mask)
            stacks = (*state.stacks[:stack], grown, *state.stacks[stack + 1 :])
            return replace(state, stacks=stacks, drawn=None, placed=fact, window=True, passed=(), call=None)
        case WindowClosed():
            return replace(state, window=False)
        case Stopped(seat, against, _, _, matches, moved):
            tokens = _plus(state.tokens, seat, moved)
            tokens = _plus(tokens, against, -moved) if matches else tokens
            return replace(state, tokens=tokens, call=fact, checking=True, window=False)
        case CheckClosed():
            return replace(state, checking=False)
        case KabukiRoundEnded(by, _, tokens):
            return replace(state, scores=(*state.scores, tokens), ended_by=by, window=False)
        case KabukiGameEnded(scores, winners):
            parts = tuple(
                {f"round_{number}": tokens[seat] for number, tokens in enumerate(state.scores, 1)}
                for seat in range(state.players)
            )
            return replace(state, result=Outcome(scores, winners, parts))


def _plus(counts: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + change, *counts[index + 1 :])
