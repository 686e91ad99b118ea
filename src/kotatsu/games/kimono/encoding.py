"""Kimono for learning agents: its moves as a list, and a view as a vector of numbers.

``kotatsu.lab.encoding`` says what each function here is for, and ``docs/lab/kimono.md`` lists actions and
blocks.
"""

from __future__ import annotations

from typing import Any

from kotatsu.engine.contract import Seat
from kotatsu.games.kimono.data import BOX, CARDS_A_PLAYER, SIZES
from kotatsu.games.kimono.model import Card, Combine, KimonoMove, KimonoView, Skip, Take

VERSION = 0
"""To be raised whenever an action or a part of the observation changes its meaning."""
MOST_ROWS = max(size.rows for size in BOX.tables)
"""The most rows a market has, with any number of players."""
FABRICS = len(BOX.fabrics)
"""How many fabrics there are: the numbers 1 to 9."""
KINDS = FABRICS + 1
"""How many kinds of cards the market can show: the fabrics by their number, and an accessory."""
POINTS_SCALE = 100
"""Points are divided by this and cut off at 1. Chosen by hand: the highest score in ``BALANCE.md`` is 22."""

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
"""Every move there can be; an action is an index into this."""

_PLACE = {"hand": CARDS_A_PLAYER * FABRICS, "last": FABRICS, "kimono": FABRICS, "counts": 3}
"""The blocks of each seat; ``counts`` are its accessories, its placed cards and its points."""


def layout(players: int) -> dict[str, int]:
    """The blocks of an observation.

    Args:
        players: How many play.

    Returns:
        The size of each block by its name, in the order of the vector.
    """
    size = SIZES[players]
    blocks = {"market": size.rows * size.row_length * KINDS}
    for seat in range(players):
        blocks |= {f"{name}_{seat}": length for name, length in _PLACE.items()}
    return blocks | {"round": players, "first": players, "turn": players, "combining": 1, "piles": 2}


def longest(players: int) -> int:
    """KM-7, KM-11: the most choices one game can have.

    Every take may be followed by a combination or a skip.
    """
    return 2 * CARDS_A_PLAYER * players


def chance(players: int) -> tuple[int, int]:
    """KM-6, KM-3: bounds on what is left to chance.

    Returns:
        The most outcomes one chance event has, and the most such events in a game: who begins, then one card
        after the other for the market of each round.
    """
    size = SIZES[players]
    return len(BOX.fabrics) + len(BOX.accessories), 1 + players * size.rows * size.row_length


def observe(view: KimonoView, seat: Seat, players: int, out: Any) -> None:
    """Write one seat's observation.

    Args:
        view: What the seat sees.
        seat: The seat it is for. Blocks for each seat begin with this one and go on clockwise.
        players: How many play.
        out: A float vector of zeros, as long as the sizes of ``layout`` together; filled with values from 0
            to 1. Market cards are counted from the front of a row, hand cards from the right end.
    """
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
"""How many cards the box has."""


def _kind(card: Card) -> int:
    return FABRICS if card.fabric is None else card.fabric - 1
