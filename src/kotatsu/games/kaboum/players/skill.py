"""What makes one level of bots better than another."""

from __future__ import annotations

from typing import NamedTuple


class Skill(NamedTuple):
    """The figures of one level, in both roles. Lengths in metres, angles in radians, times in seconds.

    Errors are standard deviations of normal distributions.

    Attributes:
        pause: Builder: how long before it reaches for a piece.
        carry_speed: Builder: how fast its hand goes, in metres a second.
        position_error: Builder: how far from its place it puts a piece, along each axis.
        angle_error: Builder: how far it turns a piece from its angle.
        tremor: Builder: how far its hand shakes.
        foresight: Builder: from 0 (any tower) to 1 (the one with the most points for the time and the risk).
        aim_error: Saboteur: the error of direction and elevation.
        power_error: Saboteur: the error of the power, which is from 0 to 1.
        aim_time: Saboteur: how long it aims.
        patience: Saboteur: from 0 to 1, how much a target must be worth before it spends a die.
    """

    pause: float
    carry_speed: float
    position_error: float
    angle_error: float
    tremor: float
    foresight: float
    aim_error: float
    power_error: float
    aim_time: float
    patience: float


SKILLS: dict[str, Skill] = {
    # pause, carry_speed, position_error, angle_error, tremor, foresight; aim_error, power_error, aim_time, patience
    "random": Skill(1.2, 0.30, 0.0060, 0.10, 0.0012, 0.0, 0.120, 0.080, 2.5, 0.0),
    "novice": Skill(1.1, 0.30, 0.0036, 0.07, 0.0009, 0.3, 0.060, 0.050, 2.2, 0.2),
    "adept": Skill(0.95, 0.40, 0.0020, 0.035, 0.0005, 0.8, 0.026, 0.022, 1.4, 0.9),
    "master": Skill(0.45, 0.60, 0.0010, 0.015, 0.0002, 1.0, 0.012, 0.010, 0.9, 1.0),
}
"""The levels by name, weakest first.

Chosen by hand, so that every level is better than the one below in both roles. ``adept`` was then made a
little slower as a builder and more patient as a saboteur, until adepts were balanced against each other: the
builder makes points in about half of the turns (``BALANCE.md``).
"""
