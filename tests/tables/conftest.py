"""A shelf with one more game on it: the toy ``whisper``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from kotatsu.bots.levels import levels
from kotatsu.engine import registry

SHELF = Path(__file__).parent / "shelf"


@pytest.fixture(autouse=True, scope="package")
def whisper_on_the_shelf() -> Iterator[None]:
    games = import_module("kotatsu.games")
    before = list(games.__path__)
    games.__path__ = [*before, str(SHELF)]
    _look_again()
    yield
    games.__path__ = before
    _look_again()


def _look_again() -> None:
    for known in (registry._packages, registry.game, levels):
        known.cache_clear()
