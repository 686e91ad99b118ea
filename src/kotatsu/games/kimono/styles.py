"""Which cards make which style (KM-20 … KM-28), and which combinations a hand offers (KM-12 … KM-14)."""

from __future__ import annotations

from functools import cache, lru_cache
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

SMALLEST = sorted({min(kakemono.points) for kakemono in BOX.board})
"""How large the smallest combinations of the styles are."""
_PLACES = {kakemono.style: place for place, kakemono in enumerate(BOX.board)}


def fits(rule: StyleRule, cards: tuple[int, ...]) -> bool:
    """Whether the numbers, in this order, are what the style asks for; their count is the board's business.

    Args:
        rule: what the style asks for.
        cards: numbers from 1 to 9.
    """
    match rule:
        case Sum(total):  # KM-28
            return sum(cards) == total
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


def _may_grow(rule: StyleRule, cards: tuple[int, ...]) -> bool:
    """Whether numbers that are not what the style asks for may become so by more of them: only too small a sum."""
    return isinstance(rule, Sum) and sum(cards) < rule.total


@lru_cache(maxsize=2048)
def combinations(hand: tuple[int, ...], lead: int | None) -> tuple[Combine, ...]:
    """Every combination the end of a hand offers, alone and after ``lead``, the kimono's last card.

    They come in the board's order, of one style the smaller first, of one size the one alone first. A hand is asked
    about when its last card is taken, when its moves are listed and when one is made: so answers are kept a while,
    long enough for the tables of a busy house.
    """
    found: list[Combine] = []
    _extend(found, hand, ())
    if lead is not None:
        _extend(found, hand, (lead,))
    found.sort(key=_order)
    return tuple(found)


def _extend(found: list[Combine], hand: tuple[int, ...], lead: tuple[int, ...]) -> None:
    """Add the combinations with a lead, or without one."""
    led = len(lead)
    for smallest in SMALLEST:
        if not led < smallest <= led + len(hand):
            continue
        for kakemono, sizes in _within_reach(lead + hand[led - smallest :]):
            for size in sizes:
                cards = lead + hand[led - size :]
                if len(cards) < size:
                    break
                if fits(kakemono.rule, cards):
                    found.append(Combine(kakemono.style, size - led, bool(led)))
                elif not _may_grow(kakemono.rule, cards):
                    break


@cache
def _within_reach(cards: tuple[int, ...]) -> tuple[tuple[Kakemono, list[int]], ...]:
    """The styles of which these cards are a smallest combination, or may grow into a larger one, and their sizes."""
    return tuple(
        (kakemono, sorted(kakemono.points))
        for kakemono in BOX.board
        if len(cards) == min(kakemono.points)
        and (fits(kakemono.rule, cards) or _may_grow(kakemono.rule, cards))
    )


def _order(combine: Combine) -> tuple[int, int, bool]:
    return _PLACES[combine.style], combine.cards + combine.lead, combine.lead
