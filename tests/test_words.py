"""Names and docstrings are for strangers: plain, complete, and one word for one thing.

``COVERED`` is what is held to all of it: the whole tree.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCES = Path(__file__).parents[1] / "src" / "kotatsu"

COVERED: tuple[str, ...] = (".",)
"""Packages and modules whose docstrings, constants and names are checked. Paths below ``src/kotatsu``."""

CONSTANTS_IN = (
    "bots",
    "server",
    "tables",
    "connections",
    "store",
    "races",
    "worlds",
    "people",
    "lab",
    "engine",
    "games",
)
"""Where every number that was tuned says where it comes from."""

RETIRED = frozenset({"ear", "eyes", "greet", "luck", "lucky", "manners", "peace", "pulse", "unhurried"})
"""Words that were metaphors in names. A name is split at underscores and capitals."""

RETIRED_OUTSIDE_GAMES = frozenset({"house", "letter", "shelf"})
"""Words that were metaphors, but that a game may mean: Kakuzu has the stones of the house, a tile has a letter."""

DESCRIBED_ELSEWHERE = frozenset({"get", "post", "put", "delete", "patch", "websocket", "command", "group"})
"""Decorators of HTTP routes and commands: their docstring is the text of the API page or of ``--help``, and their
parameters are described by annotations or options."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Documented(NamedTuple):
    """A public function or class, and where it is."""

    where: str
    node: Function | ast.ClassDef
    module: ast.Module
    owner: ast.ClassDef | None = None


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def all_files() -> list[Path]:
    return [path for path in sorted(SOURCES.rglob("*.py")) if "tests" not in path.relative_to(SOURCES).parts]


def covered_files() -> list[Path]:
    return [
        path
        for path in all_files()
        if any(path == SOURCES / part or SOURCES / part in path.parents for part in COVERED)
    ]


def name_of(path: Path) -> str:
    return path.relative_to(SOURCES).as_posix()


def is_public(name: str) -> bool:
    return not name.startswith("_")


@cache
def classes() -> dict[str, ast.ClassDef]:
    """Every class by its name, which is unique."""
    return {
        node.name: node
        for path in all_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
    }


