"""The world: the same inputs give the same poses; the hand is strong enough and not too strong."""

from __future__ import annotations

import numpy as np
import pytest

from kotatsu.games.kaboum.data import DICE, PIECES, PLACES
from kotatsu.games.kaboum.model import STRIKE_PLACES
from kotatsu.games.kaboum.tests.building import set_up
from kotatsu.games.kaboum.world.scene import FIRST_DIE, MM
from kotatsu.games.kaboum.world.world import World, edge_place, stock_place


def steps(world: World, seconds: float) -> None:
    for _ in range(round(60 * seconds)):
        world.step()


def eventful(physics: str = "real") -> World:
    """Two towers, a hand that works, shots and a blow."""
    world = World(physics)  # type: ignore[arg-type]
    set_up(world, 18)
    world.grab(13)
    world.carry((0.1, -0.1, 0.2), (0.9, 0.1, 0.2, 0.3))
    for die in range(DICE):
        world.launch(
            die,
            np.array((0.3 - 0.02 * die, 0.3, 0.1)),
            np.array((1.0, 0, 0, 0)),
            np.array((-1.5, -1.5 - 0.2 * die, 1.0)),
            np.array((9.0, 3.0 * die, 1.0)),
        )
        steps(world, 0.1)
    world.strike(7, 10)
    steps(world, 1.0)
    world.release()
    steps(world, 1.0)
    return world


def test_the_same_inputs_give_the_same_world_bit_for_bit() -> None:
    first, second = eventful(), eventful()
    assert first.poses.tobytes() == second.poses.tobytes()
    assert first.speeds.tobytes() == second.speeds.tobytes()
    assert first.poses.tobytes() != World("real").poses.tobytes()


def test_the_stock_lies_still_and_apart() -> None:
    world = World()
    before = world.poses[:FIRST_DIE, :3].copy()
    steps(world, 3)
    assert np.abs(world.poses[:FIRST_DIE, :3] - before).max() < 1 * MM
    for piece in range(len(PIECES)):
        for other in range(piece):
            assert world.distance(piece, other, 0.02) > 2 * MM


@pytest.mark.rule("KA-30")
def test_the_hand_takes_every_shape_there_and_turns_it() -> None:
    for piece in range(0, len(PIECES), 2):
        world = World()
        world.grab(piece)
        target = np.array((0.1, 0.05, 0.15))
        turn = np.array((0.5, 0.5, 0.5, 0.5))
        world.carry(target, turn)
        steps(world, 2.5)
        assert np.linalg.norm(world.poses[piece, :3] - target) < 3 * MM, PIECES[piece]
        assert abs(world.poses[piece, 3:] @ turn) > 0.999, PIECES[piece]


@pytest.mark.rule("KA-30")
def test_the_hand_is_not_strong_enough_to_push_through_the_table() -> None:
    world = World()
    world.grab(0)
    world.carry((0.0, 0.0, 0.1), (1, 0, 0, 0))
    steps(world, 1.5)
    world.carry((0.0, 0.0, -1.0), (1, 0, 0, 0))
    steps(world, 1.5)
    assert world.poses[0, 2] > 13 * MM
    assert not world.broken


@pytest.mark.rule("KA-30")
def test_the_hand_can_knock_and_be_knocked() -> None:
    world = World()
    column = set_up(world, 18)
    x, y = PLACES[18].x * MM, PLACES[18].y * MM
    world.grab(13)
    world.carry((x + 0.2, y, 0.15), (1, 0, 0, 0))
    steps(world, 2.0)
    world.carry((x - 0.2, y, 0.15), (1, 0, 0, 0))
    steps(world, 2.0)
    assert world.poses[column[-1], 2] < 0.1
    world.carry((0.3, 0.3, 0.1), (1, 0, 0, 0))
    steps(world, 2.0)
    cube = PIECES.index("cube")
    world.put(cube, (0.3, 0.1, 0.1))
    world.push(cube, np.array((0, 5.0, 0.2)), np.zeros(3))
    away = 0.0
    for _ in range(30):
        world.step()
        away = max(away, float(np.linalg.norm(world.poses[13, :3] - (0.3, 0.3, 0.1))))
    assert away > 2 * MM


def test_a_hand_gone_wild_breaks_nothing() -> None:
    world = World()
    set_up(world, 24)
    rng = np.random.default_rng(3)
    for _ in range(40):
        world.grab(int(rng.integers(16)))
        world.carry(rng.uniform(-5, 5, 3), rng.uniform(-1, 1, 4))
        steps(world, 0.1)
    assert not world.broken
    assert np.abs(world.speeds).max() < 200


def test_a_piece_off_the_table_comes_back_to_the_stock() -> None:
    world = World()
    world.put(4, (0.7, 0.0, 0.1))
    steps(world, 0.8)
    assert world.poses[4, 2] < -0.3
    steps(world, 1.5)
    assert world.poses[4, :3] == pytest.approx(stock_place(4), abs=1 * MM)


def test_a_die_shot_far_beyond_the_table_is_taken_out_of_play() -> None:
    world = World()
    for die in range(DICE):
        velocity = np.array((4.6, 0.3 * die, 0.5))
        world.launch(die, np.array((0.4, 0, 0.06)), np.array((1.0, 0, 0, 0)), velocity, np.zeros(3))
        steps(world, 0.3)
        assert not world.broken
    steps(world, 3.0)
    assert not world.broken
    assert (world.poses[FIRST_DIE:, 1] > 1.9).all()
    before = world.poses.copy()
    steps(world, 2.0)
    assert np.abs(world.poses - before).max() < 1 * MM


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e12])
def test_a_world_that_is_no_world_any_more_says_so(value: float) -> None:
    world = World()
    assert not world.broken
    world.put(3, (value, 0.0, 0.1))
    world.step()
    assert world.broken


@pytest.mark.rule("KA-32")
def test_places_of_the_edge_go_round_the_table() -> None:
    places = [edge_place(at) for at in range(STRIKE_PLACES)]
    assert len(set(places)) == STRIKE_PLACES
    assert all(max(abs(x), abs(y)) == pytest.approx(0.6) for x, y in places)
    assert places[0] == (-0.6, -0.6)
    assert places[6] == (0.6, -0.6)
