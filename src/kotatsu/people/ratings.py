"""How strong people are at a game. Bots are anchors: their ratings are set, and people find theirs against them.

Openskill's Plackett-Luce model, for it knows several players and ties. A new person starts at the
model's own beginning, 25 ± 8.3; a gap of 5 between two players is about four wins in five.
"""

from __future__ import annotations

from collections.abc import Mapping

from openskill.models import PlackettLuce

from kotatsu.engine.contract import Outcome
from kotatsu.store.contract import PlayerRating, StoredSeat, StoredTable

ANCHORS = {"random": 12.0, "novice": 20.0, "adept": 25.0, "master": 30.0}
_ANCHOR_SIGMA = 1.0

_model = PlackettLuce()
NEWCOMER = PlayerRating(_model.mu, _model.sigma)


def is_rated(table: StoredTable) -> bool:
    """Whether a game counts: at least two seats, each person on a device of their own, nobody stood in for."""
    people = [seat.visitor for seat in table.seats if seat.kind == "person"]
    return (
        len(table.seats) > 1
        and bool(people)
        and len(set(people)) == len(people)
        and None not in people
        and all(_is_anchor(seat) for seat in table.seats if seat.kind != "person")
    )


def rated(table: StoredTable, outcome: Outcome, known: Mapping[str, PlayerRating]) -> dict[str, PlayerRating]:
    """The people's ratings after a game they finished."""
    teams = [[_model.rating(mu=before.mu, sigma=before.sigma)] for before in _before(table, known)]
    after = _model.rate(teams, ranks=list(map(float, ranks(outcome))))
    return {
        seat.visitor: PlayerRating(team[0].mu, team[0].sigma, known.get(seat.visitor, NEWCOMER).games + 1)
        for seat, team in zip(table.seats, after, strict=True)
        if seat.kind == "person" and seat.visitor is not None
    }


def ranks(outcome: Outcome) -> list[int]:
    """Each seat's place, from 1. Winners share the first; the others follow by their scores."""
    keys = [(seat in outcome.winners, score) for seat, score in enumerate(outcome.scores)]
    return [1 + sum(other > key for other in keys) for key in keys]


def _before(table: StoredTable, known: Mapping[str, PlayerRating]) -> list[PlayerRating]:
    return [
        known.get(seat.visitor, NEWCOMER)
        if seat.kind == "person" and seat.visitor is not None
        else PlayerRating(ANCHORS[seat.level or ""], _ANCHOR_SIGMA)
        for seat in table.seats
    ]


def _is_anchor(seat: StoredSeat) -> bool:
    return seat.kind == "bot" and seat.visitor is None and seat.level in ANCHORS
