"""SQL for tables and their seats: structs to rows and back.

Each function runs on an open ``connection``, those that write inside a transaction of the caller's;
``table`` is a table's id where it is a string.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from kotatsu.store.contract import StoredSeat, StoredTable, TableChange, TableSettings, TooManyTables

_SEAT = (
    "INSERT OR REPLACE INTO seats (table_id, seat, kind, visitor, name, level, avatar, guest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_TABLE = """
    SELECT id, game, options, status, host, created, result, listed, watchable, patience, rematch,
           max(updated, coalesce((SELECT at FROM log WHERE table_number = number ORDER BY seq DESC LIMIT 1), 0)) AS moved
    FROM tables
"""
_HAS_OPEN_SEAT = "EXISTS (SELECT 1 FROM seats WHERE table_id = id AND kind = 'open')"


def create(connection: sqlite3.Connection, table: StoredTable, limit: int, since: float) -> None:
    """Insert a new ``table``.

    Raises:
        TooManyTables: its host already has ``limit`` unfinished tables created after ``since``.
    """
    (unfinished,) = connection.execute(
        "SELECT count(*) FROM tables WHERE host = ? AND created > ? AND status != 'over'",
        (table.host, since),
    ).fetchone()
    if unfinished >= limit:
        raise TooManyTables(f"you have begun {unfinished} tables lately; finish one of them first")
    insert(connection, table)


def insert(connection: sqlite3.Connection, table: StoredTable) -> None:
    """Insert a new ``table`` with its seats."""
    connection.execute(
        "INSERT INTO tables (id, game, players, options, status, host, created, updated,"
        " listed, watchable, patience, number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM tables))",
        (
            table.id,
            table.game,
            table.players,
            to_json(table.options),
            table.status,
            table.host,
            table.created,
            table.updated,
            *msgspec.structs.astuple(table.settings),
        ),
    )
    _write_seats(connection, table.id, table.seats)


def create_rematch(connection: sqlite3.Connection, table: str, rematch: StoredTable) -> None:
    """Insert ``rematch`` as the rematch of ``table``, unless that has one."""
    (known,) = connection.execute("SELECT rematch FROM tables WHERE id = ?", (table,)).fetchone()
    if known is None:
        insert(connection, rematch)
        connection.execute("UPDATE tables SET rematch = ? WHERE id = ?", (rematch.id, table))


def apply_change(connection: sqlite3.Connection, table: str, change: TableChange, at: float) -> None:
    """Apply a ``change`` to a ``table``; ``at`` becomes its time of last change."""
    result = None if change.result is None else to_json(change.result)
    connection.execute(
        "UPDATE tables SET updated = ?, status = coalesce(?, status), result = coalesce(?, result) WHERE id = ?",
        (at, change.status, result, table),
    )
    if change.seats is not None:
        _write_seats(connection, table, change.seats)


def set_settings(
    connection: sqlite3.Connection, table: str, settings: TableSettings, options: Mapping[str, Any]
) -> None:
    """Replace the host's ``settings`` of a ``table`` and the ``options`` of its game."""
    connection.execute(
        "UPDATE tables SET listed = ?, watchable = ?, patience = ?, options = ? WHERE id = ?",
        (*msgspec.structs.astuple(settings), to_json(options), table),
    )


def find(connection: sqlite3.Connection, table: str) -> list[StoredTable]:
    """Return the table of an id in a list, which is empty if there is none."""
    return _read(connection, f"{_TABLE} WHERE id = ?", (table,))


def find_with_number(connection: sqlite3.Connection, table: str) -> tuple[StoredTable, int] | None:
    """Return the table of an id with the number its log is keyed by; ``None`` if there is none."""
    found = find(connection, table)
    if not found:
        return None
    (number,) = connection.execute("SELECT number FROM tables WHERE id = ?", (table,)).fetchone()
    return found[0], number


def of_visitor(connection: sqlite3.Connection, visitor: str, limit: int) -> list[StoredTable]:
    """Return at most ``limit`` tables that ``visitor`` made or sits at, the last changed first."""
    query = f"""{_TABLE} WHERE host = ? OR id IN (SELECT table_id FROM seats WHERE visitor = ?)
        ORDER BY moved DESC LIMIT ?"""
    return _read(connection, query, (visitor, visitor, limit))


def in_lobby(connection: sqlite3.Connection, limit: int) -> list[StoredTable]:
    """Return at most ``limit`` tables that are listed, gathering and have an open seat; the newest first."""
    query = f"""{_TABLE} WHERE listed AND status = 'gathering' AND {_HAS_OPEN_SEAT}
        ORDER BY created DESC LIMIT ?"""
    return _read(connection, query, (limit,))


def unrated(connection: sqlite3.Connection) -> list[StoredTable]:
    """Return the finished tables that are not marked as rated, in the order they ended."""
    return _read(connection, f"{_TABLE} WHERE status = 'over' AND NOT rated ORDER BY updated", ())


def to_json(value: Any) -> str:
    """Encode a value as the JSON text a column holds."""
    return msgspec.json.encode(value).decode()


def _write_seats(connection: sqlite3.Connection, table: str, seats: Iterable[StoredSeat]) -> None:
    rows = [
        (table, number, seat.kind, seat.visitor, seat.name, seat.level, seat.avatar, seat.guest)
        for number, seat in enumerate(seats)
    ]
    connection.executemany(_SEAT, rows)


def _read(connection: sqlite3.Connection, query: str, values: tuple[Any, ...]) -> list[StoredTable]:
    return [
        StoredTable(
            id=table,
            game=game,
            host=host,
            created=created,
            updated=moved,
            seats=_seats(connection, table),
            options=msgspec.json.decode(options),
            status=status,
            result=None if result is None else msgspec.json.decode(result),
            settings=TableSettings(bool(listed), bool(watchable), patience),
            rematch=rematch,
        )
        for (
            table,
            game,
            options,
            status,
            host,
            created,
            result,
            listed,
            watchable,
            patience,
            rematch,
            moved,
        ) in connection.execute(query, values).fetchall()
    ]


def _seats(connection: sqlite3.Connection, table: str) -> tuple[StoredSeat, ...]:
    query = "SELECT kind, visitor, name, level, avatar, guest FROM seats WHERE table_id = ? ORDER BY seat"
    return tuple(
        StoredSeat(kind, visitor, name, level, avatar, bool(guest))
        for kind, visitor, name, level, avatar, guest in connection.execute(query, (table,))
    )
