"""The bots of a tournament: the levels of a game, and OpenSpiel's search for comparison.

``openspiel-mcts@500`` is OpenSpiel's Monte-Carlo tree search (in Python, random rollouts) with 500
simulations a move, ``openspiel-mcts@0.5s`` the same with half a second a move. Only the first kind
plays the same game twice.
"""

from __future__ import annotations

import re
from functools import cache

from kotatsu.bots.contract import Bot
from kotatsu.bots.levels import UnknownLevel, bot
from kotatsu.engine.registry import part

OPENSPIEL_MCTS = "openspiel-mcts"
_OPENSPIEL_NAME = re.compile(rf"{OPENSPIEL_MCTS}(?:@(?P<budget>\d+(?:\.\d+)?)(?P<unit>s?))?")
SIMULATIONS = 200
"""Simulations a move if the name gives none. Chosen by hand, as the fewest with which the search plays
sensibly."""


@cache
def player(game: str, name: str) -> Bot:
    """Return the bot called ``name`` for a ``game``: one of its levels, or ``openspiel-mcts`` with a budget.

    Raises:
        UnknownGame, UnknownLevel: with one sentence that lists those there are.
        ModuleNotFoundError: OpenSpiel is not installed.
    """
    openspiel = _OPENSPIEL_NAME.fullmatch(name)
    if openspiel is None or part(game, "play") is not None:
        return bot(game, name)
    try:
        from kotatsu.lab.arena.openspiel_bot import OpenSpielBot
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{name} needs open-spiel: pip install 'kotatsu[lab]'") from None
    budget = float(openspiel["budget"] or SIMULATIONS)
    if openspiel["unit"]:
        return OpenSpielBot(seconds=budget)
    if not budget.is_integer() or budget < 2:
        raise UnknownLevel(game, name)
    return OpenSpielBot(simulations=int(budget))
