"""The levels of play of every game, from the weakest to the strongest.

A game that brings none is played by the generic players. Its own are in its module ``bots``:
``LEVELS`` maps names to bots, and an optional ``warm_up()`` prepares whatever is slow the first time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from kotatsu.bots.contract import Bot
from kotatsu.bots.search import MonteCarloBot, RandomBot
from kotatsu.engine.registry import part

GENERIC: Mapping[str, Bot] = MappingProxyType(
    {
        "random": RandomBot(),
        "novice": MonteCarloBot(steps=300, imagines=2),
        "adept": MonteCarloBot(steps=3_000, imagines=8),
        "master": MonteCarloBot(steps=15_000, imagines=24),
    }
)


class UnknownLevel(LookupError):
    """A game has no such level."""

    def __init__(self, name: str, level: str) -> None:
        super().__init__(f"{name} has no bot called {level!r}; it has {', '.join(levels(name))}")


@cache
def levels(name: str) -> Mapping[str, Bot]:
    """Every level of a game, weakest first.

    Raises:
        UnknownGame: if no such game is on the shelf.
    """
    bots = part(name, "bots")
    own: Mapping[str, Bot] = bots.LEVELS if bots is not None else {}
    complete = GENERIC.keys() <= own.keys()
    return MappingProxyType(dict(own) if complete else {**GENERIC, **own})


def bot(name: str, level: str) -> Bot:
    """The bot that plays a game at a level.

    Raises:
        UnknownLevel: with one sentence that lists the levels.
    """
    try:
        return levels(name)[level]
    except KeyError:
        raise UnknownLevel(name, level) from None


def warm_up(name: str) -> None:
    """Do now what a game's bots would otherwise do at their first thought (compiling, say)."""
    prepare = getattr(part(name, "bots"), "warm_up", None)
    if prepare is not None:
        prepare()