def bases_of(owner: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """A class's bases in these sources, and theirs."""
    for base in owner.bases:
        base = base.value if isinstance(base, ast.Subscript) else base
        found = classes().get(base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", ""))
        if found is not None:
            yield found
            yield from bases_of(found)


def public_functions_and_classes(files: list[Path]) -> Iterator[Documented]:
    for path in files:
        module = parsed(path)
        for node in module.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and is_public(
                node.name
            ):
                yield Documented(f"{name_of(path)}:{node.lineno} {node.name}", node, module)
                if isinstance(node, ast.ClassDef):
                    yield from _methods(path, module, node)


def _methods(path: Path, module: ast.Module, owner: ast.ClassDef) -> Iterator[Documented]:
    for node in owner.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_public(node.name):
            yield Documented(f"{name_of(path)}:{node.lineno} {owner.name}.{node.name}", node, module, owner)


def docstring(item: Documented) -> str:
    """Its own, and those of the methods it overrides: what the contract says need not be said again."""
    found = [ast.get_docstring(item.node)]
    if item.owner is not None:
        found += [
            ast.get_docstring(node)
            for base in bases_of(item.owner)
            for node in base.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == item.node.name
        ]
    return "\n".join(filter(None, found))


def parameters(node: Function) -> list[str]:
    """What a caller passes; names beginning with an underscore are not meant for use."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    return [each.arg for each in every if each.arg not in ("self", "cls") and is_public(each.arg)]


def decorators(node: Function) -> Iterator[str]:
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        yield called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def unmentioned(names: list[str], text: str, shared: str) -> list[str]:
    """The names that are no word of a docstring, nor ````in quotes```` in one it may rely on."""
    return [name for name in names if not re.search(rf"\b{name}\b", text) and f"``{name}``" not in shared]


def test_class_names_are_unique() -> None:
    """A search for a class finds one thing."""
    places: dict[str, list[str]] = {}
    for path in all_files():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{name_of(path)}:{node.lineno}")
    twice = [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]
    assert not twice, "\n".join(twice)


def test_every_covered_path_exists() -> None:
    assert [part for part in COVERED if not (SOURCES / part).exists()] == []


def test_everything_public_has_a_docstring() -> None:
    missing = [name_of(path) for path in covered_files() if not ast.get_docstring(parsed(path))]
    missing += [item.where for item in public_functions_and_classes(covered_files()) if not docstring(item)]
    assert not missing, "\n".join(missing)


def test_docstrings_mention_the_parameters() -> None:
    """Of functions and constructors with two or more: in the text, or quoted in the class's or module's docstring."""
    wrong = []
    for item in public_functions_and_classes(covered_files()):
        shared = ast.get_docstring(item.module) or ""
        if item.owner is not None:
            shared += ast.get_docstring(item.owner) or ""
        node, text = item.node, docstring(item)
        if isinstance(node, ast.ClassDef):
            found = [
                each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"
            ]
            if not found:
                continue
            text += ast.get_docstring(found[0]) or ""
            node = found[0]
        elif DESCRIBED_ELSEWHERE.intersection(decorators(node)):
            continue
        names = parameters(node)
        missing = unmentioned(names, text, shared) if len(names) > 1 else []
        if missing:
            wrong.append(f"{item.where}: {', '.join(missing)}")
    assert not wrong, "\n".join(wrong)


def numeric(value: ast.expr | None) -> bool:
    """Whether a value is a number, or a sum, product, tuple or dictionary of numbers."""
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp(operand=operand):
            return numeric(operand)
        case ast.BinOp(left=left, right=right):
            return numeric(left) and numeric(right)
        case ast.Tuple(elts=values) | ast.List(elts=values) | ast.Dict(values=values):
            return bool(values) and all(map(numeric, values))
        case _:
            return False


def explained_lines(path: Path) -> set[int]:
    """The lines that hold a comment, or the end of a string that stands by itself."""
    text = path.read_text("utf-8")
    lines = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.walk(parsed(path)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def unexplained_constants(path: Path) -> Iterator[str]:
    """Numbers at module level without a word on their origin.

    A comment stands on the line or above it, a string below it; it may serve a block of constants without a blank
    line between them.
    """
    lines = path.read_text("utf-8").splitlines()
    explained = explained_lines(path)
    for node in parsed(path).body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not numeric(node.value):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name) or not target.id.isupper():
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        while first > 1 and lines[first - 2].strip():
            first -= 1
        while last < len(lines) and lines[last].strip():
            last += 1
        if not explained.intersection(range(first, last + 1)):
            yield f"{name_of(path)}:{node.lineno} {target.id}"


def test_tuned_constants_say_where_they_come_from() -> None:
    checked = [path for path in covered_files() if path.relative_to(SOURCES).parts[0] in CONSTANTS_IN]
    wrong = [line for path in checked for line in unexplained_constants(path)]
    assert not wrong, "\n".join(wrong)


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def names_in(path: Path) -> Iterator[tuple[int, str]]:
    """Names that are given here: of classes, functions, parameters, variables and attributes."""
    for node in ast.walk(parsed(path)):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def retired_words(path: Path) -> frozenset[str]:
    in_a_game = len(path.relative_to(SOURCES).parts) > 2 and path.relative_to(SOURCES).parts[0] == "games"
    return RETIRED if in_a_game else RETIRED | RETIRED_OUTSIDE_GAMES


def test_no_retired_word_is_in_a_name() -> None:
    wrong = [
        f"{name_of(path)}:{line} {name}"
        for path in covered_files()
        for line, name in names_in(path)
        if words_of(name) & retired_words(path)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "caught"),
    [
        ("LIMIT = 5\n", True),
        ("LIMIT = 5  # chosen by hand\n", False),
        ('LIMIT = 5\n"""Chosen by hand."""\n', False),
        ("# measured\nLOW = 1\nHIGH = 2\n", False),
        ("# about something else\n\nLIMIT = 5\n", True),
        ('NAME = "five"\nON = True\n', False),
        ("SIZES = (1, 2 * 3, -4)\n", True),
    ],
)
def test_the_check_of_constants_catches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, caught: bool
) -> None:
    monkeypatch.setattr(__name__ + ".SOURCES", tmp_path)
    path = tmp_path / "module.py"
    path.write_text(text)
    assert bool(list(unexplained_constants(path))) is caught


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("_let_go", {"let", "go"}),
        ("PulseSocket", {"pulse", "socket"}),
        ("BAD_LUCK", {"bad", "luck"}),
        ("search", {"search"}),
    ],
)
def test_names_are_split_into_words(name: str, words: set[str]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("text", "shared", "missing"),
    [
        ("Return the seats of a table.", "", ["visitor"]),
        ("Return the seats of ``visitor``.", "", ["table"]),
        ("Return it.\n\nArgs:\n    table: where.\n    visitor: who.", "", []),
        ("Return it.", "A ``table`` is an id. A visitor is one too.", ["visitor"]),
    ],
)
def test_the_check_of_docstrings_catches(text: str, shared: str, missing: list[str]) -> None:
    assert unmentioned(["table", "visitor"], text, shared) == missing
