"""KM-15, KM-16, KM-17: what a kimono is worth, and who wins."""

from __future__ import annotations

from kotatsu.engine.contract import Outcome
from kotatsu.games.kimono.data import BOX, CARDS_A_PLAYER
from kotatsu.games.kimono.model import KimonoPlace


def breakdown(place: KimonoPlace) -> dict[str, int]:
    """Points by where they come from: each style, then the bonuses (KM-15)."""
    bonus = BOX.bonus
    points: dict[str, int] = {kakemono.style: 0 for kakemono in BOX.board}
    for button in place.buttons:
        points[button.style] += button.points
    variety = len(set(place.kimono))
    return {
        **points,
        "all_placed": bonus.all_placed if place.placed == CARDS_A_PLAYER else 0,
        "accessories": bonus.per_accessory * len(place.accessories),
        "variety": bonus.variety[variety] if place.placed >= bonus.variety_from else 0,  # KM-16
    }


def result(places: tuple[KimonoPlace, ...]) -> Outcome:
    """KM-17: the highest score wins, then the most placed cards, then the victory is shared."""
    parts = tuple(breakdown(place) for place in places)
    scores = tuple(sum(part.values()) for part in parts)
    ranks = [(score, place.placed) for score, place in zip(scores, places, strict=True)]
    best = max(ranks)
    return Outcome(scores, tuple(seat for seat, rank in enumerate(ranks) if rank == best), parts)
