"""The levels of play of every game, from the weakest to the strongest.

A game's own bots are in its module ``bots``: ``LEVELS`` maps names to bots, and an optional ``warm_up()``
prepares what is slow the first time. A game without them is played by the generic bots.
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
"""Levels for any game. The budgets are chosen by hand, each about five or ten times the one below: in
two-player Kimono and Kabuki a move takes about 0.01, 0.03 and 0.12 s of processor time, in Kakuzu 0.17, 0.17
and 0.4 s."""


class UnknownLevel(LookupError):
    """The game ``name`` has no bot of this ``level``; the message lists those it has."""

    def __init__(self, name: str, level: str) -> None:
        super().__init__(f"{name} has no bot called {level!r}; it has {', '.join(levels(name))}")


@cache
def levels(name: str) -> Mapping[str, Bot]:
    """Return every level of the game of this name with its bot, the weakest first.

    The generic levels are included unless the game has bots of the same names.

    Raises:
        UnknownGame: there is no such game.
    """
    bots = part(name, "bots")
    own: Mapping[str, Bot] = bots.LEVELS if bots is not None else {}
    complete = GENERIC.keys() <= own.keys()
    return MappingProxyType(dict(own) if complete else {**GENERIC, **own})


def bot(name: str, level: str) -> Bot:
    """Return the bot that plays the game ``name`` at ``level``.

    Raises:
        UnknownGame: there is no such game.
        UnknownLevel: it has no such level.
    """
    try:
        return levels(name)[level]
    except KeyError:
        raise UnknownLevel(name, level) from None


def warm_up(name: str) -> None:
    """Do now what a game's bots would otherwise do at their first thought, such as compiling.

    Blocks for seconds.
    """
    prepare = getattr(part(name, "bots"), "warm_up", None)
    if prepare is not None:
        prepare()
