"""The coach: what it advises, and what it says of a game that is over."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from kotatsu.engine.coach import coach as coach_of
from kotatsu.engine.match import Match, start
from kotatsu.engine.record import BadRecord
from kotatsu.games.kakuzu import coach
from kotatsu.games.kakuzu.board import CELLS
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.model import Announced, KakuzuOptions, Lifted
from kotatsu.games.kakuzu.odds import odds
from kotatsu.games.kakuzu.tests.staging import facts_of, staged, uncovered, whole_game


def later(players: int, stones_left: int, seed: int = 1, **options: Any) -> Match:
    """A game of random moves when so many stones are left and a digit is looked for."""
    match = start("kakuzu", players, seed, **options)
    rng = Random(seed)
    while match.state.visible.count(0) > stones_left:
        (seat,) = match.acting
        match.play(seat, rng.choice(match.moves(seat)))
    return match


def test_the_game_brings_its_coach() -> None:
    assert coach_of("kakuzu") is coach
    assert coach.advises(KakuzuOptions())
    assert not coach.advises(KakuzuOptions(competitive=True))


def test_in_the_opening_every_stone_is_as_good() -> None:
    match = start("kakuzu", 2, seed=1)
    said = coach.hint(match.view(0), 0)
    assert (said.wanted, said.certain, said.best, said.remaining) == (None, (), (), None)


@pytest.mark.parametrize("stones_left", [50, 40, 30, 12])
def test_a_hint_has_what_is_certain_and_the_best_chances(stones_left: int) -> None:
    match = later(2, stones_left)
    said = coach.hint(match.view(0), 0)
    assert said.wanted is not None
    assert said.wanted == match.state.wanted
    assert all(match.state.grid[9 * why.cell[0] + why.cell[1]] == said.wanted for why in said.certain)
    found = odds(match.state.visible)
    sure = {divmod(cell, 9) for cell in range(CELLS) if found.certain.reshape(CELLS)[cell] == said.wanted}
    assert {why.cell for why in said.certain} == sure
    chances = [chance.odds for chance in said.best]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == found.probabilities[:, :, said.wanted - 1].max()
    assert (chances[0] == 1) == bool(sure)
    assert (said.exact, said.remaining) == (found.exact, found.remaining)
    assert msgspec.json.decode(msgspec.json.encode(said), type=coach.Hint) == said


def test_a_hint_knows_nothing_but_the_view() -> None:
    """With another grid under the stones that nobody can tell from the true one, it says the same."""
    match = later(3, 50)
    other = GAME.imagine(match.state, 0, Random(4))
    assert other.grid != match.state.grid
    assert coach.hint(GAME.view(other, 0), 0) == coach.hint(match.view(0), 0)


@pytest.mark.rule("KZ-21")
def test_while_a_digit_is_to_be_named_each_has_its_best_stone() -> None:
    cells = [divmod(cell, 9) for cell in range(0, CELLS, 2)]
    state = uncovered(staged(announce=True), cells)
    said = coach.hint(GAME.view(state, 0), 0)
    assert said.wanted is None
    assert [chance.digit for chance in sorted(said.best, key=lambda chance: chance.digit)] == [
        digit for digit in range(1, 10) if digit not in state.retired
    ]
    assert {why.digit for why in said.certain} == {chance.digit for chance in said.best if chance.odds == 1}
    named = GAME.fold(state, Announced(0, 4))
    assert {why.digit for why in coach.hint(GAME.view(named, 0), 0).certain} <= {4}


def test_what_only_a_search_proves_is_certain_by_elimination() -> None:
    match = later(2, 60)
    shown, cell = match.state.visible, match.state.visible.index(0)
    found = odds(shown)
    certain = np.zeros(CELLS, np.uint8)
    certain[cell] = match.state.grid[cell]
    proved = replace(found, certain=certain.reshape(9, 9))
    (why,) = coach.deductions(shown, proved, (match.state.grid[cell],))
    assert (why.cell, why.technique) == (divmod(cell, 9), "elimination")


@cache
def reviewed(players: int) -> tuple[Match, coach.Review]:
    match = whole_game(players, seed=2)
    return match, coach.review(match.record())


@pytest.mark.parametrize("players", [1, 3])
def test_a_review_adds_up(players: int) -> None:
    match, looked_at = reviewed(players)
    lifted = facts_of(match, Lifted)
    assert [(lift.seat, lift.cell, lift.digit, lift.wanted, lift.to) for lift in looked_at.lifts] == [
        (fact.seat, fact.cell, fact.digit, fact.wanted, fact.to) for fact in lifted
    ]
    assert [seat.seat for seat in looked_at.seats] == ([0, -1] if players == 1 else list(range(players)))
    outcome = match.outcome
    assert outcome is not None
    assert tuple(seat.actual[-1] for seat in looked_at.seats if seat.seat >= 0) == outcome.scores
    for number in range(73):
        assert sum(seat.actual[number] for seat in looked_at.seats) == number
        assert sum(seat.expected[number] for seat in looked_at.seats) == pytest.approx(number)
    for seat in looked_at.seats:
        own = [lift for lift in looked_at.lifts if lift.seat == seat.seat]
        assert seat.lifts == len(own)
        assert seat.hits == sum(lift.digit == lift.wanted for lift in own)
        assert seat.expected_hits <= seat.best_hits + 1e-9


def test_a_review_says_what_was_missed() -> None:
    _, looked_at = reviewed(3)
    missed = [lift for lift in looked_at.lifts if lift.missed is not None]
    assert missed, "random players overlook what is certain"
    for lift in looked_at.lifts:
        assert lift.odds <= lift.best_odds
        if lift.missed is not None:
            assert lift.best_odds == 1
            assert lift.odds < 1
            assert lift.missed.digit == lift.wanted
        elif lift.best_odds == 1:
            assert lift.odds == 1


def test_no_record_no_review() -> None:
    with pytest.raises(BadRecord):
        coach.review({"kotatsu": 1})
