"""PettingZoo's own tests, as they come, for every game and every number of players."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
)

from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame
from kotatsu.lab import pettingzoo as lab
from tests.adapters.tables import every_game, every_table

CYCLES = 200

# PettingZoo would rather see a plain array, yet asks for this very dictionary where actions are masked.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


@every_table
@pytest.mark.parametrize("make", [lab.env, lab.raw_env, lab.cycle_env])
def test_api(name: str, players: int, make: partial[object]) -> None:
    api_test(make(name, players=players), CYCLES)


@every_table
@pytest.mark.parametrize("make", [lab.env, lab.raw_env, lab.cycle_env])
def test_same_seed_same_game(name: str, players: int, make: partial[object]) -> None:
    seed_test(partial(make, name, players=players), CYCLES)


@every_table
def test_all_at_once(name: str, players: int) -> None:
    parallel_api_test(lab.parallel_env(name, players=players), CYCLES)
    parallel_seed_test(partial(lab.parallel_env, name, players=players), CYCLES)


@every_table
def test_cut_off_after_so_many_cycles(name: str, players: int) -> None:
    module = SimpleNamespace(
        env=partial(lab.cycle_env, name, players=players),
        parallel_env=partial(lab.parallel_env, name, players=players),
    )
    max_cycles_test(module)


@every_table
def test_rendering(name: str, players: int) -> None:
    render_test(partial(lab.env, name, players=players))


@every_table
def test_benchmark_runs(name: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(lab.env(name, players=players))
    assert "turns per second" in capsys.readouterr().out


@every_game
def test_name_and_version(name: str) -> None:
    assert lab.raw_env(name).metadata["name"] == f"{name}_v0"


def test_refusals() -> None:
    with pytest.raises(UnknownGame):
        lab.env("chess")
    with pytest.raises(BadTable, match="2 to 4 players"):
        lab.env("kimono", players=9)
    with pytest.raises(BadTable, match="unknown field"):
        lab.env("kimono", colour="red")
    with pytest.raises(ValueError, match="render mode"):
        lab.env("kimono", render_mode="smoke")


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = lab.raw_env("kimono")
    env.reset(seed=3)
    before = env.table.asked
    with pytest.raises(ValueError, match="not legal"):
        env.step(env.table.encoding.wait)
    assert env.table.asked is before


def test_after_the_end_each_seat_goes_once_and_can_do_nothing_more() -> None:
    env = lab.raw_env("kimono", players=3)
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    outcome = dict(env.rewards)
    earned = {}
    for left in (3, 2, 1):
        agent = env.agent_selection
        assert len(env.agents) == left
        with pytest.raises(ValueError, match="is over"):
            env.step(0)
        earned[agent] = env.last()[1]
        env.step(None)
        assert agent not in env.agents
    assert earned == outcome
    assert any(outcome.values())
    assert env.agents == []
