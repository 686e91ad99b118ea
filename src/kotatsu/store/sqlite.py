"""The default store: one SQLite file in the data directory, write-ahead log, synchronous=FULL.

With writes committed in groups (``kotatsu.store.writer``) a busy server pays little for FULL, which loses
nothing it has acknowledged even when the power fails.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from kotatsu.store import people_sql, tables_sql
from kotatsu.store.contract import (
    BlockedPerson,
    DataUnusable,
    LoggedStep,
    Persona,
    PlayerRating,
    Saying,
    SeqTaken,
    Store,
    StoredSeat,
    StoredTable,
    StoreError,
    TableChange,
    TableSettings,
    WriteCallback,
)
from kotatsu.store.lock import DataLock
from kotatsu.store.schema import migrate
from kotatsu.store.writer import Writer, resolve

T = TypeVar("T")

_APPEND = "INSERT INTO log (table_number, seq, at, seat, command_id, entries) VALUES (?, ?, ?, ?, ?, ?)"
_APPEND_BY_ID = _APPEND.replace("(?,", "((SELECT number FROM tables WHERE id = ?),")
CACHED_TABLE_NUMBERS = 20_000
"""How many tables' numbers are cached (about 2.5 MB). Chosen by hand, far above the tables played at once."""

_LOCK_TIMEOUT_S = 10
"""Seconds to wait for SQLite's file lock. Chosen by hand: only a backup or an operator's shell holds it."""


def _append_with_change(
    sql: str, row: tuple[Any, ...], table: str, change: TableChange, at: float, connection: sqlite3.Connection
) -> None:
    try:
        connection.execute(sql, row)
    except sqlite3.IntegrityError as error:
        raise SeqTaken(str(error)) from None
    tables_sql.apply_change(connection, table, change, at)


class SqliteStore(Store):
    """A ``Store`` in the SQLite file of a data ``directory``. One thread writes, another reads.

    Raises:
        DataUnusable: the directory cannot be used, is in use, or holds a file that is not ours.
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
        self._read_connection: sqlite3.Connection | None = None
        self._closed = False
        self._numbers: dict[str, int] = {}

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        await self._write(lambda connection: tables_sql.create(connection, table, limit, since))

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        written = asyncio.get_running_loop().create_future()
        self.append_then(table, step, change, partial(resolve, written))
        await written

    def append_then(
        self, table: str, step: LoggedStep, change: TableChange | None, then: WriteCallback
    ) -> None:
        number = self._numbers.get(table)
        sql = _APPEND_BY_ID if number is None else _APPEND
        row = (number or table, step.seq, step.at, step.seat, step.command_id, step.entries.decode())
        if change is None:
            self._writer.insert(sql, row, then)
        else:
            self._writer.execute_then(partial(_append_with_change, sql, row, table, change, step.at), then)

    async def set_seats(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        await self._write(
            lambda connection: tables_sql.apply_change(connection, table, TableChange(seats=seats), at)
        )

    async def set_settings(self, table: str, settings: TableSettings, options: Mapping[str, Any]) -> None:
        await self._write(lambda connection: tables_sql.set_settings(connection, table, settings, options))

    async def create_rematch(self, table: str, rematch: StoredTable) -> StoredTable:
        await self._write(lambda connection: tables_sql.create_rematch(connection, table, rematch))
        (before,) = await self._read(lambda connection: tables_sql.find(connection, table))
        (found,) = await self._read(lambda connection: tables_sql.find(connection, before.rematch or ""))
        return found

    async def set_persona(self, visitor: str, persona: Persona, at: float) -> None:
        await self._write(lambda connection: people_sql.set_persona(connection, visitor, persona, at))

    async def persona(self, visitor: str) -> Persona:
        return await self._read(lambda connection: people_sql.persona(connection, visitor))

    async def delete_visitor(self, visitor: str, stand_in: str) -> None:
        await self._write(lambda connection: people_sql.delete_visitor(connection, visitor, stand_in))

    async def add_device_code(self, code: str, visitor: str, until: float) -> None:
        await self._write(lambda connection: people_sql.add_device_code(connection, code, visitor, until))

    async def redeem_device_code(self, code: str, now: float) -> str | None:
        found: list[str | None] = []
        await self._write(
            lambda connection: found.append(people_sql.redeem_device_code(connection, code, now))
        )
        return found[-1]

    async def add_saying(self, table: str, saying: Saying) -> None:
        try:
            await self._writer.execute(lambda connection: people_sql.add_saying(connection, table, saying))
        except sqlite3.IntegrityError:
            raise SeqTaken(f"saying {saying.number} of table {table} is already written") from None

    async def sayings(self, table: str, limit: int) -> list[Saying]:
        return await self._read(lambda connection: people_sql.sayings(connection, table, limit))

    async def block(self, visitor: str, other: str, name: str, at: float) -> None:
        await self._write(lambda connection: people_sql.block(connection, visitor, other, name, at))

    async def unblock(self, visitor: str, number: int) -> None:
        await self._write(lambda connection: people_sql.unblock(connection, visitor, number))

    async def blocks(self, visitor: str) -> list[BlockedPerson]:
        return await self._read(lambda connection: people_sql.blocks(connection, visitor))

    async def blocked_ids(self, visitor: str) -> frozenset[str]:
        return await self._read(lambda connection: people_sql.blocked_ids(connection, visitor))

    async def ratings(self, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
        return await self._read(lambda connection: people_sql.ratings(connection, game, players))

    async def ratings_of(self, player: str) -> dict[str, PlayerRating]:
        return await self._read(lambda connection: people_sql.ratings_of(connection, player))

    async def save_ratings(self, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
        await self._write(lambda connection: people_sql.save_ratings(connection, table, game, ratings))

    async def unrated_tables(self) -> list[StoredTable]:
        return await self._read(tables_sql.unrated)

    async def table(self, table: str) -> StoredTable | None:
        found = await self._read(lambda connection: tables_sql.find_with_number(connection, table))
        if found is None:
            return None
        stored, number = found
        if len(self._numbers) >= CACHED_TABLE_NUMBERS:
            self._numbers.clear()
        self._numbers[table] = number
        return stored

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        return await self._read(lambda connection: tables_sql.of_visitor(connection, visitor, limit))

    async def lobby_tables(self, limit: int = 100) -> list[StoredTable]:
        return await self._read(lambda connection: tables_sql.in_lobby(connection, limit))

    async def steps(self, table: str) -> list[LoggedStep]:
        query = """SELECT seq, at, entries, seat, command_id FROM log
            WHERE table_number = (SELECT number FROM tables WHERE id = ?) ORDER BY seq"""
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
        self._writer.close()
        await asyncio.to_thread(self._close_files)

    async def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        try:
            await self._writer.execute(work)
        except sqlite3.IntegrityError as error:
            raise StoreError(str(error)) from None

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")

        def run() -> T:
            if self._read_connection is None:
                self._read_connection = self._connect()
            return query(self._read_connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)
        except sqlite3.Error as error:
            raise StoreError(f"the data could not be read: {error}") from None

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, isolation_level=None, timeout=_LOCK_TIMEOUT_S, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def _close_files(self) -> None:
        self._writer.join()
        self._readers.shutdown()
        if self._read_connection is not None:
            self._read_connection.close()
        self._lock.release()
