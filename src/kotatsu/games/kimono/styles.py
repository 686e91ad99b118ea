"""Which cards make which style (KM-20 … KM-28), and which combinations a hand offers (KM-12 … KM-14)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from kotatsu.games.kimono.data import BOX, FABRICS, Run, SameMark, SameNumber, SameType, StyleRule, Sum
from kotatsu.games.kimono.model import Combine


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


@lru_cache(maxsize=1 << 16)
def combinations(hand: tuple[int, ...], lead: int | None) -> tuple[Combine, ...]:
    """Every combination the end of a hand offers, alone and after ``lead``, the kimono's last card."""
    found = []
    for kakemono in BOX.board:
        for size in kakemono.points:
            for led in (False, True):
                cards = size - led
                if (led and lead is None) or not 1 <= cards <= len(hand):
                    continue
                laid = hand[-cards:]
                if fits(kakemono.rule, (lead, *laid) if led and lead is not None else laid):
                    found.append(Combine(kakemono.style, cards, led))
    return tuple(found)
