"""Kimono's levels: legal, repeatable, in time, each stronger than the one below."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kotatsu.bots.contract import Bot, Situation
from kotatsu.bots.levels import levels
from kotatsu.bots.situation import situation
from kotatsu.engine.match import Match, start
from kotatsu.games.kimono.bots import LEVELS, ByEye, Taste, TreeSearcher, warm_up
from kotatsu.games.kimono.fast import kernels
from kotatsu.games.kimono.fast.records import NODE, STATE, board, encode
from kotatsu.games.kimono.game import GAME
from kotatsu.games.kimono.model import Combine, KimonoState, Take
from kotatsu.games.kimono.tests.staging import after_taking, fabric, table

QUICK = TreeSearcher(Taste(), iterations=200)


def asked(state: KimonoState, bot: Bot, seed: int = 1) -> Situation:
    (seat,) = GAME.acting(state)
    return situation(GAME, state, seat, bot, players=state.players, options=state.options, seed=seed)


def positions(match: Match, bot: Bot) -> Iterator[KimonoState]:
    """Every position of a game in which the bot plays all seats."""
    while match.outcome is None:
        yield match.state
        (seat,) = match.acting
        thought = bot.think(asked(match.state, bot, seed=len(match.log)))
        assert thought.move is not None
        match.play(seat, thought.move)


def test_all_levels_are_its_own_weakest_first() -> None:
    assert list(levels("kimono")) == ["random", "novice", "adept", "master"]
    assert dict(levels("kimono")) == dict(LEVELS)


@pytest.mark.parametrize("accessory_combo", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bot", [LEVELS["novice"], TreeSearcher(Taste(), iterations=20)])
def test_a_game_is_played_to_its_end_with_legal_moves_only(
    bot: Bot, players: int, accessory_combo: bool
) -> None:
    """``Match.play`` refuses any other."""
    match = start("kimono", players, seed=players, accessory_combo=accessory_combo)
    assert sum(1 for _ in positions(match, bot)) >= 12 * players
    assert match.outcome is not None


@pytest.mark.parametrize("bot", [LEVELS["novice"], QUICK])
def test_the_same_seed_gives_the_same_thought_and_another_may_not(bot: Bot) -> None:
    state = start("kimono", players=3, seed=8).state
    assert bot.think(asked(state, bot, seed=3)) == bot.think(asked(state, bot, seed=3))
    assert len({bot.think(asked(state, bot, seed=seed)).after for seed in range(5)}) == 5


def test_novice_lays_what_brings_most_now() -> None:
    """3-2-1 is a falling kagen for 3 points; 2-1 with nothing else is nothing."""
    state = after_taking(1, (5, 7, 3, 2))
    novice = LEVELS["novice"]
    assert novice.think(asked(state, novice)).move == Combine("kagen", 3, False)


def test_a_search_takes_the_card_that_completes_a_big_combination() -> None:
    """Four sevens in hand and a seven in front of one row only: five of a kind are worth 16 points."""
    state = table(hand=(7, 7, 7, 7))
    fronts = (2, 4, 7, 8)
    rows = tuple((*row[:-1], fabric(front)) for row, front in zip(state.rows, fronts, strict=True))
    state = KimonoState(
        **{name: getattr(state, name) for name in KimonoState.__struct_fields__} | {"rows": rows}
    )
    for level in ("novice", "adept"):
        bot = LEVELS[level]
        assert bot.think(asked(state, bot)).move == Take(2)


def test_a_forced_move_needs_no_thought() -> None:
    """The clock is never read: there is nothing to search."""

    def no_clock() -> float:
        raise AssertionError("it thought about its only move")

    state = table()
    rows = ((), (), (), (*state.rows[3], fabric(2)))
    state = KimonoState(
        **{name: getattr(state, name) for name in KimonoState.__struct_fields__} | {"rows": rows}
    )
    bot = TreeSearcher(Taste(), iterations=200, clock=no_clock)
    assert bot.think(asked(state, bot)).move == Take(3)


def visits(bot: TreeSearcher, state: KimonoState) -> int:
    states = np.zeros(2, STATE)
    states[0] = encode(state)
    return int(bot.search(states, np.array([7], np.uint64))[0]["visits"])


def test_the_budget_is_spent_to_the_last_playout_when_there_is_time() -> None:
    state = start("kimono", players=2, seed=1).state
    for iterations in (1, 64, 1_000):
        assert visits(TreeSearcher(Taste(), iterations, clock=lambda: 0.0), state) == iterations
    longer_game = start("kimono", players=4, seed=1).state
    assert visits(TreeSearcher(Taste(), 1_000, clock=lambda: 0.0), longer_game) == 500


def test_a_machine_too_slow_for_the_budget_gets_a_shorter_search_and_still_a_move() -> None:
    """On this clock every look costs half a second; one part of the search is always done."""
    state = start("kimono", players=2, seed=1).state
    ticks = count()
    slow = TreeSearcher(Taste(), iterations=100_000, max_cpu_s=0.9, clock=lambda: next(ticks) / 2)
    assert visits(slow, state) == 2 * TreeSearcher.iterations_per_clock_check
    slower = TreeSearcher(Taste(), iterations=100_000, max_cpu_s=0.0, clock=lambda: next(ticks) / 2)
    assert visits(slower, state) == TreeSearcher.iterations_per_clock_check
    move = slower.think(asked(state, slower)).move
    assert move in GAME.moves(state, min(GAME.acting(state)))


def test_a_tree_grown_in_parts_is_the_tree_grown_at_once() -> None:
    trees = []
    for parts in ([600], [100, 250, 250]):
        states = np.zeros(2, STATE)
        states[0] = encode(start("kimono", players=4, seed=2).state)
        tree, used, chance = np.zeros(4_000, NODE), 1, np.array([5], np.uint64)
        for iterations in parts:
            used = kernels.grow(board(), QUICK.taste, states, tree, used, iterations, chance)
        trees.append(tree.tobytes())
    assert trees[0] == trees[1]


def test_a_search_adds_up_and_changes_nothing_but_its_scratch() -> None:
    states = np.zeros(2, STATE)
    states[0] = encode(start("kimono", players=3, seed=2).state)
    before = states[0].tobytes()
    tree = np.zeros(4_000, NODE)
    used = kernels.grow(board(), QUICK.taste, states, tree, 1, 500, np.array([5], np.uint64))
    assert states[0].tobytes() == before
    for node in tree[:used]:
        assert 0 <= node["value"] <= node["visits"]
        if node["children"]:
            children = tree[node["first"] : node["first"] + node["children"]]
            assert node["visits"] - children["visits"].sum() in (0, 1)


def test_a_full_tree_goes_on_without_growing() -> None:
    states = np.zeros(2, STATE)
    states[0] = encode(start("kimono", players=2, seed=2).state)
    tree = np.zeros(100, NODE)
    used = kernels.grow(board(), QUICK.taste, states, tree, 1, 500, np.array([5], np.uint64))
    assert used <= 100
    assert tree[0]["visits"] == 500


def test_warming_up_leaves_nothing_to_compile() -> None:
    kernels_used: list[Any] = [kernels.greedy_action, kernels.grow]
    warm_up()
    compiled = [len(kernel.signatures) for kernel in kernels_used]
    for players in (2, 3, 4):
        state = start("kimono", players, seed=1).state
        for bot in (LEVELS["novice"], LEVELS["adept"]):
            bot.think(asked(state, bot))
    assert [len(kernel.signatures) for kernel in kernels_used] == compiled


def test_kernels_do_without_a_place_to_keep_compiled_code() -> None:
    """Code that is in no file is one case of it; an installation nobody may write to is another."""
    source = Path(kernels.__file__).read_text(encoding="utf-8")
    homeless = ModuleType("homeless")
    exec(compile(source, "<nowhere>", "exec"), homeless.__dict__)
    assert 0 <= homeless.draw(np.array([7], np.uint64), 6) < 6


def test_tastes_reach_the_kernels_whole() -> None:
    taste = Taste(completion_share=(0.5, 0.25, 0.125), noise=2.0)
    record = ByEye(taste).taste
    assert record["completion_share"].tolist() == [0, 0.5, 0.25, 0.125]
    assert record["noise"] == 2.0
    assert record["margin_scale"] == taste.margin_scale
