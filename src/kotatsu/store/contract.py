"""What a house must not forget, and the one way to write it down.

A store keeps each table's log, step by step, and who made and holds what. It knows
no rules: entries are JSON it never opens. When an awaited write returns, it is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, Protocol

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


class LoggedStep(msgspec.Struct, frozen=True, gc=False):
    """One row of a table's log: an accepted move, an expiry or the setup, with the facts it brought.

    ``entries`` is a JSON array in the format of a record's log. The setup is ``seq`` 1.
    """

    seq: int
    at: float
    entries: bytes
    seat: int | None = None
    command_id: str | None = None


class Persona(msgspec.Struct, frozen=True, gc=False):
    """All the house knows of a person: what they chose to be called and to look like."""

    name: str = ""
    avatar: str = ""


def clean_name(name: str) -> str:
    """A name as it is shown: one line, no odd spaces, nothing invisible."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


class StoredSeat(msgspec.Struct, frozen=True, gc=False):
    """Who sits in one seat.

    A person who is a ``guest`` plays on the visitor's device under a name of their own.
    A bot with a ``visitor`` stands in for them until they come back.
    """

    kind: SeatKind = "open"
    visitor: str | None = None
    name: str = ""
    level: str | None = None
    avatar: str = ""
    guest: bool = False


class TableSettings(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a table treats people: what its host decides and the rules of the game do not.

    ``listed``: in the lobby while seats are open. ``watchable``: whoever has the link may look on.
    ``patience``: seconds somebody may be away before a bot is offered for their seat.
    """

    listed: bool = False
    watchable: bool = True
    patience: Annotated[float, msgspec.Meta(ge=10, le=86_400)] = 120.0


class StoredTable(msgspec.Struct, frozen=True, gc=False):
    """A table without its log. ``updated`` is the time of its last step or change of seats.

    ``rematch`` is the table on which the same people play again.
    """

    id: str
    game: str
    host: str
    created: float
    updated: float
    seats: tuple[StoredSeat, ...]
    options: dict[str, Any] = {}
    status: Status = "gathering"
    result: dict[str, Any] | None = None
    settings: TableSettings = TableSettings()
    rematch: str | None = None

    @property
    def players(self) -> int:
        """How many seats it has."""
        return len(self.seats)


class Saying(msgspec.Struct, frozen=True):
    """One thing said at a table; ``number`` rises by one with each. ``seat`` is ``None`` for a spectator."""

    number: int
    at: float
    visitor: str
    name: str
    text: str
    seat: int | None = None


class PlayerRating(msgspec.Struct, frozen=True):
    """How strong somebody seems to be at a game, and how sure of it we are."""

    mu: float
    sigma: float
    games: int = 0


class BlockedPerson(msgspec.Struct, frozen=True):
    """Somebody a visitor wants to hear no more of, by the name they had."""

    number: int
    name: str


class TableChange(msgspec.Struct, frozen=True):
    """What else becomes true of a table together with a step; ``None`` leaves a thing as it is."""

    status: Status | None = None
    seats: tuple[StoredSeat, ...] | None = None
    result: dict[str, Any] | None = None


Written = Callable[[Exception | None], None]
"""Told that something is on disk, or what went wrong."""


class Store(Protocol):
    """The durable log and the house's memory."""

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        """Write a new table down.

        Raises:
            TooManyTables: its host already has ``limit`` unfinished ones created after ``since``.
        """

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        """Add one step to a table's log, and the change that comes with it, or neither.

        Raises:
            SeqTaken: and nothing was written.
        """

    def append_then(self, table: str, step: LoggedStep, change: TableChange | None, then: Written) -> None:
        """As ``append``, with nobody waiting: ``then`` is told, later, and of ``SeqTaken`` too."""

    async def seat(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        """Write down who sits where."""

    async def settings(self, table: str, settings: TableSettings) -> None:
        """Write down what the host has decided."""

    async def introduce(self, visitor: str, persona: Persona, at: float) -> None:
        """Remember what a visitor is called, also in the seats they hold at tables that are not over."""

    async def persona(self, visitor: str) -> Persona:
        """What a visitor chose; nothing if they never did."""

    async def forget(self, visitor: str, stand_in: str) -> None:
        """Delete everything about a visitor. The games of others stay, without their name.

        Where they were playing, a bot of the level ``stand_in`` goes on.
        """

    async def grant(self, code: str, visitor: str, until: float) -> None:
        """A code that lets another device be this visitor, once; it replaces their earlier one."""

    async def redeem(self, code: str, now: float) -> str | None:
        """The visitor a code stands for, which is used up by asking; ``None`` if it stands for nobody."""

    async def table(self, table: str) -> StoredTable | None:
        """One table, or ``None`` if there is none of that id."""

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        """The tables a visitor made or sits at, the one that moved last first."""

    async def listed(self, limit: int = 100) -> list[StoredTable]:
        """The tables in the lobby: listed, gathering, with an open seat; the newest first."""

    async def succeed(self, table: str, rematch: StoredTable) -> StoredTable:
        """Create the rematch of a table, unless there is one already; the one there is."""

    async def steps(self, table: str) -> list[LoggedStep]:
        """A table's whole log in order."""

    async def say(self, table: str, saying: Saying) -> None:
        """Add to what was said at a table.

        Raises:
            SeqTaken: something else has that number.
        """

    async def sayings(self, table: str, limit: int) -> list[Saying]:
        """The last things said at a table, in order."""

    async def block(self, visitor: str, other: str, name: str, at: float) -> None:
        """Remember that a visitor wants to hear no more of another."""

    async def unblock(self, visitor: str, number: int) -> None:
        """Forget one of a visitor's blocks."""

    async def blocks(self, visitor: str) -> list[BlockedPerson]:
        """Whom a visitor has blocked, as they may know it."""

    async def blocked(self, visitor: str) -> frozenset[str]:
        """Whom a visitor has blocked."""

    async def ratings(self, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
        """What is known of some players of a game."""

    async def ratings_of(self, player: str) -> dict[str, PlayerRating]:
        """A player's rating in each game they are rated in."""

    async def rate(self, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
        """Write down the ratings after a game, once for each table."""

    async def unrated(self) -> list[StoredTable]:
        """The finished tables nobody has been rated for, in the order they ended."""

    async def close(self) -> None:
        """Write what is queued and let go; further calls fail."""
