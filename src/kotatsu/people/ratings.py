"""Skill ratings of people. Bots are anchors: their ratings are fixed, and people's move relative to them.

The Plackett-Luce model of openskill, because it handles several players and ties. A new person starts at
the model's default, 25 ± 8.3; a difference of 5 between two players means about four wins in five.
"""

from __future__ import annotations

from collections.abc import Mapping

from openskill.models import PlackettLuce

from kotatsu.engine.contract import Outcome
from kotatsu.seats.rated import RATED_LEVELS
from kotatsu.store.contract import PlayerRating, StoredTable

ANCHORS = dict(zip(RATED_LEVELS, (12.0, 20.0, 25.0, 30.0), strict=True))
"""The fixed rating (mu) of each level of bots. Chosen by hand: ``adept`` where a new person starts, and 5
between levels, since each clearly beats the one below (``tests/lab``)."""

_ANCHOR_SIGMA = 1.0
"""The uncertainty of a bot's rating. Chosen by hand: small beside a new person's 8.3, so that people move."""

_model = PlackettLuce()
NEWCOMER = PlayerRating(_model.mu, _model.sigma)
"""The rating of a person before their first rated game: openskill's default."""


def ratings_after(
    table: StoredTable, outcome: Outcome, known: Mapping[str, PlayerRating]
) -> dict[str, PlayerRating]:
    """Return the ratings, by visitor, of the people of a table after their game.

    Args:
        table: the finished table; it must count (``is_rated``).
        outcome: its result.
        known: the ratings of its people before the game; those without one start as ``NEWCOMER``.
    """
    teams = [[_model.rating(mu=before.mu, sigma=before.sigma)] for before in _before(table, known)]
    after = _model.rate(teams, ranks=list(map(float, ranks(outcome))))
    return {
        seat.visitor: PlayerRating(team[0].mu, team[0].sigma, known.get(seat.visitor, NEWCOMER).games + 1)
        for seat, team in zip(table.seats, after, strict=True)
        if seat.kind == "person" and seat.visitor is not None
    }


def ranks(outcome: Outcome) -> list[int]:
    """Return each seat's place, from 1. Winners share the first; the others follow by their scores."""
    keys = [(seat in outcome.winners, score) for seat, score in enumerate(outcome.scores)]
    return [1 + sum(other > key for other in keys) for key in keys]


def _before(table: StoredTable, known: Mapping[str, PlayerRating]) -> list[PlayerRating]:
    return [
        known.get(seat.visitor, NEWCOMER)
        if seat.kind == "person" and seat.visitor is not None
        else PlayerRating(ANCHORS[seat.level or ""], _ANCHOR_SIGMA)
        for seat in table.seats
    ]
