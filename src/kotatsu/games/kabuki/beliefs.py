"""How likely a mask already lies in a stack, from what a seat sees and what it remembers."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from kotatsu.games.kabuki.data import BOX, FULL_DECK
from kotatsu.games.kabuki.memory import Trace
from kotatsu.games.kabuki.model import KabukiView


def chances(
    mask: int, view: KabukiView, traces: Sequence[Trace], called_on: int | None = None
) -> list[float]:
    """The chance that at least one copy of a mask lies in each stack.

    A stack's own top counts as a copy, except on ``called_on``: there the top is the mask that was just
    placed, and a call asks about the masks under it (KB-8).

    Args:
        mask: The number of the mask, 0 to 9.
        view: What the seat sees.
        traces: What the seat remembers of the covered masks.
        called_on: The stack a call would be made on; ``None`` while the mask is still to be placed.

    Returns:
        One probability for each stack, in the order of ``view.stacks``.
    """
    open_masks = [stack.top for stack in view.stacks if stack.top is not None]
    open_masks += [] if view.drawn is None else [view.drawn]
    unseen = sum(FULL_DECK) - len(open_masks) - len(traces)
    copies = BOX.copies - open_masks.count(mask) - sum(trace.mask == mask for trace in traces)
    stack_chances = []
    for number, stack in enumerate(view.stacks):
        if stack.top == mask and number != called_on:
            stack_chances.append(1.0)
            continue
        here = [trace for trace in traces if trace.stack == number]
        forgotten = max(0, stack.height - 1 - len(here))
        none_remembered = prod(1 - trace.confidence for trace in here if trace.mask == mask)
        stack_chances.append(1 - none_remembered * _chance_of_none(forgotten, max(0, copies), unseen))
    return stack_chances


def expected_matches(mask: int, stack: int, traces: Sequence[Trace]) -> float:
    """How many copies a right call on a stack is expected to find.

    Args:
        mask: The number of the mask that was placed.
        stack: The stack it was placed on.
        traces: What the caller remembers of the covered masks.

    Returns:
        The sum of the confidences of all remembered copies there; at least 1, because a call that is
        right finds one.
    """
    return max(1.0, sum(t.confidence for t in traces if t.mask == mask and t.stack == stack))


def mistake_chance(stack_chances: Sequence[float], stack: int, mistake_ratio: float) -> float:
    """The chance that a placement put a mask on a copy of itself, given that people avoid doing so.

    Bayes' rule: the prior is the chance that the stack held the mask, and a stack that does is chosen
    less often than one that does not. If every other stack holds the mask too there was nothing to
    avoid: five copies on four stacks force a duplicate.

    Args:
        stack_chances: The chance that the mask lay in each stack, as ``chances`` returns it.
        stack: The stack the mask was placed on.
        mistake_ratio: How often a player picks a stack that holds the mask, relative to one that does
            not, when there is a choice: 0 for players who never slip, 1 for players who do not look.

    Returns:
        The posterior probability that the stack held the mask.
    """
    forced = prod(chance for other, chance in enumerate(stack_chances) if other != stack)
    avoided = mistake_ratio + (1 - mistake_ratio) * forced
    prior = stack_chances[stack]
    return prior * avoided / (prior * avoided + 1 - prior)


def _chance_of_none(drawn: int, copies: int, pool: int) -> float:
    """The chance that none of ``drawn`` unknown masks, out of ``pool`` unseen ones, is one of ``copies``."""
    if drawn > pool - copies:
        return 0.0 if drawn and copies else 1.0
    return comb(pool - copies, drawn) / comb(pool, drawn)
