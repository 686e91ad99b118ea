"""Kakuzu for learning agents: a view as a vector of numbers. Actions are listed from the move types.

``kotatsu.lab.encoding`` says what each function here is for, and ``docs/lab/kakuzu.md`` lists the blocks.
"""

from __future__ import annotations

from typing import Any

from kotatsu.engine.contract import Seat
from kotatsu.games.kakuzu.board import CELLS, DIGITS, SIZE
from kotatsu.games.kakuzu.model import KakuzuView
from kotatsu.games.kakuzu.scoring import IN_PLAY

VERSION = 0
"""To be raised whenever an action or a part of the observation changes its meaning."""
_PHASES = ("opening", "play", "over")
_BAG = SIZE + 1
"""The bag has the digits 0 to 9."""


def layout(players: int) -> dict[str, int]:
    """The blocks of an observation.

    Args:
        players: How many play.

    Returns:
        The size of each block by its name, in the order of the vector.
    """
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
    """KZ-21, KZ-22: the most choices one game can have.

    Before every stone a digit may be named, and everyone may let their time run out.
    """
    return 2 * CELLS + players


def observe(view: KakuzuView, seat: Seat, players: int, out: Any) -> None:
    """Write one seat's observation.

    Args:
        view: What the seat sees.
        seat: The seat it is for. Blocks for each seat begin with this one and go on clockwise.
        players: How many play.
        out: A float vector of zeros, as long as the sizes of ``layout`` together; filled with values from 0
            to 1.
    """
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
