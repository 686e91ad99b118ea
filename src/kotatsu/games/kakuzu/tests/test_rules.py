"""The standard game: KZ-1 to KZ-9."""

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import IllegalMove
from kotatsu.engine.match import start
from kotatsu.games.kakuzu.board import CELLS, DIGITS, SQUARE_OF, UNITS, at, flattened
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.model import (
    Announce,
    Dealt,
    DigitDrawn,
    KakuzuGameEnded,
    KakuzuMove,
    KakuzuState,
    KakuzuTurnEnded,
    Lift,
    Lifted,
    OpenCell,
    Opened,
    Retired,
)
from kotatsu.games.kakuzu.scoring import winners_of
from kotatsu.games.kakuzu.tests.staging import (
    CENTRES,
    GRID,
    cells_of,
    facts_of,
    play,
    staged,
    turn_ended,
    uncovered,
    wanting,
    whole_game,
)

PLAYERS = (2, 3, 4)


def refused(state: KakuzuState, seat: int, move: KakuzuMove) -> str:
    with pytest.raises(IllegalMove) as refusal:
        GAME.decide(state, seat, move, Random(0))
    return refusal.value.clause


@pytest.mark.rule("KZ-1")
@pytest.mark.parametrize("seed", range(5))
def test_a_completed_sudoku_lies_under_81_stones(seed: int) -> None:
    match = start("kakuzu", 2, seed)
    (dealt,) = facts_of(match, Dealt)
    grid = flattened(dealt.grid)
    assert all({grid[cell] for cell in unit} == set(DIGITS) for unit in UNITS)
    assert match.state.visible.count(0) == CELLS


@pytest.mark.rule("KZ-1")
def test_the_bag_holds_ten_digits() -> None:
    assert staged().bag == tuple(range(10))


