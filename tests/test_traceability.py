"""Every clause of every game is proved by a test that names it and cited by the code that enforces it."""

import re
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[1] / "src" / "kotatsu" / "games"
RULEBOOKS = sorted(GAMES.glob("*/RULES.md"))
CLAUSE = re.compile(r"\b[A-Z]{2}-\d+\b")
CLAUSE_ROW = re.compile(r"^\| ([A-Z]{2}-\d+) \|", re.MULTILINE)
MARK = re.compile(r"""mark\.rule\(((?:\s*["'][A-Z]{2}-\d+["']\s*,?)+)\)""")
TESTS_ROOT = Path(__file__).parent


def clauses(rulebook: Path) -> set[str]:
    return set(CLAUSE_ROW.findall(rulebook.read_text()))


def named_by_tests() -> set[str]:
    files = [*TESTS_ROOT.rglob("test_*.py"), *GAMES.glob("*/tests/test_*.py")]
    marks = (mark for file in files for mark in MARK.findall(file.read_text()))
    return {clause for mark in marks for clause in CLAUSE.findall(mark)}


def cited_by_code(folder: Path) -> set[str]:
    """Clauses in a game's sources; ``KM-1 … KM-30`` in a docstring cites no clause by itself."""
    house = [file for file in GAMES.parent.rglob("*.py") if GAMES not in file.parents]
    game = [file for file in folder.rglob("*.py") if "tests" not in file.parts]
    text = "\n".join(file.read_text() for file in (*house, *game))
    return set(CLAUSE.findall(re.sub(r"[A-Z]{2}-\d+ … [A-Z]{2}-\d+", "", text)))


def test_every_game_has_numbered_rules() -> None:
    folders = {folder.parent for folder in GAMES.glob("*/game.py")}
    assert {rulebook.parent for rulebook in RULEBOOKS} == folders
    assert all(clauses(rulebook) for rulebook in RULEBOOKS)


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda path: path.parent.name)
def test_every_clause_has_a_test(rulebook: Path) -> None:
    missing = sorted(clauses(rulebook) - named_by_tests())
    assert not missing, f"no test is marked with {', '.join(missing)}"


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda path: path.parent.name)
def test_every_clause_is_cited_by_the_code(rulebook: Path) -> None:
    missing = sorted(clauses(rulebook) - cited_by_code(rulebook.parent))
    assert not missing, f"no code cites {', '.join(missing)}"


def test_tests_name_only_known_clauses() -> None:
    known = set().union(*map(clauses, RULEBOOKS))
    unknown = sorted(named_by_tests() - known)
    assert not unknown, f"tests name clauses that no RULES.md has: {', '.join(unknown)}"
