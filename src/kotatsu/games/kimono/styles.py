"""Which cards make which style (KM-20 … KM-28), and which combinations a hand offers (KM-12 … KM-14)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise, product

from kotatsu.games.kimono.data import (
    BOX,
    FABRICS,
    Kakemono,
    Run,
    SameMark,
    SameNumber,
    SameType,
    Style,
    StyleRule,
    Sum,
)
from kotatsu.games.kimono.model import Combine

SIZES = {kakemono.style: sorted(kakemono.points) for kakemono in BOX.board}
SMALLEST = max(sizes[0] for sizes in SIZES.values())
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
    found: list[Combine] = []
    for kakemono in _within_reach(hand[-SMALLEST:], lead):
        if isinstance(kakemono.rule, Sum):
            found += _sums(kakemono.style, kakemono.rule.total, hand, lead)
        else:
            found += _growing(kakemono, hand, lead)
    return tuple(found)


def _sums(style: Style, total: int, hand: tuple[int, ...], lead: int | None) -> Iterator[Combine]:
    sizes = SIZES[style]
    of_last = list(accumulate(hand[: -1 - sizes[-1] : -1], initial=0))
    for size in sizes:
        if size < len(of_last) and of_last[size] == total:
            yield Combine(style, size, False)
        if lead is not None and size <= len(of_last) and of_last[size - 1] + lead == total:
            yield Combine(style, size - 1, True)


def _growing(kakemono: Kakemono, hand: tuple[int, ...], lead: int | None) -> Iterator[Combine]:
    """Combinations of one style: what is none does not become one by more cards."""
    out_of_reach = {True} if lead is None else set()
    for size in SIZES[kakemono.style]:
        for led in (False, True):
            cards = size - led
            if led in out_of_reach or not 1 <= cards <= len(hand):
                continue
            laid = hand[-cards:]
            if fits(kakemono.rule, (lead, *laid) if led and lead is not None else laid):
                yield Combine(kakemono.style, cards, led)
            else:
                out_of_reach.add(led)


@lru_cache(maxsize=1 << 14)
def _within_reach(end: tuple[int, ...], lead: int | None) -> tuple[Kakemono, ...]:
    """The styles whose smallest combination these last cards make, and sums, which may need more of them."""
    return tuple(
        kakemono
        for kakemono, smallest in _SMALLEST_OF
        if smallest is None
        or end[-SIZES[kakemono.style][0] :] in smallest
        or (lead, *end[1 - SIZES[kakemono.style][0] :]) in smallest
    )


_SMALLEST_OF = [
    (
        kakemono,
        None
        if isinstance(kakemono.rule, Sum)
        else {
            cards
            for cards in product(FABRICS, repeat=SIZES[kakemono.style][0])
            if fits.__wrapped__(kakemono.rule, cards)
        },
    )
    for kakemono in BOX.board
]
"""The smallest combinations of each style; of sums there are too many ways to lay them."""
