"""The gate to the rules: whatever a caller hands in is checked first, and what is refused changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf, nan
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotatsu.engine.contract import Fact, IllegalMove, Move
from kotatsu.engine.driver import FORM, SEAT, TIME, BadFact, Driver, NothingAwaited, UnknownSeat
from kotatsu.engine.match import Match, opened, start
from kotatsu.engine.record import Played
from kotatsu.engine.registry import game
from kotatsu.games.kaboum.model import Grab
from kotatsu.games.kabuki.model import Stop
from kotatsu.games.kakuzu.model import Announce, Lift
from kotatsu.games.kimono.model import Skip, Take
from tests.tables.shelf.whisper.game import GAME as WHISPER
from tests.tables.shelf.whisper.game import Opened, Spent, WhisperOptions, Write, Wrote


def whispering(players: int = 2, **options: Any) -> Match:
    return opened(WHISPER, players, WhisperOptions(**options), Random(3))


@contextmanager
def refused(match: Match, clause: str) -> Iterator[None]:
    """What happens inside is refused for that clause, in words, and nothing of the match has changed."""
    state, log, chance = match.state, list(match.log), match._rng.getstate()
    with pytest.raises(IllegalMove) as refusal:
        yield
    assert refusal.value.clause == clause
    assert refusal.value.message
    assert match.state == state
    assert match.log == log
    assert match._rng.getstate() == chance


@pytest.mark.parametrize("seat", [-1, 2, 3, 31, 10**30, -(10**30), None, "0", 0.5, nan, (), [0]])
def test_a_seat_the_table_does_not_have_plays_nothing(seat: Any) -> None:
    match = start("kimono", players=2, seed=1)
    with refused(match, SEAT):
        match.play(seat, Take(0))
    with refused(match, SEAT):
        match.play(seat, Take(0), -1.0)


@pytest.mark.parametrize("seat", [-1, 2, 10**30, "0", 0.5])
def test_a_seat_the_table_does_not_have_sees_nothing(seat: Any) -> None:
    match = start("kimono", players=2, seed=1)
    with pytest.raises(UnknownSeat, match="this table has 2, the first is 0"):
        match.view(seat)
    with pytest.raises(UnknownSeat):
        match.moves(seat)
    assert issubclass(UnknownSeat, LookupError)


def test_a_spectator_may_look() -> None:
    match = start("kimono", players=2, seed=1)
    match.driver.check_seat(None)
    assert match.view() == match.view(None)
    for seat in (0, 1):
        match.driver.check_seat(seat)
        assert match.moves(seat) == match.game.moves(match.state, seat)


class Juggle(Move, frozen=True):
    """A move of no game."""


FOREIGN: list[tuple[str, Any]] = [
    ("kimono", Lift((0, 0))),
    ("kimono", Juggle()),
    ("kakuzu", Take(0)),
    ("kabuki", Skip()),
    ("kaboum", Stop()),
]
IMPOSSIBLE: list[tuple[str, Any]] = [
    ("kimono", Take(-1)),
    ("kimono", Take(4)),
    ("kimono", Take(10**30)),
    ("kimono", Take("0")),  # type: ignore[arg-type]
    ("kimono", Take(None)),  # type: ignore[arg-type]
    ("kakuzu", Lift((0, 9))),
    ("kakuzu", Lift((-1, 0))),
    ("kakuzu", Lift((0,))),  # type: ignore[arg-type]
    ("kakuzu", Announce(99)),
    ("kaboum", Grab(99)),
    ("kaboum", Grab(-1)),
    ("kaboum", Grab(nan)),  # type: ignore[arg-type]
    ("kaboum", Grab(object())),  # type: ignore[arg-type]
]
SHAPELESS: list[tuple[str, Any]] = [
    ("kimono", move)
    for move in (
        None,
        7,
        nan,
        "take",
        b"take",
        '{"move":"take","row":0}',
        [],
        ["take", 0],
        {},
        {"move": None},
        {"move": "fly"},
        {"move": "take"},
        {"move": "take", "row": 0, "speed": 9},
        {"move": "take", "row": 4},
        {"move": "take", "row": "0"},
        {"move": "take", "row": object()},
        {"row": 0},
        {1: 2},
        object(),
        Fact(),
        Take,
    )
]


@pytest.mark.parametrize(("name", "move"), [*FOREIGN, *IMPOSSIBLE, *SHAPELESS])
def test_what_is_no_move_of_the_game_is_refused_for_its_form(name: str, move: Any) -> None:
    match = start(name, players=min(game(name).seats), seed=1)
    for seat in range(match.players):
        with refused(match, FORM):
            match.play(seat, move)


def test_a_move_that_holds_itself_is_refused_for_its_form() -> None:
    match = start("kimono", players=2, seed=1)
    endless: dict[str, Any] = {"move": "take"}
    endless["row"] = endless
    with refused(match, FORM):
        match.play(0, endless)


def test_a_refused_form_names_the_game() -> None:
    for name, move in (FOREIGN[0], IMPOSSIBLE[0], SHAPELESS[0]):
        with pytest.raises(IllegalMove, match=f"{name} has no such move: .+"):
            start(name, players=2, seed=1).play(0, move)


def test_a_game_with_one_kind_of_move_has_its_form_checked_too() -> None:
    class OnlyWrites(type(WHISPER)):  # type: ignore[misc]
        move_type = Write

    driver = Driver(OnlyWrites(), 2, WhisperOptions())
    assert driver.read_move(Write(3)) == Write(3)
    assert driver.read_move({"move": "write", "number": 3}) == Write(3)
    with pytest.raises(IllegalMove):
        driver.read_move(Write(100))
    with pytest.raises(IllegalMove):
        driver.read_move(Take(0))


@pytest.mark.parametrize(
    "seconds",
    [nan, inf, -inf, -1, -0.001, 1e10, 10**400, -(10**400), "5", "", b"1", None, [], [1], {}, 1j, object()],
)
def test_a_time_that_is_none_is_refused(seconds: Any) -> None:
    match = whispering(counts_time=True)
    with refused(match, TIME):
        match.play(0, Write(1), seconds)


@pytest.mark.parametrize("seconds", [0, 0.0, -0.0, 0.001, 1, 3600.5, 1e9])
def test_any_other_time_is_counted(seconds: float) -> None:
    match = whispering(counts_time=True)
    facts = match.play(0, Write(1), seconds)
    assert facts == [Spent(0, seconds), Wrote(0, 1)]
    assert match.state.spent == seconds
    assert match.log[1:] == [Spent(0, seconds), Played(0, Write(1)), Wrote(0, 1)]


def test_time_is_spent_before_the_move_is_judged_and_not_at_all_if_it_is_refused() -> None:
    match = whispering(counts_time=True)
    with refused(match, "WH-2"):
        match.play(0, Write(42), 5.0)
    match.play(0, Write(1), 5.0)
    with refused(match, "WH-1"):
        match.play(0, Write(2), 5.0)
    assert match.state.spent == 5.0


def test_what_the_rules_refuse_keeps_its_own_clause() -> None:
    match = start("kimono", players=2, seed=1)
    (acting,) = match.acting
    with refused(match, "KM-7"):
        match.play(1 - acting, Take(0))


def test_a_transition_says_what_would_happen_and_nothing_has() -> None:
    match = whispering(counts_time=True)
    step = match.driver.play(match.state, 0, {"move": "write", "number": 4}, Random(0), 2.0)
    assert step.facts == [Spent(0, 2.0), Wrote(0, 4)]
    assert (step.move, step.spent, step.outcome) == (Write(4), 1, None)
    assert [state.spent for state in step.states] == [2.0, 2.0]
    assert [state.written for state in step.states] == [(None, None), (4, None)]
    assert step.state == step.states[-1]
    assert match.state.written == (None, None)
    untimed = whispering()
    step = untimed.driver.play(untimed.state, 1, Write(4), Random(0), 2.0)
    assert (step.facts, step.spent) == ([Wrote(1, 4)], 0)


def test_a_transition_of_no_facts_leaves_the_state() -> None:
    match = whispering()
    step = match.driver.apply(match.state, [])
    assert (step.state, step.states, step.move, step.spent) == (match.state, [], None, 0)


def test_the_end_comes_with_the_transition_that_brings_it() -> None:
    match = whispering(players=1)
    for number in (1, 2):
        assert match.driver.play(match.state, 0, Write(number), Random(0)).outcome is None
        match.play(0, Write(number))
    last = match.driver.play(match.state, 0, Write(3), Random(0))
    assert last.outcome is not None
    assert last.outcome.scores == (6,)
    match.take(last, 0)
    assert match.outcome == last.outcome


def test_setup_begins_with_the_empty_state_and_draws_from_what_it_is_given() -> None:
    driver = Driver(WHISPER, 3, WhisperOptions(seconds=5))
    assert driver.empty() == WHISPER.empty(3, WhisperOptions(seconds=5))
    step = driver.setup(Random(8))
    assert step.facts == [Opened(1, Random(8).randrange(100))]
    assert step.state == WHISPER.fold(driver.empty(), step.facts[0])
    assert (step.move, step.spent) == (None, 0)


def test_a_deadline_passes_where_one_runs_and_nowhere_else() -> None:
    timed, untimed = whispering(seconds=5), whispering()
    facts = timed.expire()
    assert [type(fact).__name__ for fact in facts] == ["Wrote", "Wrote", "Revealed", "Opened"]
    assert timed.log[1:] == facts, "a deadline is no move"
    before = list(untimed.log)
    with pytest.raises(NothingAwaited, match="whisper is waiting for nothing"):
        untimed.expire()
    assert untimed.log == before
    assert issubclass(NothingAwaited, ValueError)


def test_a_log_is_replayed_without_rules_and_chance() -> None:
    match = whispering(seconds=5, counts_time=True)
    match.play(0, Write(4), 1.5)
    match.expire()
    facts = [entry for entry in match.log if isinstance(entry, Fact)]
    assert match.driver.replay(facts) == match.state
    assert match.driver.replay([]) == match.driver.empty()
    assert match.driver.replay(iter(facts)) == match.state


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ([Opened(1, 5), Wrote(2, 3)], "fact 1, Wrote: there is no seat 2"),
        ([Opened(1, 5), Wrote(-1, 3)], "fact 1, Wrote: there is no seat -1"),
        ([Wrote("x", 3)], "fact 0, Wrote: there is no seat 'x'"),  # type: ignore[arg-type]
        ([Opened(1, 5), Fact()], "fact 1, Fact, cannot follow"),
        ([Opened(1, 5), Opened(2, 5), None], "fact 2, NoneType, cannot follow"),
    ],
)
def test_a_fact_that_cannot_follow_is_told_with_its_number(facts: list[Any], says: str) -> None:
    class Strict(type(WHISPER)):  # type: ignore[misc]
        def fold(self, state: Any, fact: Any) -> Any:
            after = super().fold(state, fact)
            if after is None:
                raise KeyError("no such fact")
            return after

    with pytest.raises(BadFact, match=says):
        Driver(Strict(), 2, WhisperOptions()).replay(facts)
    assert issubclass(BadFact, ValueError)


def test_what_a_fold_tripped_over_is_kept_as_the_cause() -> None:
    class Trips(type(WHISPER)):  # type: ignore[misc]
        def fold(self, state: Any, fact: Any) -> Any:
            raise ZeroDivisionError("tripped")

    with pytest.raises(BadFact, match="tripped") as bad:
        Driver(Trips(), 2, WhisperOptions()).replay([Opened(1, 5)])
    assert isinstance(bad.value.__cause__, ZeroDivisionError)


def test_a_match_made_from_bad_facts_is_refused() -> None:
    with pytest.raises(BadFact, match="there is no seat 5"):
        Match(WHISPER, 2, WhisperOptions(), Random(0), log=[Opened(1, 5), Wrote(5, 3)])


@given(
    st.sampled_from((0, 1)) | st.integers(),
    st.integers(0, 3) | st.integers(),
    st.floats(0, 9) | st.floats(allow_nan=True, allow_infinity=True),
)
def test_a_move_is_made_or_refused_and_never_anything_else(seat: int, row: int, seconds: float) -> None:
    match = start("kimono", players=2, seed=1)
    clauses = {
        SEAT: seat not in (0, 1),
        TIME: not 0 <= seconds <= 1e9,
        FORM: not 0 <= row <= 3,
        "KM-7": seat not in match.acting,
    }
    wrong = [clause for clause, applies in clauses.items() if applies]
    if wrong:
        with refused(match, wrong[0]):
            match.play(seat, Take(row), seconds)
    else:
        assert match.play(seat, Take(row), seconds)
