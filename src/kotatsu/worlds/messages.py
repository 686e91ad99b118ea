"""The messages between the server and a worker process of worlds: length-prefixed MessagePack over pipes."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.engine.realtime import WorldFrame

LENGTH = struct.Struct("<I")
"""The prefix of every message: the length of its body in bytes."""


class WorldRequest(msgspec.Struct, frozen=True, tag=True):
    """A message to the world of a ``table``."""

    table: str


class OpenTurn(WorldRequest, frozen=True):
    """Begin a turn of a ``game`` from its ``setting`` (``RealTime.setting``), dropping the present one."""

    game: str
    setting: bytes


class PlayerInput(WorldRequest, frozen=True):
    """A player's input for a seat: JSON as the browser sent it."""

    seat: Seat
    text: bytes


class BotsSeated(WorldRequest, frozen=True):
    """From now on bots of these levels play these seats, people the others."""

    levels: dict[Seat, str]


class PauseTurn(WorldRequest, frozen=True):
    """Let the turn's time stand still, or run again."""

    paused: bool


class CloseTurn(WorldRequest, frozen=True):
    """Drop the turn."""


class WorldReply(msgspec.Struct, frozen=True, tag=True):
    """A message from the world of a ``table``."""

    table: str


class FrameReported(WorldReply, frozen=True):
    """What moved since the last frame."""

    look: WorldFrame


class EntriesReported(WorldReply, frozen=True):
    """Entries for the table's log, a JSON array.

    The last ones of a turn come with its recorded ``motion``.
    """

    entries: bytes
    motion: bytes | None = None


class InputRejected(WorldReply, frozen=True):
    """A player's input was not carried out; ``clause`` is the rule that forbids it."""

    seat: Seat
    clause: str
    message: str


class TurnFailed(WorldReply, frozen=True):
    """The world raised an unexpected exception; the turn is lost."""

    reason: str


AnyRequestToWorld = OpenTurn | PlayerInput | BotsSeated | PauseTurn | CloseTurn
AnyReplyFromWorld = FrameReported | EntriesReported | InputRejected | TurnFailed

_encode = msgspec.msgpack.Encoder().encode
request_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(AnyRequestToWorld)
reply_decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(AnyReplyFromWorld)


def encode_message(message: WorldRequest | WorldReply) -> bytes:
    """Return a message as bytes, with its length in front."""
    body = _encode(message)
    return LENGTH.pack(len(body)) + body
