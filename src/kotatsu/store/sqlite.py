"""The default store: one SQLite file in the data directory, write-ahead log, synchronous=FULL."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kotatsu.store.contract import (
    Change,
    DataUnusable,
    LoggedStep,
    SeqTaken,
    StoredSeat,
    StoredTable,
    StoreError,
    TooManyTables,
)
from kotatsu.store.lock import DataLock
from kotatsu.store.schema import migrate
from kotatsu.store.writer import Writer

T = TypeVar("T")

_APPEND = "INSERT INTO log (table_id, seq, at, seat, command_id, entries) VALUES (?, ?, ?, ?, ?, ?)"
_SEAT = "INSERT OR REPLACE INTO seats (table_id, seat, kind, visitor, name, level) VALUES (?, ?, ?, ?, ?, ?)"
_TABLE = """
    SELECT id, game, options, status, host, created, result,
           max(updated, coalesce((SELECT at FROM log WHERE table_id = id ORDER BY seq DESC LIMIT 1), 0)) AS moved
    FROM tables
"""


class SqliteStore:
    """Fulfils ``Store``. Writing is one thread's business, reading another's.

    Raises:
        DataUnusable: the directory cannot be used, is in use, or holds something else.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / "kotatsu.sqlite3"
        self._lock = DataLock(directory)
        try:
            connection = self._connect()
            migrate(connection)
        except (sqlite3.Error, DataUnusable) as error:
            self._lock.release()
            raise DataUnusable(f"cannot use {self._path}: {error}") from None
        self._writer = Writer(connection)
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="kotatsu-reader")
        self._reading: sqlite3.Connection | None = None
        self._closed = False

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        def work(connection: sqlite3.Connection) -> None:
            (unfinished,) = connection.execute(
                "SELECT count(*) FROM tables WHERE host = ? AND created > ? AND status != 'over'",
                (table.host, since),
            ).fetchone()
            if unfinished >= limit:
                raise TooManyTables(f"you have begun {unfinished} tables lately; finish one of them first")
            connection.execute(
                "INSERT INTO tables (id, game, players, options, status, host, created, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    table.id,
                    table.game,
                    table.players,
                    _json(table.options),
                    table.status,
                    table.host,
                    table.created,
                    table.updated,
                ),
            )
            connection.executemany(_SEAT, _seat_rows(table.id, table.seats))

        await self._together(work)

    async def append(self, table: str, step: LoggedStep, change: Change | None = None) -> None:
        row = (table, step.seq, step.at, step.seat, step.command_id, step.entries.decode())

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(_APPEND, row)
            if change is not None:
                _apply(connection, table, change, step.at)

        try:
            await (self._writer.insert(_APPEND, row) if change is None else self._writer.together(work))
        except sqlite3.IntegrityError:
            raise SeqTaken(f"step {step.seq} of table {table} is already written") from None

    async def seat(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        await self._together(lambda connection: _apply(connection, table, Change(seats=seats), at))

    async def rename(self, visitor: str, name: str, at: float) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO visitors VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
                (visitor, name, at),
            )
            connection.execute(
                "UPDATE seats SET name = ? WHERE visitor = ?"
                " AND table_id IN (SELECT id FROM tables WHERE status != 'over')",
                (name, visitor),
            )

        await self._together(work)

    async def name_of(self, visitor: str) -> str:
        rows = await self._read(
            lambda connection: connection.execute(
                "SELECT name FROM visitors WHERE id = ?", (visitor,)
            ).fetchall()
        )
        return str(rows[0][0]) if rows else ""

    async def table(self, table: str) -> StoredTable | None:
        found = await self._read(lambda connection: _tables(connection, f"{_TABLE} WHERE id = ?", (table,)))
        return found[0] if found else None

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        query = f"""{_TABLE}
            WHERE host = ? OR id IN (SELECT table_id FROM seats WHERE visitor = ?)
            ORDER BY moved DESC LIMIT ?"""
        return await self._read(lambda connection: _tables(connection, query, (visitor, visitor, limit)))

    async def steps(self, table: str) -> list[LoggedStep]:
        query = "SELECT seq, at, entries, seat, command_id FROM log WHERE table_id = ? ORDER BY seq"
        return await self._read(
            lambda connection: [
                LoggedStep(seq, at, entries.encode(), seat, command_id)
                for seq, at, entries, seat, command_id in connection.execute(query, (table,))
            ]
        )

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._shut)

    async def _together(self, work: Callable[[sqlite3.Connection], None]) -> None:
        try:
            await self._writer.together(work)
        except sqlite3.IntegrityError as error:
            raise StoreError(str(error)) from None

    async def _read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")

        def ask() -> T:
            if self._reading is None:
                self._reading = self._connect()
            return question(self._reading)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, ask)
        except sqlite3.Error as error:
            raise StoreError(f"the data could not be read: {error}") from None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, timeout=10, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def _shut(self) -> None:
        self._writer.close()
        self._readers.shutdown()
        if self._reading is not None:
            self._reading.close()
        self._lock.release()


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _seat_rows(table: str, seats: Iterable[StoredSeat]) -> list[tuple[Any, ...]]:
    return [(table, n, seat.kind, seat.visitor, seat.name, seat.level) for n, seat in enumerate(seats)]


def _apply(connection: sqlite3.Connection, table: str, change: Change, at: float) -> None:
    result = None if change.result is None else _json(change.result)
    connection.execute(
        "UPDATE tables SET updated = ?, status = coalesce(?, status), result = coalesce(?, result) WHERE id = ?",
        (at, change.status, result, table),
    )
    if change.seats is not None:
        connection.executemany(_SEAT, _seat_rows(table, change.seats))


def _tables(connection: sqlite3.Connection, query: str, values: tuple[Any, ...]) -> list[StoredTable]:
    seats = "SELECT kind, visitor, name, level FROM seats WHERE table_id = ? ORDER BY seat"
    return [
        StoredTable(
            id=table,
            game=game,
            host=host,
            created=created,
            updated=moved,
            seats=tuple(StoredSeat(*seat) for seat in connection.execute(seats, (table,))),
            options=msgspec.json.decode(options),
            status=status,
            result=None if result is None else msgspec.json.decode(result),
        )
        for table, game, options, status, host, created, result, moved in connection.execute(
            query, values
        ).fetchall()
    ]
