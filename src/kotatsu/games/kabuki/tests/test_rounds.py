"""The box, rounds, turns, the end of a round and of the game: KB-1 to KB-6, KB-12 to KB-14."""

from collections import Counter
from random import Random

import pytest

from kotatsu.engine.contract import IllegalMove
from kotatsu.games.kabuki.data import BOX, FULL_DECK
from kotatsu.games.kabuki.game import GAME
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiGameEnded,
    KabukiOptions,
    KabukiRoundEnded,
    KabukiState,
    MaskDrawn,
    Placed,
    PlaceMask,
    RoundStarted,
    Stopped,
    WindowClosed,
)
from kotatsu.games.kabuki.tests.staging import (
    called,
    everyone_passes,
    expire,
    facts,
    last_mask_placed,
    placed,
    play,
    round_started,
    table,
    whole_game,
)

PLAYERS = tuple(range(2, 7))


@pytest.mark.rule("KB-1")
def test_the_box() -> None:
    assert FULL_DECK == (5,) * 10
    assert sum(FULL_DECK) == 50
    assert BOX.actors == 4
    assert BOX.tokens == 24
    assert len(set(BOX.masks)) == 10


@pytest.mark.rule("KB-1")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_tokens_of_the_box_suffice(players: int) -> None:
    (started, _) = GAME.setup(players, KabukiOptions(), Random(1))
    assert isinstance(started, RoundStarted)
    assert sum(started.tokens) <= BOX.tokens


