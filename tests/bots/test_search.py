"""What the generic search is after: winning first, and points only between outcomes that are won or lost alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotatsu.bots.search import worth
from kotatsu.engine.contract import Outcome


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    scores = tuple(draw(st.lists(st.integers(-50, 200), min_size=2, max_size=5)))
    winners = draw(st.sets(st.sampled_from(range(len(scores))), min_size=1))
    return Outcome(scores, tuple(sorted(winners)))


@given(outcomes())
def test_what_there_is_to_win_is_shared_out_whole(outcome: Outcome) -> None:
    shares = [worth(outcome, seat) for seat in range(len(outcome.scores))]
    assert sum(shares) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in shares)


@given(outcomes())
def test_a_sole_winner_is_ahead_of_everybody_whatever_the_points(outcome: Outcome) -> None:
    alone = Outcome(outcome.scores, outcome.winners[:1])
    (winner,) = alone.winners
    assert all(
        worth(alone, winner) > worth(alone, seat) for seat in range(len(alone.scores)) if seat != winner
    )


def test_winning_with_the_fewest_points_beats_losing_with_the_most() -> None:
    outcome = Outcome((0, 100, 40), (0,))
    assert worth(outcome, 0) > 2 * (worth(outcome, 1) + worth(outcome, 2))


def test_winning_alone_is_worth_more_than_sharing() -> None:
    assert worth(Outcome((5, 5, 0), (0,)), 0) > worth(Outcome((9, 9, 0), (0, 1)), 0) + 0.2


def test_among_the_beaten_more_points_are_better() -> None:
    outcome = Outcome((100, 30, 20, 0), (0,))
    assert worth(outcome, 1) > worth(outcome, 2) > worth(outcome, 3) == 0


def test_where_all_have_the_same_points_all_have_the_same_share() -> None:
    drawn = Outcome((7, 7, 7), (0, 1, 2))
    assert [worth(drawn, seat) for seat in range(3)] == pytest.approx([1 / 3] * 3)


def test_a_game_nobody_wins_is_still_worth_its_points() -> None:
    assert worth(Outcome((4,), ()), 0) < 0.5
    assert worth(Outcome((4, 2), ()), 0) > worth(Outcome((4, 2), ()), 1)
