"""Kimono positions set up for a test."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from random import Random

from kotatsu.engine.contract import Seat
from kotatsu.engine.match import Match, start
from kotatsu.games.kimono.game import GAME
from kotatsu.games.kimono.market import full_deck
from kotatsu.games.kimono.model import (
    CARDS,
    Button,
    Card,
    KimonoFact,
    KimonoMove,
    KimonoOptions,
    KimonoPlace,
    KimonoState,
    Take,
)


def fabric(number: int) -> Card:
    return Card(fabric=number)


def accessory(number: int) -> Card:
    return Card(accessory=number)


def table(
    hand: tuple[int, ...] = (),
    kimono: tuple[int, ...] = (),
    front: Card | None = None,
    *,
    players: int = 2,
    accessory_combo: bool = False,
) -> KimonoState:
    """Seat 0 is to take, with this hand and kimono; ``front`` is the front card of every row."""
    row = (fabric(1), fabric(1), fabric(1), front or fabric(9))
    return KimonoState(
        options=KimonoOptions(accessory_combo),
        places=(KimonoPlace(hand, kimono), *(KimonoPlace(),) * (players - 1)),
        deck=full_deck(players),
        discards=(0,) * len(CARDS),
        round=1,
        rounds=players,
        rows=(row,) * 4,
    )


def place(
    kimono: Iterable[int] = (), accessories: int = 0, points: int = 0, hand: Iterable[int] = ()
) -> KimonoPlace:
    """A player's place at the end of a game."""
    button = (Button("ju", 3, points),) if points else ()
    return KimonoPlace(tuple(hand), tuple(kimono), tuple(range(accessories)), button)


def play(state: KimonoState, seat: Seat, *moves: KimonoMove) -> tuple[KimonoState, list[KimonoFact]]:
    """The position after some moves of one seat, and everything that happened."""
    happened: list[KimonoFact] = []
    for move in moves:
        facts = GAME.decide(state, seat, move, Random(0))
        state = reduce(GAME.fold, facts, state)
        happened += facts
    return state, happened


def after_taking(
    card: int, hand: tuple[int, ...], kimono: tuple[int, ...] = (), *, accessory_combo: bool = False
) -> KimonoState:
    """The position after seat 0, with that hand and kimono, took a fabric."""
    state, _ = play(table(hand, kimono, fabric(card), accessory_combo=accessory_combo), 0, Take(0))
    return state


def whole_game(players: int, seed: int) -> Match:
    """A game of random moves, from the deal to the result."""
    match = start("kimono", players=players, seed=seed)
    rng = Random(seed)
    while match.outcome is None:
        (seat,) = match.acting
        match.play(seat, rng.choice(match.moves(seat)))
    return match
