"""What follows from what a seat sees and remembers: how likely a mask already lies in a stack."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from kotatsu.games.kabuki.data import BOX, FULL_DECK
from kotatsu.games.kabuki.memory import Trace
from kotatsu.games.kabuki.model import KabukiView


def chances(
    mask: int, view: KabukiView, traces: Sequence[Trace], called_on: int | None = None
) -> list[float]:
    """For each stack, the chance that the mask lies in it; on ``called_on`` its own top does not count."""
    open_masks = [stack.top for stack in view.stacks if stack.top is not None]
    open_masks += [] if view.drawn is None else [view.drawn]
    unseen = sum(FULL_DECK) - len(open_masks) - len(traces)
    copies = BOX.copies - open_masks.count(mask) - sum(trace.mask == mask for trace in traces)
    found = []
    for number, stack in enumerate(view.stacks):
        if stack.top == mask and number != called_on:
            found.append(1.0)
            continue
        here = [trace for trace in traces if trace.stack == number]
        forgotten = max(0, stack.height - 1 - len(here))
        remembered_not = prod(1 - trace.confidence for trace in here if trace.mask == mask)
        found.append(1 - remembered_not * _none_among(forgotten, max(0, copies), unseen))
    return found


def expected_matches(mask: int, stack: int, traces: Sequence[Trace]) -> float:
    """How many copies a right call would find: those remembered, and at least the one it takes to be right."""
    return max(1.0, sum(t.confidence for t in traces if t.mask == mask and t.stack == stack))


def given_the_placement(found: Sequence[float], stack: int, slips: float) -> float:
    """The chance that a placement was a mistake, knowing that people avoid mistakes when they can.

    ``slips`` is how much likelier a stack is left alone that has the mask than one that has not, as a
    ratio below 1. Where every other stack has the mask as well there is nothing to avoid: five
    copies on four stacks force a duplicate.
    """
    forced = prod(chance for other, chance in enumerate(found) if other != stack)
    avoided = slips + (1 - slips) * forced
    prior = found[stack]
    return prior * avoided / (prior * avoided + 1 - prior)


def _none_among(drawn: int, copies: int, pool: int) -> float:
    """The chance that none of ``drawn`` unknown masks, of ``pool`` unseen ones, is one of ``copies``."""
    if drawn > pool - copies:
        return 0.0 if drawn and copies else 1.0
    return comb(pool - copies, drawn) / comb(pool, drawn)
