"""The interface of a store (``Store``) and the values it reads and writes.

A store keeps each table's log, step by step, its seats and settings, and what is known about visitors.
It knows no rules: log entries are JSON it never opens. When an awaited write returns, it is on disk.

Times are seconds since 1970. A ``visitor`` is the random id in a browser's cookie, a ``table`` the table's
id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, Protocol

import msgspec

Status = Literal["gathering", "playing", "over"]
SeatKind = Literal["open", "person", "bot"]


class StoreError(Exception):
    """Reading or writing failed; nothing of that one write was kept."""


class SeqTaken(StoreError):
    """That number is already in use: of a step in the table's log, or of a chat message of the table."""


class TooManyTables(StoreError):
    """The visitor has too many recent tables that are not finished."""


class DataUnusable(StoreError, OSError):
    """The data directory or a backup file cannot be used; the message says why."""


class LoggedStep(msgspec.Struct, frozen=True, gc=False):
    """One row of a table's log: the setup, an accepted move or an expired deadline, with the resulting facts.

    ``seq`` counts from 1, the setup, without gaps. ``at`` is when it was written. ``entries`` is a JSON
    array in the format of a record's log (docs/records.md). ``seat`` and ``command_id`` say whose move it
    was and under which id the browser sent it; both are ``None`` where there is none.
    """

    seq: int
    at: float
    entries: bytes
    seat: int | None = None
    command_id: str | None = None


class Persona(msgspec.Struct, frozen=True, gc=False):
    """The name and the avatar a visitor chose; empty strings if they chose none."""

    name: str = ""
    avatar: str = ""


def clean_name(name: str) -> str:
    """Return ``name`` on one line, with single spaces and without unprintable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


class StoredSeat(msgspec.Struct, frozen=True, gc=False):
    """Who sits in one seat.

    ``level`` is the level of a bot, ``None`` for a person or an open seat. A person who is a ``guest``
    plays on the visitor's device under a name of their own. A bot with a ``visitor`` plays for that
    person until they come back.
    """

    kind: SeatKind = "open"
    visitor: str | None = None
    name: str = ""
    level: str | None = None
    avatar: str = ""
    guest: bool = False


class TableSettings(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What the host of a table decides and the rules of the game do not.

    ``listed``: the table is in the lobby while it has open seats. ``watchable``: whoever has the link may
    watch. ``patience``: seconds a player may be disconnected before the others may put a bot on their seat.
    The default of two minutes is chosen by hand: long enough to reload a page or change networks.
    """

    listed: bool = False
    watchable: bool = True
    patience: Annotated[float, msgspec.Meta(ge=10, le=86_400)] = 120.0


class StoredTable(msgspec.Struct, frozen=True, gc=False):
    """A table without its log.

    ``host`` is the visitor who made it, empty once that visitor was deleted. ``updated`` is the time of its
    last step or change of seats. ``result`` is the ``Outcome`` as JSON values once the game is over.
    ``rematch`` is the id of the table at which the same people play again, if there is one.
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
        """The number of seats."""
        return len(self.seats)


class Saying(msgspec.Struct, frozen=True):
    """One chat message; ``number`` counts a table's messages from 1. ``seat`` is ``None`` for a spectator."""

    number: int
    at: float
    visitor: str
    name: str
    text: str
    seat: int | None = None


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's estimated strength at one game, ``mu``, its uncertainty, ``sigma``, and games counted."""

    mu: float
    sigma: float
    games: int = 0


class BlockedPerson(msgspec.Struct, frozen=True):
    """Someone a visitor has blocked, by the name they had then; ``number`` identifies the block."""

    number: int
    name: str


class TableChange(msgspec.Struct, frozen=True):
    """Changes to a table that are written together with a step; ``None`` leaves a value as it is."""

    status: Status | None = None
    seats: tuple[StoredSeat, ...] | None = None
    result: dict[str, Any] | None = None


WriteCallback = Callable[[Exception | None], None]
"""Called on the event loop when a write is on disk, with ``None``, or has failed, with the error."""


