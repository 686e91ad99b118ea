"""What a server and the process its worlds run in say to each other: length-prefixed MessagePack over pipes."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.engine.realtime import WorldFrame

LENGTH = struct.Struct("<I")


class WorldRequest(msgspec.Struct, frozen=True, tag=True):
    """Said to a world; ``table`` says to which."""

    table: str


class OpenTurn(WorldRequest, frozen=True):
    """Begin a turn of a game; a turn of this table that is under way is dropped."""

    game: str
    setting: bytes


class PlayerInput(WorldRequest, frozen=True):
    """A player does something."""

    seat: Seat
    text: bytes


class BotsSeated(WorldRequest, frozen=True):
    """Others play from now on: bots of these levels in these seats, people in the rest."""

    levels: dict[Seat, str]


class PauseTurn(WorldRequest, frozen=True):
    """Nobody is looking: time stands still, or goes on again."""

    paused: bool


class CloseTurn(WorldRequest, frozen=True):
    """The turn is not wanted any more."""


class WorldReply(msgspec.Struct, frozen=True, tag=True):
    """Said by a world."""

    table: str


class FrameReported(WorldReply, frozen=True):
    """How it looks now."""

    look: WorldFrame


class EntriesReported(WorldReply, frozen=True):
    """What belongs into the log: a JSON array of entries. With the last of a turn comes its motion."""

    entries: bytes
    motion: bytes | None = None


class InputRejected(WorldReply, frozen=True):
    """What a player did was not done."""

    seat: Seat
    clause: str
    message: str


class TurnFailed(WorldReply, frozen=True):
    """The world broke down in a way it does not know; the turn is lost."""

    reason: str


AnyRequestToWorld = OpenTurn | PlayerInput | BotsSeated | PauseTurn | CloseTurn
AnyReplyFromWorld = FrameReported | EntriesReported | InputRejected | TurnFailed

_encode = msgspec.msgpack.Encoder().encode
read_request: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(AnyRequestToWorld)
read_reply: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(AnyReplyFromWorld)


def packed(message: WorldRequest | WorldReply) -> bytes:
    """A message with its length in front."""
    body = _encode(message)
    return LENGTH.pack(len(body)) + body
