"""A game of Kakuzu as English sentences, for ``kotatsu replay``."""

from __future__ import annotations

from collections.abc import Sequence

from kotatsu.games.kakuzu.board import Cell
from kotatsu.games.kakuzu.model import (
    HOUSE,
    Announced,
    Dealt,
    DigitDrawn,
    KakuzuFact,
    KakuzuGameEnded,
    KakuzuTurnEnded,
    Lifted,
    Opened,
    Retired,
    TimeSpent,
)

_ENDINGS = {
    "zero": "The turn is over at once.",
    "miss": "{name}'s turn is over.",
    "bag": "The bag is empty; {name}'s turn is over.",
    "ninth": "That was the last one; {name}'s turn is over.",
    "limit": "Three stones kept; {name}'s turn is over.",
    "time": "{name} has no time left; the turn passes.",
}


def where(cell: Cell) -> str:
    """A cell in words: ``row 4, column 7``, counted from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def tell(fact: KakuzuFact, names: Sequence[str]) -> str:
    """Describe one fact in one sentence.

    Args:
        fact: What happened.
        names: The players' names by seat.
    """
    match fact:
        case Dealt(first):
            return f"81 stones lie on the board; {names[first]} begins."
        case Opened(seat, cell, digit):
            return f"{names[seat]} opens {where(cell)}: {digit}."
        case DigitDrawn(seat, digit):
            return f"{names[seat]} draws {digit}."
        case Announced(seat, digit):
            return f"{names[seat]} names {digit}."
        case Lifted(seat, cell, digit, wanted, to):
            return (
                f"{names[seat]} lifts {where(cell)}: {digit}. {_stone_goes(seat, digit == wanted, to, names)}"
            )
        case Retired(digit):
            return f"All nine {digit}s are found."
        case TimeSpent(seat, ms):
            return f"{names[seat]} took {ms / 1000:.1f} s."
        case KakuzuTurnEnded(seat, cause):
            return _ENDINGS[cause].format(name=names[seat])
        case KakuzuGameEnded(scores, winners, _):
            table = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
            won = " and ".join(names[seat] for seat in winners) or "The house"
            return f"The game ends: {table}. {won} won."


def _stone_goes(seat: int, hit: bool, to: int, names: Sequence[str]) -> str:
    if hit:
        return f"{names[seat]} keeps the stone."
    if to == HOUSE:
        return "The stone goes to the house." if len(names) == 1 else "Nobody gets the stone."
    return f"The stone goes to {names[to]}."
