"""Calls, checks, the window and the clock: KB-7 to KB-11, KB-20, KB-21, KB-23."""

from random import Random

import pytest

from kotatsu.engine.contract import Deadline, IllegalMove, Race, Seat
from kotatsu.engine.match import BadTable, read_options
from kotatsu.games.kabuki.game import GAME
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiMove,
    KabukiOptions,
    KabukiState,
    Pass,
    Passed,
    Placed,
    PlaceMask,
    Stop,
    Stopped,
    WindowClosed,
)
from kotatsu.games.kabuki.tests.staging import (
    called,
    everyone_passes,
    expire,
    last_mask_placed,
    placed,
    play,
    table,
)

MATCH = ((7, 2), (), (), ())
HURRIED = KabukiOptions(window_s=2.5, check_s=4, turn_s=20)


def refused(state: KabukiState, seat: Seat, move: KabukiMove) -> str:
    with pytest.raises(IllegalMove) as refusal:
        GAME.decide(state, seat, move, Random(0))
    return refusal.value.clause


@pytest.mark.rule("KB-7")
def test_any_other_player_may_call_from_the_placement_on() -> None:
    state = placed(0, table(MATCH, 7, players=4))
    for seat in (1, 2, 3):
        assert Stop() in GAME.moves(state, seat)
        assert called(seat, state)[1][0] == Stopped(
            seat, 0, 0, 7, 1, 1, held=(4, *(5 + (other == seat) for other in (1, 2, 3)))
        )


@pytest.mark.rule("KB-7")
def test_a_call_stays_open_until_the_next_placement() -> None:
    state, _ = expire(placed(0, table(MATCH, 7)))
    assert GAME.moves(state, 1) == (PlaceMask(0), PlaceMask(1), PlaceMask(2), PlaceMask(3), Stop())
    assert GAME.moves(state, 2) == (Stop(),)
    state, _ = play(state, 1, PlaceMask(3))
    _, happened = called(2, state)
    assert isinstance(happened[0], Stopped)
    assert (happened[0].against, happened[0].stack) == (1, 3)


@pytest.mark.rule("KB-7")
def test_there_is_one_call_at_most_for_a_placement() -> None:
    state, _ = called(1, placed(0, table(MATCH, 7)))
    state, _ = expire(state)
    assert refused(state, 2, Stop()) == "KB-7"
    assert Stop() not in GAME.moves(state, 1)


@pytest.mark.rule("KB-7")
def test_placers_cannot_call_on_their_own_mask() -> None:
    state = placed(0, table(MATCH, 7))
    assert GAME.moves(state, 0) == ()
    assert refused(state, 0, Stop()) == "KB-7"


@pytest.mark.rule("KB-7")
def test_nobody_calls_before_the_first_placement() -> None:
    assert refused(table(), 1, Stop()) == "KB-7"


@pytest.mark.rule("KB-8")
@pytest.mark.parametrize(
    ("stack", "matches"), [((), 0), ((2, 3), 0), ((7,), 1), ((7, 2, 7, 3), 2), ((7, 7, 7, 7), 4)]
)
def test_matches_are_the_masks_under_the_top_that_equal_it(stack: tuple[int, ...], matches: int) -> None:
    _, happened = called(1, placed(0, table((stack, (7,) * (4 - stack.count(7)), (), ()), 7)))
    assert isinstance(happened[0], Stopped)
    assert happened[0].matches == matches


@pytest.mark.rule("KB-8")
def test_a_check_shows_the_whole_stack_to_everyone_and_stops_play() -> None:
    state, (_, opened) = called(1, placed(0, table(MATCH, 7)))
    assert opened == CheckOpened((7, 2, 7))
    for seat in (0, 1, 2, None):
        assert GAME.redact(state, opened, seat) == opened
        check = GAME.view(state, seat).check
        assert check is not None
        assert check.masks == (7, 2, 7)
        assert (check.seat, check.against, check.stack, check.matches, check.tokens) == (1, 0, 0, 1, 1)
    assert GAME.acting(state) == frozenset()
    assert refused(state, 1, PlaceMask(0)) == "KB-8"


