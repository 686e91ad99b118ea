"""A game of Kabuki as English sentences, for ``kotatsu replay``."""

from __future__ import annotations

from collections.abc import Sequence

from kotatsu.games.kabuki.data import BOX
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiFact,
    KabukiGameEnded,
    KabukiRoundEnded,
    MaskDrawn,
    Passed,
    Placed,
    RoundStarted,
    Stopped,
    WindowClosed,
)


def tell(fact: KabukiFact, names: Sequence[str]) -> str:
    """Describe one fact in one sentence.

    Args:
        fact: What happened.
        names: The players' names by seat.
    """
    match fact:
        case RoundStarted(number, first, tokens):
            return f"Round {number}, {names[first]} begins. Everyone has {tokens[0]} tokens."
        case MaskDrawn(seat, mask):
            return f"{names[seat]} draws the {BOX.masks[mask]}."
        case Placed(seat, mask, stack):
            return f"{names[seat]} puts the {BOX.masks[mask]} on stack {stack + 1}."
        case Passed(seat):
            return f"{names[seat]} will not call."
        case WindowClosed():
            return "The next mask may be placed."
        case Stopped():
            return _tell_call(fact, names)
        case CheckOpened(masks):
            return f"The stack from its bottom: {', '.join(BOX.masks[mask] for mask in masks)}."
        case CheckClosed():
            return "The stack is covered again."
        case KabukiRoundEnded(by, cause, tokens):
            why = "lost the last token" if cause == "tokens" else "placed the last mask"
            return f"The round ends: {names[by]} {why}. Tokens: {_table(names, tokens)}."
        case KabukiGameEnded(scores, winners):
            return f"The game ends: {_table(names, scores)}. {' and '.join(names[seat] for seat in winners)} won."


def _tell_call(call: Stopped, names: Sequence[str]) -> str:
    called = f"{names[call.seat]} calls “Stop!” on the {BOX.masks[call.mask]} of {names[call.against]}"
    if not call.matches:
        return f"{called}: it is not there, and a token goes back to the box."
    times = "once" if call.matches == 1 else f"{call.matches} times"
    taken = "1 token" if call.tokens == 1 else f"{call.tokens} tokens"
    return f"{called}: it is there {times} already, {names[call.seat]} takes {taken}."


def _table(names: Sequence[str], figures: Sequence[int]) -> str:
    return ", ".join(f"{name} {figure}" for name, figure in zip(names, figures, strict=True))
