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
"""The kind of a frame, its first byte; there is one kind so far."""
NO_PIECE = 255
"""In place of a piece's number: the hand is empty."""
AIM = 128
"""The first byte of an aim is this plus the seat."""
GHOST = 192
"""The first byte of a ghost is this or more."""
BODY_STRIDE = 32
"""The first byte of a body is its number plus this for each place of the left-out part."""
GHOST_STRIDE = 16
"""The same for a ghost."""
STEP_M = 0.000025
"""The unit of positions, in metres (1/40 mm).

An i16 then reaches 0.82 m from the middle of the table, which has 0.6 m to its edge; what is further out is
shown there.
"""
MIN_MOVE = 0.0001
"""A body is sent again when a coordinate has changed by this much, in metres.

Chosen by hand, as the next one: too small to be seen.
"""
MIN_TURN = 0.0005
"""A body is sent again when a part of its quaternion has changed by this much, which is 0.06°."""
# the layouts described at the top
_HEADER = struct.Struct("<BBHI")
_BODY = struct.Struct("<B6h")
_AIM = struct.Struct("<BHhhHBBH")
HEADER_SIZE = _HEADER.size
"""The size of the header, in bytes."""
CHUNK = _BODY.size
"""The size of every chunk, in bytes."""
MAGIC = b"KABOUM1\0"
"""How a stored motion begins: a name and its version."""
NOWHERE_BELOW = -0.7
"""A ghost lower than this, in metres, is not to be shown: far below the table. Chosen by hand."""
_NOWHERE = np.array((0.0, 0.0, NOWHERE_BELOW - 0.1, 1.0, 0.0, 0.0, 0.0))
"""The pose of a ghost that is not to be shown."""


class Header(NamedTuple):
    """What a frame says about the turn as a whole.

    Attributes:
        tick: The tick of the world, 60 a second.
        held: The piece in the builder's hand; ``None`` if it is empty.
        seconds_left: What is left in the hourglass.
    """

    tick: int
    held: int | None
    seconds_left: float


class Frame(NamedTuple):
    """A frame that has been read.

    Attributes:
        header: What it says about the turn.
        bodies: By the body's number, its position in metres and its quaternion (x, y, z, w, i, j, k).
        aims: By the seat, its aim and the seconds until its catapult is loaded.
        ghost: Where the piece in hand belongs, as a body; ``None`` if the frame does not say.
    """

    header: Header
    bodies: dict[int, tuple[float, ...]]
    aims: dict[Seat, tuple[Aim, float]]
    ghost: tuple[float, ...] | None = None


def body_chunk(body: int, pose: NDArray[np.float64]) -> bytes:
    """One body's pose as a chunk.

    Args:
        body: Its number: pieces 0 to 15, dice 16 to 25.
        pose: Position in metres and quaternion (w, x, y, z), 7 floats.
    """
    return _pose_chunk(body, BODY_STRIDE, pose)


def ghost_chunk(pose: NDArray[np.float64] | None) -> bytes:
    """Where the piece in hand belongs, as a chunk; ``None`` where no tower wants it."""
    return _pose_chunk(GHOST, GHOST_STRIDE, _NOWHERE if pose is None else pose)


def aim_chunk(seat: Seat, aim: Aim, loaded_in: float) -> bytes:
    """One catapult's aim as a chunk.

    Args:
        seat: Whose catapult it is.
        aim: How it is set.
        loaded_in: Seconds until it is loaded.
    """
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
    """The first bytes of a frame.

    Args:
        tick: The tick of the world.
        held: The piece in hand, or ``None``.
        seconds_left: What is left in the hourglass.
    """
    return _HEADER.pack(
        FRAME, NO_PIECE if held is None else held, min(65535, round(seconds_left * 100)), tick
    )


