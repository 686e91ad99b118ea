"""Making combinations, the nine styles, and the rulebook's worked examples: KM-11 to KM-14, KM-20 to KM-28."""

from itertools import permutations, product
from random import Random

import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import IllegalMove
from kotatsu.games.kimono.data import BOARD, Style
from kotatsu.games.kimono.game import GAME
from kotatsu.games.kimono.model import Combine, Combined, KimonoMove, KimonoState, Skip, Skipped, Take
from kotatsu.games.kimono.styles import combinations, fits
from kotatsu.games.kimono.tests.staging import after_taking, fabric, play, table


def refused(state: KimonoState, move: KimonoMove) -> str:
    with pytest.raises(IllegalMove) as refusal:
        GAME.decide(state, 0, move, Random(0))
    return refusal.value.clause


def combos(state: KimonoState) -> set[Combine]:
    return {move for move in GAME.moves(state, 0) if isinstance(move, Combine)}


@pytest.mark.rule("KM-12")
def test_example_a_falling_kagen_from_the_end_of_the_hand() -> None:
    """Hand 5-7-3-2, takes 1: 3-2-1 may be laid, 5-3-2-1 may not, for the 7 lies between."""
    state = after_taking(1, (5, 7, 3, 2))
    assert Combine("kagen", 3, lead=False) in combos(state)
    assert Combine("kagen", 4, lead=False) not in combos(state)
    assert refused(state, Combine("kagen", 4, lead=False)) == "KM-14"
    after, (laid, *_) = play(state, 0, Combine("kagen", 3, lead=False))
    assert laid == Combined(0, "kagen", 3, (3, 2, 1), lead=False, points=3, next=1)
    assert after.places[0].hand == (5, 7)
    assert after.places[0].kimono == (3, 2, 1)


@pytest.mark.rule("KM-13")
def test_example_the_last_card_of_the_kimono_leads() -> None:
    """The kimono ends with 4 after a ju, the hand with 3-2-1: a kagen of four for 5 points, three cards placed."""
    state = after_taking(1, (3, 2), kimono=(5, 1, 4))
    after, (laid, *_) = play(state, 0, Combine("kagen", 3, lead=True))
    assert laid == Combined(0, "kagen", 4, (3, 2, 1), lead=True, points=5, next=1)
    assert after.places[0].kimono == (5, 1, 4, 3, 2, 1)
    assert after.places[0].placed == 6


@pytest.mark.rule("KM-11")
def test_at_most_one_combination_a_turn() -> None:
    state, _ = play(after_taking(1, (3, 2)), 0, Combine("kagen", 3, lead=False))
    assert GAME.acting(state) == {1}
    assert refused(state, Combine("kasane", 1, lead=True)) == "KM-7"


@pytest.mark.rule("KM-11")
def test_no_combination_before_taking_a_card() -> None:
    assert refused(table((3, 2, 1)), Combine("kagen", 3, lead=False)) == "KM-11"
    assert refused(table((3, 2, 1)), Skip()) == "KM-11"


@pytest.mark.rule("KM-11")
def test_a_combination_is_a_choice_and_skipping_it_is_a_fact() -> None:
    state, facts = play(after_taking(1, (3, 2)), 0, Skip())
    assert facts == [Skipped(0, next=1)]
    assert state.places[0].hand == (3, 2, 1)
    assert GAME.acting(state) == {1}


@pytest.mark.rule("KM-11")
def test_without_a_possible_combination_the_turn_passes_by_itself() -> None:
    assert GAME.acting(after_taking(9, (4,))) == {1}


@pytest.mark.rule("KM-12")
def test_a_combination_ends_with_the_card_just_taken_and_has_a_card_of_the_hand() -> None:
    assert combos(after_taking(8, (3, 2, 1))) == set()
    assert refused(after_taking(1, (3, 2)), Combine("kacho", 9, lead=False)) == "KM-12"


@pytest.mark.rule("KM-13")
def test_nothing_leads_the_first_combination() -> None:
    state = after_taking(1, (3, 2))
    assert not any(combo.lead for combo in combos(state))
    assert refused(state, Combine("kagen", 2, lead=True)) == "KM-13"


@pytest.mark.rule("KM-13")
def test_a_lead_and_a_single_card_are_a_combination_of_two() -> None:
    state = after_taking(4, (), kimono=(4,))
    after, (laid, *_) = play(state, 0, Combine("kasane", 1, lead=True))
    assert laid == Combined(0, "kasane", 2, (4,), lead=True, points=1, next=1)
    assert after.places[0].kimono == (4, 4)


@pytest.mark.rule("KM-14")
def test_a_size_the_board_does_not_list_is_refused() -> None:
    assert refused(after_taking(9, (3, 1)), Combine("kacho", 2, lead=False)) == "KM-14"


@pytest.mark.rule("KM-14")
def test_the_player_chooses_among_the_styles_that_fit() -> None:
    assert {combo.style for combo in combos(after_taking(2, (1, 6)))} == {"chidori"}
    assert {combo.style for combo in combos(after_taking(4, (2, 4)))} == {"setsugetsu", "kasane", "ju"}


