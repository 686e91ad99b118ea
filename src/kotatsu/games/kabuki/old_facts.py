"""Facts as they were written in records of format 1, with what they say today: see ``docs/records.md``."""

from __future__ import annotations

from typing import Any

from kotatsu.games.kabuki.data import BOX, FULL_DECK
from kotatsu.games.kabuki.model import KabukiState
from kotatsu.games.kabuki.turn import by_round, callers_on, held_after


def upgrade(state: KabukiState, fact: dict[str, Any]) -> dict[str, Any]:
    """The fact with whatever it lacks, by the rules of today.

    Args:
        state: the state it happened in.
        fact: its JSON values; not changed in place.
    """
    match fact:
        case {"fact": "round_started"} if "deck" not in fact:
            return {**fact, "rounds": BOX.rounds, "deck": FULL_DECK, "actors": BOX.actors}
        case {"fact": "placed", "seat": seat} if "callers" not in fact:
            return {**fact, "callers": callers_on(seat, state.players)}
        case {"fact": "stopped", "seat": seat, "against": against, "tokens": moved} if "held" not in fact:
            return {**fact, "held": held_after(state.tokens, seat, against, moved)}
        case {"fact": "game_ended"} if "breakdown" not in fact:
            return {**fact, "breakdown": by_round(state.scores)}
        case _:
            return fact