def read_frame(data: bytes) -> Frame:
    """Read a frame.

    Raises:
        ValueError: These bytes are not a frame.
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
            ghost = (x * STEP_M, y * STEP_M, z * STEP_M, *_with_largest((who - GHOST) // GHOST_STRIDE, parts))
        elif data[at] >= AIM:
            seat, place, yaw, pitch, power, big, _, loaded = _AIM.unpack_from(data, at)
            aim = Aim(place / 65535, yaw / 32767 * pi, pitch / 32767 * pi, power / 65535, bool(big))
            aims[seat - AIM] = aim, loaded / 1000
        else:
            who, x, y, z, *parts = _BODY.unpack_from(data, at)
            turn = _with_largest(who // BODY_STRIDE, parts)
            bodies[who % BODY_STRIDE] = (x * STEP_M, y * STEP_M, z * STEP_M, *turn)
    return Frame(Header(tick, None if held == NO_PIECE else held, left / 100), bodies, aims, ghost)


class Poses:
    """What was sent of a world so far, so that the next frame has only what changed."""

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
        """What changed since the last call.

        Args:
            tick: The tick of the world.
            poses: float64 of shape (26, 7), positions in metres and quaternions (w, x, y, z).
            held: The piece in hand, or ``None``.
            seconds_left: What is left in the hourglass.
            aims: For each catapult that was aimed: its seat, its aim, and the seconds until it is loaded.
            ghost: Where the piece in hand belongs (7 floats), or ``None``.

        Returns:
            The header and the chunks that changed: bodies under their number, aims under ``AIM`` plus the
                seat, the
            ghost under ``GHOST``.
        """
        off = np.abs(poses - self._shown)
        moved = ~((off[:, :3].max(axis=1) < MIN_MOVE) & (off[:, 3:].max(axis=1) < MIN_TURN))
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
    """KA-33: the frames of a turn, kept for its replay."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []

    def keep(self, frame: bytes) -> None:
        """Add one frame."""
        self._frames.append(frame)

    def stored(self) -> bytes:
        """All frames, compressed: ``MAGIC``, then zlib; inside, each frame after its length as u16."""
        body = b"".join(struct.pack("<H", len(frame)) + frame for frame in self._frames)
        return MAGIC + zlib.compress(body, 9)


def read_motion(data: bytes, max_size: int = 1 << 24) -> Iterator[bytes]:
    """Read the frames of a stored turn.

    Args:
        data: What ``Motion.stored`` returned.
        max_size: The most bytes to decompress, against data that unpacks to gigabytes. The default is nine
            times what a turn of 180 s has if everything moves all the time.

    Raises:
        ValueError: These bytes are not a motion.
    """
    if not data.startswith(MAGIC):
        raise ValueError("this is no motion of Kaboum")
    try:
        body = zlib.decompressobj().decompress(data[len(MAGIC) :], max_size)
    except zlib.error as error:
        raise ValueError(f"this motion is damaged: {error}") from None
    at = 0
    while at + 2 <= len(body):
        (size,) = struct.unpack_from("<H", body, at)
        yield body[at + 2 : at + 2 + size]
        at += 2 + size


def _pose_chunk(number: int, scale: int, pose: NDArray[np.float64]) -> bytes:
    """A pose as a chunk.

    Its first byte is ``number`` plus ``scale`` times the index of the left-out part of the quaternion.
    """
    quaternion = pose[3:]
    largest = int(np.argmax(np.abs(quaternion)))
    sign = -1.0 if quaternion[largest] < 0 else 1.0
    parts = [_i16(sign * quaternion[i] * 32767 * sqrt(2)) for i in range(4) if i != largest]
    return _BODY.pack(number + scale * largest, *(_i16(pose[i] / STEP_M) for i in range(3)), *parts)


def _i16(value: float) -> int:
    """Round to an i16 and clip; 0 for what is not a number."""
    return max(-32767, min(32767, round(value))) if value == value else 0


def _with_largest(largest: int, parts: list[int]) -> tuple[float, ...]:
    """A whole quaternion from its three smaller parts and the index of the left-out one."""
    small = [part / 32767 / sqrt(2) for part in parts]
    left = sqrt(max(0.0, 1.0 - sum(part * part for part in small)))
    small.insert(largest, left)
    return tuple(small)
