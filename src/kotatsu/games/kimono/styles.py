"""Which cards make which style (KM-20 … KM-28), and which combinations a hand offers (KM-12 … KM-14)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from kotatsu.games.kimono.data import (
    BOX,
    FABRICS,
    Kakemono,
    Run,
    SameMark,
    SameNumber,
    SameType,
    StyleRule,
    Sum,
)
from kotatsu.games.kimono.model import Combine

SMALLEST = max(min(kakemono.points) for kakemono in BOX.board)
"""The smallest combination of every style is at most so large."""


@lru_cache(maxsize=1 << 16)
def fits(rule: StyleRule, cards: tuple[int, ...]) -> bool:
    """Whether the numbers, in this order, are what the style asks for; their count is the board's business."""
    match rule:
        case SameMark(mark):  # KM-20, KM-21, KM-22
            return len(set(cards)) == len(cards) and all(FABRICS[card].mark == mark for card in cards)
        case SameType(motif_type):  # KM-23, KM-24
            return all(FABRICS[card].type == motif_type for card in cards)
        case SameNumber():  # KM-25
            return len(set(cards)) == 1
        case Run(low, high):  # KM-26, KM-27
            steps = [after - before for before, after in pairwise(cards)]
            return all(low <= card <= high for card in cards) and (
                all(step > 0 for step in steps) or all(step < 0 for step in steps)
            )
        case Sum(total):  # KM-28
            return sum(cards) == total


def combinations(hand: tuple[int, ...], lead: int | None) -> tuple[Combine, ...]:
    """Every combination the end of a hand offers, alone and after ``lead``, the kimono's last card."""
    found = []
    for kakemono in _within_reach(hand[-SMALLEST:], lead):
        out_of_reach = {True} if lead is None else set()
        for size in sorted(kakemono.points):
            for led in (False, True):
                cards = size - led
                if led in out_of_reach or not 1 <= cards <= len(hand):
                    continue
                laid = hand[-cards:]
                if fits(kakemono.rule, (lead, *laid) if led and lead is not None else laid):
                    found.append(Combine(kakemono.style, cards, led))
                elif not isinstance(kakemono.rule, Sum):
                    out_of_reach.add(led)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _within_reach(end: tuple[int, ...], lead: int | None) -> tuple[Kakemono, ...]:
    """The styles whose smallest combination these last cards make.

    A combination that is none does not become one by more cards, but for sums.
    """
    return tuple(
        kakemono
        for kakemono in BOX.board
        if isinstance(kakemono.rule, Sum)
        or fits(kakemono.rule, end[-min(kakemono.points) :])
        or (lead is not None and fits(kakemono.rule, (lead, *end[1 - min(kakemono.points) :])))
    )
