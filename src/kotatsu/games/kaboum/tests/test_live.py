"""A turn in its world: hands, catapults, blows, the hourglass, and what of it reaches the log."""

from __future__ import annotations

from random import Random
from statistics import mean, stdev
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import IllegalMove
from kotatsu.engine.record import Entry, Played
from kotatsu.games.kaboum.data import BOX, LARGE_DIE, PIECES, PLACES
from kotatsu.games.kaboum.inputs import Aim, Carry, Input, read_input
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import (
    Completed,
    Fire,
    Fired,
    Flip,
    Grab,
    KaboumOptions,
    KaboumState,
    KaboumTurnEnded,
    Quake,
    Release,
    Strike,
    Toppled,
    TurnBroken,
)
from kotatsu.games.kaboum.play import play_turn, player
from kotatsu.games.kaboum.players.builder import Builder
from kotatsu.games.kaboum.players.skill import SKILLS
from kotatsu.games.kaboum.rail import HALF_X, HALF_Y, aim_at, rail_place, shoot
from kotatsu.games.kaboum.tests.building import LAYOUT, set_up
from kotatsu.games.kaboum.tests.staging import Table
from kotatsu.games.kaboum.towers import TOWERS
from kotatsu.games.kaboum.world.scene import FIRST_DIE, MM, TICKS_A_SECOND
from kotatsu.games.kaboum.world.world import World

UPRIGHT = (1.0, 0.0, 0.0, 0.0)
CHAPEL = 3


def a_turn(
    players: int = 3, tiles: tuple[int, ...] = tuple(range(26)), seed: int = 1, **options: Any
) -> Turn:
    """A turn just begun; tile number i lies at place i."""
    table = Table(players=players, **options)
    table.state = replace(table.state, layout=LAYOUT, tiles=tiles)
    table.play(table.state.builder, Flip())
    return Turn(table.state, seed)


def run(turn: Turn, seconds: float) -> list[Entry]:
    log: list[Entry] = []
    for _ in range(round(seconds * TICKS_A_SECOND)):
        if not turn.over:
            log += turn.step()
    return log


def saboteurs(state: KaboumState) -> list[int]:
    return [seat for seat in range(state.players) if seat != state.builder]


def ended_with_the_chapel(turn: Turn, builder: int) -> KaboumTurnEnded:
    return KaboumTurnEnded(builder, (CHAPEL,), 3, (builder + 1) % 3, turn.state.big_die)


def refused(turn: Turn, seat: int, asked: Input) -> str:
    with pytest.raises(IllegalMove) as refusal:
        turn.act(seat, asked)
    return refusal.value.clause


@pytest.mark.rule("KA-30")
def test_the_builder_picks_up_carries_and_puts_down() -> None:
    turn = a_turn()
    builder = turn.state.builder
    turn.act(builder, Grab(0))
    turn.act(builder, Carry((0.1, 0.1, 0.1), UPRIGHT))
    log = run(turn, 2.0)
    assert turn.world.poses[0, :3] == pytest.approx((0.1, 0.1, 0.1), abs=3 * MM)
    turn.act(builder, Release())
    log += run(turn, 1.0)
    assert turn.world.poses[0, 2] == pytest.approx(15 * MM, abs=1 * MM)
    assert log == [Played(builder, Grab(0)), Played(builder, Release())]


@pytest.mark.rule("KA-3")
def test_nobody_else_has_a_hand_and_the_builder_no_catapult() -> None:
    turn = a_turn()
    (one, _), builder = saboteurs(turn.state), turn.state.builder
    assert refused(turn, one, Grab(0)) == "KA-3"
    assert refused(turn, one, Carry((0, 0, 0), UPRIGHT)) == "KA-3"
    assert refused(turn, one, Release()) == "KA-3"
    assert refused(turn, builder, Aim(0, 0, 0, 0)) == "KA-3"
    assert turn.world.held is None


