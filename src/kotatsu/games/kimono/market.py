"""KM-1, KM-2, KM-5: what is in the deck, and what a market takes out of it."""

from __future__ import annotations

from itertools import chain

from kotatsu.games.kimono.data import BOX, SIZES
from kotatsu.games.kimono.model import CARD_INDEX, Card, Counts


def full_deck(players: int) -> Counts:
    """KM-1, KM-2: how many of each card are in the deck."""
    size = SIZES[players]
    fabrics = (BOX.copies - size.sets_removed,) * len(BOX.fabrics)
    kept = len(BOX.accessories) - size.accessories_removed
    return fabrics + tuple(int(number < kept) for number in range(len(BOX.accessories)))


def deck_for_market(deck: Counts, discards: Counts, needed: int) -> Counts:
    """KM-5: a deck too small for a market takes in what was discarded.

    Args:
        deck: how many of each card are in it.
        discards: likewise.
        needed: how many cards a market takes.
    """
    return deck if sum(deck) >= needed else tuple(map(sum, zip(deck, discards, strict=True)))


def piles_after(deck: Counts, discards: Counts, rows: tuple[tuple[Card, ...], ...]) -> tuple[Counts, Counts]:
    """The deck and the discards once these rows were dealt."""
    counts = deck_for_market(deck, discards, sum(map(len, rows)))
    left = list(counts)
    for card in chain.from_iterable(rows):
        left[CARD_INDEX[card]] -= 1
    return tuple(left), discards if counts == deck else (0,) * len(discards)
