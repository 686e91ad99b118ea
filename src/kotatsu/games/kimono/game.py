"""Kimono's rules, clause by clause (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random

from msgspec.structs import replace

from kotatsu.engine.contract import Game, IllegalMove, Outcome, Seat
from kotatsu.games.kimono.data import BOARD, BOX, SIZES
from kotatsu.games.kimono.model import (
    CARDS,
    Button,
    Card,
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
from kotatsu.games.kimono.scoring import result
from kotatsu.games.kimono.story import tell
from kotatsu.games.kimono.styles import combinations

Counts = tuple[int, ...]
CARDS_LEFT_AT_END = {
    players: size.rows * size.row_length - players * size.takes_a_round for players, size in SIZES.items()
}
"""KM-7, KM-8: what is left of a market, by the number of players."""
_INDEX = {card: index for index, card in enumerate(CARDS)}
_TAKES = [Take(row) for row in range(max(size.rows for size in SIZES.values()))]
_SKIP = Skip()


def full_deck(players: int) -> Counts:
    """KM-1, KM-2: how many of each card are in the deck."""
    size = SIZES[players]
    fabrics = (BOX.copies - size.sets_removed,) * len(BOX.fabrics)
    kept = len(BOX.accessories) - size.accessories_removed
    return fabrics + tuple(int(number < kept) for number in range(len(BOX.accessories)))


def deck_for_market(deck: Counts, discards: Counts, needed: int) -> Counts:
    """KM-5: a deck too small for a market takes in what was discarded."""
    return deck if sum(deck) >= needed else tuple(map(sum, zip(deck, discards, strict=True)))


def combos_after(card: Card, place: KimonoPlace, options: KimonoOptions) -> tuple[Combine, ...]:
    """The combinations open to a player who has just taken a card."""
    if card.accessory is not None and not options.accessory_combo:
        return ()  # KM-10, unless KM-30
    return combinations(place.hand, place.kimono[-1] if place.kimono else None)  # KM-13


def to_move(state: KimonoState) -> Seat | None:
    """The seat whose move it is: the one that may still combine, else the next to take."""
    if state.result is not None:
        return None
    if state.took is None or state.combos:
        return state.turn
    return next_seat(state)


def next_seat(state: KimonoState) -> Seat:
    """Play is clockwise."""
    return (state.turn + 1) % state.players


class Kimono(Game[KimonoState, KimonoMove, KimonoFact, KimonoView, KimonoOptions]):
    """KM-1 … KM-30."""

    name = "kimono"
    seats = range(2, 5)
    move_type = KimonoMove
    fact_type = KimonoFact
    options_type = KimonoOptions

    def empty(self, players: int, options: KimonoOptions) -> KimonoState:
        return KimonoState(options, (KimonoPlace(),) * players, full_deck(players), (0,) * len(CARDS))

    def setup(self, players: int, options: KimonoOptions, rng: Random) -> list[KimonoFact]:
        state = self.empty(players, options)
        return [self._market(state, 1, rng.randrange(players), rng)]  # KM-6

    def fold(self, state: KimonoState, fact: KimonoFact) -> KimonoState:
        match fact:
            case Took(seat, row, card):
                return self._fold_took(state, seat, row, card)
            case Combined():
                return self._fold_combined(state, fact)
            case Skipped():
                return replace(state, turn=next_seat(state), took=None, combos=())
            case MarketDealt(number, first, rows):
                deck = list(deck_for_market(state.deck, state.discards, sum(map(len, rows))))
                reshuffled = sum(deck) > sum(state.deck)
                for card in chain.from_iterable(rows):
                    deck[_INDEX[card]] -= 1
                return replace(
                    state,
                    deck=tuple(deck),
                    discards=(0,) * len(CARDS) if reshuffled else state.discards,
                    round=number,
                    first=first,
                    turn=first,
                    took=None,
                    combos=(),
                    rows=rows,
                )
            case KimonoRoundEnded(_, discarded):
                discards = list(state.discards)
                for card in discarded:
                    discards[_INDEX[card]] += 1
                return replace(state, discards=tuple(discards), rows=(), took=None, combos=())
            case KimonoGameEnded(scores, winners, parts):
                return replace(state, result=Outcome(scores, winners, parts))

    def acting(self, state: KimonoState) -> frozenset[Seat]:
        seat = to_move(state)
        return frozenset() if seat is None else frozenset((seat,))

    def moves(self, state: KimonoState, seat: Seat) -> Sequence[KimonoMove]:
        if seat != to_move(state):
            return ()
        if state.combos:
            return (*state.combos, _SKIP)
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
                if not state.combos:
                    raise IllegalMove("KM-11", "There is no combination to skip; take a card.")
                return self._go_on(state, Skipped(seat), rng)

    def view(self, state: KimonoState, seat: Seat | None) -> KimonoView:
        """KM-9: hands are public, and so is everything else but the order of the deck, which does not exist."""
        return KimonoView(
            round=state.round,
            rounds=state.players,
            first=state.first,
            turn=to_move(state),
            combining=bool(state.combos),
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
        if state.combos:
            raise IllegalMove("KM-7", "You have taken your card: combine, or skip.")
        if row >= len(state.rows) or not state.rows[row]:
            raise IllegalMove("KM-4", "There is no card to take in that row.")
        card = state.rows[row][-1]  # KM-4
        return self._go_on(state, Took(seat, row, card), rng)

    def _combine(self, state: KimonoState, seat: Seat, move: Combine, rng: Random) -> list[KimonoFact]:
        if state.took is None or state.turn != seat:
            raise IllegalMove("KM-11", "Take a card first; a combination comes after it.")
        if move not in state.combos:
            raise self._refusal(state.places[seat], move)
        laid = state.places[seat].hand[-move.cards :]
        size = move.cards + move.lead
        points = BOARD[move.style].points[size]
        return self._go_on(state, Combined(seat, move.style, size, laid, move.lead, points), rng)

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
        state = self.fold(state, fact)
        if state.combos:
            return [fact]
        ended = KimonoRoundEnded(state.round, tuple(chain.from_iterable(state.rows)))
        state = self.fold(state, ended)
        if state.round == state.players:  # KM-3
            outcome = result(state.places)
            return [fact, ended, KimonoGameEnded(outcome.scores, outcome.winners, outcome.breakdown)]
        first = (state.first + 1) % state.players  # KM-6
        return [fact, ended, self._market(state, state.round + 1, first, rng)]

    def _market(self, state: KimonoState, number: int, first: Seat, rng: Random) -> MarketDealt:
        size = SIZES[state.players]
        needed = size.rows * size.row_length
        counts = deck_for_market(state.deck, state.discards, needed)
        dealt = rng.sample(CARDS, needed, counts=counts)
        rows = tuple(
            tuple(dealt[start : start + size.row_length]) for start in range(0, needed, size.row_length)
        )
        return MarketDealt(number, first, rows)

    def _fold_took(self, state: KimonoState, seat: Seat, row: int, card: Card) -> KimonoState:
        place = state.places[seat]
        if card.fabric is not None:
            place = replace(place, hand=(*place.hand, card.fabric))  # KM-9
        elif card.accessory is not None:
            place = replace(place, accessories=(*place.accessories, card.accessory))  # KM-10
        rows = (*state.rows[:row], state.rows[row][:-1], *state.rows[row + 1 :])
        return replace(
            state,
            places=_with(state.places, seat, place),
            rows=rows,
            turn=seat,
            took=card,
            combos=combos_after(card, place, state.options),
        )

    def _fold_combined(self, state: KimonoState, fact: Combined) -> KimonoState:
        place = state.places[fact.seat]
        place = replace(
            place,
            hand=place.hand[: -len(fact.cards)],
            kimono=place.kimono + fact.cards,
            buttons=(*place.buttons, Button(fact.style, fact.size, fact.points)),
        )
        places = _with(state.places, fact.seat, place)
        return replace(state, places=places, turn=next_seat(state), took=None, combos=())


def _with(places: tuple[KimonoPlace, ...], seat: Seat, place: KimonoPlace) -> tuple[KimonoPlace, ...]:
    return (*places[:seat], place, *places[seat + 1 :])


GAME = Kimono()
