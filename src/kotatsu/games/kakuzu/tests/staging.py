"""Kakuzu positions set up for a test."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from random import Random
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from kotatsu.engine.contract import Fact, Seat
from kotatsu.engine.match import Match, start
from kotatsu.games.kakuzu.board import CELLS, SIZE, Cell, Flat, at, in_rows, place
from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.model import (
    Cause,
    Dealt,
    DigitDrawn,
    KakuzuFact,
    KakuzuMove,
    KakuzuOptions,
    KakuzuState,
    KakuzuTurnEnded,
    Opened,
)

GRID: Flat = tuple((column + 3 * row + row // 3) % SIZE + 1 for row in range(SIZE) for column in range(SIZE))
"""A grid one knows by heart: its first row is 1 … 9, and each row is the one above moved by three or four."""

WHOLE_BAG = tuple(range(10))

CENTRES: tuple[Cell, ...] = tuple((row, column) for row in (1, 4, 7) for column in (1, 4, 7))


def cells_of(digit: int, grid: Flat = GRID) -> list[Cell]:
    """Where a digit lies, row by row."""
    return [place(cell) for cell in range(CELLS) if grid[cell] == digit]


def staged(
    facts: Iterable[KakuzuFact] = (),
    *,
    players: int = 2,
    first: Seat = 0,
    grid: Flat = GRID,
    opened: Iterable[Cell] = CENTRES,
    **options: Any,
) -> KakuzuState:
    """Seat ``first`` has the first turn after these cells were opened, and then these facts happened."""
    chosen = msgspec.convert(options, KakuzuOptions)
    bag = () if chosen.announce else WHOLE_BAG
    clocks = (1000 * chosen.clock_s,) * players if chosen.clock_s else ()
    state = GAME.fold(GAME.empty(players, chosen), Dealt(first, SIZE, bag, clocks, in_rows(grid)))
    for number, cell in enumerate(opened):
        seat = (first + number) % players
        following = (seat + 1) % players if number + 1 < SIZE else first
        state = GAME.fold(state, Opened(seat, cell, grid[at(cell)], SIZE - 1 - number, following))
    return reduce(GAME.fold, facts, state)


def wanting(digit: int, *, players: int = 2, first: Seat = 0, **options: Any) -> KakuzuState:
    """As ``staged``, and the first player has drawn this digit."""
    return staged([DigitDrawn(first, digit)], players=players, first=first, **options)


def uncovered(state: KakuzuState, cells: Iterable[Cell]) -> KakuzuState:
    """The same with these cells visible as if they had been opened, and digits retired that are complete."""
    visible = list(state.visible)
    for cell in cells:
        visible[at(cell)] = state.grid[at(cell)]
    retired = tuple(digit for digit in range(1, 10) if visible.count(digit) == SIZE)
    bag = tuple(digit for digit in state.bag if digit not in retired)
    return replace(state, visible=tuple(visible), retired=retired, bag=bag)


def turn_ended(
    seat: Seat, cause: Cause, *, players: int = 2, bag: tuple[int, ...] = WHOLE_BAG
) -> KakuzuTurnEnded:
    """A turn ends, and the next one is the left neighbour's."""
    return KakuzuTurnEnded(seat, cause, (seat + 1) % players, bag)


def play(
    state: KakuzuState, seat: Seat, move: KakuzuMove, seed: int = 0
) -> tuple[KakuzuState, list[KakuzuFact]]:
    """The state after a move, and what happened."""
    facts = GAME.decide(state, seat, move, Random(seed))
    return reduce(GAME.fold, facts, state), facts


def whole_game(players: int, seed: int = 0, **options: Any) -> Match:
    """A game of random moves."""
    match = start("kakuzu", players, seed, **options)
    rng = Random(seed)
    while match.outcome is None:
        (seat,) = match.acting
        match.play(seat, rng.choice(match.moves(seat)))
    return match


F = TypeVar("F", bound=Fact)


def facts_of(match: Match, kind: type[F]) -> list[F]:
    """All facts of one kind in a log."""
    return [entry for entry in match.log if isinstance(entry, kind)]
