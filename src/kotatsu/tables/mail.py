"""What may lie in a table's mailbox."""

from __future__ import annotations

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Deadline, Move, Seat
from kotatsu.protocol.messages import Command
from kotatsu.races.freeze import Freeze
from kotatsu.store.contract import Persona


class CommandReceived(msgspec.Struct, frozen=True):
    """A browser asks for something; it arrived then."""

    connection: TableConnection
    command: Command
    at: float


class BotMoved(msgspec.Struct, frozen=True):
    """A bot's move, thought of at that ``seq``."""

    seat: Seat
    move: Move
    seq: int
    at: float


class DeadlinePassed(msgspec.Struct, frozen=True):
    """A deadline has passed."""

    deadline: Deadline
    at: float


class RulingDue(msgspec.Struct, frozen=True):
    """No earlier press can arrive any more."""

    freeze: Freeze


class PersonaChanged(msgspec.Struct, frozen=True):
    """Somebody goes by another name or picture."""

    visitor: str
    persona: Persona


class PlayerReturned(msgspec.Struct, frozen=True):
    """Somebody a bot stands in for is back."""

    visitor: str


class TableChanged(msgspec.Struct, frozen=True):
    """Something of this table was written from outside it."""


class WorldReported(msgspec.Struct, frozen=True):
    """The world of the table has something for the log, a JSON array of entries."""

    entries: bytes


class MoveFailed(msgspec.Struct, frozen=True):
    """Something went wrong with a move: the log has to be read anew."""

    asked: CommandReceived


RaceMail = CommandReceived | BotMoved | DeadlinePassed
Mail = RaceMail | RulingDue | PersonaChanged | PlayerReturned | TableChanged | WorldReported | MoveFailed