@pytest.mark.rule("KB-9")
def test_a_right_call_takes_a_token_for_each_match() -> None:
    state, happened = called(2, placed(0, table(((7, 1, 7), (), (), ()), 7)))
    assert happened == [Stopped(2, 0, 0, 7, 2, 2, held=(3, 5, 7)), CheckOpened((7, 1, 7, 7))]
    assert state.tokens == (3, 5, 7)


@pytest.mark.rule("KB-9")
def test_a_right_call_takes_no_more_than_the_placer_has() -> None:
    state, happened = called(2, placed(0, table(((7, 7, 7), (), (), ()), 7, tokens=(2, 5, 5))))
    assert happened[0] == Stopped(2, 0, 0, 7, 3, 2, held=(0, 5, 7))
    assert state.tokens == (0, 5, 7)


@pytest.mark.rule("KB-10")
def test_a_wrong_call_costs_the_caller_a_token() -> None:
    state, happened = called(2, placed(0, table(((1, 2), (7,), (), ()), 7)))
    assert happened == [Stopped(2, 0, 0, 7, 0, -1, held=(5, 5, 4)), CheckOpened((1, 2, 7))]
    assert state.tokens == (5, 5, 4)


@pytest.mark.rule("KB-11")
def test_past_mistakes_cost_nothing_and_the_stack_goes_back_as_it_was() -> None:
    """The rulebook's example: one blue below the blue on top, and two greens that no longer matter."""
    blue, green, other = 4, 6, 1
    state = placed(3, table(((), (), (), (green, blue, other, green)), blue, players=4))
    state, happened = called(2, state)
    assert happened == [
        Stopped(2, 0, 3, blue, 1, 1, held=(4, 5, 6, 5)),
        CheckOpened((green, blue, other, green, blue)),
    ]
    before = state.stacks
    state, happened = expire(state)
    assert happened == [CheckClosed()]
    assert state.stacks == before
    assert GAME.acting(state) == {1}
    assert GAME.moves(state, 1) == tuple(map(PlaceMask, range(4)))


@pytest.mark.rule("KB-20")
def test_the_next_player_has_drawn_but_may_not_place_in_the_window() -> None:
    state = placed(0, table(MATCH, 7, options=HURRIED))
    assert state.drawn is not None
    assert GAME.view(state, 1).phase == "window"
    assert refused(state, 1, PlaceMask(0)) == "KB-20"
    assert GAME.deadline(state) == Deadline("window", 2.5, (1, 2), state.moment)
    state, happened = expire(state)
    assert happened == [WindowClosed()]
    assert PlaceMask(0) in GAME.moves(state, 1)


@pytest.mark.rule("KB-20")
def test_the_window_is_3_seconds_between_1_and_10() -> None:
    assert KabukiOptions().window_s == 3
    for seconds in (1, 2.5, 10):
        assert read_options(GAME, {"window_s": seconds}) == KabukiOptions(window_s=seconds)
    for seconds in (0.9, 10.1):
        with pytest.raises(BadTable, match="window_s"):
            read_options(GAME, {"window_s": seconds})


@pytest.mark.rule("KB-20")
def test_the_window_ends_early_when_every_other_player_has_passed() -> None:
    state = placed(0, table(MATCH, 7, players=4))
    state, happened = play(state, 3, Pass())
    assert happened == [Passed(3)]
    state, happened = play(state, 1, Pass())
    assert happened == [Passed(1)]
    assert refused(state, 1, PlaceMask(0)) == "KB-20"
    state, happened = play(state, 2, Pass())
    assert happened == [Passed(2), WindowClosed()]
    assert GAME.acting(state) == {1}


