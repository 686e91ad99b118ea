"""What may lie in a table's mailbox."""

from __future__ import annotations

import msgspec

from kotatsu.engine.contract import Deadline, Move, Seat
from kotatsu.store.contract import Persona
from kotatsu.table.connection import Connection
from kotatsu.table.freeze import Freeze
from kotatsu.table.wire import Command


class Asked(msgspec.Struct, frozen=True):
    """A browser asks for something; it arrived then."""

    connection: Connection
    command: Command
    at: float


class BotMoves(msgspec.Struct, frozen=True):
    """A bot's move, thought of at that ``seq``."""

    seat: Seat
    move: Move
    seq: int
    at: float


class TimeIsUp(msgspec.Struct, frozen=True):
    """A deadline has passed."""

    deadline: Deadline
    at: float


class RulingIsDue(msgspec.Struct, frozen=True):
    """No earlier press can arrive any more."""

    freeze: Freeze


class Introduced(msgspec.Struct, frozen=True):
    """Somebody goes by another name or picture."""

    visitor: str
    persona: Persona


class Returned(msgspec.Struct, frozen=True):
    """Somebody a bot stands in for is back."""

    visitor: str


class Changed(msgspec.Struct, frozen=True):
    """Something of this table was written from outside it."""


class Stated(msgspec.Struct, frozen=True):
    """The world of the table has something for the log, a JSON array of entries."""

    entries: bytes


class Failed(msgspec.Struct, frozen=True):
    """Something went wrong with a move: the log has to be read anew."""

    asked: Asked


InRace = Asked | BotMoves | TimeIsUp
Letter = InRace | RulingIsDue | Introduced | Returned | Changed | Stated | Failed
