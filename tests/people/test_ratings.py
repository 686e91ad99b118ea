"""How strong people are: which games count, who comes before whom, and that bots stay where they are."""

from __future__ import annotations

from typing import Any

import pytest
from openskill.models import PlackettLuce

from kotatsu.engine.contract import Outcome
from kotatsu.people.ratings import ANCHORS, NEWCOMER, ranks, ratings_after
from kotatsu.seats.rated import is_rated
from kotatsu.store.contract import PlayerRating, StoredSeat, StoredTable

ANA = StoredSeat("person", "ana", "Ana")
BEN = StoredSeat("person", "ben", "Ben")
CLEO = StoredSeat("person", "cleo", "Cleo")


def bot(level: str | None = "adept", **fields: Any) -> StoredSeat:
    return StoredSeat("bot", level=level, **fields)


def a_table(*seats: StoredSeat) -> StoredTable:
    return StoredTable("t", "kimono", "ana", 1.0, 1.0, seats, status="over")


def after(
    outcome: Outcome, *seats: StoredSeat, known: dict[str, PlayerRating] | None = None
) -> dict[str, PlayerRating]:
    return ratings_after(a_table(*seats), outcome, known or {})


@pytest.mark.parametrize(
    "seats",
    [
        (ANA, BEN),
        (ANA, BEN, CLEO),
        (ANA, bot()),
        *((bot(level), ANA) for level in ANCHORS),
    ],
)
def test_a_game_among_people_on_their_own_devices_and_bots_counts(seats: tuple[StoredSeat, ...]) -> None:
    assert is_rated(a_table(*seats))


@pytest.mark.parametrize(
    "seats",
    [
        (),
        (ANA,),
        (bot(), bot()),
        (ANA, ANA),
        (ANA, StoredSeat("person", "ana", "Léa", guest=True)),
        (ANA, StoredSeat("person")),
        (ANA, StoredSeat("person"), BEN),
        (ANA, StoredSeat()),
        (ANA, bot("adept", visitor="ben")),
        (ANA, BEN, bot("adept", visitor="cleo")),
        (ANA, bot("oracle")),
        (ANA, bot(None)),
        (ANA, BEN, bot(), bot("oracle")),
    ],
)
def test_any_other_game_does_not(seats: tuple[StoredSeat, ...]) -> None:
    assert not is_rated(a_table(*seats))


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ((5, 9), (1,), [2, 1]),
        ((5, 9), (0,), [1, 2]),
        ((9, 9), (0, 1), [1, 1]),
        ((9, 9), (1,), [2, 1]),
        ((5, 9, 7), (1,), [3, 1, 2]),
        ((7, 9, 7), (1,), [2, 1, 2]),
        ((7, 9, 7, 1), (1, 0), [2, 1, 3, 4]),
        ((3, 3, 3), (0, 1, 2), [1, 1, 1]),
    ],
)
def test_winners_come_first_and_the_others_by_their_scores(
    scores: tuple[int, ...], winners: tuple[int, ...], places: list[int]
) -> None:
    assert ranks(Outcome(scores, winners)) == places


def test_who_wins_rises_and_who_loses_falls() -> None:
    new = after(Outcome((9, 5), (0,)), ANA, BEN)
    assert set(new) == {"ana", "ben"}
    assert new["ana"].mu > NEWCOMER.mu > new["ben"].mu
    assert max(new["ana"].sigma, new["ben"].sigma) < NEWCOMER.sigma
    assert (new["ana"].games, new["ben"].games) == (1, 1)


def test_a_rating_is_what_the_model_says() -> None:
    model = PlackettLuce()
    known = {"ana": PlayerRating(30.0, 2.0, 7)}
    new = after(Outcome((9, 5, 7), (0,)), ANA, BEN, bot("master"), known=known)
    first, second, _ = model.rate(
        [
            [model.rating(mu=30.0, sigma=2.0)],
            [model.rating()],
            [model.rating(mu=ANCHORS["master"], sigma=1.0)],
        ],
        ranks=[1.0, 3.0, 2.0],
    )
    assert new["ana"] == PlayerRating(first[0].mu, first[0].sigma, 8)
    assert new["ben"] == PlayerRating(second[0].mu, second[0].sigma, 1)
    assert set(new) == {"ana", "ben"}, "a bot's rating is set, not found"


def test_a_bot_that_stands_in_is_rated_for_nobody() -> None:
    stood_in = bot("master", visitor="ben", name="Ben")
    outcome = Outcome((9, 5), (0,))
    known = {"ben": PlayerRating(1.0, 1.0, 9)}
    assert after(outcome, ANA, stood_in, known=known) == after(outcome, ANA, bot("master"))


def test_beating_a_master_says_more_than_beating_a_novice() -> None:
    gain = {level: after(Outcome((9, 5), (0,)), ANA, bot(level))["ana"].mu - NEWCOMER.mu for level in ANCHORS}
    assert 0 < gain["random"] < gain["novice"] < gain["adept"] < gain["master"]


def test_a_draw_between_equals_moves_nobody() -> None:
    drawn = after(Outcome((7, 7), (0, 1)), ANA, BEN)
    assert drawn["ana"].mu == pytest.approx(NEWCOMER.mu)
    assert drawn["ben"].mu == pytest.approx(NEWCOMER.mu)


def test_a_newcomer_begins_where_the_model_does() -> None:
    assert PlayerRating(25.0, 25.0 / 3, 0) == NEWCOMER


def test_with_many_games_a_rating_finds_the_anchors_place() -> None:
    known: dict[str, PlayerRating] = {}
    for number in range(200):
        outcome = Outcome((1, 0), (0,)) if number % 2 else Outcome((0, 1), (1,))
        known = after(outcome, ANA, bot("novice"), known=known)
    assert known["ana"].mu == pytest.approx(ANCHORS["novice"], abs=1.5)
    assert known["ana"].sigma < 2
    assert known["ana"].games == 200
