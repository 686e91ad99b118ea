"""What players do while the hourglass runs, as sent over the wire; ``carry`` and ``aim`` are not logged."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

import msgspec

from kotatsu.engine.contract import Move
from kotatsu.games.kaboum.model import Fire, Grab, Release, Strike

MAX_PITCH = 1.4
"""How steeply a catapult can be raised, in radians: 80°. Chosen by hand."""
Metres = Annotated[float, msgspec.Meta(ge=-2, le=2)]
"""A coordinate in metres from the middle of the table."""
Fraction = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""From 0 to 1."""
QuaternionPart = Annotated[float, msgspec.Meta(ge=-1.001, le=1.001)]
"""A part of a unit quaternion, with room for rounding."""


class Carry(Move, frozen=True):
    """Where the builder wants the piece in hand: its middle in metres, and its quaternion (w, x, y, z)."""

    to: tuple[Metres, Metres, Metres]
    turn: tuple[QuaternionPart, QuaternionPart, QuaternionPart, QuaternionPart]


class Aim(Move, frozen=True):
    """How a saboteur sets the catapult.

    Attributes:
        at: The place on the rail, as a fraction of its length (``rail.rail_place``).
        yaw: The direction, in radians counter-clockwise from the table's x axis.
        pitch: The elevation, in radians.
        power: How far it is pulled, 0 to 1.
        big: Whether the large die is in it.
    """

    at: Fraction
    yaw: Annotated[float, msgspec.Meta(ge=-3.1416, le=3.1416)]
    pitch: Annotated[float, msgspec.Meta(ge=0, le=MAX_PITCH)]
    power: Fraction
    big: bool = False


Input = Grab | Carry | Release | Aim | Fire | Strike
"""Everything a player can do in the world."""
_decode = msgspec.json.Decoder(Input).decode


def read_input(text: bytes | str) -> Input:
    """Read an input from its JSON.

    Raises:
        msgspec.ValidationError: It is not an input; the message says why.
    """
    found: Input = _decode(text)
    if isinstance(found, Carry) and not any(found.turn):
        raise msgspec.ValidationError("a turn of nothing is no turn")
    if isinstance(found, Aim) and not all(map(isfinite, (found.yaw, found.pitch))):
        raise msgspec.ValidationError("an aim is made of numbers")
    return found
