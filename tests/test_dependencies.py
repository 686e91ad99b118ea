"""What is used of dependencies without being published is listed in ``docs/dependencies.md``, and nothing else is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

from tests.tools.private_parts import private_parts

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src/kotatsu"
PAGE = (ROOT / "docs/dependencies.md").read_text("utf-8")


class Row(NamedTuple):
    """One row of the page's table; cells hold code in backticks."""

    package: str
    parts: str
    file: str
    why: str
    replacement: str
    cap: str


def rows() -> list[Row]:
    _, _, section = PAGE.partition("## Parts that are not published")
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in table[2:]]


def listed() -> set[tuple[str, str]]:
    return {(row.file.strip("`"), part) for row in rows() for part in re.findall(r"`([^`]+)`", row.parts)}


def used() -> Iterator[tuple[str, str]]:
    for path in SOURCES.rglob("*.py"):
        where = path.relative_to(SOURCES)
        if "tests" not in where.parts:
            for part in private_parts(path.read_text("utf-8")):
                yield where.as_posix(), part


def requirements() -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    return {each.name: each for each in map(Requirement, named)}


def test_every_part_that_is_not_published_is_listed_and_every_listed_one_is_used() -> None:
    assert set(used()) == listed()


def test_every_row_says_why_and_what_would_replace_it() -> None:
    assert all(all(row) for row in rows())


def test_packages_are_capped_as_the_page_says() -> None:
    for row in rows():
        assert row.cap.strip("`") in str(requirements()[row.package].specifier).split(","), row.package


def test_the_pins_are_within_the_limits() -> None:
    for pins in ("play.txt", "test.txt"):
        pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements" / pins).read_text(), re.M))
        for name, wanted in requirements().items():
            if name in pinned:
                assert wanted.specifier.contains(pinned[name]), f"{pins}: {name} {pinned[name]}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os\nos._exit(1)", set()),
        ("import msgspec\nmsgspec.json.encode(1)", set()),
        ("import rich.table", set()),
        ("from kotatsu.engine import match\nfrom kotatsu.engine.match import _helper", set()),
        ("from collections import namedtuple\nnamedtuple('P', 'x')(1)._replace(x=2)", set()),
        ("from websockets.speedups import apply_mask", {"websockets.speedups"}),
        ("import uvicorn.protocols.utils", {"uvicorn.protocols.utils"}),
        ("import uvicorn.protocols.utils, uvicorn", {"uvicorn.protocols.utils"}),
        ("import _random", {"_random"}),
        ("from random import _inst", {"random._inst"}),
        ("import random\nrandom._inst.random()", {"._inst"}),
        ("def first(queue):\n    return queue._queue[0]", {"._queue"}),
    ],
)
def test_imports_and_attributes_are_looked_at(source: str, found: set[str]) -> None:
    assert private_parts(source) == found


OWN = """
class Counter:
    def __init__(self): self._n = 0
    def add(self, other): self._grow(other._n)
    def _grow(self, by): self._n += by
"""
OVERRIDDEN = """
from random import Random
class Loaded(Random):
    def getrandbits(self, k): return self._randbelow(1 << k)
    def _randbelow(self, n): return 0
"""
READ_OVER_AN_ALIAS_AND_A_CLASS_OF_THE_FILE = """
from asyncio import Queue
IntQueue = Queue[int]
class Mine(IntQueue): pass
class Shelf(Mine):
    def look(self): return list(self._queue)
"""
CALLED = """
import threading
class Forgetful(threading.Thread):
    def forget(self): super()._delete()
"""
CALLED_BY_A_COMPILED_BASE = """
import pyspiel
class Position(pyspiel.State):
    def _apply_action(self, action): self.last = action
"""
OF_AN_UNDOCUMENTED_MODULE = """
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
class Wire(WebSocketsSansIOProtocol):
    def connection_made(self, transport): self.mine = self.ping_interval
    def handle_pong(self, event): pass
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (OWN, set()),
        (OVERRIDDEN, {"Random._randbelow"}),
        (READ_OVER_AN_ALIAS_AND_A_CLASS_OF_THE_FILE, {"Queue._queue"}),
        (CALLED, {"Thread._delete"}),
        (CALLED_BY_A_COMPILED_BASE, {"State._apply_action"}),
        (
            OF_AN_UNDOCUMENTED_MODULE,  # ``connection_made`` is asyncio's, and published
            {
                "uvicorn.protocols.websockets.websockets_sansio_impl",
                "WebSocketsSansIOProtocol.handle_pong",
                "WebSocketsSansIOProtocol.ping_interval",
            },
        ),
    ],
)
def test_classes_are_looked_at(source: str, found: set[str]) -> None:
    assert private_parts(source) == found
