"""Variants, the tournament clock and the game alone: KZ-20 to KZ-23."""

from functools import reduce
from random import Random

import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, IllegalMove
from kotatsu.engine.match import BadTable, replay, start
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.model import (
    HOUSE,
    Announce,
    Announced,
    DigitDrawn,
    KakuzuGameEnded,
    KakuzuMove,
    KakuzuState,
    Lift,
    Lifted,
    OpenCell,
    Opened,
    Retired,
    TimeSpent,
)
from kotatsu.games.kakuzu.scoring import winners_of
from kotatsu.games.kakuzu.tests.staging import (
    CENTRES,
    cells_of,
    facts_of,
    play,
    staged,
    turn_ended,
    uncovered,
    wanting,
    whole_game,
)


def hidden(digit: int) -> list[tuple[int, int]]:
    return [cell for cell in cells_of(digit) if cell not in CENTRES]


def refused(state: KakuzuState, move: KakuzuMove) -> str:
    with pytest.raises(IllegalMove) as refusal:
        GAME.decide(state, state.turn, move, Random(0))
    return refusal.value.clause


@pytest.mark.rule("KZ-20")
def test_a_success_is_followed_by_the_same_digit_without_a_draw() -> None:
    state = wanting(5, same_digit=True)
    after, facts = play(state, 0, Lift(hidden(5)[0]))
    assert facts == [Lifted(0, hidden(5)[0], 5, 5, to=0, next_wanted=5)]
    assert (after.turn, after.wanted, after.stones) == (0, 5, (1, 0))


@pytest.mark.rule("KZ-20")
def test_finding_the_ninth_ends_the_turn() -> None:
    state = uncovered(wanting(5, same_digit=True), cells_of(5)[:8])
    after, facts = play(state, 0, Lift(cells_of(5)[8]), seed=2)
    assert facts[1:3] == [Retired(5), turn_ended(0, "ninth", bag=(0, 1, 2, 3, 4, 6, 7, 8, 9))]
    assert 5 not in after.bag


@pytest.mark.rule("KZ-20")
def test_a_miss_ends_the_turn_there_too() -> None:
    _, facts = play(wanting(5, same_digit=True), 0, Lift(hidden(4)[0]))
    assert facts[:2] == [Lifted(0, hidden(4)[0], 4, 5, to=1, next_wanted=5), turn_ended(0, "miss")]


@pytest.mark.rule("KZ-21")
def test_a_digit_is_named_before_each_stone() -> None:
    state = staged(announce=True)
    assert state.bag == ()
    assert GAME.moves(state, 0) == tuple(Announce(digit) for digit in range(1, 10))
    assert refused(state, Lift(hidden(5)[0])) == "KZ-21"
    named, facts = play(state, 0, Announce(5))
    assert facts == [Announced(0, 5)]
    assert refused(named, Announce(6)) == "KZ-21"
    won, facts = play(named, 0, Lift(hidden(5)[0]))
    assert facts == [Lifted(0, hidden(5)[0], 5, 5, to=0, next_wanted=None)]
    assert Announce(5) in GAME.moves(won, 0)


@pytest.mark.rule("KZ-21")
def test_nothing_is_named_before_all_squares_are_open() -> None:
    assert refused(staged(opened=CENTRES[:8], announce=True), Announce(5)) == "KZ-2"


@pytest.mark.rule("KZ-21")
def test_a_digit_without_hidden_places_cannot_be_named() -> None:
    state = uncovered(staged(announce=True), cells_of(5))
    assert refused(state, Announce(5)) == "KZ-21"
    assert Announce(5) not in GAME.moves(state, 0)


@pytest.mark.rule("KZ-21")
def test_the_third_stone_kept_ends_the_turn() -> None:
    state = staged(announce=True)
    for cell in hidden(5)[:2]:
        state, _ = play(state, 0, Announce(5))
        state, _ = play(state, 0, Lift(cell))
    assert (state.turn, state.kept) == (0, 2)
    state, _ = play(state, 0, Announce(6))
    state, facts = play(state, 0, Lift(hidden(6)[0]))
    assert facts[-1] == turn_ended(0, "limit", bag=())
    assert (state.turn, state.kept, state.stones) == (1, 0, (3, 0))