@pytest.mark.rule("KM-14")
def test_the_same_style_and_size_may_be_made_again_without_end() -> None:
    state = table((), (4,), fabric(4))
    for _ in range(3):
        state, _ = play(state, 0, Take(0), Combine("kasane", 1, lead=True))
        state = _turn_back(state)
    assert [button.size for button in state.places[0].buttons] == [2, 2, 2]
    assert state.places[0].points == 3


def _turn_back(state: KimonoState) -> KimonoState:
    return replace(state, turn=0, rows=table(front=fabric(4)).rows)


@pytest.mark.rule("KM-14")
def test_the_board_has_nine_styles_and_30_combinations() -> None:
    assert len(BOARD) == 9
    assert sum(len(kakemono.points) for kakemono in BOARD.values()) == 30


POINTS: dict[Style, dict[int, int]] = {
    "chidori": {3: 4},
    "sakura": {3: 4},
    "asanoha": {3: 4},
    "kacho": {3: 2, 4: 3, 5: 5, 6: 7, 7: 9, 8: 11, 9: 13},
    "setsugetsu": {3: 2, 4: 4, 5: 6, 6: 8, 7: 10, 8: 12, 9: 14},
    "kasane": {2: 1, 3: 5, 4: 10, 5: 16},
    "kagen": {3: 3, 4: 5, 5: 8},
    "jogen": {3: 3, 4: 5, 5: 8},
    "ju": {2: 1, 3: 2, 4: 4},
}


@pytest.mark.rule("KM-14")
@pytest.mark.parametrize("style", POINTS)
def test_points_of_the_board(style: Style) -> None:
    assert BOARD[style].points == POINTS[style]


def is_style(style: Style, *cards: int) -> bool:
    return fits(BOARD[style].rule, cards)


@pytest.mark.rule("KM-20", "KM-21", "KM-22")
@pytest.mark.parametrize(
    ("style", "trio"), [("chidori", (1, 2, 6)), ("sakura", (4, 8, 9)), ("asanoha", (3, 5, 7))]
)
def test_three_different_numbers_of_one_mark_in_any_order(style: Style, trio: tuple[int, ...]) -> None:
    assert all(is_style(style, *cards) for cards in permutations(trio))
    fitting = [cards for cards in product(range(1, 10), repeat=3) if is_style(style, *cards)]
    assert len(fitting) == 6


@pytest.mark.rule("KM-23")
def test_kacho_is_animals_only() -> None:
    assert is_style("kacho", 1, 1, 9)
    assert is_style("kacho", 9, 3, 3, 5)
    assert not is_style("kacho", 1, 2, 3)


@pytest.mark.rule("KM-24")
def test_setsugetsu_is_plants_only() -> None:
    assert is_style("setsugetsu", 8, 2, 2)
    assert not is_style("setsugetsu", 8, 2, 9)


@pytest.mark.rule("KM-25")
def test_kasane_is_one_number() -> None:
    assert is_style("kasane", 7, 7)
    assert not is_style("kasane", 7, 9)


@pytest.mark.rule("KM-26")
def test_kagen_rises_or_falls_within_1_to_5() -> None:
    assert is_style("kagen", 1, 2, 4)
    assert is_style("kagen", 5, 3, 2, 1)
    assert not is_style("kagen", 1, 3, 2)
    assert not is_style("kagen", 2, 2, 3)
    assert not is_style("kagen", 4, 5, 6)


@pytest.mark.rule("KM-27")
def test_jogen_rises_or_falls_within_5_to_9() -> None:
    assert is_style("jogen", 5, 7, 8)
    assert is_style("jogen", 9, 7, 6, 5)
    assert not is_style("jogen", 9, 7, 8)
    assert not is_style("jogen", 4, 5, 6)


@pytest.mark.rule("KM-28")
def test_ju_adds_up_to_ten() -> None:
    assert is_style("ju", 1, 9)
    assert is_style("ju", 2, 3, 5)
    assert is_style("ju", 5, 5)
    assert not is_style("ju", 5, 4)


@pytest.mark.rule("KM-14")
def test_every_combination_offered_is_one_of_the_board_and_nothing_is_missed() -> None:
    """Against a slow search written independently: every length, led and not, against every style and size."""
    rng = Random(28)
    for _ in range(400):
        hand = tuple(rng.choices(range(1, 10), k=rng.randint(1, 9)))
        lead = rng.choice([None, *range(1, 10)])
        expected = set()
        for cards in range(1, len(hand) + 1):
            for led in {False, lead is not None}:
                laid = ((lead,) if led and lead else ()) + hand[len(hand) - cards :]
                expected |= {
                    Combine(style, cards, led)
                    for style, points in POINTS.items()
                    if len(laid) in points and is_style(style, *laid)
                }
        found = combinations(hand, lead)
        assert len(found) == len(set(found))
        assert set(found) == expected
