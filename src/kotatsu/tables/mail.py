"""What can be in a table's mailbox. ``at`` is when it arrived, in seconds of the event loop's clock."""

from __future__ import annotations

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Deadline, Move, Seat
from kotatsu.protocol.messages import Command
from kotatsu.races.freeze import Freeze
from kotatsu.store.contract import Persona


class CommandReceived(msgspec.Struct, frozen=True):
    """A browser sent a command."""

    connection: TableConnection
    command: Command
    at: float


class BotMoved(msgspec.Struct, frozen=True):
    """A bot made a move; ``seq`` is the last step it knew, ``seconds`` how long it wants to have thought."""

    seat: Seat
    move: Move
    seq: int
    at: float
    seconds: float = 0.0


class DeadlinePassed(msgspec.Struct, frozen=True):
    """The table's timer reached this deadline."""

    deadline: Deadline
    at: float


class RulingDue(msgspec.Struct, frozen=True):
    """The race of this freeze can be decided: no earlier press can arrive any more."""

    freeze: Freeze


class PersonaChanged(msgspec.Struct, frozen=True):
    """A visitor changed their name or avatar."""

    visitor: str
    persona: Persona


class PlayerReturned(msgspec.Struct, frozen=True):
    """A visitor for whom a bot plays has connected again."""

    visitor: str


class TableChanged(msgspec.Struct, frozen=True):
    """The table was changed in the store by somebody else than the table itself."""


class WorldReported(msgspec.Struct, frozen=True):
    """The table's world reports entries for the log, a JSON array."""

    entries: bytes


class MoveFailed(msgspec.Struct, frozen=True):
    """A move could not be committed or broadcast: the log has to be read again."""

    asked: CommandReceived


RaceMail = CommandReceived | BotMoved | DeadlinePassed
"""What may have to wait for a race to be decided."""

Mail = RaceMail | RulingDue | PersonaChanged | PlayerReturned | TableChanged | WorldReported | MoveFailed
