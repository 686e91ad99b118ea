"""A game of one's own is in every adapter and in the arena without a line for it; one in real time is left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "toys" / "pebbles"


def run(shelf: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "KOTATSU_GAMES": str(shelf)},
        cwd=shelf,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "pebbles", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_package_accepts_it(shelf: Path) -> None:
    code = """
import gymnasium, pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
import kotatsu.lab.gymnasium, kotatsu.lab.openspiel, kotatsu.lab.pettingzoo as zoo
api_test(zoo.env("pebbles", players=2), 50)
pyspiel.random_sim_test(pyspiel.load_game("pebbles", {"players": 2}), num_sims=2, serialize=True, verbose=False)
check_env(gymnasium.make("kotatsu/Pebbles-v0", opponents="random").unwrapped)
"""
    done = run(shelf, "-c", code)
    assert done.returncode == 0, done.stderr


def test_it_has_tournaments_against_the_guest_too(shelf: Path) -> None:
    words = ["--bots", "random,novice,openspiel-mcts@5", "--games", "2", "--workers", "1"]
    done = run(shelf, "-m", "kotatsu", "arena", "pebbles", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pebbles, 2 players, 6 games, seed 0\n")


def test_a_game_in_real_time_is_left_out_of_the_adapters(shelf: Path) -> None:
    (shelf / "pebbles" / "realtime.py").write_text('"""A world of its own."""\n')
    code = """
import gymnasium, pyspiel
import kotatsu.lab.gymnasium, kotatsu.lab.openspiel, kotatsu.lab.pettingzoo as zoo
from kotatsu.lab.encoding import NotInTurns
assert "pebbles" not in pyspiel.registered_names() and "kotatsu/Pebbles-v0" not in gymnasium.registry
try:
    zoo.env("pebbles")
except NotInTurns as refusal:
    print(refusal)
"""
    done = run(shelf, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("pebbles is played in real time")


def test_the_arena_lets_a_world_of_its_own_run_the_game(shelf: Path) -> None:
    (shelf / "pebbles" / "play.py").write_text(
        '''"""Everyone always makes the first move there is."""


def play(match, lineup, seed):
    moves = 0
    while match.outcome is None:
        (seat,) = match.acting
        match.play(seat, match.moves(seat)[0])
        moves += 1
    return moves
'''
    )
    words = ["--bots", "random,novice", "--games", "2", "--workers", "1"]
    done = run(shelf, "-m", "kotatsu", "arena", "pebbles", *words)
    assert done.returncode == 0, done.stderr
    refused = run(shelf, "-m", "kotatsu", "arena", "pebbles", "--bots", "random,openspiel-mcts")
    assert refused.returncode == 2
    assert "no bot called 'openspiel-mcts'" in refused.stderr