class Store(Protocol):
    """Durable storage. Call every method from the thread of one event loop.

    Any method may raise ``StoreError``: the data cannot be read or written, or the store is closed.
    """

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        """Write a new ``table``.

        Args:
            table: the table, with a new id.
            limit: how many unfinished tables its host may have.
            since: only tables created after this time count towards ``limit``.

        Raises:
            TooManyTables: the host already has ``limit`` of them.
        """

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        """Add one ``step`` to the log of ``table`` and apply ``change``, in one transaction.

        Raises:
            SeqTaken: the log already has a step with this ``seq``; nothing was written.
        """

    def append_then(
        self, table: str, step: LoggedStep, change: TableChange | None, then: WriteCallback
    ) -> None:
        """Queue what ``append`` writes and return at once.

        Args:
            table: the table's id.
            step: the row to add to its log.
            change: what else changes with it, or ``None``.
            then: called on the event loop once it is on disk, or with the error, ``SeqTaken`` included.
        """

    async def set_seats(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        """Replace the ``seats`` of a ``table``; ``at`` becomes its time of last change."""

    async def set_settings(self, table: str, settings: TableSettings, options: Mapping[str, Any]) -> None:
        """Replace the host's ``settings`` of a ``table``, and the ``options`` of its game, whose defaults depend on them."""

    async def set_persona(self, visitor: str, persona: Persona, at: float) -> None:
        """Save a visitor's name and avatar, also in the seats they hold at tables that are not over.

        Args:
            visitor: whose they are.
            persona: the name and the avatar.
            at: kept as the time of the visitor's first visit if they are new.
        """

    async def persona(self, visitor: str) -> Persona:
        """Return a visitor's name and avatar; empty ones if they never chose any."""

    async def delete_visitor(self, visitor: str, stand_in: str) -> None:
        """Delete everything about a ``visitor``. The games of others stay, without their name.

        Where they were playing, a bot of the level ``stand_in`` takes the seat for good.
        """

    async def add_device_code(self, code: str, visitor: str, until: float) -> None:
        """Save a one-time ``code`` with which another device can become ``visitor``, valid ``until`` a time.

        It replaces the visitor's earlier code.
        """

    async def redeem_device_code(self, code: str, now: float) -> str | None:
        """Delete a one-time ``code``; return its visitor, ``None`` if it is unknown or expired at ``now``."""

    async def table(self, table: str) -> StoredTable | None:
        """Return one table; ``None`` if there is none of that id."""

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        """Return at most ``limit`` tables that ``visitor`` made or sits at, the last changed first."""

    async def lobby_tables(self, limit: int = 100) -> list[StoredTable]:
        """Return the tables in the lobby: listed, gathering, with an open seat; the newest first."""

    async def create_rematch(self, table: str, rematch: StoredTable) -> StoredTable:
        """Write ``rematch`` as the rematch of ``table``, unless it has one already; return the one it has."""

    async def steps(self, table: str) -> list[LoggedStep]:
        """Return a table's whole log in order; empty if there is no such table."""

    async def add_saying(self, table: str, saying: Saying) -> None:
        """Add a chat message, ``saying``, to a ``table``.

        Raises:
            SeqTaken: another message has that number, or there is no such table.
        """

    async def sayings(self, table: str, limit: int) -> list[Saying]:
        """Return the last ``limit`` chat messages of a ``table``, the oldest first."""

    async def block(self, visitor: str, other: str, name: str, at: float) -> None:
        """Save that ``visitor`` blocks ``other``; without effect if they already do.

        Args:
            visitor: who blocks.
            other: the visitor who is blocked.
            name: what ``other`` was called; all that ``visitor`` may know about them.
            at: when.
        """

    async def unblock(self, visitor: str, number: int) -> None:
        """Delete the block ``number`` if it is one of ``visitor``'s."""

    async def blocks(self, visitor: str) -> list[BlockedPerson]:
        """Return a visitor's blocks by name, as they may be shown to that visitor."""

    async def blocked_ids(self, visitor: str) -> frozenset[str]:
        """Return the ids of the visitors a visitor has blocked; for the server only."""

    async def ratings(self, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
        """Return the ratings at ``game`` of those ``players`` who have one, by visitor."""

    async def ratings_of(self, player: str) -> dict[str, PlayerRating]:
        """Return a player's rating in each game they are rated in, by the game's name."""

    async def save_ratings(self, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
        """Save the players' ``ratings`` at ``game`` after ``table``; only once for a table."""

    async def unrated_tables(self) -> list[StoredTable]:
        """Return the finished tables that are not marked as rated, in the order they ended."""

    async def close(self) -> None:
        """Write what is queued and release the files; further calls fail."""
