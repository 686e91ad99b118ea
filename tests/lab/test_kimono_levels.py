"""Kimono's levels against each other: few games, seeds fixed, and a floor well below what 200 games show."""

import pytest

from kotatsu.lab.simulate import experiment, simulate
from kotatsu.lab.winrates import WinTable


@pytest.mark.parametrize(
    ("stronger", "weaker", "games"),
    [("novice", "random", 60), ("adept", "novice", 40), ("master", "adept", 8)],
)
def test_each_level_wins_seven_games_of_ten_against_the_one_below(
    stronger: str, weaker: str, games: int
) -> None:
    plan = experiment("kimono", 2, [stronger, weaker], games, seed=7)
    table = WinTable(plan.levels)
    for game in simulate(plan):
        table.add(game)
    assert table.rows[stronger].win_rate >= 0.7


def test_all_levels_share_a_table_of_four() -> None:
    plan = experiment("kimono", 4, ["random", "novice", "adept", "master"], games=1, seed=1)
    (game,) = simulate(plan)
    assert len(game.outcome.scores) == 4
