"""Kakuzu's bots at the table: whole games for every number of players and variant, each level above the one before."""

from typing import Any

import pytest

from kotatsu.engine.match import replay
from kotatsu.lab.simulate import experiment, simulate

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"same_digit": True},
    {"announce": True},
    {"announce": True, "same_digit": True},
    {"clock_s": 60},
)


def stones(stronger: str, weaker: str, games: int, **options: Any) -> tuple[int, int]:
    """What each of two levels won in all games together."""
    won = {stronger: 0, weaker: 0}
    for game in simulate(experiment("kakuzu", 2, [stronger, weaker], games, seed=7, options=options)):
        for seat, level in enumerate(game.levels):
            won[level] += game.outcome.scores[seat]
    return won[stronger], won[weaker]


@pytest.mark.parametrize("players", range(1, 5))
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_number_of_players_finishes_every_variant(players: int, options: dict[str, Any]) -> None:
    (game,) = simulate(experiment("kakuzu", players, ["adept"], games=1, seed=3, options=options))
    log = game.record["log"]
    lifted = sum(entry.get("fact") == "lifted" for entry in log)
    assert log[-1]["fact"] == "game_ended"
    assert lifted == 72 or "clock_s" in options
    assert sum(game.outcome.scores) <= lifted
    assert replay(game.record).outcome == game.outcome


@pytest.mark.parametrize("options", [{}, {"announce": True}], ids=str)
def test_mixed_levels_share_a_table(options: dict[str, Any]) -> None:
    levels = ["random", "novice", "adept", "master"]
    (game,) = simulate(experiment("kakuzu", 4, levels, games=1, seed=1, options=options))
    assert sum(game.outcome.scores) == 72
    assert game.outcome.scores[0] == min(game.outcome.scores)


@pytest.mark.parametrize(
    ("stronger", "weaker", "games"),
    [("novice", "random", 4), ("adept", "novice", 24), ("master", "adept", 24)],
)
def test_each_level_wins_more_stones_than_the_one_below(stronger: str, weaker: str, games: int) -> None:
    more, less = stones(stronger, weaker, games)
    assert more + less == 72 * games
    assert more > less


def test_the_same_seed_gives_the_same_records() -> None:
    plan = experiment("kakuzu", 2, ["master"], games=1, seed=5, options={"announce": True})
    assert [game.line for game in simulate(plan)] == [game.line for game in simulate(plan)]
