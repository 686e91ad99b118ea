"""What Python says of the rail, of flights, of tiles and of frames, for the browser's tests to say the same.

``python -m kotatsu.games.kaboum.tests.samples`` writes ``web/testing/samples.json``; a test says when it is stale.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from math import cos, pi, sin, sqrt
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from kotatsu.games.kaboum.codec import Motion, Poses, read_frame, read_motion
from kotatsu.games.kaboum.inputs import Aim
from kotatsu.games.kaboum.rail import GRAVITY, LAUNCH_HEIGHT, rail_place, speed
from kotatsu.games.kaboum.referee import Referee
from kotatsu.games.kaboum.world.turning import Vector
from kotatsu.games.kaboum.world.world import World

FILE = Path(__file__).parents[1] / "web/testing/samples.json"
DIGITS = 9
LAYOUT = tuple(range(25))


def samples() -> dict[str, Any]:
    """All of them, as plain values."""
    motion = _motion()
    return {
        "rail": [_rounded((at / 40, *rail_place(at / 40))) for at in range(-4, 45)],
        "flights": [*_flights()],
        "tiles": [*_tiles()],
        "motion": b64encode(motion).decode(),
        "frames": [_frame(frame) for frame in read_motion(motion)],
    }


def frames_of(taken: dict[str, Any]) -> list[bytes]:
    """The frames of a sample's motion."""
    return [*read_motion(b64decode(taken["motion"]))]


def _flights() -> list[dict[str, Any]]:
    """Where a die in still air comes down on the table."""
    flights = []
    for at, yaw, pitch, power in (
        (0.1, 1.5, 0.0, 1.0),
        (0.3, 2.5, 0.7, 0.12),
        (0.62, -1.2, 0.6, 0.5),
        (0.62, -1.2, 0.8, 1.0),
        (0.9, 0.3, 1.35, 0.75),
    ):
        x, y = rail_place(at)
        fast = speed(power)
        up = fast * sin(pitch)
        seconds = (up + sqrt(up * up + 2 * GRAVITY * LAUNCH_HEIGHT)) / GRAVITY
        along = fast * cos(pitch) * seconds
        lands = _rounded((x + along * cos(yaw), y + along * sin(yaw)))
        flights.append({"at": at, "yaw": yaw, "pitch": pitch, "power": power, "lands": lands})
    return flights


def _tiles() -> list[dict[str, Any]]:
    """Which tile is under a point of the table when tile number i lies at place i."""
    referee, chance = Referee(LAYOUT, range(26)), Random(1)
    points = [(chance.uniform(-0.32, 0.32), chance.uniform(-0.27, 0.27)) for _ in range(60)]
    return [{"at": _rounded(point), "tile": referee.tile_at(*_rounded(point))} for point in points]


def _motion() -> bytes:
    """A few frames with everything in them: a piece in hand with its ghost, catapults, turned and far-off bodies."""
    world, poses, motion = World(), Poses(), Motion()
    world.put(3, (0.1, -0.2, 0.03), (0.5, 0.5, -0.5, 0.5))
    world.put(20, (0.7, 0.79, 0.1), (0.1, -0.7, 0.7, 0.1))
    ghost = np.array((0.09, -0.09, 0.03, 0.0, 0.0, 0.0, 1.0))
    looks: tuple[tuple[int, int | None, float, list[tuple[int, Aim, float]], Vector | None], ...] = (
        (0, None, 60.0, [], None),
        (2, 3, 59.97, [(1, Aim(0.25, -pi / 2, 0.7, 0.5, big=True), 1.5)], ghost),
        (4, 3, 59.93, [(1, Aim(0.25, 3.0, 1.4, 1.0), 0.0)], None),
    )
    for number, (tick, held, left, aims, place) in enumerate(looks):
        world.put(5, (0.01 * number, -0.3, 0.2), (1.0, 0.0, 0.0, 0.0))
        look = poses.look(tick, world.poses, held, left, aims, place)
        motion.keep(look.header + b"".join(look.parts.values()))
    return motion.stored()


def _frame(data: bytes) -> dict[str, Any]:
    frame = read_frame(data)
    return {
        "tick": frame.header.tick,
        "held": frame.header.held,
        "left": frame.header.seconds_left,
        "bodies": [{"body": body, "pose": _rounded(pose)} for body, pose in frame.bodies.items()],
        "aims": [
            {
                "seat": seat,
                "aim": _rounded((aim.at, aim.yaw, aim.pitch, aim.power)),
                "big": aim.big,
                "in": left,
            }
            for seat, (aim, left) in frame.aims.items()
        ],
        "ghost": None if frame.ghost is None else _rounded(frame.ghost),
    }


def _rounded(values: tuple[float, ...]) -> list[float]:
    return [round(value, DIGITS) + 0.0 for value in values]


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.encode(samples()) + b"\n")
