"""Kaboum's levels at the table's door: a bot turns the hourglass; while it runs, its hand is in ``players``."""

from __future__ import annotations

from collections.abc import Mapping

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.games.kaboum.model import Flip
from kotatsu.games.kaboum.players.skill import SKILLS

BREATH_S = (2.0, 4.0)
"""Between two turns everyone has a moment to look at what happened."""


class Patient:
    """Turns the hourglass when it is its turn to build; everything else it does in the world, not here."""

    imagines = 0
    remembers = False

    def think(self, situation: Situation) -> Thought:
        if Flip() not in situation.moves:
            return Thought(None)
        return Thought(Flip(), situation.rng().uniform(*BREATH_S))


LEVELS: Mapping[str, Bot] = dict.fromkeys(SKILLS, Patient())
