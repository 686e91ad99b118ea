"""Kimono's rules, clause by clause (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Any

from msgspec.structs import replace

from kotatsu.engine.contract import Game, IllegalMove, Outcome, Seat
from kotatsu.games.kimono.data import BOARD, SIZES
from kotatsu.games.kimono.fold import fold
from kotatsu.games.kimono.market import deck_for_market, full_deck, piles_after
from kotatsu.games.kimono.model import (
    CARDS,
    Combine,
    Combined,
    KimonoFact,
    KimonoGameEnded,
    KimonoMove,
    KimonoOptions,
    KimonoPlace,
    KimonoRoundEnded,
    KimonoState,
    KimonoView,
    MarketDealt,
    Skip,
    Skipped,
    Take,
    Took,
)
from kotatsu.games.kimono.old_facts import upgrade
from kotatsu.games.kimono.scoring import result
from kotatsu.games.kimono.story import tell
from kotatsu.games.kimono.turn import combos_of, left_of, may_combine, to_move

CARDS_LEFT_AT_END = {
    players: size.rows * size.row_length - players * size.takes_a_round for players, size in SIZES.items()
}
"""KM-7, KM-8: what is left of a market, by the number of players."""
_TAKES = [Take(row) for row in range(max(size.rows for size in SIZES.values()))]
_SKIP = Skip()


class Kimono(Game[KimonoState, KimonoMove, KimonoFact, KimonoView, KimonoOptions]):
    """KM-1 … KM-30."""

    name = "kimono"
    seats = range(2, 5)
    move_type = KimonoMove
    fact_type = KimonoFact
    options_type = KimonoOptions

    def empty(self, players: int, options: KimonoOptions) -> KimonoState:
        return KimonoState(options, (KimonoPlace(),) * players)

    def setup(self, players: int, options: KimonoOptions, rng: Random) -> list[KimonoFact]:
        full = replace(self.empty(players, options), deck=full_deck(players), rounds=players)  # KM-3
        return [self._market(full, 1, rng.randrange(players), rng)]  # KM-6

    def fold(self, state: KimonoState, fact: KimonoFact) -> KimonoState:
        return fold(state, fact)

    def upgrade(self, state: KimonoState, fact: dict[str, Any]) -> dict[str, Any]:
        return upgrade(state, fact)

    def acting(self, state: KimonoState) -> frozenset[Seat]:
        seat = to_move(state)
        return frozenset() if seat is None else frozenset((seat,))

    def moves(self, state: KimonoState, seat: Seat) -> Sequence[KimonoMove]:
        if seat != to_move(state):
            return ()
        if state.combining:
            return (*combos_of(state.places[seat]), _SKIP)
        return tuple([_TAKES[row] for row, cards in enumerate(state.rows) if cards])

    def decide(self, state: KimonoState, seat: Seat, move: KimonoMove, rng: Random) -> list[KimonoFact]:
        if state.result is not None:
            raise IllegalMove("KM-7", "The game is over: everyone has taken 12 cards.")
        if seat != to_move(state):
            raise IllegalMove("KM-7", "It is not your turn.")
        match move:
            case Take(row):
                return self._take(state, seat, row, rng)
            case Combine():
                return self._combine(state, seat, move, rng)
            case Skip():
                if not state.combining:
                    raise IllegalMove("KM-11", "There is no combination to skip; take a card.")
                return self._go_on(state, Skipped(seat, left_of(seat, state.players)), rng)

    def view(self, state: KimonoState, seat: Seat | None) -> KimonoView:
        """KM-9: hands are public, and so is everything else but the order of the deck, which does not exist."""
        return KimonoView(
            round=state.round,
            rounds=state.rounds,
            first=state.first,
            turn=to_move(state),
            combining=state.combining,
            rows=state.rows,
            deck=sum(state.deck),
            discards=sum(state.discards),
            places=state.places,
            result=state.result,
        )

    def redact(self, state: KimonoState, fact: KimonoFact, seat: Seat | None) -> KimonoFact:
        """KM-9: every card is taken in sight of all."""
        return fact

    def imagine(self, state: KimonoState, seat: Seat | None, rng: Random) -> KimonoState:
        """Nothing is hidden: a deck is a multiset that everyone can work out."""
        return state

    def outcome(self, state: KimonoState) -> Outcome | None:
        return state.result

    def tell(self, fact: KimonoFact, names: Sequence[str]) -> str:
        return tell(fact, names)

    def _take(self, state: KimonoState, seat: Seat, row: int, rng: Random) -> list[KimonoFact]:
        if state.combining:
            raise IllegalMove("KM-7", "You have taken your card: combine, or skip.")
        if row >= len(state.rows) or not state.rows[row]:
            raise IllegalMove("KM-4", "There is no card to take in that row.")
        card = state.rows[row][-1]  # KM-4
        combining = may_combine(state.places[seat], card, state.options)  # KM-11
        after = seat if combining else left_of(seat, state.players)
        took = Took(seat, row, card, after, combining)
        return [took] if combining else self._go_on(state, took, rng)

    def _combine(self, state: KimonoState, seat: Seat, move: Combine, rng: Random) -> list[KimonoFact]:
        if not state.combining:
            raise IllegalMove("KM-11", "Take a card first; a combination comes after it.")
        place = state.places[seat]
        if move not in combos_of(place):
            raise self._refusal(place, move)
        laid = place.hand[-move.cards :]
        size = move.cards + move.lead
        points = BOARD[move.style].points[size]
        after = left_of(seat, state.players)
        return self._go_on(state, Combined(seat, move.style, size, laid, move.lead, points, after), rng)

    def _refusal(self, place: KimonoPlace, move: Combine) -> IllegalMove:
        size = move.cards + move.lead
        if move.cards > len(place.hand):
            return IllegalMove("KM-12", f"You have only {len(place.hand)} cards in hand.")
        if move.lead and not place.kimono:
            return IllegalMove("KM-13", "Only the last card of your kimono can lead, and it has none yet.")
        if size not in BOARD[move.style].points:
            return IllegalMove("KM-14", f"The board has no {move.style} of {size} cards.")
        lead = (place.kimono[-1],) if move.lead else ()
        cards = "-".join(map(str, lead + place.hand[-move.cards :]))
        return IllegalMove("KM-14", f"{cards} is no {move.style}.")

    def _go_on(self, state: KimonoState, fact: KimonoFact, rng: Random) -> list[KimonoFact]:
        """Add what follows by itself: the end of a round (KM-8), the next market, the end of the game."""
        left = sum(map(len, state.rows)) - isinstance(fact, Took)
        if left > CARDS_LEFT_AT_END[state.players]:
            return [fact]
        state = fold(state, fact)
        ended = KimonoRoundEnded(state.round, tuple(chain.from_iterable(state.rows)))
        state = fold(state, ended)
        if state.round == state.rounds:  # KM-3
            outcome = result(state.places)
            return [fact, ended, KimonoGameEnded(outcome.scores, outcome.winners, outcome.breakdown)]
        first = left_of(state.first, state.players)  # KM-6
        return [fact, ended, self._market(state, state.round + 1, first, rng)]

    def _market(self, state: KimonoState, number: int, first: Seat, rng: Random) -> MarketDealt:
        size = SIZES[state.players]
        needed = size.rows * size.row_length
        counts = deck_for_market(state.deck, state.discards, needed)
        dealt = rng.sample(CARDS, needed, counts=counts)
        rows = tuple(
            tuple(dealt[start : start + size.row_length]) for start in range(0, needed, size.row_length)
        )
        return MarketDealt(number, first, rows, state.rounds, *piles_after(state.deck, state.discards, rows))


GAME = Kimono()
