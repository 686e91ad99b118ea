"""Kaboum's levels between turns: a bot turns the hourglass. While it runs, bots play by ``players``."""

from __future__ import annotations

from collections.abc import Mapping

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.games.kaboum.model import Flip
from kotatsu.games.kaboum.players.skill import SKILLS

PAUSE_BETWEEN_TURNS_S = (2.0, 4.0)
"""How long a bot waits before it turns the hourglass, in seconds.

Chosen by hand: everyone has a moment to look at what happened.
"""


class Patient:
    """Turns the hourglass when its seat is to build; all else a bot does is done in the world, not here."""

    imagines = 0
    remembers = False

    def think(self, situation: Situation) -> Thought:
        """Turn the hourglass after a pause; ``Thought(None)`` where it is not this seat's to turn."""
        if Flip() not in situation.moves:
            return Thought(None)
        return Thought(Flip(), situation.rng().uniform(*PAUSE_BETWEEN_TURNS_S))


LEVELS: Mapping[str, Bot] = dict.fromkeys(SKILLS, Patient())
"""The levels by name, weakest first; between turns they are alike."""
