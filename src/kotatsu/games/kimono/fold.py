"""Kimono's state as the fold of its facts. No rules, no chance, nothing from the box."""

from __future__ import annotations

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome, Seat
from kotatsu.games.kimono.model import (
    CARD_INDEX,
    Button,
    Combined,
    KimonoFact,
    KimonoGameEnded,
    KimonoPlace,
    KimonoRoundEnded,
    KimonoState,
    MarketDealt,
    Skipped,
    Took,
)


def fold(state: KimonoState, fact: KimonoFact) -> KimonoState:
    """The state after one more fact."""
    match fact:
        case Took():
            return _took(state, fact)
        case Combined():
            return _combined(state, fact)
        case Skipped(_, following):
            return replace(state, turn=following, combining=False)
        case MarketDealt(number, first, rows, rounds, deck, discards):
            return replace(
                state,
                deck=deck,
                discards=discards,
                round=number,
                rounds=rounds,
                first=first,
                turn=first,
                rows=rows,
            )
        case KimonoRoundEnded(_, discarded):
            counts = list(state.discards)
            for card in discarded:
                counts[CARD_INDEX[card]] += 1
            return replace(state, discards=tuple(counts), rows=())
        case KimonoGameEnded(scores, winners, parts):
            return replace(state, result=Outcome(scores, winners, parts))


def _took(state: KimonoState, fact: Took) -> KimonoState:
    place, card, row = state.places[fact.seat], fact.card, fact.row
    if card.fabric is not None:
        place = replace(place, hand=(*place.hand, card.fabric))
    elif card.accessory is not None:
        place = replace(place, accessories=(*place.accessories, card.accessory))
    return replace(
        state,
        places=_with(state.places, fact.seat, place),
        rows=(*state.rows[:row], state.rows[row][:-1], *state.rows[row + 1 :]),
        turn=fact.next,
        combining=fact.combining,
    )


def _combined(state: KimonoState, fact: Combined) -> KimonoState:
    place = state.places[fact.seat]
    place = replace(
        place,
        hand=place.hand[: -len(fact.cards)],
        kimono=place.kimono + fact.cards,
        buttons=(*place.buttons, Button(fact.style, fact.size, fact.points)),
    )
    return replace(state, places=_with(state.places, fact.seat, place), turn=fact.next, combining=False)


def _with(places: tuple[KimonoPlace, ...], seat: Seat, place: KimonoPlace) -> tuple[KimonoPlace, ...]:
    return (*places[:seat], place, *places[seat + 1 :])