@pytest.mark.rule("KB-20")
def test_a_pass_holds_for_this_placement_only() -> None:
    state, _ = play(placed(0, table(MATCH, 7)), 2, Pass())
    assert refused(state, 2, Stop()) == "KB-20"
    assert refused(state, 2, Pass()) == "KB-20"
    state, _ = expire(state)
    assert GAME.moves(state, 2) == ()
    state, _ = play(state, 1, PlaceMask(1))
    assert GAME.moves(state, 2) == (Stop(), Pass())


@pytest.mark.rule("KB-20")
def test_a_pass_does_not_prolong_the_window() -> None:
    state = placed(0, table(MATCH, 7))
    assert GAME.deadline(play(state, 2, Pass())[0]) == GAME.deadline(state)


@pytest.mark.rule("KB-20")
def test_nobody_waits_for_a_pass_after_the_window() -> None:
    state, _ = expire(placed(0, table(MATCH, 7)))
    assert refused(state, 2, Pass()) == "KB-20"


@pytest.mark.rule("KB-20")
def test_after_the_last_mask_the_window_is_the_whole_time() -> None:
    state = last_mask_placed()
    assert GAME.view(state, 1).drawn is None
    assert GAME.view(state, 1).turn is None
    assert GAME.moves(state, 1) == (Stop(), Pass())
    after, _ = expire(state)
    assert after.round == 2
    assert everyone_passes(state)[0].round == 2


@pytest.mark.rule("KB-20")
def test_after_a_check_the_next_player_may_place_at_once() -> None:
    state, _ = expire(called(2, placed(0, table(MATCH, 7)))[0])
    assert GAME.view(state, 1).phase == "place"
    state, happened = play(state, 1, PlaceMask(2))
    assert isinstance(happened[0], Placed)


@pytest.mark.rule("KB-21")
@pytest.mark.parametrize("placer", range(4))
def test_callers_race_and_ties_go_to_the_placers_left(placer: Seat) -> None:
    state = table(players=4)
    for seat in range(placer):
        state, _ = everyone_passes(play(state, seat, PlaceMask(seat))[0])
    state, _ = play(state, placer, PlaceMask(3))
    race = GAME.race(state)
    assert race is not None
    assert (race.move, race.seats) == (Stop(), tuple((placer + step) % 4 for step in (1, 2, 3)))
    state, _ = play(state, (placer + 1) % 4, Pass())
    assert GAME.race(state) == Race(Stop(), tuple((placer + step) % 4 for step in (2, 3)), race.token)


@pytest.mark.rule("KB-21")
def test_every_placement_opens_a_race_of_its_own_that_a_call_ends() -> None:
    state = placed(0, table(MATCH, 7))
    first = GAME.race(state)
    assert first == GAME.race(expire(state)[0])
    second = GAME.race(play(expire(state)[0], 1, PlaceMask(1))[0])
    assert first is not None
    assert second is not None
    assert first.token != second.token
    assert GAME.race(called(1, state)[0]) is None
    assert GAME.race(table()) is None


@pytest.mark.rule("KB-23")
def test_a_mask_not_placed_in_time_is_placed_at_random() -> None:
    state = table(MATCH, 7, options=HURRIED)
    assert GAME.deadline(state) == Deadline("place", 20, (0,), state.moment, keeps_running=True)
    stacks = set()
    for seed in range(40):
        first, *_ = GAME.expire(state, Random(seed))
        assert isinstance(first, Placed)
        assert (first.seat, first.mask) == (0, 7)
        stacks.add(first.stack)
    assert stacks == {0, 1, 2, 3}


@pytest.mark.rule("KB-23")
def test_without_a_limit_nobody_is_hurried() -> None:
    state = table(MATCH, 7, options=KabukiOptions(turn_s=0))
    assert GAME.deadline(state) is None
    with pytest.raises(ValueError, match="waiting for nothing"):
        GAME.expire(state, Random(0))


@pytest.mark.rule("KB-23")
def test_the_limit_is_30_seconds_unless_the_table_says_otherwise() -> None:
    assert KabukiOptions().turn_s == 0
    assert GAME.listed_defaults == {"turn_s": 30}
