"""Many games between bots: complete records, the same on any number of cores, and a win table that adds up."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kotatsu
from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.levels import UnknownLevel, levels
from kotatsu.bots.search import PAUSE_S, RandomBot
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame, games
from kotatsu.engine.registry import game as game_named
from kotatsu.games.kabuki.model import Stop
from kotatsu.lab.simulate import BadLineup, SimulatedGame, experiment, simulate
from kotatsu.lab.virtual_table import Stuck, VirtualTable
from kotatsu.lab.winrates import WinTable, wilson

DOCUMENT = Path(__file__).parents[2] / "docs" / "records.md"
DOCUMENTED = set(re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE))

SHORT: dict[str, dict[str, Any]] = {"kaboum": {"hourglass_s": 30, "rounds": 2}}
"""Options for a game that would take long."""


def tally(played: list[SimulatedGame], levels: tuple[str, ...]) -> WinTable:
    table = WinTable(levels)
    for game in played:
        table.add(game)
    return table


def moves_in(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in record["log"] if "move" in entry]


@pytest.mark.parametrize("name", games())
def test_every_line_is_a_complete_record_in_the_documented_format(name: str) -> None:
    plan = experiment(name, min(game_named(name).seats), ["random"], 2, seed=1, options=SHORT.get(name))
    for game in simulate(plan):
        assert b"\n" not in game.line
        record = json.loads(game.line)
        assert set(record) == DOCUMENTED
        assert (record["kotatsu"], record["game"], record["players"]) == (2, name, plan.players)
        assert record["names"] == ["bot:random"] * plan.players
        assert all(("fact" in entry) != ("move" in entry) for entry in record["log"])
        assert all(0 <= entry["seat"] < plan.players for entry in moves_in(record))
        assert len(moves_in(record)) == game.moves
        replayed = kotatsu.replay(record)
        assert replayed.outcome == game.outcome
        assert json.loads(json.dumps(replayed.record())) == record


@pytest.mark.parametrize("workers", [1, 2])
def test_a_long_game_says_midway_how_far_it_is(workers: int) -> None:
    heard: list[float] = []
    plan = experiment("kaboum", 2, ["random"], games=2, seed=1, options=SHORT["kaboum"])
    assert len(list(simulate(plan, workers, heard.append))) == 2
    assert heard == sorted(heard)
    assert any(0 < games < 2 for games in heard)
    assert max(heard) <= 2


@pytest.mark.rule("KA-24")
def test_games_ended_by_the_cap_are_counted() -> None:
    plan = experiment("kaboum", 2, ["random"], games=2, seed=1, options={"hourglass_s": 30, "rounds": 1})
    played = list(simulate(plan))
    assert all(max(game.outcome.scores) < 16 for game in played)
    assert [game.record["log"][-1]["capped"] for game in played] == [True, True]
    assert tally(played, plan.levels).cut_short == 2


@pytest.mark.rule("KA-24")
def test_a_game_that_bots_do_not_bring_to_its_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kotatsu.games.kaboum.play.MAX_TURNS", 2)
    plan = experiment("kaboum", 2, ["random"], games=1, seed=1, options={"hourglass_s": 30})
    with pytest.raises(Stuck, match=r"kaboum does not end .* an option may cap it"):
        list(simulate(plan))


def test_records_are_the_same_on_one_core_and_on_two() -> None:
    plan = experiment("kimono", 3, ["random"], games=40, seed=1)
    assert [game.line for game in simulate(plan)] == [game.line for game in simulate(plan, workers=2)]


def test_bots_that_search_play_the_same_on_two_cores() -> None:
    plan = experiment("kimono", 2, ["adept", "novice"], games=4, seed=1)
    assert [game.line for game in simulate(plan)] == [game.line for game in simulate(plan, workers=2)]


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    few = [game.line for game in simulate(experiment("kimono", 2, ["random"], games=3, seed=1))]
    many = [game.line for game in simulate(experiment("kimono", 2, ["random"], games=9, seed=1))]
    other = [game.line for game in simulate(experiment("kimono", 2, ["random"], games=3, seed=2))]
    assert many[:3] == few
    assert len({*many, *other}) == 12


def test_bots_move_on_by_one_seat_a_game() -> None:
    plan = experiment("kimono", 3, ["novice", "random", "adept"], games=6, seed=1)
    assert [plan.lineup(number) for number in range(3)] == [
        ("novice", "random", "adept"),
        ("random", "adept", "novice"),
        ("adept", "novice", "random"),
    ]
    seats = Counter((level, seat) for number in range(6) for seat, level in enumerate(plan.lineup(number)))
    assert set(seats.values()) == {2}


@pytest.mark.parametrize(
    ("levels", "rows"),
    [(["random"], {0, 1, 2}), (["novice", "random", "random"], {"novice", "random"})],
)
def test_the_win_table_adds_up(levels: list[str], rows: set[str | int]) -> None:
    plan = experiment("kimono", 3, levels, games=30, seed=5)
    played = list(simulate(plan))
    table = tally(played, plan.levels)
    assert set(table.rows) == rows
    assert table.games == 30
    assert table.moves == sum(len(moves_in(game.record)) for game in played)
    assert sum(row.wins for row in table.rows.values()) == pytest.approx(30)
    assert sum(row.games for row in table.rows.values()) == 90
    assert sum(row.won for row in table.rows.values()) == sum(
        len(game.outcome.winners) == 1 for game in played
    )
    assert sum(row.points for row in table.rows.values()) == sum(sum(game.outcome.scores) for game in played)
    assert sum(row.thoughts for row in table.rows.values()) >= table.moves


def test_wilson_gives_the_known_intervals() -> None:
    """Figures of the textbook case 8 of 10, and of the ends."""
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_what_makes_no_experiment_is_refused() -> None:
    with pytest.raises(UnknownGame):
        experiment("chess", 2, ["random"])
    with pytest.raises(BadTable):
        experiment("kimono", 5, ["random"])
    with pytest.raises(BadTable):
        experiment("kimono", 2, ["random"], options={"accessory_combo": "perhaps"})
    with pytest.raises(UnknownLevel):
        experiment("kimono", 2, ["wizard"])
    with pytest.raises(BadLineup):
        experiment("kimono", 3, ["random", "novice"])


@pytest.mark.parametrize("level", levels("kabuki"))
def test_without_a_limit_for_a_turn_every_level_plays_to_the_end(level: str) -> None:
    for game in simulate(experiment("kabuki", 3, [level], games=2, seed=1, options={"turn_s": 0})):
        assert game.outcome.winners


def test_a_move_costs_the_simulated_time_it_took() -> None:
    plan = experiment("kakuzu", 2, ["random"], seed=1, options={"clock_s": 2})
    (game,) = simulate(plan)
    spent = [entry for entry in game.record["log"] if entry.get("fact") == "time_spent"]
    low, high = PAUSE_S
    total = {seat: sum(each["ms"] for each in spent if each["seat"] == seat) for seat in (0, 1)}
    assert total == {0: 2000, 1: 2000}, "nobody can lift all stones in two seconds"
    assert all(each["ms"] <= 1000 * high for each in spent)
    assert sum(each["ms"] >= 1000 * low for each in spent) >= len(spent) - 2, (
        "but for what was left at the end"
    )


class Statue:
    """Never moves."""

    imagines = 0
    remembers = False

    def think(self, situation: Situation) -> Thought:
        return Thought(None)


def test_a_game_in_which_nobody_ever_moves_is_stuck_and_says_so() -> None:
    match = kotatsu.start("kimono", players=2, seed=1)
    with pytest.raises(Stuck, match="every bot waits"):
        VirtualTable(match, [Statue(), Statue()], Random(1)).play()


class Caller:
    """Kabuki: calls on every mask, after a pause of its own; places at random."""

    imagines = 0
    remembers = False

    def __init__(self, pause: float) -> None:
        self.pause = pause

    def think(self, situation: Situation) -> Thought:
        if Stop() in situation.moves:
            return Thought(Stop(), self.pause)
        return RandomBot().think(situation)


def test_the_quicker_bot_is_first_where_several_may_act_at_once() -> None:
    pauses = [0.9, 0.5, 0.2]
    match = kotatsu.start("kabuki", players=3, seed=1)
    VirtualTable(match, [Caller(pause) for pause in pauses], Random(1)).play()
    moves = moves_in(match.record())
    calls = [
        (placed["seat"], called["seat"]) for placed, called in pairwise(moves) if called["move"] == "stop"
    ]
    assert {placer for placer, _ in calls} == {0, 1, 2}
    for placer, caller in calls:
        assert caller == (1 if placer == 2 else 2)