@pytest.mark.rule("KB-2", "KB-3", "KB-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_three_rounds_each_with_fresh_tokens_a_whole_deck_and_bare_actors(players: int) -> None:
    state: KabukiState = GAME.empty(players, KabukiOptions())
    rounds = []
    for fact in facts(whole_game(players, seed=players)):
        state = GAME.fold(state, fact)
        if isinstance(fact, RoundStarted):
            rounds.append(fact.round)
            assert fact.tokens == state.tokens == ((5 if players <= 4 else 4),) * players
            assert state.deck == FULL_DECK
            assert state.stacks == ((), (), (), ())
            assert state.drawn is None
    assert rounds == [1, 2, 3]


@pytest.mark.rule("KB-2")
def test_nothing_can_be_done_after_the_third_round() -> None:
    match = whole_game(3, seed=4)
    with pytest.raises(IllegalMove) as refusal:
        match.play(0, {"move": "place", "stack": 0})
    assert refusal.value.clause == "KB-2"


@pytest.mark.rule("KB-5")
def test_chance_names_the_first_player() -> None:
    firsts = {GAME.setup(4, KabukiOptions(), Random(seed))[0] for seed in range(60)}
    assert {fact.first for fact in firsts if isinstance(fact, RoundStarted)} == {0, 1, 2, 3}


@pytest.mark.rule("KB-5", "KB-13")
@pytest.mark.parametrize("players", PLAYERS)
def test_whoever_ended_a_round_opens_the_next_and_turns_pass_to_the_left(players: int) -> None:
    for seed in range(4):
        ended_by: int | None = None
        expected: int | None = None
        for fact in facts(whole_game(players, seed)):
            match fact:
                case RoundStarted(_, first):
                    assert ended_by in (None, first)
                    expected = first
                case MaskDrawn(seat, _):
                    assert seat == expected
                case Placed(seat):
                    expected = (seat + 1) % players
                case KabukiRoundEnded(by, _, _):
                    ended_by = by


@pytest.mark.rule("KB-6")
def test_a_turn_puts_the_drawn_mask_on_top_of_a_stack_and_only_tops_are_seen() -> None:
    state, happened = play(table(((3,), (), (), ()), 8), 0, PlaceMask(0))
    assert happened[0] == Placed(0, 8, 0, callers=(1, 2))
    assert state.stacks == ((3, 8), (), (), ())
    seen = GAME.view(state, 1)
    assert [(stack.top, stack.height) for stack in seen.stacks] == [(8, 2), (None, 0), (None, 0), (None, 0)]


@pytest.mark.rule("KB-6")
def test_a_drawn_mask_is_seen_by_all() -> None:
    state = placed(0, table(drawn=8))
    assert state.drawn is not None
    for seat in (0, 1, 2, None):
        assert GAME.view(state, seat).drawn == state.drawn
        assert GAME.redact(state, MaskDrawn(1, state.drawn), seat) == MaskDrawn(1, state.drawn)


@pytest.mark.rule("KB-6")
def test_masks_come_from_what_is_left_in_the_deck() -> None:
    state = table(((1, 1, 1, 1), (), (), ()), 0, deck=(1, 4, 4, 4))
    drawn: Counter[int] = Counter()
    for seed in range(400):
        _, drew = GAME.decide(state, 0, PlaceMask(2), Random(seed))
        assert isinstance(drew, MaskDrawn)
        drawn[drew.mask] += 1
    assert set(drawn) == {1, 4}
    assert 220 < drawn[4] < 380


@pytest.mark.rule("KB-6")
def test_only_the_player_whose_turn_it_is_places() -> None:
    for seat in (1, 2):
        with pytest.raises(IllegalMove) as refusal:
            GAME.decide(table(), seat, PlaceMask(0), Random(0))
        assert refusal.value.clause == "KB-6"


@pytest.mark.rule("KB-12", "KB-13")
def test_a_placer_who_loses_the_last_token_ends_the_round_at_once() -> None:
    state = placed(0, table(((7, 2), (), (), ()), 7, tokens=(1, 5, 5)))
    state, happened = called(2, state)
    assert happened == [
        Stopped(2, 0, 0, 7, 1, 1, held=(0, 5, 6)),
        CheckOpened((7, 2, 7)),
        KabukiRoundEnded(0, "tokens", (0, 5, 6)),
    ]
    assert GAME.acting(state) == frozenset()
    state, happened = expire(state)
    assert happened[:2] == [CheckClosed(), round_started(2, 0, (5, 5, 5))]


@pytest.mark.rule("KB-12", "KB-13")
def test_a_caller_who_loses_the_last_token_ends_the_round_at_once() -> None:
    state = placed(0, table(((2,), (), (), ()), 7, tokens=(5, 1, 5)))
    _, happened = called(1, state)
    assert happened == [
        Stopped(1, 0, 0, 7, 0, -1, held=(5, 0, 5)),
        CheckOpened((2, 7)),
        KabukiRoundEnded(1, "tokens", (5, 0, 5)),
    ]


@pytest.mark.rule("KB-12", "KB-13")
def test_an_empty_deck_ends_the_round_when_the_time_for_a_call_has_passed() -> None:
    state = last_mask_placed()
    assert GAME.acting(state) == {1, 2}
    state, happened = expire(state)
    assert happened[:3] == [
        WindowClosed(),
        KabukiRoundEnded(0, "deck", (5, 5, 5)),
        round_started(2, 0, (5, 5, 5)),
    ]
    assert isinstance(happened[3], MaskDrawn)


@pytest.mark.rule("KB-12")
def test_an_empty_deck_ends_the_round_when_everyone_has_declined() -> None:
    _, happened = everyone_passes(last_mask_placed())
    assert WindowClosed() in happened
    assert KabukiRoundEnded(0, "deck", (5, 5, 5)) in happened


@pytest.mark.rule("KB-12", "KB-13")
def test_a_call_on_the_last_mask_is_settled_before_the_round_ends() -> None:
    state, happened = called(1, last_mask_placed())
    assert happened == [
        Stopped(1, 0, 0, 7, 1, 1, held=(4, 6, 5)),
        CheckOpened(state.stacks[0]),
        KabukiRoundEnded(0, "deck", (4, 6, 5)),
    ]
    assert GAME.view(state, None).check is not None
    _, happened = expire(state)
    assert happened[:2] == [CheckClosed(), round_started(2, 0, (5, 5, 5))]


@pytest.mark.rule("KB-13")
def test_a_caller_who_is_wrong_on_the_last_mask_and_loses_everything_ended_the_round() -> None:
    state = placed(0, table(((2,), (), (), ()), 7, deck=(), tokens=(5, 5, 1)))
    _, happened = called(2, state)
    assert happened[-1] == KabukiRoundEnded(2, "tokens", (5, 5, 0))


@pytest.mark.rule("KB-14")
def test_tokens_of_three_rounds_are_added() -> None:
    state = placed(
        0, table(((7, 2), (), (), ()), 7, deck=(), round_=3, scores=((5, 5, 5), (0, 8, 7)), tokens=(5, 3, 5))
    )
    state, happened = called(1, state)
    by_round = tuple(
        {"round_1": first, "round_2": second, "round_3": third}
        for first, second, third in ((5, 0, 4), (5, 8, 4), (5, 7, 5))
    )
    assert happened[2:] == [
        KabukiRoundEnded(0, "deck", (4, 4, 5)),
        KabukiGameEnded((9, 17, 17), (1, 2), by_round),
    ]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == (1, 2)
    assert outcome.breakdown[1] == {"round_1": 5, "round_2": 8, "round_3": 4}
    assert GAME.deadline(state) is None


@pytest.mark.rule("KB-14")
@pytest.mark.parametrize("players", PLAYERS)
def test_scores_are_the_sums_of_the_ends_of_rounds(players: int) -> None:
    match = whole_game(players, seed=11)
    ends = [fact for fact in facts(match) if isinstance(fact, KabukiRoundEnded)]
    outcome = match.outcome
    assert outcome is not None
    assert outcome.scores == tuple(sum(end.tokens[seat] for end in ends) for seat in range(players))
    assert outcome.winners == tuple(s for s in range(players) if outcome.scores[s] == max(outcome.scores))