@pytest.mark.rule("KA-31")
def test_a_shot_needs_an_aim_and_then_a_moment() -> None:
    turn = a_turn()
    seat = saboteurs(turn.state)[0]
    assert refused(turn, seat, Fire()) == "KA-31"
    turn.act(seat, Aim(0.1, 1.5, 0.8, 0.4))
    turn.act(seat, Fire())
    assert refused(turn, seat, Fire()) == "KA-31"
    log = run(turn, BOX.reload_s - 0.1)
    assert refused(turn, seat, Fire()) == "KA-31"
    log += run(turn, 0.15)
    turn.act(seat, Fire())
    log += run(turn, 3.0)
    assert [entry.die for entry in log if isinstance(entry, Fired)] == [0, 1]
    assert len(turn.state.shots) == 2
    assert all(shot.landed for shot in turn.state.shots)


@pytest.mark.rule("KA-5", "KA-31")
def test_the_large_die_is_shot_by_aiming_with_it() -> None:
    turn = a_turn()
    big = turn.state.big_die
    other = next(seat for seat in saboteurs(turn.state) if seat != big)
    turn.act(other, Aim(0.1, 1.5, 0.8, 0.4, big=True))
    assert refused(turn, other, Fire()) == "KA-5"
    turn.act(big, Aim(0.1, 1.5, 0.8, 0.4, big=True))
    turn.act(big, Fire())
    assert turn.step()[-1] == Fired(big, LARGE_DIE, big=True)


@pytest.mark.rule("KA-9")
def test_the_rail_is_a_catapults_length_away_from_every_tile() -> None:
    for step in range(200):
        x, y = rail_place(step / 200)
        assert abs(x) == pytest.approx(HALF_X) or abs(y) == pytest.approx(HALF_Y)
        for place in PLACES:
            away = max(abs(x / MM - place.x), abs(y / MM - place.y)) - place.side / 2
            assert away >= BOX.catapult - 1e-6
    assert rail_place(0.0) == pytest.approx((-HALF_X, -HALF_Y))
    assert rail_place(1.0) == rail_place(0.0)


@pytest.mark.rule("KA-31")
def test_shots_scatter_a_little_and_by_the_tables_chance() -> None:
    def landing(seed: int) -> tuple[float, float]:
        world = World()
        aim = aim_at(0.15, np.array((0.0, 0.0, 0.01)), 2.6, high=True, big=False)
        assert aim is not None
        shoot(world, 0, aim, Random(seed))
        while world.poses[FIRST_DIE, 2] > 0.012 and world.tick < 120:
            world.step()
        return float(world.poses[FIRST_DIE, 0]), float(world.poses[FIRST_DIE, 1])

    shots = [landing(seed) for seed in range(30)]
    assert landing(3) == shots[3]
    for axis in (0, 1):
        assert abs(mean(shot[axis] for shot in shots)) < 0.03
        assert 0.004 < stdev(shot[axis] for shot in shots) < 0.06


@pytest.mark.rule("KA-12", "KA-32")
def test_a_blow_shakes_the_table_and_only_when_it_is_granted() -> None:
    turn = a_turn()
    seat = saboteurs(turn.state)[0]
    assert refused(turn, seat, Strike(0, 10)) == "KA-12"
    turn.state = replace(turn.state, granted=True, striker=seat)
    run(turn, 1.0)
    before = turn.world.poses[: len(PIECES)].copy()
    turn.act(seat, Strike(3, 10))
    assert turn.step() == [Played(seat, Strike(3, 10)), Quake(seat)]
    run(turn, 0.2)
    assert np.abs(turn.world.speeds[: len(PIECES), :3]).max() > 0.02
    run(turn, 3.0)
    assert np.abs(turn.world.poses[: len(PIECES), :3] - before[:, :3]).max() > 0.1 * MM
    assert refused(turn, seat, Strike(3, 10)) == "KA-12"


@pytest.mark.rule("KA-32")
def test_a_stronger_blow_moves_more() -> None:
    def shift(power: int) -> float:
        world = World()
        for _ in range(30):
            world.step()
        before = world.poses[: len(PIECES), :3].copy()
        world.strike(3, power)
        for _ in range(120):
            world.step()
        return float(np.abs(world.poses[: len(PIECES), :3] - before).sum())

    assert shift(0) < shift(5) < shift(10)


