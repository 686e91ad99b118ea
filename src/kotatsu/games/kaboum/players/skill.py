"""What tells the levels apart."""

from __future__ import annotations

from typing import NamedTuple


class Skill(NamedTuple):
    """One level, in both roles. Lengths in metres, angles in radians, times in seconds.

    Builder: ``pause`` before it reaches for a piece, ``carrying`` how fast its hand goes, ``slips`` how far off it
    puts things down, ``turns_off`` by how much it turns them wrongly, ``tremor`` how its hand shakes, ``foresight``
    from 0 (any tower) to 1 (the one with the most points for the time and the risk).
    Saboteur: ``aims_off`` its error in the direction, ``weighs_off`` in the strength (a share of it), ``takes`` how
    long it aims, ``waits`` whether it keeps its dice for towers that are nearly there.
    """

    pause: float
    carrying: float
    slips: float
    turns_off: float
    tremor: float
    foresight: float
    aims_off: float
    weighs_off: float
    takes: float
    waits: float


SKILLS: dict[str, Skill] = {
    "random": Skill(1.2, 0.30, 0.0060, 0.10, 0.0012, 0.0, 0.120, 0.080, 2.5, 0.0),
    "novice": Skill(1.1, 0.30, 0.0036, 0.07, 0.0009, 0.3, 0.060, 0.050, 2.2, 0.2),
    "adept": Skill(0.95, 0.40, 0.0020, 0.035, 0.0005, 0.8, 0.026, 0.022, 1.4, 0.9),
    "master": Skill(0.45, 0.60, 0.0010, 0.015, 0.0002, 1.0, 0.012, 0.010, 0.9, 1.0),
}
