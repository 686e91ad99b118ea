"""Who may enter a tournament: the levels of a game, and OpenSpiel's search as a guest.

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

GUEST = "openspiel-mcts"
_GUEST = re.compile(rf"{GUEST}(?:@(?P<budget>\d+(?:\.\d+)?)(?P<unit>s?))?")
SIMULATIONS = 200


@cache
def player(game: str, name: str) -> Bot:
    """The bot of that name.

    Raises:
        UnknownLevel: with one sentence that lists the levels.
        ModuleNotFoundError: with one sentence, if a guest's package is not installed.
    """
    guest = _GUEST.fullmatch(name)
    if guest is None or part(game, "play") is not None:
        return bot(game, name)
    try:
        from kotatsu.lab.arena.openspiel_bot import OpenSpielBot
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{name} needs open-spiel: pip install 'kotatsu[lab]'") from None
    budget = float(guest["budget"] or SIMULATIONS)
    if guest["unit"]:
        return OpenSpielBot(seconds=budget)
    if not budget.is_integer() or budget < 2:
        raise UnknownLevel(game, name)
    return OpenSpielBot(simulations=int(budget))
