"""Facts as they were written in records of format 1, with what they say today: see ``docs/records.md``."""

from __future__ import annotations

from typing import Any

from kotatsu.games.kakuzu.model import KakuzuState
from kotatsu.games.kakuzu.scoring import breakdown
from kotatsu.games.kakuzu.turn import TO_OPEN, full_bag, full_clocks, left_of, next_to_open, wanted_after_lift


def upgrade(state: KakuzuState, fact: dict[str, Any]) -> dict[str, Any]:
    """The fact with whatever it lacks, by the rules of today.

    Args:
        state: the state it happened in.
        fact: its JSON values; not changed in place.
    """
    options, players = state.options, state.players
    match fact:
        case {"fact": "dealt"} if "bag" not in fact:
            clocks = full_clocks(players, options)
            return {**fact, "to_open": TO_OPEN, "bag": full_bag(options), "clocks": clocks}
        case {"fact": "opened", "seat": seat} if "next" not in fact:
            return {**fact, "to_open": state.to_open - 1, "next": next_to_open(state, seat)}
        case {"fact": "lifted"} if "next_wanted" not in fact:
            return {**fact, "next_wanted": wanted_after_lift(state)}
        case {"fact": "turn_ended", "seat": seat} if "next" not in fact:
            return {**fact, "next": left_of(seat, players), "bag": full_bag(options, state.retired)}
        case {"fact": "game_ended", "scores": scores} if "breakdown" not in fact:
            return {**fact, "breakdown": breakdown(scores)}
        case _:
            return fact
