"""Which games are on the shelf. No list names them: they are found.

A game is a package with a module ``game`` that exports ``GAME``; its levels of
play, if it brings any, are in its module ``bots`` as ``LEVELS``. It is found as

* a folder of ``kotatsu.games``,
* a folder inside one of the directories of the environment variable ``KOTATSU_GAMES``,
* an installed entry point of the group ``kotatsu.games`` that names such a package.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType

from kotatsu.engine.contract import AnyGame

_SHELF = "kotatsu.games"


class UnknownGame(LookupError):
    """No game of that name is on the shelf."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no game called {name!r}; on the shelf: {', '.join(games())}")


@cache
def _packages() -> dict[str, str]:
    shelf = importlib.import_module(_SHELF)
    found = {
        module.name: f"{_SHELF}.{module.name}"
        for module in pkgutil.iter_modules(shelf.__path__)
        if module.ispkg
    }
    for entry in entry_points(group=_SHELF):
        found.setdefault(entry.name, entry.value)
    return dict(sorted(found.items()))


def games() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    return tuple(_packages())


@cache
def game(name: str) -> AnyGame:
    """The game of that name.

    Raises:
        UnknownGame: if nothing on the shelf has it.
    """
    found: AnyGame = importlib.import_module(f"{package(name)}.game").GAME
    return found


def package(name: str) -> str:
    """The package a game lives in."""
    try:
        return _packages()[name]
    except KeyError:
        raise UnknownGame(name) from None


def part(name: str, module: str) -> ModuleType | None:
    """An optional module of a game's package (``bots``, say), or ``None`` if it brings none."""
    full = f"{package(name)}.{module}"
    return importlib.import_module(full) if find_spec(full) else None
