"""Frames: small, exact enough, and complete for whoever missed some."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotatsu.engine.realtime import WorldFrame
from kotatsu.games.kaboum.codec import CHUNK, Motion, Poses, body_chunk, header, read_frame, read_motion
from kotatsu.games.kaboum.inputs import Aim
from kotatsu.games.kaboum.world.scene import BODIES
from kotatsu.games.kaboum.world.world import World

HEADER = len(header(0, None, 0.0))
coordinate = st.floats(-0.79, 0.79)
component = st.floats(-1, 1)


def bodies() -> np.ndarray:
    return World().poses.copy()


@given(
    st.integers(0, BODIES - 1),
    st.tuples(coordinate, coordinate, coordinate),
    st.tuples(component, component, component, component).filter(lambda q: np.linalg.norm(q) > 0.1),
)
@settings(max_examples=200)
def test_a_pose_survives_to_a_fortieth_of_a_millimetre(
    body: int, at: tuple[float, ...], turn: tuple[float, ...]
) -> None:
    unit = np.array(turn) / np.linalg.norm(turn)
    frame = read_frame(header(7, 3, 12.5) + body_chunk(body, np.array((*at, *unit))))
    (read,) = frame.bodies.values()
    assert list(frame.bodies) == [body]
    assert np.abs(np.array(read[:3]) - at).max() < 0.000026
    assert abs(np.array(read[3:]) @ unit) > 0.9999999
    assert frame.header == (7, 3, 12.5)


@pytest.mark.parametrize("value", [5.0, -5.0, 1e9, float("nan")])
def test_what_is_far_out_is_shown_at_the_rim(value: float) -> None:
    frame = read_frame(header(0, None, 0) + body_chunk(0, np.array((value, 0, 0, 1.0, 0, 0, 0))))
    assert abs(frame.bodies[0][0]) <= 0.82


def frame(look: WorldFrame) -> bytes:
    return look.header + b"".join(look.parts.values())


def test_only_what_moved_is_sent() -> None:
    poses, world = Poses(), bodies()
    assert len(read_frame(frame(poses.look(1, world, None, 60.0, []))).bodies) == BODIES
    world[3, 0] += 0.01
    world[9, 0] += 0.00005
    look = poses.look(2, world, None, 60.0, [])
    assert list(look.parts) == [3]
    assert list(read_frame(frame(look)).bodies) == [3]
    assert len(frame(look)) == HEADER + CHUNK
    assert poses.look(3, world, None, 60.0, []).parts == {}


def test_slow_drift_is_sent_in_the_end() -> None:
    poses, world, shown = Poses(), bodies(), 0.0
    for tick in range(12):
        read = read_frame(frame(poses.look(tick, world, None, 60.0, [])))
        shown = read.bodies[3][0] if 3 in read.bodies else shown
        assert abs(shown - world[3, 0]) < 0.00013
        world[3, 0] += 0.00003


def test_aims_travel_when_they_change() -> None:
    poses, world = Poses(), bodies()
    aim = Aim(0.25, -1.0, 0.5, 0.75, big=True)
    look = poses.look(1, world, None, 60.0, [(2, aim, 1.5)])
    read, loaded = read_frame(frame(look)).aims[2]
    assert (read.at, read.yaw, read.pitch, read.power) == pytest.approx((0.25, -1.0, 0.5, 0.75), abs=1e-3)
    assert (read.big, loaded) == (True, 1.5)
    assert not poses.look(2, world, None, 60.0, [(2, aim, 1.5)]).parts


@pytest.mark.rule("KA-23")
def test_the_ghost_travels_when_it_changes() -> None:
    poses, world = Poses(), bodies()
    assert read_frame(frame(poses.look(1, world, 3, 60.0, [], None))).ghost is None
    there = np.array((0.1, -0.2, 0.03, 0.6, 0.0, 0.0, -0.8))
    shown = read_frame(frame(poses.look(2, world, 3, 60.0, [], there))).ghost
    assert shown is not None
    assert shown[:3] == pytest.approx(there[:3], abs=1e-4)
    assert abs(np.array(shown[3:]) @ there[3:]) > 0.99999
    assert not poses.look(3, world, 3, 60.0, [], there).parts
    gone = read_frame(frame(poses.look(4, world, None, 60.0, [], None))).ghost
    assert gone is not None
    assert gone[2] < -0.7


@pytest.mark.rule("KA-33")
def test_a_turn_is_kept_small_and_read_again() -> None:
    motion, poses, world = Motion(), Poses(), World()
    frames = []
    world.grab(0)
    for tick in range(120):
        world.carry((0.002 * tick, 0.0, 0.1), (1, 0, 0, 0))
        world.step()
        frames.append(frame(poses.look(tick, world.poses, world.held, 60.0, [])))
        motion.keep(frames[-1])
    stored = motion.stored()
    assert list(read_motion(stored)) == frames
    assert len(stored) < sum(map(len, frames))


@pytest.mark.parametrize(
    "data", [b"", b"\x01", b"\x02" * 8, header(0, None, 0) + b"\0", header(0, None, 0)[:-1]]
)
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="frame"):
        read_frame(data)


@pytest.mark.parametrize("data", [b"", b"KABOUM0\0abc", b"KABOUM1\0abc"])
def test_what_is_no_motion_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="motion"):
        list(read_motion(data))
