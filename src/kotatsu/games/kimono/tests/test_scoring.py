"""The final score and who wins: KM-15 to KM-17."""

import pytest

from kotatsu.games.kimono.data import BOX
from kotatsu.games.kimono.model import Combined, KimonoGameEnded
from kotatsu.games.kimono.scoring import breakdown, result
from kotatsu.games.kimono.tests.staging import place, whole_game


def bonus(kimono: tuple[int, ...], accessories: int = 0) -> int:
    return sum(breakdown(place(kimono, accessories)).values())


@pytest.mark.rule("KM-16")
def test_example_nine_cards_eight_fabrics() -> None:
    assert bonus((1, 2, 3, 4, 5, 6, 7, 8, 8)) == 4


@pytest.mark.rule("KM-15")
def test_example_twelve_cards_six_fabrics_two_accessories() -> None:
    parts = breakdown(place((1, 1, 2, 2, 3, 3, 4, 4, 5, 6), accessories=2))
    assert (parts["all_placed"], parts["accessories"], parts["variety"]) == (2, 2, 2)
    assert sum(parts.values()) == 6


@pytest.mark.rule("KM-15")
def test_variety_counts_only_from_eight_placed_cards_accessories_among_them() -> None:
    assert bonus((1, 1, 1, 1, 1, 1, 1)) == 0
    assert bonus((1, 1, 1, 1, 1, 1, 1, 1)) == 5
    assert bonus((1, 1, 1, 1, 1, 1), accessories=2) == 5 + 2


@pytest.mark.rule("KM-15")
def test_a_card_left_in_hand_costs_the_bonus_for_placing_all() -> None:
    assert breakdown(place((1,) * 11, hand=(2,)))["all_placed"] == 0
    assert breakdown(place((1,) * 12))["all_placed"] == 2


@pytest.mark.rule("KM-15")
def test_the_score_adds_up_the_points_of_all_combinations() -> None:
    match = whole_game(4, seed=21)
    assert match.outcome is not None
    for seat, parts in enumerate(match.outcome.breakdown):
        made = [entry for entry in match.log if isinstance(entry, Combined) and entry.seat == seat]
        styles = sum(points for name, points in parts.items() if name in {k.style for k in BOX.board})
        assert styles == sum(combined.points for combined in made)
        assert sum(parts.values()) == match.outcome.scores[seat]


@pytest.mark.rule("KM-16")
@pytest.mark.parametrize(
    ("different", "points"), [(1, 5), (2, 4), (3, 3), (4, 2), (5, 0), (6, 2), (7, 3), (8, 4), (9, 5)]
)
def test_variety_bonus(different: int, points: int) -> None:
    kimono = (*range(1, different + 1), *(1,) * (9 - different))
    assert breakdown(place(kimono))["variety"] == points


@pytest.mark.rule("KM-17")
def test_the_highest_score_wins() -> None:
    assert result((place(points=3), place(points=7), place(points=5))).winners == (1,)


@pytest.mark.rule("KM-17")
def test_a_tie_goes_to_more_placed_cards_then_is_shared() -> None:
    more, fewer = place((1, 2), points=7), place((1,), points=7)
    assert result((fewer, more)).winners == (1,)
    assert result((more, fewer, more)).winners == (0, 2)


@pytest.mark.rule("KM-17")
def test_the_last_fact_states_the_result() -> None:
    match = whole_game(3, seed=8)
    last = match.log[-1]
    assert isinstance(last, KimonoGameEnded)
    assert match.outcome is not None
    assert (last.scores, last.winners) == (match.outcome.scores, match.outcome.winners)
