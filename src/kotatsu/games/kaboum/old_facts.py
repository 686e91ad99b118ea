"""Facts as they were written in records of format 1, with what they say today: see ``docs/records.md``."""

from __future__ import annotations

from typing import Any

from kotatsu.games.kaboum.data import TILES
from kotatsu.games.kaboum.model import KaboumState
from kotatsu.games.kaboum.turn import breakdown, ended_by_cap, next_big_die, next_builder, turns_at_most


def upgrade(state: KaboumState, fact: dict[str, Any]) -> dict[str, Any]:
    """The fact with whatever it lacks, by the rules of today.

    Args:
        state: the state it happened in.
        fact: its JSON values; not changed in place.
    """
    match fact:
        case {"fact": "table_laid"} if "tiles" not in fact:
            turns = turns_at_most(state.players, state.options)
            return {**fact, "tiles": tuple(range(TILES)), "turns": turns}
        case {"fact": "turn_ended"} if "next" not in fact:
            return {**fact, "next": next_builder(state), "big_die": next_big_die(state)}
        case {"fact": "game_ended"} if "capped" not in fact:
            return {"breakdown": breakdown(state.won), **fact, "capped": ended_by_cap(state)}
        case _:
            return fact
