"""What Kakuzu's bots see in a position, and what the master makes of it when digits are named."""

from itertools import combinations

import numpy as np
import pytest

from kotatsu.bots.contract import Bot, Situation
from kotatsu.engine.contract import Move
from kotatsu.games.kakuzu.board import CELLS, DIGITS, PEERS, SIZE, at, place
from kotatsu.games.kakuzu.bots import LEVELS, Judge, by_candidates, by_deduction, by_lookahead, by_odds
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.lookahead import DISCOUNT, expected_gains
from kotatsu.games.kakuzu.model import Announce, Announced, DigitDrawn, KakuzuState, KakuzuView, Lift
from kotatsu.games.kakuzu.odds import odds
from kotatsu.games.kakuzu.tests.play import position
from kotatsu.games.kakuzu.tests.staging import staged

SHARP = ("novice", "adept", "master")


def at_table(
    seed: int, visible: int, *, players: int = 2, wanted: int = 0, announce: bool = False
) -> KakuzuState:
    """A position from play: seat 0 is to lift, for ``wanted`` if that is given, or to name a digit."""
    grid, shown = position(seed, visible)
    cells = [place(cell) for cell in range(CELLS) if shown[cell]]
    state = staged(players=players, grid=grid, opened=cells, first=0, announce=announce)
    if wanted:
        state = GAME.fold(state, Announced(0, wanted) if announce else DigitDrawn(0, wanted))
    return state


def thinks(level: str | Bot, state: KakuzuState, seed: int = 0) -> Move:
    seat = state.turn
    situation = Situation(
        "kakuzu",
        state.players,
        state.options,
        seat,
        GAME.view(state, seat),
        tuple(GAME.moves(state, seat)),
        seed,
    )
    bot = LEVELS[level] if isinstance(level, str) else level
    move = bot.think(situation).move
    assert move in situation.moves
    return move


def view(seed: int, visible: int) -> KakuzuView:
    state = at_table(seed, visible)
    return GAME.view(state, 0)


@pytest.mark.parametrize("judgement", [by_candidates, by_deduction, by_odds, by_lookahead])
def test_no_judgement_likes_what_is_visible_or_excluded(judgement: object) -> None:
    shown = view(1, 30)
    assert callable(judgement)
    judged = judgement(shown, 2)
    flat = [digit for row in shown.visible for digit in row]
    for cell in range(CELLS):
        for digit in DIGITS:
            if flat[cell] or digit in {flat[peer] for peer in PEERS[cell]}:
                assert judged[cell, digit - 1] <= 0


def test_by_eye_all_candidates_are_alike() -> None:
    shown = view(1, 30)
    judged = by_candidates(shown, 2)
    hidden = judged.sum(1) > 0
    assert judged[hidden].sum(1) == pytest.approx(1)
    for row in judged[hidden]:
        assert len(set(row[row > 0])) == 1


@pytest.mark.parametrize("seed", range(4))
def test_what_the_pencil_proves_the_odds_say_too(seed: int) -> None:
    shown = view(seed, 30)
    sure = by_deduction(shown, 2) == 1
    assert sure.any()
    assert (by_odds(shown, 2)[sure] == 1).all()


@pytest.mark.parametrize("bot", [Judge(by_deduction), LEVELS["master"]], ids=["pencil", "master"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_certain_is_lifted(bot: Bot, seed: int) -> None:
    grid, shown = position(seed, 32)
    certain = odds(shown).certain.reshape(CELLS)
    seen = by_deduction(view(seed, 32), 2) == 1
    for wanted in sorted({int(certain[cell]) for cell in range(CELLS) if seen[cell].any() and certain[cell]}):
        move = thinks(bot, at_table(seed, 32, wanted=wanted))
        assert isinstance(move, Lift)
        assert grid[at(move.cell)] == wanted


@pytest.mark.parametrize("level", SHARP)
@pytest.mark.parametrize("announce", [False, True])
def test_the_same_situation_gives_the_same_move(level: str, announce: bool) -> None:
    state = at_table(2, 16, wanted=0 if announce else 5, announce=announce)
    assert thinks(level, state, seed=3) == thinks(level, state, seed=3)


@pytest.mark.rule("KZ-21")
@pytest.mark.parametrize("level", SHARP)
def test_a_named_digit_is_looked_for_where_it_was_named_for(level: str) -> None:
    state = at_table(5, 34, announce=True)
    named = thinks(level, state)
    assert isinstance(named, Announce)
    lifted = thinks(level, GAME.fold(state, Announced(0, named.digit)))
    assert isinstance(lifted, Lift)
    shown = tuple(digit for row in GAME.view(state, 0).visible for digit in row)
    assert odds(shown).probabilities[lifted.cell][named.digit - 1] > 0


@pytest.mark.rule("KZ-21")
def test_the_master_also_lifts_for_a_digit_it_would_not_have_named() -> None:
    """As when it takes over a seat: the chances of that digit are all poor, but some are better than others."""
    state = at_table(5, 34, announce=True)
    shown = state.visible
    chances = odds(shown, 2_500).probabilities.reshape(CELLS, SIZE)
    live = [digit for digit in DIGITS if digit not in state.retired]
    worst = min(live, key=lambda digit: chances[:, digit - 1].max())
    move = thinks("master", GAME.fold(state, Announced(0, worst)))
    assert isinstance(move, Lift)
    assert chances[at(move.cell), worst - 1] > 0


def test_when_nothing_is_in_doubt_every_stone_is_worth_the_same() -> None:
    """All stones go to whoever is to lift them, whatever the order."""
    grid, _ = position(1, 30)
    shown = tuple(0 if cell in (3, 40, 77) else grid[cell] for cell in range(CELLS))
    found = odds(shown)
    worth = expected_gains(found, kept=0, players=2)
    assert found.remaining == 1
    assert worth[[3, 40, 77], [grid[3] - 1, grid[40] - 1, grid[77] - 1]] == pytest.approx(1.5)


def test_a_miss_that_settles_the_rest_for_the_neighbour_is_reckoned_with() -> None:
    """Four stones, two grids: a hit is followed by two sure stones and leaves one; a miss leaves all three."""
    found = odds(_two_grids())
    assert found.remaining == 2
    worth = expected_gains(found, kept=0, players=2)
    hit = 0.5 + 2 * 0.5 - DISCOUNT * 0.5
    miss = -0.5 - DISCOUNT * 3 * 0.5
    assert worth[np.isfinite(worth)] == pytest.approx((hit + miss) / 2)


def _two_grids() -> tuple[int, ...]:
    """A grid with the four corners of a rectangle hidden in which two digits could change places."""
    for seed in range(100):
        grid, _ = position(seed, 9)
        for one, other in combinations(range(CELLS), 2):
            (top, left), (bottom, right) = place(one), place(other)
            corners = (one, other, at((top, right)), at((bottom, left)))
            apart = top // 3 < bottom // 3 and left // 3 == right // 3 and left != right
            if apart and len({grid[corner] for corner in corners[:2]}) == 1 == len(
                {grid[corner] for corner in corners[2:]}
            ):
                return tuple(0 if cell in corners else grid[cell] for cell in range(CELLS))
    raise AssertionError("no such grid")
