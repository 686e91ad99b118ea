"""Kimono for learners: its moves as a list, its view as a vector."""

from __future__ import annotations

from typing import Any

from kotatsu.engine.contract import Seat
from kotatsu.games.kimono.data import BOX, CARDS_A_PLAYER, SIZES
from kotatsu.games.kimono.model import Card, Combine, KimonoMove, KimonoView, Skip, Take

VERSION = 0
MOST_ROWS = max(size.rows for size in BOX.tables)
FABRICS = len(BOX.fabrics)
KINDS = FABRICS + 1
"""A card in the market is a fabric by its number, or an accessory."""
POINTS_SCALE = 100

ACTIONS: tuple[KimonoMove, ...] = (
    *map(Take, range(MOST_ROWS)),
    *(
        Combine(kakemono.style, size - lead, bool(lead))
        for kakemono in BOX.board
        for size in kakemono.points
        for lead in (0, 1)
    ),
    Skip(),
)

_PLACE = {"hand": CARDS_A_PLAYER * FABRICS, "last": FABRICS, "kimono": FABRICS, "counts": 3}


def layout(players: int) -> dict[str, int]:
    size = SIZES[players]
    blocks = {"market": size.rows * size.row_length * KINDS}
    for seat in range(players):
        blocks |= {f"{name}_{seat}": length for name, length in _PLACE.items()}
    return blocks | {"round": players, "first": players, "turn": players, "combining": 1, "piles": 2}


def longest(players: int) -> int:
    """KM-7, KM-11: every take may be followed by a combination or a skip."""
    return 2 * CARDS_A_PLAYER * players


def chance(players: int) -> tuple[int, int]:
    """KM-6, KM-3: who begins, then one card after the other for the market of each round."""
    size = SIZES[players]
    return len(BOX.fabrics) + len(BOX.accessories), 1 + players * size.rows * size.row_length


def observe(view: KimonoView, seat: Seat, players: int, out: Any) -> None:
    """Market cards are counted from the front, hand cards from the right end, seats from one's own."""
    size = SIZES[players]
    ones: list[int] = []
    for row, cards in enumerate(view.rows):
        start = row * size.row_length * KINDS
        ones += [start + at * KINDS + _kind(card) for at, card in enumerate(reversed(cards))]
    at = size.rows * size.row_length * KINDS
    for step in range(players):
        place = view.places[(seat + step) % players]
        ones += [at + index * FABRICS + card - 1 for index, card in enumerate(reversed(place.hand))]
        at += CARDS_A_PLAYER * FABRICS
        if place.kimono:
            ones.append(at + place.kimono[-1] - 1)
        at += FABRICS
        for card in place.kimono:
            out[at + card - 1] += 1 / BOX.copies
        at += FABRICS
        out[at] = len(place.accessories) / len(BOX.accessories)
        out[at + 1] = place.placed / CARDS_A_PLAYER
        out[at + 2] = min(1.0, place.points / POINTS_SCALE)
        at += 3
    ones.append(at + view.round - 1)
    ones.append(at + players + (view.first - seat) % players)
    if view.turn is not None:
        ones.append(at + 2 * players + (view.turn - seat) % players)
    at += 3 * players
    if view.combining:
        ones.append(at)
    out[at + 1] = view.deck / BOX_SIZE
    out[at + 2] = view.discards / BOX_SIZE
    out[ones] = 1.0


BOX_SIZE = BOX.copies * len(BOX.fabrics) + len(BOX.accessories)


def _kind(card: Card) -> int:
    return FABRICS if card.fabric is None else card.fabric - 1
