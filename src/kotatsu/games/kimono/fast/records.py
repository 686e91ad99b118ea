"""Kimono's state, board and moves as numpy records; all sizes and figures come from ``data.json``.

A card is its fabric's number, or 0 for an accessory: accessories are alike in play. An action is a small
integer: first the rows to take from, then every combination of the board without and with a lead, in the
order of ``Kimono.moves``, then the skip.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kotatsu.games.kimono.data import (
    BOX,
    CARDS_A_PLAYER,
    FABRICS,
    SIZES,
    Run,
    SameMark,
    SameNumber,
    SameType,
    StyleRule,
    Sum,
)
from kotatsu.games.kimono.fast.kernels import ACCESSORY, BY_MARK, BY_NUMBER, BY_RUN, BY_SUM, BY_TYPE
from kotatsu.games.kimono.model import CARDS, Card, Combine, KimonoMove, KimonoState, Skip, Take
from kotatsu.games.kimono.turn import to_move

ROWS = max(size.rows for size in BOX.tables)
"""The most rows a market has, with any number of players."""
ROW_LENGTH = max(size.row_length for size in BOX.tables)
"""The most cards a row of the market has."""
SEATS = max(SIZES)
"""The most players."""
CODES = 1 + max(FABRICS)
"""How many numbers a card can be: an accessory is 0, then the fabrics."""
COMBINATIONS = tuple((kakemono, size) for kakemono in BOX.board for size in kakemono.points)
"""Every style and size the board lists, in its order."""
SKIP = ROWS + 2 * len(COMBINATIONS)
"""The action that makes no combination."""
ACTIONS = SKIP + 1
"""How many actions there are."""

STATE = np.dtype(
    [
        ("players", np.int8),
        ("round", np.int8),
        ("first", np.int8),
        ("turn", np.int8),  # the seat to move
        ("combining", np.int8),  # whether it has taken and may combine
        ("over", np.int8),
        ("accessory_combo", np.int8),
        ("rows_dealt", np.int8),
        ("row_dealt", np.int8),
        ("takes_a_round", np.int8),
        ("takes_left", np.int8),  # of all players, in this round
        ("rows", np.int8, (ROWS, ROW_LENGTH)),
        ("row_size", np.int8, (ROWS,)),
        ("deck", np.int8, (CODES,)),
        ("discards", np.int8, (CODES,)),
        ("hand", np.int8, (SEATS, CARDS_A_PLAYER)),
        ("hand_size", np.int8, (SEATS,)),
        ("lead", np.int8, (SEATS,)),  # the kimono's last card, 0 while it has none
        ("fabrics", np.int16, (SEATS,)),  # a bit for each number in the kimono
        ("kimono_size", np.int8, (SEATS,)),
        ("accessories", np.int8, (SEATS,)),
        ("points", np.int16, (SEATS,)),
    ],
    align=True,
)
"""A state of the game. Arrays are as long as the largest table needs; the unused rest is 0."""

BOARD = np.dtype(
    [
        ("mark", np.int8, (CODES,)),
        ("type", np.int8, (CODES,)),
        ("kind", np.int8, (len(BOX.board),)),
        ("low", np.int8, (len(BOX.board),)),  # the run's lowest, or the mark, the type, the total
        ("high", np.int8, (len(BOX.board),)),
        ("starts", np.int8, (len(BOX.board) + 1,)),  # where a style's combinations begin
        ("size", np.int8, (len(COMBINATIONS),)),
        ("points", np.int16, (len(COMBINATIONS),)),
        ("variety", np.int8, (CODES,)),
        ("variety_from", np.int8),
        ("all_placed", np.int8),
        ("per_accessory", np.int8),
    ],
    align=True,
)
"""The figures of the box. Marks and types are numbered in alphabetical order."""

TASTE = np.dtype(
    [
        ("completion_share", np.float64, (4,)),  # by how many cards are missing; [0] is unused
        ("other_plans", np.float64),
        ("accessory_value", np.float64),
        ("placed_value", np.float64),
        ("noise", np.float64),
        ("exploration", np.float64),
        ("margin_weight", np.float64),
        ("margin_scale", np.float64),
    ],
    align=True,
)
"""The weights of the evaluation and of the search; ``bots.Taste`` describes them and has their values."""

NODE = np.dtype(
    [
        ("value", np.float64),  # the sum of what its mover gained
        ("visits", np.int32),
        ("first", np.int32),  # where its children begin
        ("children", np.int16),
        ("action", np.int16),  # what leads to it
    ],
    align=True,
)
"""A node of the search tree: a position, reached by ``action``."""


def board() -> Any:
    """The figures of the box as one record of dtype ``BOARD``."""
    record = np.zeros(1, BOARD)[0]
    marks = sorted({fabric.mark for fabric in BOX.fabrics})
    types = sorted({fabric.type for fabric in BOX.fabrics})
    for number, fabric in FABRICS.items():
        record["mark"][number] = marks.index(fabric.mark)
        record["type"][number] = types.index(fabric.type)
    for style, kakemono in enumerate(BOX.board):
        kind, low, high = _rule(kakemono.rule, marks, types)
        record["kind"][style] = kind
        record["low"][style] = low
        record["high"][style] = high
        record["starts"][style + 1] = record["starts"][style] + len(kakemono.points)
    for number, (kakemono, size) in enumerate(COMBINATIONS):
        record["size"][number] = size
        record["points"][number] = kakemono.points[size]
    for different, points in BOX.bonus.variety.items():
        record["variety"][different] = points
    record["variety_from"] = BOX.bonus.variety_from
    record["all_placed"] = BOX.bonus.all_placed
    record["per_accessory"] = BOX.bonus.per_accessory
    return record


def _rule(rule: StyleRule, marks: list[Any], types: list[Any]) -> tuple[int, int, int]:
    match rule:
        case SameMark(mark):
            return BY_MARK, marks.index(mark), 0
        case SameType(motif_type):
            return BY_TYPE, types.index(motif_type), 0
        case SameNumber():
            return BY_NUMBER, 0, 0
        case Run(low, high):
            return BY_RUN, low, high
        case Sum(total):
            return BY_SUM, total, 0


def encode(state: KimonoState) -> Any:
    """Convert a state of the rules into one record of dtype ``STATE``."""
    size = SIZES[state.players]
    seat = to_move(state)
    cards_left = sum(map(len, state.rows))
    takes_left = cards_left - size.rows * size.row_length + size.players * size.takes_a_round
    places = state.places
    record = np.zeros(1, STATE)
    record[0] = (
        state.players,
        state.round,
        state.first,
        0 if seat is None else seat,
        state.combining,
        seat is None,
        state.options.accessory_combo,
        size.rows,
        size.row_length,
        size.takes_a_round,
        takes_left if state.rows else 0,
        _filled([_filled([code(card) for card in row], ROW_LENGTH) for row in state.rows], ROWS, _NO_ROW),
        _filled([len(row) for row in state.rows], ROWS),
        _counts(state.deck),
        _counts(state.discards),
        _filled([_filled(place.hand, CARDS_A_PLAYER) for place in places], SEATS, _NO_HAND),
        _filled([len(place.hand) for place in places], SEATS),
        _filled([place.kimono[-1] if place.kimono else 0 for place in places], SEATS),
        _filled([sum(1 << number for number in set(place.kimono)) for place in places], SEATS),
        _filled([len(place.kimono) for place in places], SEATS),
        _filled([len(place.accessories) for place in places], SEATS),
        _filled([place.points for place in places], SEATS),
    )
    return record[0]


_NO_ROW = (0,) * ROW_LENGTH
_NO_HAND = (0,) * CARDS_A_PLAYER


def _filled(values: Sequence[Any], length: int, filling: Any = 0) -> tuple[Any, ...]:
    """Some values, with ``filling`` after them up to ``length``."""
    return (*values, *(filling,) * (length - len(values)))


def _counts(cards: Sequence[int]) -> list[int]:
    """How many cards of each code there are, from how many there are of each kind of card."""
    counts = [0] * CODES
    for kind, count in zip(_CODES, cards, strict=True):
        counts[kind] += count
    return counts


def code(card: Card) -> int:
    """The number that stands for a card; 0 for an accessory."""
    return ACCESSORY if card.fabric is None else card.fabric


_CODES = tuple(map(code, CARDS))
_MOVES: tuple[KimonoMove, ...] = (
    *(Take(row) for row in range(ROWS)),
    *(
        Combine(kakemono.style, size - lead, lead)
        for kakemono, size in COMBINATIONS
        for lead in (False, True)
    ),
    Skip(),
)
_ACTIONS = {move: action for action, move in enumerate(_MOVES)}


def move_of(action: int) -> KimonoMove:
    """The move that an action stands for."""
    return _MOVES[action]


def action_of(move: KimonoMove) -> int:
    """The action that stands for a move."""
    return _ACTIONS[move]
