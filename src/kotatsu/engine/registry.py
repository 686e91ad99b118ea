"""The games that are installed. There is no list of them: they are discovered.

A game is a package with a module ``game`` that exports ``GAME``; its own levels of
play, if any, are in its module ``bots`` as ``LEVELS``. It is found as

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

_GAMES = "kotatsu.games"


class UnknownGame(LookupError):
    """There is no game called ``name``; the message lists those there are."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no game called {name!r}; available: {', '.join(games())}")


@cache
def _packages() -> dict[str, str]:
    folder = importlib.import_module(_GAMES)
    found = {
        module.name: f"{_GAMES}.{module.name}"
        for module in pkgutil.iter_modules(folder.__path__)
        if module.ispkg
    }
    for entry in entry_points(group=_GAMES):
        found.setdefault(entry.name, entry.value)
    return dict(sorted(found.items()))


def games() -> tuple[str, ...]:
    """Return the names of all games, in alphabetical order."""
    return tuple(_packages())


@cache
def game(name: str) -> AnyGame:
    """Return the game of that name; it is imported the first time.

    Raises:
        UnknownGame: there is none.
    """
    found: AnyGame = importlib.import_module(f"{package(name)}.game").GAME
    return found


def package(name: str) -> str:
    """Return the full name of a game's package.

    Raises:
        UnknownGame: there is none of that name.
    """
    try:
        return _packages()[name]
    except KeyError:
        raise UnknownGame(name) from None


def part(name: str, module: str) -> ModuleType | None:
    """Return a ``module`` of the package of the game ``name``, such as ``bots``; ``None`` if it has none.

    Raises:
        UnknownGame: there is no game of that name.
    """
    full = f"{package(name)}.{module}"
    return importlib.import_module(full) if find_spec(full) else None
