"""More games on the shelf, for the tests of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from kotatsu.bots.levels import levels
from kotatsu.engine import registry


@contextmanager
def on_the_shelf(*folders: Path) -> Iterator[None]:
    """The games of some folders stand beside the others."""
    games = import_module("kotatsu.games")
    before = list(games.__path__)
    games.__path__ = [*before, *map(str, folders)]
    _look_again()
    yield
    games.__path__ = before
    _look_again()


def _look_again() -> None:
    for known in (registry._packages, registry.game, levels):
        known.cache_clear()
