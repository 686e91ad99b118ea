"""Which games count for the ratings, by who sits at the table."""

from __future__ import annotations

from kotatsu.store.contract import StoredSeat, StoredTable

RATED_LEVELS = ("random", "novice", "adept", "master")
"""The levels of bots whose strength is known; a game against any other does not count."""


def is_rated(table: StoredTable) -> bool:
    """Whether a game counts: two or more seats, one person a device, no bot playing for a person."""
    people = [seat.visitor for seat in table.seats if seat.kind == "person"]
    return (
        len(table.seats) > 1
        and bool(people)
        and len(set(people)) == len(people)
        and None not in people
        and all(_is_anchor(seat) for seat in table.seats if seat.kind != "person")
    )


def _is_anchor(seat: StoredSeat) -> bool:
    return seat.kind == "bot" and seat.visitor is None and seat.level in RATED_LEVELS
