"""A game of Kimono as English sentences, for ``kotatsu replay``."""

from __future__ import annotations

from collections.abc import Sequence

from kotatsu.games.kimono.data import BOX, FABRICS
from kotatsu.games.kimono.model import (
    Card,
    Combined,
    KimonoFact,
    KimonoGameEnded,
    KimonoRoundEnded,
    MarketDealt,
    Skipped,
    Took,
)


def card_words(card: Card) -> str:
    """A card in words: ``the crane (1)``, or the accessory's name."""
    if card.fabric is not None:
        return f"the {FABRICS[card.fabric].motif} ({card.fabric})"
    return f"the {BOX.accessories[card.accessory or 0].replace('_', ' ')}"


def _short(card: Card) -> str:
    return str(card.fabric) if card.fabric is not None else "*"


def tell(fact: KimonoFact, names: Sequence[str]) -> str:
    """Describe one fact in one sentence.

    In a market ``*`` is an accessory, and the front card of a row comes last.

    Args:
        fact: What happened.
        names: The players' names by seat.
    """
    match fact:
        case MarketDealt(number, first, rows):
            market = "  ".join("".join(map(_short, row)) for row in rows)
            return f"Round {number}, {names[first]} begins. Market: {market}"
        case Took(seat, row, card):
            return f"{names[seat]} takes {card_words(card)} from row {row + 1}."
        case Combined(seat, style, size, cards, lead, points):
            laid = "-".join(map(str, cards))
            led = " after the lead" if lead else ""
            return f"{names[seat]} lays {laid}{led}: {style} of {size}, {points} points."
        case Skipped(seat):
            return f"{names[seat]} makes no combination."
        case KimonoRoundEnded(number, discarded):
            return f"Round {number} ends; {len(discarded)} cards are discarded."
        case KimonoGameEnded(scores, winners, _):
            table = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
            return f"The game ends: {table}. {' and '.join(names[seat] for seat in winners)} won."
