"""The 26 towers: what they are made of, that they differ, that they stand."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from kotatsu.games.kaboum.data import PIECES, POINTS, SHAPES
from kotatsu.games.kaboum.drawing import FOLDER, svg
from kotatsu.games.kaboum.model import Physics
from kotatsu.games.kaboum.tests.building import set_up
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import MM
from kotatsu.games.kaboum.world.world import World

SMALL = TOWERS[:-1]


@pytest.mark.rule("KA-20")
def test_points_are_pieces_and_are_spread_as_in_the_box() -> None:
    assert [len(tower.pieces) for tower in TOWERS] == list(POINTS)
    assert Counter(len(tower.pieces) for tower in SMALL) == {3: 6, 4: 7, 5: 6, 6: 4, 7: 2}
    assert Counter(piece.shape for piece in TOWERS[-1].pieces) == Counter(PIECES)


@pytest.mark.rule("KA-20")
def test_every_tower_can_be_built_from_the_box() -> None:
    for tower in TOWERS:
        assert not Counter(piece.shape for piece in tower.pieces) - Counter(PIECES), tower.name


@pytest.mark.rule("KA-20")
def test_no_two_towers_are_alike() -> None:
    def skeleton(number: int) -> tuple[object, ...]:
        return tuple(sorted((p.shape, p.pose, p.x, p.y, p.z, p.turn) for p in TOWERS[number].pieces))

    assert len({skeleton(number) for number in range(len(TOWERS))}) == 26
    assert len({tower.name for tower in TOWERS}) == len({tower.nom for tower in TOWERS}) == 26


def test_every_piece_lies_on_what_its_drawing_says() -> None:
    for tower in TOWERS:
        for number, piece in enumerate(tower.pieces):
            assert all(under < number for under in piece.on), tower.name
            for under in piece.on:
                below = tower.pieces[under]
                assert piece.z - piece.size[2] / 2 == pytest.approx(below.z + below.size[2] / 2), tower.name


def test_towers_fit_their_tiles_at_any_angle() -> None:
    for number, tower in enumerate(TOWERS):
        for piece in tower.pieces:
            if not piece.on and number < 25:
                reach = np.hypot(abs(piece.x) + piece.size[0] / 2, abs(piece.y) + piece.size[1] / 2)
                assert reach <= 45 + 8, tower.name


@pytest.mark.rule("KA-20")
@pytest.mark.parametrize("tile", range(26))
def test_the_drawing_on_a_tile_is_made_from_the_same_data(tile: int) -> None:
    """``python -m kotatsu.games.kaboum.drawing`` makes them anew."""
    assert (FOLDER / f"{tile}.svg").read_text(encoding="utf-8") == svg(tile)
    letters = re.findall(r">([A-Z])</text>", svg(tile))
    assert sorted(letters) == sorted(SHAPES[piece.shape].letter for piece in TOWERS[tile].pieces)


@pytest.mark.rule("KA-21")
@pytest.mark.parametrize(
    ("physics", "sleeps", "seconds"), [("board", True, 60), ("real", True, 60), ("real", False, 1)]
)
def test_every_tower_stands_for_a_minute(physics: Physics, sleeps: bool, seconds: int) -> None:
    """As in a game, where what lies still sleeps; and for a while with nothing allowed to sleep."""
    for number, tower in enumerate(TOWERS):
        world = World(physics, sleeps=sleeps)
        pieces = set_up(world, number)
        for _ in range(60):
            world.step()
        before = world.poses[pieces, :3].copy()
        for _ in range(60 * seconds):
            world.step()
        moved = float(np.linalg.norm(world.poses[pieces, :3] - before, axis=1).max())
        assert moved < 1 * MM, tower.name
        drawn = np.array([piece.z for piece in tower.pieces])
        assert np.abs(world.poses[pieces, 2] / MM - drawn).max() < 1, tower.name
