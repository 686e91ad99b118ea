"""The table, pieces, dice and hand as a MuJoCo model. Metres; z is up; the middle of the table is 0.

The settings come from a feasibility study of the physics, made before the first version with 16 blocks and
10 dice of about these sizes; ``docs/kaboum.md`` says what was measured since.
"""

from __future__ import annotations

import logging
from functools import cache
from math import cos, pi, sin

import mujoco

from kotatsu.games.kaboum.data import BOX, DICE, LARGE_DIE, PIECES, SHAPES
from kotatsu.games.kaboum.model import Physics

logger = logging.getLogger(__name__)

MM = 0.001
"""Metres in a millimetre."""
STEPS_A_SECOND = 480
"""Steps of the simulation.

In the study towers stood as steadily at 1/480 s as at 2 ms, eight of them are exactly a tick, and at 4 ms
dice went through slabs.
"""
TICKS_A_SECOND = 60
"""Ticks: how often inputs take effect and the referee looks."""
STEPS_A_TICK = STEPS_A_SECOND // TICKS_A_SECOND
"""Steps in a tick: 8."""
FLOOR = -0.4
"""The height of the floor. Chosen by hand: nothing that falls needs long to get there."""
BODIES = len(PIECES) + DICE
"""How many bodies there are: pieces are 0 to 15, dice 16 to 25."""
FIRST_DIE = len(PIECES)
"""The number of the first die as a body."""
WOOD_BIT = 1
"""The contact bit (MuJoCo's ``contype`` and ``conaffinity``) by which table, floor and pieces meet."""
DICE_BITS = tuple(2 << die for die in range(DICE))
"""The contact bit of each die. A piece meets those dice whose bits are in its ``conaffinity`` (KA-8)."""
ALL_BITS = WOOD_BIT | sum(DICE_BITS)
"""The bits of everything."""
FRICTION = {"board": ".8 .004 .0004", "real": ".5 .002 .0002"}
"""KA-23: MuJoCo's sliding, torsional and rolling friction of wood, on felt and bare.

Those of bare wood are the study's; those of felt were chosen by hand, higher.
"""
ROLLING_FRICTION = {"board": ".8 .004 .002", "real": ".5 .002 .0005"}
"""The same for round pieces, which would roll for ever otherwise.

The study's for bare wood, chosen by hand for felt.
"""
CENTRE_OF_MASS_MM = {"arch": 2.5, "roof": -22 / 6, "half": 80 / (3 * pi) - 10}
"""How far above the middle of its box a shape's centre of mass is, in millimetres: there the hand holds it.

Geometry: an arch lacks its opening below, a triangle has its centroid at a third of its height, a half disc
of radius r at 4 r / (3 pi); the others are symmetric.
"""
ARC_SEGMENTS = 24
"""Faces of the round side of a half cylinder. Chosen by hand."""


def half_die(die: int) -> float:
    """Half the edge of a die, in metres."""
    return (BOX.large_die if die == LARGE_DIE else BOX.small_die) / 2 * MM


@cache
def model(physics: Physics, *, sleeps: bool = True) -> mujoco.MjModel:
    """The compiled model; read-only, one for all tables of a process. A world works on a copy of its own.

    Args:
        physics: Felt (``board``) or bare wood (``real``), KA-23.
        sleeps: Whether bodies at rest are left out of the computation until something touches them.
    """
    mujoco.set_mju_user_warning(logger.warning)  # else it writes them into a file where it happens to run
    return mujoco.MjModel.from_xml_string(_scene(physics, sleeps))


