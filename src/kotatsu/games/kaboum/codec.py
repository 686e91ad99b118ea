"""Poses on the wire and in storage: small binary frames of what moved.

A frame is a header and any number of chunks of 13 bytes, all little-endian:

    header   u8 kind (1), u8 piece in hand (255: none), u16 hundredths of a second left, u32 tick
    chunk    u8 who, then 12 bytes
      body   who = body + 32 × (index of the quaternion's left-out part);
             3 × i16 position (1/40 mm), 3 × i16 quaternion parts (1/32767 of √½), the left-out one being
             the largest and not below 0
      ghost  who = 192 + 16 × (index of the left-out part), then as a body: where the piece in hand belongs;
             far below the table: nowhere in particular
      aim    who = 128 + seat; u16 at, i16 yaw, i16 pitch, u16 power (each of full scale), u8 large die, u8 0,
             u16 milliseconds until it is loaded

``docs/kaboum.md`` says how a browser reads it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kotatsu.engine.contract import Seat
from kotatsu.engine.realtime import WorldFrame
from kotatsu.games.kaboum.inputs import Aim
from kotatsu.games.kaboum.world.scene import BODIES

FRAME = 1
NOBODY = 255
AIM = 128
GHOST = 192
BODY_STRIDE = 32
GHOST_STRIDE = 16
"""What ``who`` is more for each place of the left-out part."""
STEP = 0.000025
"""A position's unit in metres; what is further than 0.8 m out is shown at 0.8 m."""
MOVED = 0.0001
TURNED = 0.0005
"""What counts as having moved since it was last sent: metres, and parts of a quaternion."""
_HEADER = struct.Struct("<BBHI")
_BODY = struct.Struct("<B6h")
_AIM = struct.Struct("<BHhhHBBH")
CHUNK = _BODY.size
HEADER_SIZE = _HEADER.size
MAGIC = b"KABOUM1\0"
NOWHERE_BELOW = -0.7
"""A ghost lower than this, in metres, is nowhere in particular."""
_NOWHERE = np.array((0.0, 0.0, NOWHERE_BELOW - 0.1, 1.0, 0.0, 0.0, 0.0))


class Header(NamedTuple):
    """What a frame says about the turn as a whole."""

    tick: int
    held: int | None
    seconds_left: float


class Frame(NamedTuple):
    """A frame, read: bodies as position and quaternion, aims with the seconds until they are loaded."""

    header: Header
    bodies: dict[int, tuple[float, ...]]
    aims: dict[Seat, tuple[Aim, float]]
    ghost: tuple[float, ...] | None = None


def body_chunk(body: int, pose: NDArray[np.float64]) -> bytes:
    """One body's pose."""
    return _posed(body, BODY_STRIDE, pose)


def ghost_chunk(pose: NDArray[np.float64] | None) -> bytes:
    """Where the piece in hand belongs; ``None``: it is over no tower that wants it."""
    return _posed(GHOST, GHOST_STRIDE, _NOWHERE if pose is None else pose)


def aim_chunk(seat: Seat, aim: Aim, loaded_in: float) -> bytes:
    """One catapult's aim."""
    return _AIM.pack(
        AIM + seat,
        round(aim.at * 65535),
        _i16(aim.yaw / pi * 32767),
        _i16(aim.pitch / pi * 32767),
        round(aim.power * 65535),
        aim.big,
        0,
        min(65535, round(loaded_in * 1000)),
    )


def header(tick: int, held: int | None, seconds_left: float) -> bytes:
    """The beginning of a frame."""
    return _HEADER.pack(FRAME, NOBODY if held is None else held, min(65535, round(seconds_left * 100)), tick)