@pytest.mark.rule("KA-13")
def test_the_hourglass_ends_the_turn_and_everybody_stops() -> None:
    turn = a_turn(hourglass_s=30)
    set_up(turn.world, CHAPEL)
    builder = turn.state.builder
    log = run(turn, 29.9)
    assert log == [Completed(CHAPEL)]
    turn.act(builder, Grab(13))
    log = run(turn, 0.2)
    assert turn.over
    assert log == [Played(builder, Grab(13)), ended_with_the_chapel(turn, builder)]
    assert turn.world.held is None
    assert refused(turn, builder, Grab(13)) == "KA-13"


@pytest.mark.rule("KA-13", "KA-22")
def test_what_was_right_at_the_end_may_still_show_that_it_rests() -> None:
    turn = a_turn(hourglass_s=30)
    builder = turn.state.builder
    run(turn, 29.8)
    set_up(turn.world, CHAPEL)
    log = run(turn, 1.0)
    assert log == [Completed(CHAPEL), ended_with_the_chapel(turn, builder)]


@pytest.mark.rule("KA-13")
def test_a_piece_in_the_hand_at_the_bell_is_part_of_no_tower() -> None:
    """The roof is where it belongs, but the hand has not let go of it."""
    drawn, place = TOWERS[CHAPEL].pieces[2], PLACES[CHAPEL]
    scored = {}
    for in_hand in (True, False):
        turn = a_turn(hourglass_s=30)
        *_, roof = set_up(turn.world, CHAPEL)
        turn.world.put(roof, (0.3, 0.3, 11 * MM))
        builder = turn.state.builder
        run(turn, 27.0)
        turn.act(builder, Grab(roof))
        at = place.x * MM, place.y * MM, drawn.z * MM
        turn.act(builder, Carry((*at[:2], at[2] + 0.05), UPRIGHT))
        run(turn, 1.5)
        turn.act(builder, Carry(at, UPRIGHT))
        run(turn, 1.4)
        assert turn.world.poses[roof, :3] == pytest.approx(at, abs=2 * MM)
        if not in_hand:
            turn.act(builder, Release())
        log = run(turn, 1.0)
        assert turn.over
        assert turn.world.held is None
        scored[in_hand] = [entry.scored for entry in log if isinstance(entry, KaboumTurnEnded)]
    assert scored == {True: [()], False: [(CHAPEL,)]}


@pytest.mark.rule("KA-13")
@pytest.mark.parametrize("ticks", range(1, 7))
def test_a_tower_the_hand_takes_a_piece_of_just_before_the_bell_does_not_count(ticks: int) -> None:
    """The referee looks at towers ten times a second only, but always at the bell."""
    turn = a_turn(hourglass_s=30)
    *_, roof = set_up(turn.world, CHAPEL)
    builder = turn.state.builder
    run(turn, 30 - ticks / TICKS_A_SECOND)
    assert turn.state.standing == (CHAPEL,)
    turn.act(builder, Grab(roof))
    log = run(turn, 1.0)
    assert Toppled(CHAPEL) in log
    assert [entry.scored for entry in log if isinstance(entry, KaboumTurnEnded)] == [()]


@pytest.mark.rule("KA-13", "KA-23")
def test_a_piece_being_eased_into_place_at_the_bell_is_still_in_the_hand() -> None:
    drawn, place = TOWERS[CHAPEL].pieces[2], PLACES[CHAPEL]
    turn = a_turn(hourglass_s=30, assist="snap")
    *_, roof = set_up(turn.world, CHAPEL)
    builder = turn.state.builder
    turn.world.put(roof, (place.x * MM + 0.015, place.y * MM, drawn.z * MM + 0.012))
    turn.act(builder, Grab(roof))
    run(turn, 30 - 3 / TICKS_A_SECOND)
    turn.act(builder, Release())
    assert turn.world.held == roof
    log = run(turn, 1.0)
    assert [entry.scored for entry in log if isinstance(entry, KaboumTurnEnded)] == [()]


@pytest.mark.rule("KA-13", "KA-22")
def test_what_falls_in_that_half_second_never_stood() -> None:
    turn = a_turn(hourglass_s=30)
    run(turn, 29.8)
    *_, roof = set_up(turn.world, CHAPEL)
    run(turn, 0.3)
    turn.world.push(roof, np.array((1.0, 0, 0.5)), np.zeros(3))
    assert [type(entry) for entry in run(turn, 1.0)] == [KaboumTurnEnded]


