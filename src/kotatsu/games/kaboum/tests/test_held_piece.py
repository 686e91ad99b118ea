"""KA-8: the builder cannot stop dice with a piece in the hand, nor with one that was just let go."""

from __future__ import annotations

from math import atan2, cos, sin
from random import Random

import numpy as np
import pytest

from kotatsu.games.kaboum.data import DICE, PIECES, PLACES, SHAPES
from kotatsu.games.kaboum.inputs import Aim
from kotatsu.games.kaboum.judging import find_tower
from kotatsu.games.kaboum.model import Grab, Release
from kotatsu.games.kaboum.rail import aim_at, rail_place, shoot
from kotatsu.games.kaboum.tests.building import set_up
from kotatsu.games.kaboum.tests.test_live import CHAPEL, a_turn, run
from kotatsu.games.kaboum.world.scene import ALL_BITS, DICE_BITS, FIRST_DIE, MM
from kotatsu.games.kaboum.world.turning import Vector, about_vertical, product
from kotatsu.games.kaboum.world.world import PASSING_TICKS, World

COLUMN = 18
"""A tall tower near the edge of the play area."""
SLAB = PIECES.index("slab") + 1
"""The second one: the column may need the first."""
RAIL_AT = 0.3
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ON_EDGE = np.array((cos(np.pi / 4), 0.0, sin(np.pi / 4), 0.0))
"""A slab turned about the y axis: its large side faces along x."""


def steps(world: World, ticks: int) -> None:
    for _ in range(ticks):
        world.step()


def line_of_fire() -> tuple[Aim, Vector, float]:
    """A flat, fast shot at the tower, a place 8 cm before it on the way, and the direction there."""
    place = PLACES[COLUMN]
    target = np.array((place.x * MM, place.y * MM, 0.07))
    aim = aim_at(RAIL_AT, target, 4.2, high=False, big=True)
    assert aim is not None
    x, y = rail_place(RAIL_AT)
    direction = atan2(target[1] - y, target[0] - x)
    before = target - 0.08 * np.array((cos(direction), sin(direction), 0.0))
    return aim, before, direction


def tower_falls(seed: int, *, slab: bool) -> tuple[bool, bool]:
    """Whether the column falls to one shot of the large die, and whether that die was ever inside the slab."""
    world = World()
    used = set_up(world, COLUMN)
    aim, before, direction = line_of_fire()
    if slab:
        assert SLAB not in used
        world.put(SLAB, before, product(about_vertical(direction), ON_EDGE))
        world.grab(SLAB)
    steps(world, 30)
    shoot(world, DICE - 1, aim, Random(seed))
    inside = False
    for _ in range(120):
        world.step()
        inside = inside or world.distance(SLAB, FIRST_DIE + DICE - 1) < 0
    if slab:
        assert world.held == SLAB
        assert np.linalg.norm(world.poses[SLAB, :3] - before) < 5 * MM
    assert not world.broken
    pieces = [piece for piece in range(len(PIECES)) if piece != SLAB]
    return find_tower(COLUMN, world.poses, pieces, PLACES[COLUMN]) is None, inside


@pytest.mark.rule("KA-8")
def test_a_slab_held_in_the_line_of_fire_saves_no_tower() -> None:
    without = {seed for seed in range(12) if tower_falls(seed, slab=False)[0]}
    assert len(without) >= 6, "the shots are no danger to the tower"
    for seed in without:
        assert tower_falls(seed, slab=True) == (True, True), seed


def thrown(world: World, die: int, at: Vector, velocity: Vector) -> float:
    """Throw a die; how far it has come along its way after a fifth of a second, in metres."""
    world.launch(die, at, np.array(UPRIGHT), velocity, np.zeros(3))
    steps(world, 12)
    way = world.poses[FIRST_DIE + die, :3] - at
    return float(way @ velocity / np.linalg.norm(velocity))


def drum_in_hand(world: World) -> int:
    """A drum held in the air over a place where nothing else is."""
    drum = PIECES.index("drum")
    world.put(drum, (0.2, 0.2, 0.1))
    world.grab(drum)
    steps(world, 10)
    return drum


EAST = np.array((2.0, 0.0, 1.0))


