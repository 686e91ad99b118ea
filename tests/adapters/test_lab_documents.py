"""The pages for researchers say what is so, and their examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from kotatsu.engine.match import read_options
from kotatsu.engine.registry import game
from kotatsu.lab.encoding import encoding, games_in_turns, usual_players
from kotatsu.lab.pettingzoo import raw_env
from tests.adapters.tables import every_game, every_table

PAGES = Path(__file__).parents[2] / "docs" / "lab"
HEADINGS = ["Usage", "Description", "Observation", "Action", "Rewards", "Termination", "Versions"]
Row = list[str]


def page(name: str) -> str:
    path = PAGES / f"{name}.md"
    assert path.exists(), f"docs/lab/{name}.md is missing"
    return path.read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[Row]:
    """The cells of every table row, headings included."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip().strip("`*") for cell in line.strip("|").split("|")] for line in lines]


@every_game
def test_fixed_headings(name: str) -> None:
    assert re.findall(r"^## (.+)$", page(name), re.MULTILINE) == HEADINGS


@every_table
def test_blocks_of_the_observation(name: str, players: int) -> None:
    heading, *blocks, total = rows(section(name, "Observation"))
    column = next(number for number, cell in enumerate(heading) if cell.startswith(f"{players} player"))
    said: dict[str, int] = {}
    for block in blocks:
        seats = range(players) if block[0].endswith("_k") else [None]
        said |= {block[0] if seat is None else f"{block[0][:-1]}{seat}": int(block[column]) for seat in seats}
    assert said == encoding(name, players).layout
    env = raw_env(name, players=players)
    env.reset(seed=0)
    shown = env.observe(env.agent_selection)
    assert (int(total[column]),) == shown["observation"].shape


@every_game
def test_every_action(name: str) -> None:
    of = encoding(name, usual_players(game(name)))
    said = []
    for numbers, move, _ in rows(section(name, "Action"))[1:]:
        first, _, last = numbers.partition("–")
        said += [(action, move) for action in range(int(first), int(last or first) + 1)]
    assert said == [(action, of.name(action).split()[0]) for action in range(of.action_count)]


@every_game
def test_options_and_their_defaults(name: str) -> None:
    kind = game(name)
    said = {option: default for option, _, default in rows(section(name, "Usage"))[1:]}
    assert int(said.pop("players")) == usual_players(kind)
    real = {field: getattr(read_options(kind, {}), field) for field in kind.options_type.__struct_fields__}
    assert said == {field: _plain(value) for field, value in real.items()}


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


@every_game
def test_version(name: str) -> None:
    newest = re.findall(r"^\* v(\d+):", section(name, "Versions"), re.MULTILINE)[0]
    assert int(newest) == encoding(name, usual_players(game(name))).version


def test_the_index_lists_every_game() -> None:
    listed = [row for row in rows(page("README")) if row[-1].endswith(".md)")]
    assert [row[0].lower() for row in listed] == list(games_in_turns())
    for _, players, actions, sizes, _, _ in listed:
        name = listed[[row[1:4] for row in listed].index([players, actions, sizes])][0].lower()
        seats = game(name).seats
        smallest, largest = encoding(name, min(seats)), encoding(name, max(seats))
        assert players == f"{min(seats)}–{max(seats)}"
        assert int(actions) == smallest.action_count
        assert sizes == f"{smallest.size}–{largest.size}"


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.md")), ids=lambda path: path.stem)
def test_examples_run(path: Path) -> None:
    result = doctest.testfile(str(path), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0