def _scene(physics: Physics, sleeps: bool) -> str:
    """The model as MJCF.

    Solver, integrator, contact parameters, densities and the weld of the hand are those the study recommends.
    With fewer line-search iterations (20) blocks of a standing tower flew away; with the default ``solref``
    tall columns fell; the dice's ``solref`` and ``solimp`` give a restitution of about a third and let them
    come to rest. A die of 16 mm weighs 4.8 g (plastic), the large one 10.9 g (wood). The study advises to
    shrink MuJoCo's working memory, which was 20 MB; 4 MB were chosen by hand.
    """
    half = BOX.table / 2 * MM
    pieces = "".join(_piece(number, physics) for number in range(len(PIECES)))
    dice = "".join(_die(die) for die in range(DICE))
    welds = "".join(
        f'<weld body1="hand" body2="piece{number}" active="false" relpose="0 0 0 1 0 0 0" torquescale="1"'
        f' anchor="0 0 {CENTRE_OF_MASS_MM.get(shape, 0) * MM}" solref=".02 1" solimp=".7 .7 .01"/>'
        for number, shape in enumerate(PIECES)
    )
    return f"""
<mujoco model="kaboum">
 <compiler angle="degree"/>
 <option timestep="{1 / STEPS_A_SECOND!r}" solver="Newton" cone="elliptic" impratio="10" integrator="implicitfast"
   iterations="100" ls_iterations="50" tolerance="1e-8" noslip_iterations="0" sleep_tolerance="0.002">
  <flag sleep="{"enable" if sleeps else "disable"}" speculative="enable"/>
 </option>
 <size memory="4M"/>
 <default>
  <default class="wood">
   <geom density="700" contype="{WOOD_BIT}" conaffinity="{ALL_BITS}" condim="3" friction="{FRICTION[physics]}" solref=".004 1" solimp=".95 .99 .0002"/>
  </default>
  <default class="die">
   <geom density="1170" conaffinity="{ALL_BITS - WOOD_BIT}" priority="1" condim="3" friction=".4 .002 .0002" solref=".0114 .35" solimp=".5 .95 .001"/>
  </default>
 </default>
 <asset>{_mesh("half", _half_cylinder())}{_mesh("roof", _prism())}</asset>
 <worldbody>
  <geom class="wood" type="box" pos="0 0 -.02" size="{half} {half} .02"/>
  <geom class="wood" type="plane" pos="0 0 {FLOOR}" size="3 3 .1"/>
  <body name="hand" mocap="true" pos="0 0 .3"/>
  {pieces}{dice}
 </worldbody>
 <equality>{welds}</equality>
</mujoco>"""


def _piece(number: int, physics: Physics) -> str:
    geoms = _geoms(PIECES[number], physics)
    return f'<body name="piece{number}" pos="{number * 0.2 - 1.5} 2 -.35"><freejoint/>{geoms}</body>'


def _die(die: int) -> str:
    half = half_die(die)
    density = ' density="700"' if die == LARGE_DIE else ""
    return (
        f'<body name="die{die}" pos="{die * 0.1 - 0.5} -2 {FLOOR + half}"><freejoint/>'
        f'<geom class="die" type="box" size="{half} {half} {half}" contype="{DICE_BITS[die]}"{density}/></body>'
    )


def _geoms(shape: str, physics: Physics) -> str:
    x, y, z = (size / 2 * MM for size in SHAPES[shape].size)
    rolls = f'condim="6" friction="{ROLLING_FRICTION[physics]}"'
    match shape:
        case "arch":
            wide, high = (size * MM for size in BOX.arch_opening)
            leg = x - wide / 2
            legs = "".join(
                f'<geom class="wood" type="box" pos="{side * (wide + leg) / 2} 0 {high / 2 - z}"'
                f' size="{leg / 2} {y} {high / 2}"/>'
                for side in (-1, 1)
            )
            return f'<geom class="wood" type="box" pos="0 0 {high / 2}" size="{x} {y} {z - high / 2}"/>{legs}'
        case "drum":
            return f'<geom class="wood" type="cylinder" size="{x} {z}" {rolls}/>'
        case "half":
            return f'<geom class="wood" type="mesh" mesh="half" {rolls}/>'
        case "roof":
            return '<geom class="wood" type="mesh" mesh="roof"/>'
        case _:
            return f'<geom class="wood" type="box" size="{x} {y} {z}"/>'


def _half_cylinder() -> list[tuple[float, float, float]]:
    x, y, z = (size / 2 * MM for size in SHAPES["half"].size)
    angles = [pi * step / ARC_SEGMENTS for step in range(ARC_SEGMENTS + 1)]
    return [(x * cos(angle), side * y, 2 * z * sin(angle) - z) for angle in angles for side in (-1, 1)]


def _prism() -> list[tuple[float, float, float]]:
    x, y, z = (size / 2 * MM for size in SHAPES["roof"].size)
    return [(at, side * y, high) for at, high in ((-x, -z), (x, -z), (0.0, z)) for side in (-1, 1)]


def _mesh(name: str, corners: list[tuple[float, float, float]]) -> str:
    return (
        f'<mesh name="{name}" vertex="{" ".join(f"{each:.9g}" for corner in corners for each in corner)}"/>'
    )
