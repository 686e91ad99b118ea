"""Whose move it is, and which combinations are open to them."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kimono.model import Card, Combine, KimonoOptions, KimonoPlace, KimonoState
from kotatsu.games.kimono.styles import combinations


def to_move(state: KimonoState) -> Seat | None:
    """The seat whose move it is; ``None`` once the game is over."""
    return None if state.result is not None else state.turn


def left_of(seat: Seat, players: int) -> Seat:
    """Play is clockwise.

    Args:
        seat: whose neighbour.
        players: how many play.
    """
    return (seat + 1) % players


def combos_of(place: KimonoPlace) -> tuple[Combine, ...]:
    """KM-12, KM-13: what the end of a hand offers, alone and after the kimono's last card."""
    return combinations(place.hand, place.kimono[-1] if place.kimono else None)


def may_combine(place: KimonoPlace, card: Card, options: KimonoOptions) -> bool:
    """Whether a player who takes a card has a combination to make then; ``place`` is without that card.

    Args:
        options: the table's.
    """
    if card.fabric is None:
        return options.accessory_combo and bool(combos_of(place))  # KM-10, unless KM-30
    lead = place.kimono[-1] if place.kimono else None
    return bool(combinations((*place.hand, card.fabric), lead))