@pytest.mark.rule("KA-8")
def test_a_die_passes_through_a_held_piece_and_meets_it_half_a_second_after_the_release() -> None:
    free = thrown(World(), 0, np.array((0.1, 0.2, 0.05)), EAST)
    world = World()
    drum = drum_in_hand(world)
    at = world.poses[drum, :3] - (0.1, 0, 0.04)
    assert thrown(world, 0, at, EAST) == pytest.approx(free, abs=5 * MM)
    world.put(drum, (0.2, 0.2, 22.5 * MM))
    world.release()
    steps(world, 3)
    assert thrown(world, 1, np.array((0.1, 0.2, 0.0085)), EAST * (1, 1, 0)) > 0.13
    steps(world, PASSING_TICKS)
    assert thrown(world, 2, np.array((0.1, 0.2, 0.0085)), EAST * (1, 1, 0)) < 0.1


@pytest.mark.rule("KA-8")
def test_a_piece_let_go_in_its_tower_stops_dice_at_once() -> None:
    turn = a_turn()
    *_, roof = set_up(turn.world, CHAPEL)
    run(turn, 0.5)
    builder = turn.state.builder
    turn.act(builder, Grab(roof))
    run(turn, 0.2)
    assert not meets(turn.world, roof, 0)
    turn.act(builder, Release())
    run(turn, 0.05)
    assert meets(turn.world, roof, 0)
    turn.act(builder, Grab(SLAB))
    turn.act(builder, Release())
    run(turn, 0.05)
    assert not meets(turn.world, SLAB, 0)
    run(turn, 0.5)
    assert meets(turn.world, SLAB, 0)


def meets(world: World, piece: int, die: int) -> bool:
    """Whether a die is stopped by a piece, by their contact bits."""
    bits = {int(world._model.geom_conaffinity[geom]) for geom in world._geoms[piece]}
    assert len(bits) == 1
    return bool(bits.pop() & DICE_BITS[die])


@pytest.mark.rule("KA-8")
@pytest.mark.parametrize("shape", ["slab", "arch", "roof", "half"])
def test_a_piece_let_go_around_a_die_does_not_throw_it_away(shape: str) -> None:
    """They stay as they are until they are apart; every other die is stopped by the piece as ever."""
    world = World()
    piece, height = PIECES.index(shape), SHAPES[shape].size[2] / 2 * MM
    world.put(FIRST_DIE, (0.2, 0.2, 8 * MM))
    steps(world, 30)
    world.put(piece, (0.2, 0.2, 0.08))
    world.grab(piece)
    world.carry((0.2, 0.2, height), UPRIGHT)
    steps(world, 60)
    assert world.distance(piece, FIRST_DIE) < 0
    world.release()
    fastest = 0.0
    for _ in range(2 * PASSING_TICKS):
        world.step()
        fastest = max(fastest, float(np.abs(world.speeds[[piece, FIRST_DIE], :3]).max()))
    assert fastest < 0.3
    assert not meets(world, piece, 0)
    assert all(meets(world, piece, die) for die in range(1, DICE))
    world.put(FIRST_DIE, (0.4, 0.4, 8 * MM))
    steps(world, 2)
    assert meets(world, piece, 0)
    assert {int(world._model.geom_conaffinity[geom]) for geom in world._geoms[piece]} == {ALL_BITS}


@pytest.mark.rule("KA-8")
def test_a_die_that_lies_on_a_piece_is_not_carried_along() -> None:
    world = World()
    world.put(SLAB, (0.2, 0.2, 5 * MM))
    world.put(FIRST_DIE, (0.2, 0.2, 18 * MM))
    steps(world, 120)
    assert world.poses[FIRST_DIE, 2] == pytest.approx(18 * MM, abs=1 * MM)
    world.grab(SLAB)
    world.carry((0.2, 0.2, 0.2), UPRIGHT)
    steps(world, 60)
    assert world.poses[SLAB, 2] > 0.15
    assert world.poses[FIRST_DIE, 2] == pytest.approx(8 * MM, abs=1 * MM)


@pytest.mark.rule("KA-8", "KA-30")
def test_a_held_piece_still_meets_other_pieces_and_the_table() -> None:
    world = World()
    cube, other = PIECES.index("cube"), PIECES.index("pillar")
    world.put(other, (0.2, 0.2, 30 * MM))
    world.put(cube, (0.1, 0.2, 0.1))
    world.grab(cube)
    world.carry((0.1, 0.2, 0.0), UPRIGHT)
    steps(world, 60)
    assert world.poses[cube, 2] > 13 * MM
    world.carry((0.3, 0.2, 0.03), UPRIGHT)
    steps(world, 60)
    assert world.poses[other, 0] > 0.21
