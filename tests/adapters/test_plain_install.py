"""The plain install knows nothing of the packages researchers use."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN = ("gymnasium", "open_spiel", "pettingzoo", "pyspiel", "ray")
WITHOUT = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {FOREIGN}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)


def kotatsu(*words: str) -> str:
    return f"import sys; sys.argv = ['kotatsu', *{list(words)!r}]; from kotatsu.cli.main import main; main()"


@pytest.mark.parametrize(
    "code",
    [
        "import kotatsu; kotatsu.start('kimono', 2, 1)",
        kotatsu("games"),
        kotatsu("simulate", "kimono", "--games", "1", "--bots", "random"),
    ],
    ids=["import", "games", "simulate"],
)
def test_nothing_of_the_lab_is_imported(code: str) -> None:
    spy = "import atexit, sys; atexit.register(lambda: print('LOADED', *sorted(sys.modules)))\n"
    done = run(spy + code)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.rpartition("LOADED ")[2].split()
    assert "kotatsu" in loaded
    assert not {name.partition(".")[0] for name in loaded} & set(FOREIGN)


@pytest.mark.parametrize("words", [["games"], ["simulate", "kimono", "--games", "1", "--bots", "random"]])
def test_plain_commands_work_without_them(words: list[str]) -> None:
    done = run(WITHOUT + kotatsu(*words))
    assert done.returncode == 0, done.stderr


def test_the_arena_holds_tournaments_of_our_own_bots_without_them(tmp_path: Path) -> None:
    words = (
        "arena",
        "kimono",
        "--bots",
        "random,novice",
        "--games",
        "1",
        "--log",
        str(tmp_path / "log.jsonl"),
    )
    done = run(WITHOUT + kotatsu(*words))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--bots", "random,openspiel-mcts"], "openspiel-mcts needs open-spiel: pip install 'kotatsu[lab]'"),
        (["--bots", "random,novice", "--ray", "local"], "ray is not installed: pip install 'kotatsu[ray]'"),
    ],
)
def test_the_arena_says_in_one_line_what_to_install(tmp_path: Path, words: list[str], line: str) -> None:
    done = run(
        WITHOUT + kotatsu("arena", "kimono", "--games", "1", "--log", str(tmp_path / "log.jsonl"), *words)
    )
    assert done.returncode == 2
    assert done.stderr == f"kotatsu: {line}\n"


def test_no_requirement_of_the_plain_install_is_one_of_the_labs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lab = {_name(line) for line in project["optional-dependencies"]["lab"]}
    assert {"gymnasium", "open-spiel", "pettingzoo"} <= lab
    assert not lab & {_name(line) for line in project["dependencies"]}
    locked = {
        _name(line)
        for line in (ROOT / "requirements/play.txt").read_text().splitlines()
        if line[:1].isalpha()
    }
    assert not lab & locked


def _name(requirement: str) -> str:
    return re.split(r"[<>=;\[ ]", requirement)[0].lower()
