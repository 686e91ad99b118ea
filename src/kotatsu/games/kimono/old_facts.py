"""Facts as they were written in records of format 1, with what they say today: see ``docs/records.md``."""

from __future__ import annotations

from typing import Any

import msgspec

from kotatsu.games.kimono.market import full_deck, piles_after
from kotatsu.games.kimono.model import Card, KimonoState
from kotatsu.games.kimono.turn import left_of, may_combine

_Rows = tuple[tuple[Card, ...], ...]


def upgrade(state: KimonoState, fact: dict[str, Any]) -> dict[str, Any]:
    """The fact with whatever it lacks, by the rules of today.

    Args:
        state: the state it happened in.
        fact: its JSON values; not changed in place.
    """
    match fact:
        case {"fact": "market_dealt", "rows": rows} if "deck" not in fact:
            deck = state.deck if state.round else full_deck(state.players)
            left, discards = piles_after(deck, state.discards, msgspec.convert(rows, _Rows))
            return {**fact, "rounds": state.players, "deck": left, "discards": discards}
        case {"fact": "took", "seat": seat, "card": card} if "next" not in fact:
            combining = may_combine(state.places[seat], msgspec.convert(card, Card), state.options)
            after = seat if combining else left_of(seat, state.players)
            return {**fact, "next": after, "combining": combining}
        case {"fact": "combined" | "skipped", "seat": seat} if "next" not in fact:
            return {**fact, "next": left_of(seat, state.players)}
        case _:
            return fact