@pytest.mark.rule("KZ-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_players_open_the_nine_squares_in_turn(players: int) -> None:
    match = start("kakuzu", players, seed=3)
    rng = Random(3)
    order: list[int] = []
    while len(order) < 9:
        (seat,) = match.acting
        moves = match.moves(seat)
        assert all(isinstance(move, OpenCell) for move in moves)
        assert len(moves) == 9 * (9 - len(order))
        match.play(seat, rng.choice(moves))
        order.append(seat)
    opened = facts_of(match, Opened)
    assert {SQUARE_OF[at(fact.cell)] for fact in opened} == set(range(9))
    assert [fact.seat for fact in opened] == order
    assert all(after == (before + 1) % players for before, after in pairwise(order))
    assert order[0] == match.state.first
    assert match.state.stones == (0,) * players


@pytest.mark.rule("KZ-2")
def test_a_square_is_opened_once() -> None:
    state = staged(opened=[(0, 0)], players=3)
    assert refused(state, 1, OpenCell((2, 2))) == "KZ-2"
    assert refused(state, 1, OpenCell((0, 0))) == "KZ-2"
    assert refused(state, 1, Lift((5, 5))) == "KZ-2"
    assert OpenCell((2, 2)) not in GAME.moves(state, 1)
    assert OpenCell((2, 3)) in GAME.moves(state, 1)


@pytest.mark.rule("KZ-2")
def test_no_square_is_opened_once_all_are() -> None:
    assert refused(wanting(5), 0, OpenCell((0, 0))) == "KZ-2"


@pytest.mark.rule("KZ-2")
def test_what_is_revealed_stays_visible() -> None:
    match = whole_game(3, seed=4)
    shown: dict[tuple[int, int], int] = {}
    for fact in match.log:
        if isinstance(fact, Opened | Lifted):
            assert fact.cell not in shown
            shown[fact.cell] = fact.digit
    view = match.view()
    assert all(view.visible[row][column] == digit for (row, column), digit in shown.items())
    assert len(shown) == CELLS


@pytest.mark.rule("KZ-3")
def test_the_first_player_is_drawn_at_random() -> None:
    firsts = [start("kakuzu", 4, seed).state.first for seed in range(40)]
    assert set(firsts) == {0, 1, 2, 3}


@pytest.mark.rule("KZ-3")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_first_player_plays_first_whoever_opened_last(players: int) -> None:
    for seed in range(8):
        match = whole_game(players, seed)
        assert facts_of(match, DigitDrawn)[0].seat == match.state.first


@pytest.mark.rule("KZ-3")
@pytest.mark.parametrize("players", PLAYERS)
def test_turns_go_clockwise(players: int) -> None:
    ends = facts_of(whole_game(players, seed=5), KakuzuTurnEnded)
    assert all(after.seat == (before.seat + 1) % players for before, after in pairwise(ends))


@pytest.mark.rule("KZ-3")
def test_only_the_player_whose_turn_it_is_may_move() -> None:
    state = wanting(5)
    assert GAME.acting(state) == {0}
    assert GAME.moves(state, 1) == ()
    assert refused(state, 1, Lift((0, 0))) == "KZ-3"


@pytest.mark.rule("KZ-4")
def test_a_zero_ends_the_turn_at_once() -> None:
    facts = whole_game(2, seed=6).log
    zeros = [number for number, fact in enumerate(facts) if isinstance(fact, DigitDrawn) and fact.digit == 0]
    assert zeros
    for number in zeros:
        drew = facts[number]
        assert isinstance(drew, DigitDrawn)
        ended = facts[number + 1]
        assert isinstance(ended, KakuzuTurnEnded)
        assert (ended.seat, ended.cause) == (drew.seat, "zero")


@pytest.mark.rule("KZ-5")
def test_a_found_digit_wins_the_stone_stays_out_of_the_bag_and_another_is_drawn() -> None:
    state = wanting(5)
    cell = next(cell for cell in cells_of(5) if cell not in CENTRES)
    after, facts = play(state, 0, Lift(cell), seed=1)
    assert facts[0] == Lifted(0, cell, 5, 5, to=0, next_wanted=None)
    assert isinstance(facts[1], DigitDrawn)
    assert facts[1].seat == 0
    assert facts[1].digit not in (0, 5)
    assert after.stones == (1, 0)
    assert after.kept == 1
    assert 5 not in after.bag


@pytest.mark.rule("KZ-5")
def test_a_stone_must_be_lifted_and_any_that_lies_may_be() -> None:
    state = wanting(5)
    assert len(GAME.moves(state, 0)) == CELLS - 9
    assert all(isinstance(move, Lift) for move in GAME.moves(state, 0))
    assert refused(state, 0, Lift(CENTRES[0])) == "KZ-5"


@pytest.mark.rule("KZ-6")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_missed_stone_goes_to_the_left_and_ends_the_turn(players: int) -> None:
    last = players - 1
    state = wanting(5, players=players, first=last)
    cell = next(cell for cell in cells_of(4) if cell not in CENTRES)
    after, facts = play(state, last, Lift(cell), seed=1)
    assert facts[:2] == [
        Lifted(last, cell, 4, 5, to=0, next_wanted=None),
        turn_ended(last, "miss", players=players),
    ]
    assert after.stones[0] == 1
    assert sum(after.stones) == 1
    assert after.turn == 0


@pytest.mark.rule("KZ-7")
def test_all_digits_of_a_turn_return_when_it_ends() -> None:
    state = staged([DigitDrawn(0, 5), DigitDrawn(0, 6)])
    assert state.bag == (0, 1, 2, 3, 4, 7, 8, 9)
    miss = next(cell for cell in cells_of(4) if cell not in CENTRES)
    after, _ = play(state, 0, Lift(miss), seed=1)
    assert after.drawn == (after.wanted,)
    assert len(after.bag) == 9


@pytest.mark.rule("KZ-7")
def test_nothing_to_draw_ends_the_turn() -> None:
    state = replace(staged(), drawn=tuple(range(10)), bag=())
    assert GAME.next_by_itself(state, Random(0)) == turn_ended(0, "bag")


@pytest.mark.rule("KZ-7")
def test_who_has_found_every_live_digit_draws_the_zero() -> None:
    state = staged([DigitDrawn(0, digit) for digit in (9, 8, 7, 6, 5, 4, 3, 2, 1)])
    assert state.bag == (0,)
    _, facts = play(state, 0, Lift(next(cell for cell in cells_of(1) if cell not in CENTRES)))
    assert facts[1:3] == [DigitDrawn(0, 0), turn_ended(0, "zero")]


@pytest.mark.rule("KZ-8")
def test_the_ninth_of_a_digit_retires_it() -> None:
    state = uncovered(wanting(5), cells_of(5)[:8])
    after, facts = play(state, 0, Lift(cells_of(5)[8]))
    assert facts[1] == Retired(5)
    assert 5 not in after.bag
    assert after.retired == (5,)


@pytest.mark.rule("KZ-8")
def test_a_miss_can_complete_a_digit_which_then_never_returns_to_the_bag() -> None:
    state = uncovered(wanting(4), cells_of(5)[:8])
    after, facts = play(state, 0, Lift(cells_of(5)[8]))
    assert facts[1:3] == [Retired(5), turn_ended(0, "miss", bag=(0, 1, 2, 3, 4, 6, 7, 8, 9))]
    assert 5 not in after.bag


@pytest.mark.rule("KZ-8")
def test_the_opening_alone_can_complete_a_digit() -> None:
    nines = cells_of(9)
    after, facts = play(staged(opened=nines[:8]), 0, OpenCell(nines[8]))
    assert facts[:2] == [Opened(0, nines[8], 9, to_open=0, next=0), Retired(9)]
    assert after.retired == (9,)
    assert 9 not in after.bag


@pytest.mark.rule("KZ-8")
@pytest.mark.parametrize("options", [{}, {"same_digit": True}, {"announce": True}])
def test_a_digit_is_never_drawn_or_named_after_its_retirement(options: dict[str, bool]) -> None:
    gone: set[int] = set()
    for fact in whole_game(2, seed=8, **options).log:
        if isinstance(fact, Retired):
            gone.add(fact.digit)
        if isinstance(fact, DigitDrawn):
            assert fact.digit not in gone
    assert gone == set(DIGITS)


@pytest.mark.rule("KZ-9")
def test_the_last_stone_ends_the_game() -> None:
    ninth = cells_of(5)[8]
    everything = [(row, column) for row in range(9) for column in range(9) if (row, column) != ninth]
    after, facts = play(uncovered(wanting(5), everything), 0, Lift(ninth))
    rows = tuple(GRID[start : start + 9] for start in range(0, CELLS, 9))
    assert facts == [
        Lifted(0, ninth, 5, 5, to=0, next_wanted=None),
        Retired(5),
        KakuzuGameEnded((1, 0), (0,), rows, ({"stones": 1}, {"stones": 0})),
    ]
    assert GAME.acting(after) == frozenset()
    assert refused(after, 0, Lift(ninth)) == "KZ-9"


@pytest.mark.rule("KZ-9")
@pytest.mark.parametrize("players", PLAYERS)
def test_all_72_stones_are_won_by_somebody_and_most_win(players: int) -> None:
    for seed in range(3):
        match = whole_game(players, seed)
        assert match.outcome is not None
        assert sum(match.outcome.scores) == 72
        best = max(match.outcome.scores)
        assert [match.outcome.scores[seat] == best for seat in range(players)] == [
            seat in match.outcome.winners for seat in range(players)
        ]


@pytest.mark.rule("KZ-9")
def test_a_tie_shares_the_victory() -> None:
    assert winners_of((36, 36)) == (0, 1)
    assert winners_of((30, 12, 30)) == (0, 2)


@pytest.mark.rule("KZ-21")
def test_nothing_is_named_while_there_is_a_bag() -> None:
    assert refused(wanting(5), 0, Announce(5)) == "KZ-21"
