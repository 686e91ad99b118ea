"""What players do while the hourglass runs, as it comes over the wire. ``carry`` and ``aim`` never reach the log."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

import msgspec

from kotatsu.engine.contract import Move
from kotatsu.games.kaboum.model import Fire, Grab, Release, Strike

Metres = Annotated[float, msgspec.Meta(ge=-2, le=2)]
Part = Annotated[float, msgspec.Meta(ge=0, le=1)]
STEEPEST = 1.4
"""How far a catapult is raised at the most, in radians."""
Component = Annotated[float, msgspec.Meta(ge=-1.001, le=1.001)]


class Carry(Move, frozen=True):
    """Where the held piece is wanted, its middle in metres, and how it is turned (w, x, y, z)."""

    to: tuple[Metres, Metres, Metres]
    turn: tuple[Component, Component, Component, Component]


class Aim(Move, frozen=True):
    """How a catapult is set: ``at`` which part of the rail, turned and raised by radians, pulled by ``power``.

    ``yaw`` is counted from the table's x axis, counter-clockwise. ``big``: the large die is in it.
    """

    at: Part
    yaw: Annotated[float, msgspec.Meta(ge=-3.1416, le=3.1416)]
    pitch: Annotated[float, msgspec.Meta(ge=0, le=STEEPEST)]
    power: Part
    big: bool = False


Input = Grab | Carry | Release | Aim | Fire | Strike
_decode = msgspec.json.Decoder(Input).decode


def read_input(text: bytes | str) -> Input:
    """An input from its JSON.

    Raises:
        msgspec.ValidationError: it is none; the message says why.
    """
    found: Input = _decode(text)
    if isinstance(found, Carry) and not any(found.turn):
        raise msgspec.ValidationError("a turn of nothing is no turn")
    if isinstance(found, Aim) and not all(map(isfinite, (found.yaw, found.pitch))):
        raise msgspec.ValidationError("an aim is made of numbers")
    return found