@pytest.mark.rule("KZ-21")
def test_with_the_same_digit_its_name_holds_for_the_turn() -> None:
    state, _ = play(staged(announce=True, same_digit=True), 0, Announce(5))
    for cell in hidden(5)[:2]:
        state, _ = play(state, 0, Lift(cell))
        assert state.wanted == 5
    state, facts = play(state, 0, Lift(hidden(5)[2]))
    assert facts[-1] == turn_ended(0, "limit", bag=())


@pytest.mark.rule("KZ-22")
def test_the_deadline_is_the_bank_of_the_player_to_move() -> None:
    match = start("kakuzu", 2, seed=1, clock_s=60)
    first = match.state.first
    assert match.deadline == Deadline("clock", 60.0, (first,), 0, keeps_running=True)
    facts = match.play(first, match.moves(first)[0], seconds=12.5)
    assert facts[0] == TimeSpent(first, 12_500)
    assert isinstance(facts[1], Opened)
    assert match.state.clocks[first] == 47_500
    assert match.view().clocks == match.state.clocks
    assert match.deadline is not None
    assert match.deadline.seats == (1 - first,)


@pytest.mark.rule("KZ-22")
def test_every_wait_is_a_new_one_even_if_no_time_was_spent() -> None:
    match = start("kakuzu", 1, seed=1, clock_s=60, announce=True)
    seen = set()
    while match.outcome is None:
        assert match.deadline not in seen
        seen.add(match.deadline)
        match.play(0, match.moves(0)[0])


@pytest.mark.rule("KZ-22")
def test_who_is_out_of_time_loses_the_turn_and_every_later_one() -> None:
    state = wanting(5, clock_s=10, players=3)
    facts = GAME.expire(state, Random(1))
    assert facts[:2] == [TimeSpent(0, 10_000), turn_ended(0, "time", players=3)]
    state = reduce(GAME.fold, facts, state)
    turns = []
    for _ in range(20):
        turns.append(state.turn)
        miss = next(move for move in GAME.moves(state, state.turn) if misses(state, move))
        state, facts = play(state, state.turn, miss)
        assert turn_ended(0, "time", players=3) in facts or state.turn != 0
    assert set(turns) == {1, 2}
    assert state.stones[0] == 0, "what the neighbour misses goes to others"


@pytest.mark.rule("KZ-22")
@pytest.mark.parametrize(
    ("players", "without_time", "misser", "to"),
    [
        (2, {0}, 1, HOUSE),
        (3, {1}, 0, 2),
        (3, {1, 2}, 0, HOUSE),
        (4, {2}, 1, 3),
        (4, {2, 3}, 1, 0),
        (4, {0}, 1, 2),
        (4, {0, 2, 3}, 1, HOUSE),
    ],
)
def test_a_stone_missed_goes_to_the_next_who_has_time_left(
    players: int, without_time: set[int], misser: int, to: int
) -> None:
    state = staged(
        [DigitDrawn(misser, 5), *(TimeSpent(seat, 10_000) for seat in without_time)],
        players=players,
        first=misser,
        clock_s=10,
    )
    after, facts = play(state, misser, Lift(hidden(4)[0]))
    assert facts[0] == Lifted(misser, hidden(4)[0], 4, 5, to=to, next_wanted=None)
    assert after.stones == tuple(int(seat == to) for seat in range(players))
    assert after.house == int(to == HOUSE)
    told = GAME.tell(facts[0], ("Ana", "Ben", "Cleo", "Dan")[:players])
    assert told.endswith("Nobody gets the stone.") == (to == HOUSE)


@pytest.mark.rule("KZ-22")
def test_who_never_lifts_a_stone_gains_none_and_can_win_with_what_they_have() -> None:
    """The first lets the time run out; the other then misses every stone: 0 to 0, and no 7 to 1."""
    match = start("kakuzu", 2, seed=3, clock_s=10)
    idle = match.state.first
    match.expire()
    while match.outcome is None:
        (seat,) = match.acting
        assert seat != idle
        moves = match.moves(seat)
        poor = [move for move in moves if isinstance(move, Lift) and misses(match.state, move)]
        match.play(seat, (poor or moves)[0])
    assert match.outcome.scores[idle] == 0
    ahead = reduce(GAME.fold, [TimeSpent(0, 10_000)], replace(wanting(5, first=1, clock_s=10), stones=(7, 1)))
    facts = GAME.expire(ahead, Random(1))
    assert isinstance(facts[-1], KakuzuGameEnded)
    assert facts[-1].winners == (0,)


