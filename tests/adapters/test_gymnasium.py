"""Gymnasium's own checker, as it comes, for every game and every number of players; and many games at once."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import game
from kotatsu.lab import gymnasium as lab
from kotatsu.lab.encoding import encoding, usual_players
from tests.adapters.tables import every_game, every_table

lab.register()


@every_table
def test_checker(name: str, players: int) -> None:
    env = gymnasium.make(f"kotatsu/{name.capitalize()}-v0", players=players, opponents="random")
    check_env(env.unwrapped, skip_render_check=False)


@every_game
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_many_at_once(name: str, mode: str) -> None:
    envs = gymnasium.make_vec(
        f"kotatsu/{name.capitalize()}-v0", num_envs=3, vectorization_mode=mode, opponents="random"
    )
    try:
        shown, _ = envs.reset(seed=4)
        size = encoding(name, usual_players(game(name))).size
        luck = np.random.default_rng(4)
        ended = 0
        for _ in range(60):
            assert shown["observation"].shape == (3, size)
            actions = np.array([luck.choice(np.flatnonzero(mask)) for mask in shown["action_mask"]])
            shown, rewards, over, _, infos = envs.step(actions)
            assert rewards.shape == (3,)
            assert not infos.get("illegal", np.zeros(3)).any()
            ended += int(over.sum())
        assert name != "kimono" or ended > 0
    finally:
        envs.close()


def test_same_seed_same_games_however_many() -> None:
    alone = gymnasium.make("kotatsu/Kimono-v0", opponents="random")
    several = gymnasium.make_vec("kotatsu/Kimono-v0", num_envs=2, opponents="random")
    first, _ = alone.reset(seed=9)
    both, _ = several.reset(seed=9)
    assert np.array_equal(first["observation"], both["observation"][0])
    assert not np.array_equal(both["observation"][0], both["observation"][1])


def test_opponents_of_several_levels() -> None:
    env = gymnasium.make("kotatsu/Kimono-v0", players=3, opponents=["random", "novice"], seat=1)
    assert env.reset(seed=1)[0]["action_mask"].any()
    assert env.unwrapped.seat == 1  # type: ignore[attr-defined]


def test_refusals() -> None:
    with pytest.raises(BadTable, match="there is no seat 5"):
        lab.SeatEnv("kimono", seat=5)
    with pytest.raises(BadTable, match="2 opponents are named for 1 seats"):
        lab.SeatEnv("kimono", opponents=["random", "random"])
    with pytest.raises(LookupError, match="no bot called"):
        lab.SeatEnv("kimono", opponents="genius")
