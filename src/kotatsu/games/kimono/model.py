"""Kimono's words: cards, moves, facts, state and view. No rules."""

from __future__ import annotations

from typing import Annotated

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Outcome, Seat
from kotatsu.games.kimono.data import Style


class Card(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """``{"fabric": 1..9}`` or ``{"accessory": 0..6}``."""

    fabric: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None
    accessory: Annotated[int, msgspec.Meta(ge=0, le=6)] | None = None


CARDS = (*(Card(fabric=number) for number in range(1, 10)), *(Card(accessory=number) for number in range(7)))
"""One of each kind a card can be, whatever is in the box; a deck is a count for each, in this order."""
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
Counts = tuple[int, ...]
"""How many of each of ``CARDS``."""


class KimonoOptions(Options, frozen=True):
    """What a table may choose: KM-30."""

    accessory_combo: bool = False


class Take(Move, frozen=True):
    """Take the front card of a row."""

    row: Annotated[int, msgspec.Meta(ge=0, le=3)]


class Combine(Move, frozen=True):
    """Lay the last ``cards`` of the hand as ``style``, led by the kimono's last card if ``lead``."""

    style: Style
    cards: Annotated[int, msgspec.Meta(ge=1, le=12)]
    lead: bool


class Skip(Move, frozen=True):
    """Make no combination this turn."""


class MarketDealt(Fact, frozen=True):
    """A round of ``rounds`` begins; the front card of each row is its last.

    ``deck`` and ``discards`` are what is left in the two piles, how many of each of ``CARDS``.
    """

    round: int
    first: Seat
    rows: tuple[tuple[Card, ...], ...]
    rounds: int
    deck: Counts
    discards: Counts


class Took(Fact, frozen=True):
    """``next`` is the seat whose move it is now: the same one if it is ``combining``, if there is a combination to make."""

    seat: Seat
    row: int
    card: Card
    next: Seat
    combining: bool


class Combined(Fact, frozen=True):
    """``cards`` are the numbers placed, without the lead; ``next`` takes the next card."""

    seat: Seat
    style: Style
    size: int
    cards: tuple[int, ...]
    lead: bool
    points: int
    next: Seat


class Skipped(Fact, frozen=True):
    """A player who could have combined did not; ``next`` takes the next card."""

    seat: Seat
    next: Seat


class KimonoRoundEnded(Fact, frozen=True, tag="round_ended"):
    """A round is over; ``discarded`` are the cards left in the market (KM-8)."""

    round: int
    discarded: tuple[Card, ...]


class KimonoGameEnded(Fact, frozen=True, tag="game_ended"):
    """The game is over: scores, winners, and what each score is made of (KM-15, KM-17)."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    breakdown: tuple[dict[str, int], ...]


KimonoMove = Take | Combine | Skip
KimonoFact = MarketDealt | Took | Combined | Skipped | KimonoRoundEnded | KimonoGameEnded


class Button(msgspec.Struct, frozen=True, gc=False):
    """One combination made, as the board shows it."""

    style: Style
    size: int
    points: int


class KimonoPlace(msgspec.Struct, frozen=True, gc=False):
    """What lies before one player, and their hand; all of it public (KM-9)."""

    hand: tuple[int, ...] = ()
    kimono: tuple[int, ...] = ()
    accessories: tuple[int, ...] = ()
    buttons: tuple[Button, ...] = ()

    @property
    def placed(self) -> int:
        """Cards placed: fabrics in the kimono and accessories."""
        return len(self.kimono) + len(self.accessories)

    @property
    def points(self) -> int:
        """The points of all combinations so far."""
        return sum(button.points for button in self.buttons)


class KimonoState(msgspec.Struct, frozen=True, gc=False):
    """The fold of the facts. ``turn`` is the seat whose move it is, ``combining`` whether it has taken."""

    options: KimonoOptions
    places: tuple[KimonoPlace, ...]
    deck: Counts = (0,) * len(CARDS)
    discards: Counts = (0,) * len(CARDS)
    round: int = 0
    rounds: int = 0
    first: Seat = 0
    turn: Seat = 0
    combining: bool = False
    rows: tuple[tuple[Card, ...], ...] = ()
    result: Outcome | None = None

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.places)


class KimonoView(msgspec.Struct, frozen=True):
    """What everyone at the table sees. ``turn`` is the seat to move, ``combining`` whether it has taken."""

    round: int
    rounds: int
    first: Seat
    turn: Seat | None
    combining: bool
    rows: tuple[tuple[Card, ...], ...]
    deck: int
    discards: int
    places: tuple[KimonoPlace, ...]
    result: Outcome | None
