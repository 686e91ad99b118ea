"""What a server and the process its worlds run in say to each other: length-prefixed MessagePack over pipes."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.engine.realtime import Look

LENGTH = struct.Struct("<I")


class ToWorld(msgspec.Struct, frozen=True, tag=True):
    """Said to a world; ``table`` says to which."""

    table: str


class Open(ToWorld, frozen=True):
    """Begin a turn of a game; a turn of this table that is under way is dropped."""

    game: str
    setting: bytes


class Act(ToWorld, frozen=True):
    """A player does something."""

    seat: Seat
    text: bytes


class Seated(ToWorld, frozen=True):
    """Others play from now on: bots of these levels in these seats, people in the rest."""

    levels: dict[Seat, str]


class Pause(ToWorld, frozen=True):
    """Nobody is looking: time stands still, or goes on again."""

    paused: bool


class Close(ToWorld, frozen=True):
    """The turn is not wanted any more."""


class FromWorld(msgspec.Struct, frozen=True, tag=True):
    """Said by a world."""

    table: str


class Looked(FromWorld, frozen=True):
    """How it looks now."""

    look: Look


class Happened(FromWorld, frozen=True):
    """What belongs into the log: a JSON array of entries. With the last of a turn comes its motion."""

    entries: bytes
    motion: bytes | None = None


class Refused(FromWorld, frozen=True):
    """What a player did was not done."""

    seat: Seat
    clause: str
    message: str


class Failed(FromWorld, frozen=True):
    """The world broke down in a way it does not know; the turn is lost."""

    reason: str


Said = Open | Act | Seated | Pause | Close
Heard = Looked | Happened | Refused | Failed

_encode = msgspec.msgpack.Encoder().encode
read_said: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(Said)
read_heard: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(Heard)


def packed(message: ToWorld | FromWorld) -> bytes:
    """A message with its length in front."""
    body = _encode(message)
    return LENGTH.pack(len(body)) + body