def read_frame(data: bytes) -> Frame:
    """The inverse.

    Raises:
        ValueError: these bytes are no frame.
    """
    if len(data) < _HEADER.size or (len(data) - _HEADER.size) % CHUNK:
        raise ValueError("a frame is a header and whole chunks")
    kind, held, left, tick = _HEADER.unpack_from(data)
    if kind != FRAME:
        raise ValueError(f"there is no frame of kind {kind}")
    bodies: dict[int, tuple[float, ...]] = {}
    aims: dict[Seat, tuple[Aim, float]] = {}
    ghost: tuple[float, ...] | None = None
    for at in range(_HEADER.size, len(data), CHUNK):
        if data[at] >= GHOST:
            who, x, y, z, *parts = _BODY.unpack_from(data, at)
            ghost = (x * STEP, y * STEP, z * STEP, *_whole((who - GHOST) // GHOST_STRIDE, parts))
        elif data[at] >= AIM:
            seat, place, yaw, pitch, power, big, _, loaded = _AIM.unpack_from(data, at)
            aim = Aim(place / 65535, yaw / 32767 * pi, pitch / 32767 * pi, power / 65535, bool(big))
            aims[seat - AIM] = aim, loaded / 1000
        else:
            who, x, y, z, *parts = _BODY.unpack_from(data, at)
            bodies[who % BODY_STRIDE] = (x * STEP, y * STEP, z * STEP, *_whole(who // BODY_STRIDE, parts))
    return Frame(Header(tick, None if held == NOBODY else held, left / 100), bodies, aims, ghost)


class Poses:
    """What has been shown of a world, so that the next look has only what moved since."""

    def __init__(self) -> None:
        self._shown = np.full((BODIES, 7), np.nan)
        self._aims: dict[Seat, bytes] = {}
        self._ghost = ghost_chunk(None)

    def look(
        self,
        tick: int,
        poses: NDArray[np.float64],
        held: int | None,
        seconds_left: float,
        aims: Iterable[tuple[Seat, Aim, float]],
        ghost: NDArray[np.float64] | None = None,
    ) -> WorldFrame:
        """What moved since the last look, each body and each catapult under its number."""
        off = np.abs(poses - self._shown)
        moved = ~((off[:, :3].max(axis=1) < MOVED) & (off[:, 3:].max(axis=1) < TURNED))
        parts = {int(body): body_chunk(int(body), poses[body]) for body in np.flatnonzero(moved)}
        self._shown[moved] = poses[moved]
        for seat, aim, loaded_in in aims:
            chunk = aim_chunk(seat, aim, loaded_in)
            if self._aims.get(seat) != chunk:
                self._aims[seat] = parts[AIM + seat] = chunk
        if (chunk := ghost_chunk(ghost)) != self._ghost:
            self._ghost = parts[GHOST] = chunk
        return WorldFrame(tick, header(tick, held, seconds_left), parts)


class Motion:
    """KA-33: a turn's frames, kept for its replay."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []

    def keep(self, frame: bytes) -> None:
        """One more frame."""
        self._frames.append(frame)

    def stored(self) -> bytes:
        """All of it, compressed."""
        body = b"".join(struct.pack("<H", len(frame)) + frame for frame in self._frames)
        return MAGIC + zlib.compress(body, 9)


def read_motion(data: bytes, most: int = 1 << 24) -> Iterator[bytes]:
    """The frames of a stored turn.

    Raises:
        ValueError: these bytes are no motion.
    """
    if not data.startswith(MAGIC):
        raise ValueError("this is no motion of Kaboum")
    try:
        body = zlib.decompressobj().decompress(data[len(MAGIC) :], most)
    except zlib.error as error:
        raise ValueError(f"this motion is damaged: {error}") from None
    at = 0
    while at + 2 <= len(body):
        (size,) = struct.unpack_from("<H", body, at)
        yield body[at + 2 : at + 2 + size]
        at += 2 + size


def _posed(number: int, scale: int, pose: NDArray[np.float64]) -> bytes:
    quaternion = pose[3:]
    largest = int(np.argmax(np.abs(quaternion)))
    sign = -1.0 if quaternion[largest] < 0 else 1.0
    parts = [_i16(sign * quaternion[i] * 32767 * sqrt(2)) for i in range(4) if i != largest]
    return _BODY.pack(number + scale * largest, *(_i16(pose[i] / STEP) for i in range(3)), *parts)


def _i16(value: float) -> int:
    return max(-32767, min(32767, round(value))) if value == value else 0


def _whole(largest: int, parts: list[int]) -> tuple[float, ...]:
    small = [part / 32767 / sqrt(2) for part in parts]
    left = sqrt(max(0.0, 1.0 - sum(part * part for part in small)))
    small.insert(largest, left)
    return tuple(small)
