"""A fifth game is one folder: dropped somewhere else, it is found everywhere, with no edit anywhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kotatsu.engine.contract import Game

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "pebbles"
GUIDE = ROOT / "docs" / "adding-a-game.md"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "pebbles", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def python(shelf: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "KOTATSU_GAMES": str(shelf)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_keeps_the_contract(shelf: Path) -> None:
    python(shelf, "-c", "from kotatsu.engine.conformance import check; check('pebbles')")


def test_it_is_on_the_shelf_with_bots(shelf: Path) -> None:
    listed = python(shelf, "-m", "kotatsu", "games")
    assert "pebbles\n  Pebbles: a bowl" in listed
    assert "at_most=3 (2 to 5)" in listed


@pytest.mark.parametrize("level", ["random", "novice", "adept", "master"])
def test_bots_of_every_level_play_it(shelf: Path, level: str) -> None:
    log = shelf / "log.jsonl"
    options = ["--players", "2", "--games", "2", "--bots", level, "--seed", "1", "--log", str(log)]
    python(shelf, "-m", "kotatsu", "simulate", "pebbles", *options)
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [record["game"] for record in records] == ["pebbles", "pebbles"]


def test_it_is_an_environment_for_learners(shelf: Path) -> None:
    episode = shelf / "episode.py"
    episode.write_text(
        "from kotatsu.lab.pettingzoo import env\n"
        "bowl = env('pebbles', players=2)\n"
        "bowl.reset(seed=1)\n"
        "total = 0.0\n"
        "for agent in bowl.agent_iter(1000):\n"
        "    seen, reward, terminated, truncated, _ = bowl.last()\n"
        "    total += abs(reward)\n"
        "    over = terminated or truncated\n"
        "    bowl.step(None if over else bowl.action_space(agent).sample(seen['action_mask']))\n"
        "print('rewarded' if total else 'nothing happened')\n"
    )
    assert python(shelf, str(episode)).strip() == "rewarded"


def test_the_guide_names_only_what_exists() -> None:
    methods = re.findall(r"^\| `(\w+)` \| ", GUIDE.read_text(), re.MULTILINE)
    assert set(methods) == {
        name for name in vars(Game) if getattr(getattr(Game, name), "__isabstractmethod__", False)
    }
    paths = re.findall(r"`((?:tests|src|web/src)/[\w./-]+)`", GUIDE.read_text())
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_guides_commands_work_as_written() -> None:
    block = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.DOTALL)[0]
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-e"], input=block, cwd=ROOT, env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "pebbles" in done.stdout
