"""Kabuki's bots at the table: whole games for every number of players, and each level above the one before."""

from collections import Counter
from typing import Any

import pytest

from kotatsu.lab.simulate import experiment, simulate

GAMES = 20


def recount(log: list[dict[str, Any]], players: int) -> Counter[bool]:
    """Right and wrong calls, with every figure of the log held against a count of placements and calls alone."""
    stacks: list[list[int]] = []
    tokens: list[int] = []
    scores = [0] * players
    calls: Counter[bool] = Counter()
    for entry in log:
        match entry.get("fact"):
            case "round_started":
                stacks = [[], [], [], []]
                tokens = list(entry["tokens"])
            case "placed":
                stacks[entry["stack"]].append(entry["mask"])
            case "stopped":
                *under, top = stacks[entry["stack"]]
                assert entry["mask"] == top
                assert entry["matches"] == under.count(top)
                assert entry["tokens"] == (min(under.count(top), tokens[entry["against"]]) or -1)
                tokens[entry["seat"]] += entry["tokens"]
                tokens[entry["against"]] -= max(0, entry["tokens"])
                calls[entry["matches"] > 0] += 1
            case "check_opened":
                assert list(entry["masks"]) in stacks
            case "round_ended":
                assert list(entry["tokens"]) == tokens
                assert entry["cause"] == ("tokens" if 0 in tokens else "deck")
                scores = [sum(pair) for pair in zip(scores, tokens, strict=True)]
            case "game_ended":
                assert list(entry["scores"]) == scores
    return calls


def test_every_number_of_players_finishes_and_rounds_end_both_ways() -> None:
    causes: Counter[str] = Counter()
    calls: Counter[bool] = Counter()
    for players in range(2, 7):
        for game in simulate(experiment("kabuki", players, ["adept"], games=4, seed=3)):
            log = game.record["log"]
            ends = [entry["cause"] for entry in log if entry.get("fact") == "round_ended"]
            assert len(ends) == 3
            assert log[-1]["fact"] == "game_ended"
            causes.update(ends)
            calls += recount(log, players)
    assert set(causes) == {"tokens", "deck"}
    assert set(calls) == {True, False}


def test_mixed_levels_share_a_table() -> None:
    for game in simulate(experiment("kabuki", 4, ["random", "novice", "adept", "master"], games=2, seed=1)):
        assert len(game.outcome.scores) == 4


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("novice", "random"), ("adept", "novice"), ("master", "adept")]
)
def test_each_level_wins_seven_games_of_ten_against_the_one_below(stronger: str, weaker: str) -> None:
    won = 0.0
    for game in simulate(experiment("kabuki", 2, [stronger, weaker], games=GAMES, seed=7)):
        winners = [game.levels[seat] for seat in game.outcome.winners]
        won += winners.count(stronger) / len(winners)
    assert won >= 0.7 * GAMES


def test_the_same_seed_gives_the_same_records() -> None:
    plan = experiment("kabuki", 3, ["novice"], games=2, seed=5)
    assert [game.line for game in simulate(plan)] == [game.line for game in simulate(plan)]