@pytest.mark.rule("KA-23")
def test_snap_eases_a_piece_into_its_place() -> None:
    drawn = TOWERS[CHAPEL].pieces
    place = PLACES[CHAPEL]
    off = {}
    for assist in ("snap", "guide"):
        turn = a_turn(assist=assist)
        *_, roof = set_up(turn.world, CHAPEL)
        turn.world.put(roof, (0.3, 0.3, 11 * MM))
        run(turn, 0.5)
        builder = turn.state.builder
        turn.act(builder, Grab(roof))
        x, y, z = place.x * MM, place.y * MM, drawn[2].z * MM
        turn.act(builder, Carry((x, y, z + 0.05), UPRIGHT))
        run(turn, 2.0)
        turn.act(builder, Carry((x + 9 * MM, y + 6 * MM, z + 8 * MM), (0.99, 0, 0, 0.1)))
        run(turn, 1.0)
        turn.act(builder, Release())
        log = run(turn, 2.5)
        off[assist] = float(np.hypot(turn.world.poses[roof, 0] - x, turn.world.poses[roof, 1] - y))
        assert (Completed(CHAPEL) in log) == (assist == "snap")
        assert turn.world.held is None
    assert off["snap"] < 2 * MM < off["guide"]


def test_a_broken_world_ends_the_turn_cleanly() -> None:
    turn = a_turn()
    turn.world.put(5, (float("nan"), 0.0, 0.0))
    assert turn.step() == [TurnBroken(1)]
    assert turn.over
    assert not turn.state.running


def test_the_same_inputs_give_the_same_turn() -> None:
    def whole(seed: int) -> tuple[list[Entry], bytes]:
        turn = a_turn(hourglass_s=30, seed=seed)
        players = {seat: player("adept", seat, turn.state, seed) for seat in range(3)}
        return play_turn(turn, players), turn.world.poses.tobytes()

    first = whole(5)
    assert len(first[0]) > 10
    assert whole(5) == first


@pytest.mark.rule("KA-21")
@pytest.mark.parametrize("tile", range(26))
def test_the_hand_puts_up_every_tower_piece_by_piece(tile: int) -> None:
    turn = a_turn(tiles=(tile,), hourglass_s=180)
    steady = SKILLS["master"]._replace(position_error=0.0005, angle_error=0.005, pause=0.1)
    players = {turn.state.builder: Builder(steady, Random(tile))}
    log: list[Entry] = []
    while not turn.over and Completed(tile) not in log:
        for seat, hand in players.items():
            for asked in hand.inputs(turn):
                turn.act(seat, asked)
        log += turn.step()
    assert Completed(tile) in log


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b'{"move":"carry","to":[0,0],"turn":[1,0,0,0]}',
        b'{"move":"carry","to":[0,0,9],"turn":[1,0,0,0]}',
        b'{"move":"carry","to":[0,0,1e999],"turn":[1,0,0,0]}',
        b'{"move":"carry","to":[0,0,0],"turn":[0,0,0,0]}',
        b'{"move":"aim","at":2,"yaw":0,"pitch":0,"power":0}',
        b'{"move":"aim","at":0.5,"yaw":0,"pitch":0,"power":0,"more":1}',
        b'{"move":"grab","piece":16}',
        b'{"move":"flip"}',
        b'{"move":"strike","at":0.5,"power":1}',
        b"[" * 5000,
    ],
)
def test_what_is_no_input_is_refused(text: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        read_input(text)


def test_options_reach_the_world() -> None:
    assert KaboumOptions(physics="real").physics == "real"
    slides = {}
    for physics in ("board", "real"):
        turn = a_turn(physics=physics)
        run(turn, 0.3)
        turn.world.push(0, np.array((0.5, 0.3, 0)), np.zeros(3))
        start = turn.world.poses[0, 0]
        run(turn, 2.0)
        slides[physics] = turn.world.poses[0, 0] - start
    assert slides["real"] > slides["board"] > 0