@pytest.mark.rule("KZ-22")
def test_a_move_that_comes_when_the_time_is_up_is_refused_and_changes_nothing() -> None:
    match = start("kakuzu", 2, seed=1, clock_s=60)
    first, before, record = match.state.first, match.state, match.record()
    with pytest.raises(IllegalMove) as refusal:
        match.play(first, match.moves(first)[0], seconds=60.5)
    assert refusal.value.clause == "time"
    assert match.state == before
    assert match.record() == record
    match.play(first, match.moves(first)[0], seconds=60)
    assert match.state.clocks[first] == 0


def misses(state: KakuzuState, move: KakuzuMove) -> bool:
    assert isinstance(move, Lift)
    row, column = move.cell
    return state.grid[row * 9 + column] != state.wanted


@pytest.mark.rule("KZ-22")
def test_a_move_made_in_the_last_moment_counts_and_the_turn_ends_after_it() -> None:
    state = wanting(5, clock_s=10)
    state = reduce(GAME.fold, GAME.spend(state, 0, 99.0), state)
    assert state.clocks == (0, 10_000)
    after, facts = play(state, 0, Lift(hidden(5)[0]))
    assert facts[:2] == [Lifted(0, hidden(5)[0], 5, 5, to=0, next_wanted=None), turn_ended(0, "time")]
    assert after.turn == 1


@pytest.mark.rule("KZ-22")
def test_the_clock_runs_in_the_opening_too() -> None:
    match = start("kakuzu", 2, seed=2, clock_s=5)
    first = match.state.first
    match.expire()
    while match.outcome is None and not facts_of(match, DigitDrawn):
        (seat,) = match.acting
        assert seat != first
        match.play(seat, match.moves(seat)[0])
    assert {fact.seat for fact in facts_of(match, Opened)} == {1 - first}


@pytest.mark.rule("KZ-22")
def test_the_game_ends_when_nobody_has_time_left() -> None:
    match = start("kakuzu", 2, seed=2, clock_s=5)
    match.expire()
    facts = match.expire()
    assert isinstance(facts[-1], KakuzuGameEnded)
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1)
    assert match.view().grid == facts[-1].grid
    assert match.deadline is None


@pytest.mark.rule("KZ-22")
def test_without_a_clock_nothing_is_spent_and_nothing_expires() -> None:
    match = start("kakuzu", 2, seed=2)
    assert match.deadline is None
    (seat,) = match.acting
    assert not any(isinstance(fact, TimeSpent) for fact in match.play(seat, match.moves(seat)[0], 30.0))
    with pytest.raises(ValueError, match="nothing"):
        match.expire()


@pytest.mark.rule("KZ-22")
def test_a_record_keeps_the_clocks() -> None:
    match = start("kakuzu", 2, seed=2, clock_s=50)
    for seconds in (1.25, 0.5, 7.0):
        (seat,) = match.acting
        match.play(seat, match.moves(seat)[0], seconds)
    assert replay(match.record()).state == match.state


@pytest.mark.rule("KZ-22")
def test_a_clock_beyond_reason_is_refused() -> None:
    with pytest.raises(BadTable):
        start("kakuzu", 2, clock_s=-1)


@pytest.mark.rule("KZ-23")
def test_alone_missed_stones_go_to_the_house() -> None:
    state = wanting(5, players=1)
    after, facts = play(state, 0, Lift(hidden(4)[0]))
    assert facts[:2] == [
        Lifted(0, hidden(4)[0], 4, 5, to=HOUSE, next_wanted=None),
        turn_ended(0, "miss", players=1),
    ]
    assert (after.stones, after.house, after.turn) == ((0,), 1, 0)


@pytest.mark.rule("KZ-23")
def test_alone_one_wins_with_more_than_the_house() -> None:
    assert winners_of((37,)) == (0,)
    assert winners_of((36,)) == ()
    match = whole_game(1, seed=1)
    assert match.outcome is not None
    (parts,) = match.outcome.breakdown
    assert parts == {"stones": match.state.stones[0], "house": match.state.house}
    assert sum(parts.values()) == 72


@pytest.mark.rule("KZ-23")
def test_alone_the_end_of_time_leaves_the_rest_to_the_house() -> None:
    match = start("kakuzu", 1, seed=2, clock_s=5)
    match.play(0, OpenCell((0, 0)))
    match.expire()
    assert match.outcome is not None
    assert match.outcome.winners == ()
    assert match.outcome.breakdown == ({"stones": 0, "house": 72},)
