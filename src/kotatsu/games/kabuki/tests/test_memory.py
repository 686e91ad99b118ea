"""KB-22: a covered mask is nobody's to see, and properties every position keeps."""

from functools import reduce
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotatsu.engine.contract import Deadline, Fact
from kotatsu.engine.match import start
from kotatsu.games.kabuki.data import FULL_DECK, TOKENS_EACH
from kotatsu.games.kabuki.game import GAME
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiOptions,
    KabukiRoundEnded,
    KabukiState,
    KabukiView,
    MaskDrawn,
    Placed,
    RoundStarted,
    Stopped,
)
from kotatsu.games.kabuki.story import tell
from kotatsu.games.kabuki.tests.staging import (
    called,
    expire,
    facts,
    placed,
    random_steps,
    round_started,
    table,
    whole_game,
)

games = st.tuples(st.integers(2, 6), st.integers(0, 2**32), st.sampled_from((0.0, 0.5, 0.9, 0.99)))


def open_masks(state: KabukiState) -> set[int]:
    """What lies open before everyone: tops, the drawn mask, and a stack that is being checked."""
    masks = {stack[-1] for stack in state.stacks if stack}
    if state.drawn is not None:
        masks.add(state.drawn)
    if state.checking and state.call is not None:
        masks.update(state.stacks[state.call.stack])
    return masks


def named_masks(view: KabukiView) -> set[int]:
    masks = {stack.top for stack in view.stacks} | {view.drawn}
    masks.add(view.placed.mask if view.placed is not None else None)
    masks.update(view.check.masks if view.check is not None else ())
    return {mask for mask in masks if mask is not None}


def all_views(state: KabukiState) -> list[KabukiView]:
    return [GAME.view(state, seat) for seat in (*range(state.players), None)]


@pytest.mark.rule("KB-22")
@given(games)
@settings(max_examples=25, deadline=None)
def test_no_view_tells_a_covered_mask(game: tuple[int, int, float]) -> None:
    """Whatever is covered, every view is the same; and it names only what lies open."""
    players, seed, caution = game
    match = start("kabuki", players=players, seed=seed)
    rng = Random(seed)
    for _ in random_steps(match, seed, caution):
        if match.outcome is not None:
            return
        seen = all_views(match.state)
        assert all_views(GAME.imagine(match.state, rng.randrange(players), rng)) == seen
        assert set().union(*map(named_masks, seen)) <= open_masks(match.state)


@pytest.mark.rule("KB-22")
@given(games)
@settings(max_examples=15, deadline=None)
def test_what_was_told_once_is_not_told_again_before_the_end(game: tuple[int, int, float]) -> None:
    players, seed, caution = game
    match = start("kabuki", players=players, seed=seed)
    for new in random_steps(match, seed, caution):
        for fact in new:
            assert GAME.redact(match.state, fact, None) == fact
        if match.outcome is None:
            for fact in facts(match)[: -len(new)]:
                again = GAME.redact(match.state, fact, 0)
                if isinstance(again, MaskDrawn | Placed | Stopped):
                    assert again.mask in open_masks(match.state)
                assert not isinstance(again, CheckOpened) or set(again.masks) <= open_masks(match.state)
    assert all(GAME.redact(match.state, fact, None) == fact for fact in facts(match))


@pytest.mark.rule("KB-22")
def test_missed_facts_are_never_repeated() -> None:
    assert GAME.forgetful


@pytest.mark.rule("KB-22")
def test_imagination_varies_what_is_covered_and_what_is_left() -> None:
    state = placed(0, table(((1, 2, 3), (4, 5), (), ()), 6))
    imagined = [GAME.imagine(state, 1, Random(seed)) for seed in range(50)]
    assert len({other.stacks for other in imagined}) > 10
    assert len({other.deck for other in imagined}) > 10
    assert all(other.stacks[0][-1] == 6 and other.stacks[1][-1] == 5 for other in imagined)


@pytest.mark.rule("KB-22")
def test_a_check_is_over_for_everyone_after_its_time() -> None:
    state, _ = called(1, placed(0, table(((7, 2), (), (), ()), 7, options=KabukiOptions(check_s=4))))
    assert GAME.deadline(state) == Deadline("check", 4, (), state.moment)
    shown = GAME.imagine(state, 0, Random(3))
    assert shown.stacks[0] == (7, 2, 7)
    state, happened = expire(state)
    assert happened == [CheckClosed()]
    for seen in all_views(state):
        assert seen.check is None
        assert named_masks(seen) <= {7, state.drawn}
    assert KabukiOptions().check_s == 6


