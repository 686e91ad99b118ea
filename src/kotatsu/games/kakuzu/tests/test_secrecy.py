"""The hidden grid is in no view and no fact anyone is told before its cells are revealed."""

from random import Random

import msgspec
import pytest

from kotatsu.engine.contract import Fact, Seat
from kotatsu.engine.match import Match, start
from kotatsu.games.kakuzu.board import in_rows
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.grids import complete
from kotatsu.games.kakuzu.model import Dealt, KakuzuGameEnded

EYES: tuple[Seat | None, ...] = (0, 1, 2, None)


def halfway(seed: int, stones_left: int) -> Match:
    match = start("kakuzu", 3, seed)
    rng = Random(seed)
    while match.state.visible.count(0) > stones_left:
        (seat,) = match.acting
        match.play(seat, rng.choice(match.moves(seat)))
    return match


@pytest.mark.rule("KZ-1")
@pytest.mark.parametrize("stones_left", [81, 60, 55])
def test_views_and_told_facts_are_the_same_whatever_lies_hidden(stones_left: int) -> None:
    """Swap the grid for another that fits: nobody can see a difference in anything they are sent."""
    match = halfway(1, stones_left)
    other = GAME.imagine(match.state, None, Random(5))
    assert other.grid != match.state.grid
    for seat in EYES:
        assert GAME.view(other, seat) == GAME.view(match.state, seat)
        told = [match.game.redact(match.state, entry, seat) for entry in match.log if isinstance(entry, Fact)]
        assert told[0] == Dealt(match.state.first, 9, tuple(range(10)), (), grid=())
        for secret in (in_rows(match.state.grid), match.state.grid):
            plain = msgspec.json.encode(secret)
            assert plain not in msgspec.json.encode(told)
            assert plain not in msgspec.json.encode(GAME.view(match.state, seat))


@pytest.mark.rule("KZ-9")
def test_the_whole_grid_is_told_at_the_end_and_only_by_the_last_fact() -> None:
    match = halfway(2, 0)
    ended = match.log[-1]
    assert isinstance(ended, KakuzuGameEnded)
    for seat in EYES:
        assert GAME.redact(match.state, ended, seat) == ended
        assert GAME.view(match.state, seat).grid == ended.grid


def test_imagined_grids_fit_what_is_visible_and_vary() -> None:
    match = halfway(3, 60)
    imagined = {GAME.imagine(match.state, 0, Random(seed)).grid for seed in range(20)}
    assert len(imagined) > 15
    for grid in imagined:
        assert all(digit in (0, grid[cell]) for cell, digit in enumerate(match.state.visible))


def test_no_grid_fits_two_equal_digits_in_a_row() -> None:
    with pytest.raises(ValueError, match="no Sudoku"):
        complete((1, 1, *(0,) * 79), Random(0))
