"""Bots in both roles: they play by the rules, the better ones better."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from kotatsu.bots.contract import Situation
from kotatsu.bots.levels import levels
from kotatsu.engine.match import replay, start
from kotatsu.engine.record import Entry, Played
from kotatsu.games.kaboum.bots import LEVELS
from kotatsu.games.kaboum.data import PIECES, PLACES, POINTS
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import (
    Fire,
    Flip,
    Grab,
    KaboumState,
    KaboumTurnEnded,
    Landed,
    Strike,
    TurnBroken,
    TurnStarted,
)
from kotatsu.games.kaboum.play import Player, play, play_turn, player
from kotatsu.games.kaboum.players.builder import Builder
from kotatsu.games.kaboum.players.saboteur import Saboteur
from kotatsu.games.kaboum.players.sets import SETS, best_set_points
from kotatsu.games.kaboum.players.skill import SKILLS
from kotatsu.games.kaboum.rail import LAUNCH_HEIGHT, aim_at, rail_place
from kotatsu.games.kaboum.tests.building import set_up
from kotatsu.games.kaboum.tests.staging import Table
from kotatsu.games.kaboum.tests.test_live import a_turn, saboteurs
from kotatsu.games.kaboum.world.scene import FIRST_DIE, MM, half_die


def test_there_is_a_bot_for_every_level_the_house_knows() -> None:
    assert {"random", "novice", "adept", "master"} <= set(levels("kaboum"))
    assert list(SKILLS) == list(LEVELS)


def test_at_the_tables_door_a_bot_only_turns_the_hourglass() -> None:
    table = Table()

    def thought(seat: int) -> object:
        moves = tuple(GAME.moves(table.state, seat))
        situation = Situation("kaboum", 3, table.state.options, seat, GAME.view(table.state, seat), moves, 5)
        return LEVELS["adept"].think(situation).move

    assert thought(table.state.builder) == Flip()
    table.flip()
    assert thought(table.state.builder) is None
    assert thought(table.saboteurs[0]) is None


@pytest.mark.parametrize(("high", "fast"), [(False, 3.2), (True, 2.8)])
def test_an_aim_by_ballistics_hits_what_it_is_aimed_at(high: bool, fast: float) -> None:
    target = np.array((0.05, 0.1, 0.08))
    aims = [aim_at(at / 20, target, fast, high=high, big=False) for at in range(20)]
    assert sum(aim is not None for aim in aims) >= 10
    for aim in filter(None, aims):
        x, y = rail_place(aim.at)
        reach = float(np.hypot(target[0] - x, target[1] - y))
        seconds = reach / (fast * np.cos(aim.pitch))
        rise = LAUNCH_HEIGHT + fast * np.sin(aim.pitch) * seconds - 9.81 / 2 * seconds**2
        assert rise == pytest.approx(0.08, abs=1e-6)


def test_what_is_out_of_range_cannot_be_aimed_at() -> None:
    assert aim_at(0.1, np.array((0.3, 0.3, 0.01)), 1.3, high=True, big=False) is None


def played(log: list[Entry], kind: type) -> int:
    return sum(isinstance(entry, Played) and isinstance(entry.move, kind) for entry in log)


@pytest.mark.parametrize("level", SKILLS)
def test_every_level_plays_both_roles(level: str) -> None:
    turn = a_turn(hourglass_s=30, seed=3)
    players: dict[int, Player] = {seat: player(level, seat, turn.state, 3) for seat in range(3)}
    log = play_turn(turn, players)
    assert played(log, Grab) >= 3
    assert played(log, Fire) >= 1
    assert any(isinstance(entry, Landed) for entry in log)


def test_towers_stand_together_as_far_as_the_pieces_go() -> None:
    assert max(each.points for each in SETS) == 14
    for each in SETS:
        assert each.points == sum(POINTS[tile] for tile in each.tiles) == each.pieces.total()
        assert each.pieces <= Counter(PIECES)
    everything = best_set_points(range(25), range(16), 16)
    assert set(everything) == set(range(25))
    gate, torii, great_gate = 1, 13, 19
    assert best_set_points((gate, torii), range(16), 16) == {gate: 3, torii: 5}, "there are two pillars"
    assert best_set_points((gate, great_gate), range(16), 5) == {gate: 3}
    pillar = PIECES.index("pillar")
    assert best_set_points((gate,), set(range(16)) - {pillar}, 16) == {}


def test_a_better_builder_makes_more_points_when_nobody_disturbs() -> None:
    def points(level: str) -> int:
        turns = [a_turn(seed=seed) for seed in range(2)]
        logs = [
            play_turn(turn, {turn.state.builder: Builder(SKILLS[level], Random(seed))})
            for seed, turn in enumerate(turns)
        ]
        return sum(entry.points for log in logs for entry in log if isinstance(entry, KaboumTurnEnded))

    assert points("novice") < points("master")


def test_a_saboteur_strikes_when_it_may_and_something_stands() -> None:
    turn = a_turn(hourglass_s=30)
    set_up(turn.world, 23)
    seat = saboteurs(turn.state)[0]
    for _ in range(60):
        turn.step()
    assert turn.state.standing == (23,)
    turn.state = replace(turn.state, granted=True, striker=seat, ammo=(0, 0, 0))
    log = play_turn(turn, {seat: Saboteur(seat, SKILLS["master"], Random(1))})
    assert played(log, Strike) == 1


def test_a_game_goes_on_after_a_world_that_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = count()

    class Fragile(Turn):
        def __init__(self, state: KaboumState, seed: int | str) -> None:
            super().__init__(state, seed)
            if next(worlds) == 1:
                self.world.put(5, (float("nan"), 0.0, 0.1))

    monkeypatch.setattr("kotatsu.games.kaboum.play.Turn", Fragile)
    match = start("kaboum", 2, 4, hourglass_s=30, rounds=1)
    play(match, ["random", "random"], 4)
    facts = [entry for entry in match.log if isinstance(entry, TurnStarted | TurnBroken | KaboumTurnEnded)]
    kinds = [TurnStarted, KaboumTurnEnded, TurnStarted, TurnBroken, TurnStarted, KaboumTurnEnded]
    assert [type(fact) for fact in facts] == kinds
    assert [fact.turn for fact in facts if isinstance(fact, TurnStarted)] == [1, 2, 2]
    assert match.outcome is not None
    assert replay(match.record()).outcome == match.outcome


def test_a_whole_game_is_played_in_its_world() -> None:
    match = start("kaboum", 2, 4, hourglass_s=30, rounds=1)
    moves = play(match, ["novice", "novice"], 4)
    assert match.outcome is not None
    assert moves == sum(isinstance(entry, Played) for entry in match.log)
    again = start("kaboum", 2, 4, hourglass_s=30, rounds=1)
    play(again, ["novice", "novice"], 4)
    assert again.record() == match.record()


def test_a_builder_goes_elsewhere_when_something_is_in_the_way() -> None:
    """A die lies where the tower of one of two tiles belongs, and has not been shot: nothing is blocked."""
    cottage, chapel = 0, 3
    turn = a_turn(tiles=(cottage, chapel), hourglass_s=60)
    place = PLACES[chapel]
    for die, (x, y) in enumerate([(0, 0), (20, 0), (-20, 0), (0, 20), (0, -20)]):
        turn.world.put(FIRST_DIE + die, ((place.x + x) * MM, (place.y + y) * MM, half_die(die)))
    hand = Builder(SKILLS["master"], Random(1))
    hand._tile = chapel
    log = play_turn(turn, {turn.state.builder: hand})
    ended = log[-1]
    assert isinstance(ended, KaboumTurnEnded)
    assert ended.scored == (cottage,)
