"""KB-22: what may be seen and told. A mask that lies covered is nobody's to see but in a check."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from kotatsu.games.kabuki.model import (
    Check,
    CheckOpened,
    KabukiFact,
    KabukiState,
    KabukiView,
    MaskDrawn,
    Placed,
    Placement,
    Stack,
    Stopped,
)
from kotatsu.games.kabuki.turn import phase


def view(state: KabukiState) -> KabukiView:
    """The same for every seat and for a spectator."""
    return KabukiView(
        round=state.round,
        rounds=state.rounds,
        phase=phase(state),
        turn=None if state.drawn is None else state.turn,
        drawn=state.drawn,
        deck=sum(state.deck),
        stacks=tuple(Stack(stack[-1] if stack else None, len(stack)) for stack in state.stacks),
        tokens=state.tokens,
        scores=state.scores,
        placed=_placement(state.placed),
        callers=state.callers,
        check=_open_check(state),
        result=state.result,
    )


def told(state: KabukiState, fact: KabukiFact) -> bool:
    """Whether a fact may be told in ``state``: one that names a mask only as long as that mask lies open.

    So a fact is told when it happens, and never again before the game is over.
    """
    if state.result is not None:
        return True
    match fact:
        case MaskDrawn(seat, mask):
            return (state.turn, state.drawn) == (seat, mask)
        case Placed():
            return state.placed == fact
        case Stopped():
            return state.checking and state.call == fact
        case CheckOpened(masks):
            check = _open_check(state)
            return check is not None and check.masks == masks
        case _:
            return True


def imagine(state: KabukiState, rng: Random) -> KabukiState:
    """Covered masks and the deck dealt anew from all that does not lie open.

    Args:
        state: the true one.
        seat: who imagines; ``None`` for a spectator.
        rng: where chance is drawn from.
    """
    if state.result is not None:
        return state
    covered = [
        0 if _is_open(state, number) else max(0, len(stack) - 1) for number, stack in enumerate(state.stacks)
    ]
    pool = [mask for mask, copies in enumerate(state.deck) for _ in range(copies)]
    for count, stack in zip(covered, state.stacks, strict=True):
        pool += stack[:count]
    pool.sort()
    rng.shuffle(pool)
    stacks = []
    for count, stack in zip(covered, state.stacks, strict=True):
        stacks.append((*pool[:count], *stack[count:]))
        del pool[:count]
    deck = tuple(pool.count(mask) for mask in range(len(state.deck)))
    return replace(state, stacks=tuple(stacks), deck=deck)


def _placement(placed: Placed | None) -> Placement | None:
    return None if placed is None else Placement(placed.seat, placed.mask, placed.stack)


def _is_open(state: KabukiState, stack: int) -> bool:
    return state.checking and state.call is not None and state.call.stack == stack


def _open_check(state: KabukiState) -> Check | None:
    call = state.call
    if call is None or not state.checking:
        return None
    return Check(call.seat, call.against, call.stack, state.stacks[call.stack], call.matches, call.tokens)