@pytest.mark.rule("KB-22")
def test_a_call_is_forgotten_with_its_check() -> None:
    """That a call was right says that its mask lies in the stack twice."""
    state, told = called(1, placed(0, table(((7, 2), (), (), ()), 7)))
    assert [GAME.redact(state, fact, 2) for fact in told] == told
    state, _ = expire(state)
    assert [GAME.redact(state, fact, 2) for fact in told] == [None, None]


def check_masks_are_conserved(state: KabukiState) -> None:
    masks = [mask for stack in state.stacks for mask in stack]
    masks += [] if state.drawn is None else [state.drawn]
    assert tuple(left + masks.count(mask) for mask, left in enumerate(state.deck)) == FULL_DECK


def check_call(before: KabukiState, call: Stopped, after: KabukiState) -> None:
    stack = before.stacks[call.stack]
    assert stack[-1] == call.mask
    assert call.matches == sum(mask == call.mask for mask in stack[:-1])
    lost = sum(before.tokens) - sum(after.tokens)
    assert lost == (0 if call.matches else 1)


@given(games)
@settings(max_examples=40, deadline=None)
def test_every_position_keeps_its_masks_tokens_and_waits(game: tuple[int, int, float]) -> None:
    players, seed, caution = game
    match = whole_game(players, seed, caution)
    state: KabukiState = GAME.empty(players, KabukiOptions())
    waits: list[Deadline] = []
    for fact in facts(match):
        before, state = state, GAME.fold(state, fact)
        check_masks_are_conserved(state)
        assert all(0 <= held <= TOKENS_EACH[players] * players for held in state.tokens)
        deadline = GAME.deadline(state)
        if deadline is not None and deadline not in waits[-1:]:
            assert deadline not in waits
            waits.append(deadline)
        match fact:
            case Stopped():
                check_call(before, fact, state)
            case KabukiRoundEnded(by, cause, tokens):
                assert tokens == state.tokens
                assert (0 in tokens) == (cause == "tokens")
                assert cause == "deck" or tokens[by] == 0


def test_random_rounds_end_both_ways() -> None:
    causes = {
        fact.cause
        for players in range(2, 7)
        for caution in (0.5, 0.99)
        for fact in facts(whole_game(players, 5, caution))
        if isinstance(fact, KabukiRoundEnded)
    }
    assert causes == {"tokens", "deck"}


def test_a_position_in_the_middle_is_set_up_from_its_facts() -> None:
    match = start("kabuki", players=3, seed=9)
    for number, _ in enumerate(random_steps(match, 9, 0.9)):
        if number == 60:
            break
    again = reduce(GAME.fold, facts(match), GAME.empty(3, KabukiOptions()))
    assert again == match.state


def test_the_story_tells_every_fact_in_words() -> None:
    names = ("Ana", "Ben", "Cleo")
    told = [tell(fact, names) for fact in facts(whole_game(3, 2, 0.8))]
    assert all(line.endswith(".") for line in told)
    assert tell(Stopped(0, 1, 2, 0, 0, -1, (4, 5, 5)), names) == (
        "Ana calls “Stop!” on the fox of Ben: it is not there, and a token goes back to the box."
    )
    assert tell(Stopped(2, 1, 2, 1, 2, 1, (5, 0, 6)), names) == (
        "Cleo calls “Stop!” on the flame of Ben: it is there 2 times already, Cleo takes 1 token."
    )
    assert tell(round_started(1, 2, (5, 5, 5)), names) == "Round 1, Cleo begins. Everyone has 5 tokens."


@pytest.mark.parametrize(
    ("fact", "plain"),
    [
        (
            RoundStarted(1, 0, (5, 5), 3, (5,) * 10, 4),
            {
                "fact": "round_started",
                "round": 1,
                "first": 0,
                "tokens": (5, 5),
                "rounds": 3,
                "deck": (5,) * 10,
                "actors": 4,
            },
        ),
        (MaskDrawn(0, 3), {"fact": "drew", "seat": 0, "mask": 3}),
        (Placed(0, 3, 1, (1,)), {"fact": "placed", "seat": 0, "mask": 3, "stack": 1, "callers": (1,)}),
        (
            Stopped(1, 0, 1, 3, 2, 2, (3, 7)),
            {
                "fact": "stopped",
                "seat": 1,
                "against": 0,
                "stack": 1,
                "mask": 3,
                "matches": 2,
                "tokens": 2,
                "held": (3, 7),
            },
        ),
        (
            KabukiRoundEnded(1, "deck", (4, 6)),
            {"fact": "round_ended", "by": 1, "cause": "deck", "tokens": (4, 6)},
        ),
    ],
)
def test_facts_read_as_other_programs_expect(fact: Fact, plain: dict[str, object]) -> None:
    assert msgspec.to_builtins(fact) == plain
