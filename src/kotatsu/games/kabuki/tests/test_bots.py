"""How bots remember, reason, place, call and pause."""

from collections import Counter
from random import Random
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kotatsu.bots.contract import Situation
from kotatsu.bots.levels import levels
from kotatsu.bots.situation import situation
from kotatsu.games.kabuki.beliefs import chances, mistake_chance
from kotatsu.games.kabuki.bots import LEVELS, Rememberer
from kotatsu.games.kabuki.game import GAME
from kotatsu.games.kabuki.memory import CHECK, Memory, Sight, recollect, sights
from kotatsu.games.kabuki.model import KabukiFact, KabukiState, Pass, Placed, PlaceMask, RoundStarted, Stop
from kotatsu.games.kabuki.tests.staging import expire, facts, play, round_started, table, whole_game
from kotatsu.games.kabuki.turn import callers_on

PERFECT = Memory(attention=1.0, time_constant=1e9, interference=0.0, confusion=0.0)
POOR = Memory(attention=0.9, time_constant=6, interference=0.3, confusion=0.0)
CONFUSED = Memory(attention=0.2, time_constant=6, interference=0.3, confusion=1.0)
MASTER = LEVELS["master"]

placements = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), max_size=50)


def asked_of(
    state: KabukiState, seat: int, told: tuple[KabukiFact, ...], level: str, waited: float = 0.0
) -> Situation:
    """What that level is asked at that seat."""
    bot = LEVELS[level]
    asked = situation(
        GAME, state, seat, bot, players=state.players, options=state.options, seed=1, waited=waited
    )
    return replace(asked, told=told)


def after(moves: list[Sight], drawn: int, players: int = 3) -> tuple[KabukiState, tuple[KabukiFact, ...]]:
    """Masks placed by turns, nobody calling, and ``drawn`` in the hand of whoever is next."""
    stacks: list[tuple[int, ...]] = [(), (), (), ()]
    told: list[KabukiFact] = [round_started(1, 0, (5,) * players)]
    for number, (mask, stack) in enumerate(moves):
        stacks[stack] += (mask,)
        told.append(Placed(number % players, mask, stack, callers_on(number % players, players)))
    return table(tuple(stacks), drawn, players=players), tuple(told)


def covered(seen: tuple[Sight, ...]) -> Counter[Sight]:
    """The truth: every mask that lies under another, and where."""
    masks = Counter(sight for sight in seen if sight[0] != CHECK)
    tops = {stack: (mask, stack) for mask, stack in seen if mask != CHECK}
    return masks - Counter(tops.values())


def remembered(seen: tuple[Sight, ...], seat: int, memory: Memory) -> Counter[Sight]:
    return Counter((trace.mask, trace.stack) for trace in recollect(seen, seat, memory))


def test_all_levels_are_there_weakest_first() -> None:
    assert list(levels("kabuki")) == ["random", "novice", "adept", "master"]


def test_only_the_present_round_is_looked_back_on() -> None:
    told = facts(whole_game(3, 2, 0.95))
    starts = [number for number, fact in enumerate(told) if isinstance(fact, RoundStarted)]
    last = [fact for fact in told[starts[-1] :] if isinstance(fact, Placed)]
    seen = [sight for sight in sights(told) if sight[0] != CHECK]
    assert seen == [(fact.mask, fact.stack) for fact in last]


@given(placements)
def test_a_perfect_memory_holds_every_covered_mask(seen: list[Sight]) -> None:
    assert remembered(tuple(seen), 0, PERFECT) == covered(tuple(seen))
    assert all(trace.confidence == 1 for trace in recollect(tuple(seen), 0, PERFECT))


@given(placements, st.integers(0, 5))
def test_what_is_forgotten_stays_forgotten(seen: list[Sight], seat: int) -> None:
    for length in range(len(seen)):
        before, now = tuple(seen[:length]), tuple(seen[: length + 1])
        newly_covered = covered(now) - covered(before)
        assert remembered(now, seat, POOR) <= remembered(before, seat, POOR) + newly_covered


def test_the_old_and_the_disturbed_are_forgotten_first() -> None:
    assert POOR.strength(1, 0) > POOR.strength(5, 0) > POOR.strength(20, 0)
    assert POOR.strength(5, 0) > POOR.strength(5, 1) > POOR.strength(5, 2)
    kept: Counter[str] = Counter()
    for seed in range(300):
        rng = Random(seed)
        seen = tuple((rng.randrange(10), rng.randrange(4)) for _ in range(40))
        for trace in recollect(seen, 0, POOR):
            kept["new" if trace.age < 10 else "old"] += 1
    assert kept["new"] > 3 * kept["old"] > 0


def test_a_check_brings_the_stack_back_to_mind() -> None:
    kept_before = kept_after = 0
    for seed in range(100):
        rng = Random(seed)
        seen = tuple((rng.randrange(10), rng.randrange(4)) for _ in range(40))
        kept_before += sum(trace.stack == 2 for trace in recollect(seen, 0, POOR))
        kept_after += sum(trace.stack == 2 for trace in recollect((*seen, (CHECK, 2)), 0, POOR))
    assert kept_after > 2 * kept_before


def test_seats_forget_different_things() -> None:
    seen = tuple((number * 7 % 10, number * 3 % 4) for number in range(40))
    assert len({recollect(seen, seat, POOR) for seat in range(6)}) > 3


