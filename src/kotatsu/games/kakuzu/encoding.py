"""Kakuzu for learners: its view as a vector. Its moves list themselves."""

from __future__ import annotations

from typing import Any

from kotatsu.engine.contract import Seat
from kotatsu.games.kakuzu.board import CELLS, DIGITS, SIZE
from kotatsu.games.kakuzu.model import KakuzuView
from kotatsu.games.kakuzu.scoring import IN_PLAY

VERSION = 0
_PHASES = ("opening", "play", "over")
_BAG = SIZE + 1


def layout(players: int) -> dict[str, int]:
    return {
        "visible": CELLS * SIZE,
        "wanted": SIZE,
        "bag": _BAG,
        "retired": SIZE,
        "stones": players,
        "house": 1,
        "kept": 1,
        "turn": players,
        "phase": len(_PHASES),
        "out_of_time": players,
    }


def longest(players: int) -> int:
    """KZ-21, KZ-22: before every stone a name, and everyone may let their time run out."""
    return 2 * CELLS + players


def observe(view: KakuzuView, seat: Seat, players: int, out: Any) -> None:
    """Seats are counted from one's own."""
    ones = [
        cell * SIZE + digit - 1
        for cell, digit in enumerate(digit for row in view.visible for digit in row)
        if digit
    ]
    at = CELLS * SIZE
    if view.wanted:
        ones.append(at + view.wanted - 1)
    at += len(DIGITS)
    ones += [at + digit for digit in view.bag]
    at += _BAG
    ones += [at + digit - 1 for digit in view.retired]
    at += SIZE
    for step in range(players):
        out[at + step] = view.stones[(seat + step) % players] / IN_PLAY
    at += players
    out[at] = view.house / IN_PLAY
    out[at + 1] = view.kept / IN_PLAY
    at += 2
    if view.turn is not None:
        ones.append(at + (view.turn - seat) % players)
    at += players
    ones.append(at + _PHASES.index(view.phase))
    at += len(_PHASES)
    ones += [at + (other - seat) % players for other, left in enumerate(view.clocks) if left == 0]
    out[ones] = 1.0
