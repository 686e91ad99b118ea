"""What a house must not forget, and the one way to write it down.

A store keeps each table's log, step by step, and who made and holds what. It knows
no rules: entries are JSON it never opens. When an awaited write returns, it is on disk.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

Status = Literal["gathering", "playing", "over"]
SeatKind = Literal["open", "person", "bot"]


class StoreError(Exception):
    """Something could not be read or written; nothing of that one write was kept."""


class SeqTaken(StoreError):
    """Somebody else has already written that step of the table."""


class TooManyTables(StoreError):
    """A visitor has begun too many tables lately and finished too few."""


class DataUnusable(StoreError, OSError):
    """The place for the data cannot be used; the message says why."""


class LoggedStep(msgspec.Struct, frozen=True):
    """One row of a table's log: an accepted move, an expiry or the setup, with the facts it brought.

    ``entries`` is a JSON array in the format of a record's log. The setup is ``seq`` 1.
    """

    seq: int
    at: float
    entries: bytes
    seat: int | None = None
    command_id: str | None = None


class StoredSeat(msgspec.Struct, frozen=True):
    """Who sits in one seat."""

    kind: SeatKind = "open"
    visitor: str | None = None
    name: str = ""
    level: str | None = None


class StoredTable(msgspec.Struct, frozen=True):
    """A table without its log. ``updated`` is the time of its last step or change of seats."""

    id: str
    game: str
    host: str
    created: float
    updated: float
    seats: tuple[StoredSeat, ...]
    options: dict[str, Any] = {}
    status: Status = "gathering"
    result: dict[str, Any] | None = None

    @property
    def players(self) -> int:
        """How many seats it has."""
        return len(self.seats)


class Change(msgspec.Struct, frozen=True):
    """What else becomes true of a table together with a step; ``None`` leaves a thing as it is."""

    status: Status | None = None
    seats: tuple[StoredSeat, ...] | None = None
    result: dict[str, Any] | None = None


class Store(Protocol):
    """The durable log and the house's memory."""

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        """Write a new table down.

        Raises:
            TooManyTables: its host already has ``limit`` unfinished ones created after ``since``.
        """

    async def append(self, table: str, step: LoggedStep, change: Change | None = None) -> None:
        """Add one step to a table's log, and the change that comes with it, or neither.

        Raises:
            SeqTaken: and nothing was written.
        """

    async def seat(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        """Write down who sits where."""

    async def rename(self, visitor: str, name: str, at: float) -> None:
        """Remember a visitor's name, also in the seats they hold at tables that are not over."""

    async def name_of(self, visitor: str) -> str:
        """A visitor's name; empty if they never chose one."""

    async def table(self, table: str) -> StoredTable | None:
        """One table, or ``None`` if there is none of that id."""

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        """The tables a visitor made or sits at, the one that moved last first."""

    async def steps(self, table: str) -> list[LoggedStep]:
        """A table's whole log in order."""

    async def close(self) -> None:
        """Write what is queued and let go; further calls fail."""