def test_a_confused_memory_misplaces_masks_and_knows_it_cannot_trust_itself() -> None:
    seen = tuple((number * 7 % 10, number * 3 % 4) for number in range(40))
    misplaced = remembered(seen, 0, CONFUSED) - covered(seen)
    assert misplaced.total() > 5
    assert all(trace.confidence < 0.6 for trace in recollect(seen, 0, CONFUSED))


def test_unknown_masks_are_reckoned_with() -> None:
    """Nothing remembered of a stack of three, and one copy open elsewhere: 4 of 47 unseen, two of them there."""
    state = table(((1, 2, 3), (0,), (), ()), 5)
    found = chances(0, GAME.view(state, 0), ())
    assert found[0] == pytest.approx(1 - (43 / 47) * (42 / 46))
    assert found[1:] == [1, 0, 0]


def test_all_copies_accounted_for_means_certainty() -> None:
    moves = [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (2, 3), (3, 0), (0, 0), (4, 0)]
    state, told = after(moves, drawn=0)
    found = chances(0, GAME.view(state, 0), recollect(sights(told), 0, PERFECT))
    assert found == [1, 1, 1, 1]
    assert mistake_chance(found, 2, mistake_ratio=0.1) == 1


def test_a_mistake_is_less_likely_where_it_could_have_been_avoided() -> None:
    assert mistake_chance([0.5, 0, 0, 0], 0, mistake_ratio=0.25) == pytest.approx(0.2)
    assert mistake_chance([0.5, 1, 1, 1], 0, mistake_ratio=0.25) == pytest.approx(0.5)


def test_master_knows_that_the_fifth_copy_is_a_duplicate_wherever_it_goes() -> None:
    moves = [(0, 0), (1, 0), (0, 1), (2, 1), (0, 2), (3, 2), (0, 3), (4, 3), (5, 0), (6, 1), (7, 2), (8, 3)]
    for stack in range(4):
        state, told = after(moves, drawn=0)
        state, happened = play(state, 0, PlaceMask(stack))
        told = (*told, *happened)
        for seat in (1, 2):
            thought = MASTER.think(asked_of(state, seat, told, "master"))
            assert thought.move == Stop()


@pytest.mark.parametrize("level", ["novice", "adept", "master"])
def test_nobody_calls_what_cannot_be(level: str) -> None:
    """The first mask on a bare actor has nothing under it."""
    state, told = after([], drawn=4)
    state, happened = play(state, 0, PlaceMask(1))
    thought = LEVELS[level].think(asked_of(state, 1, (*told, *happened), level))
    assert thought.move == Pass()


@pytest.mark.parametrize("level", ["novice", "adept", "master"])
def test_a_mask_is_not_put_on_its_like_while_there_is_a_bare_actor(level: str) -> None:
    state, told = after([(4, 0), (4, 1), (4, 3)], drawn=4)
    assert LEVELS[level].think(asked_of(state, 0, told, level)).move == PlaceMask(2)


def test_master_hides_a_forced_duplicate_where_it_is_remembered_least() -> None:
    """The oldest copy, on stack 0, is the likeliest to be forgotten."""
    rest = [(mask, stack) for mask in (1, 2, 3, 5, 6) for stack in range(4)]
    moves = [(0, 0), (9, 0), *rest, (0, 1), (8, 1), (0, 2), (8, 2), (0, 3), (8, 3)]
    state, told = after(moves, drawn=0)
    assert MASTER.think(asked_of(state, 0, told, "master")).move == PlaceMask(0)


def test_who_would_not_call_waits_after_the_window() -> None:
    state, told = after([], drawn=4)
    state, happened = play(state, 0, PlaceMask(1))
    state, more = expire(state)
    thought = LEVELS["adept"].think(asked_of(state, 2, (*told, *happened, *more), "adept"))
    assert thought.move is None


def test_adept_reacts_in_about_nine_tenths_of_a_second() -> None:
    pauses = []
    for mask in range(10):
        for stack in range(4):
            for second in range(10):
                moves = [(mask, stack), (second, (stack + 1) % 4)]
                state, told = after(moves, drawn=mask)
                state, happened = play(state, 0, PlaceMask(stack))
                seat = 1 + second % 2
                pauses.append(LEVELS["adept"].think(asked_of(state, seat, (*told, *happened), "adept")).after)
    assert 0.8 < median(pauses) < 1.0
    assert min(pauses) > 0.2
    assert len({round(pause, 3) for pause in pauses}) > 100


def test_being_asked_again_does_not_begin_the_pause_anew() -> None:
    state, told = after([], drawn=4)
    state, happened = play(state, 0, PlaceMask(1))
    told = (*told, *happened)
    adept = LEVELS["adept"]
    first = adept.think(asked_of(state, 1, told, "adept"))
    later_state, passed = play(state, 2, Pass())
    later = adept.think(asked_of(later_state, 1, (*told, *passed), "adept", waited=0.1))
    assert later.move == first.move
    assert later.after == pytest.approx(first.after - 0.1)
    assert adept.think(asked_of(later_state, 1, told, "adept", waited=60.0)).after == 0


def test_bots_ask_for_no_imagined_states() -> None:
    for bot in LEVELS.values():
        assert bot.imagines == 0
        assert bot.remembers == isinstance(bot, Rememberer)
