"""The default store: one SQLite file in the data directory, write-ahead log, synchronous=FULL."""

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
    StoredSeat,
    StoredTable,
    StoreError,
    TableChange,
    TableSettings,
    Written,
)
from kotatsu.store.lock import DataLock
from kotatsu.store.schema import migrate
from kotatsu.store.writer import Writer, settle

T = TypeVar("T")

_APPEND = "INSERT INTO log (table_number, seq, at, seat, command_id, entries) VALUES (?, ?, ?, ?, ?, ?)"
_APPEND_BY_ID = _APPEND.replace("(?,", "((SELECT number FROM tables WHERE id = ?),")
NUMBERS = 20_000
"""Tables whose numbers are kept at hand."""


def _append_with(
    sql: str, row: tuple[Any, ...], table: str, change: TableChange, at: float, connection: sqlite3.Connection
) -> None:
    try:
        connection.execute(sql, row)
    except sqlite3.IntegrityError as error:
        raise SeqTaken(str(error)) from None
    tables_sql.apply(connection, table, change, at)


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
        self._numbers: dict[str, int] = {}

    async def create(self, table: StoredTable, *, limit: int, since: float) -> None:
        await self._together(lambda connection: tables_sql.create(connection, table, limit, since))

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        written = asyncio.get_running_loop().create_future()
        self.append_then(table, step, change, partial(settle, written))
        await written

    def append_then(self, table: str, step: LoggedStep, change: TableChange | None, then: Written) -> None:
        number = self._numbers.get(table)
        sql = _APPEND_BY_ID if number is None else _APPEND
        row = (number or table, step.seq, step.at, step.seat, step.command_id, step.entries.decode())
        if change is None:
            self._writer.insert(sql, row, then)
        else:
            self._writer.together_then(partial(_append_with, sql, row, table, change, step.at), then)

    async def seat(self, table: str, seats: tuple[StoredSeat, ...], at: float) -> None:
        await self._together(
            lambda connection: tables_sql.apply(connection, table, TableChange(seats=seats), at)
        )

    async def settings(self, table: str, settings: TableSettings) -> None:
        await self._together(lambda connection: tables_sql.set_settings(connection, table, settings))

    async def succeed(self, table: str, rematch: StoredTable) -> StoredTable:
        await self._together(lambda connection: tables_sql.succeed(connection, table, rematch))
        (before,) = await self._read(lambda connection: tables_sql.one(connection, table))
        (found,) = await self._read(lambda connection: tables_sql.one(connection, before.rematch or ""))
        return found

    async def introduce(self, visitor: str, persona: Persona, at: float) -> None:
        await self._together(lambda connection: people_sql.introduce(connection, visitor, persona, at))

    async def persona(self, visitor: str) -> Persona:
        return await self._read(lambda connection: people_sql.persona(connection, visitor))

    async def forget(self, visitor: str, stand_in: str) -> None:
        await self._together(lambda connection: people_sql.forget(connection, visitor, stand_in))

    async def grant(self, code: str, visitor: str, until: float) -> None:
        await self._together(lambda connection: people_sql.grant(connection, code, visitor, until))

    async def redeem(self, code: str, now: float) -> str | None:
        found: list[str | None] = []
        await self._together(lambda connection: found.append(people_sql.redeem(connection, code, now)))
        return found[-1]

    async def say(self, table: str, saying: Saying) -> None:
        try:
            await self._writer.together(lambda connection: people_sql.say(connection, table, saying))
        except sqlite3.IntegrityError:
            raise SeqTaken(f"saying {saying.number} of table {table} is already written") from None

    async def sayings(self, table: str, limit: int) -> list[Saying]:
        return await self._read(lambda connection: people_sql.sayings(connection, table, limit))

    async def block(self, visitor: str, other: str, name: str, at: float) -> None:
        await self._together(lambda connection: people_sql.block(connection, visitor, other, name, at))

    async def unblock(self, visitor: str, number: int) -> None:
        await self._together(lambda connection: people_sql.unblock(connection, visitor, number))

    async def blocks(self, visitor: str) -> list[BlockedPerson]:
        return await self._read(lambda connection: people_sql.blocks(connection, visitor))

    async def blocked(self, visitor: str) -> frozenset[str]:
        return await self._read(lambda connection: people_sql.blocked(connection, visitor))

    async def ratings(self, game: str, players: Collection[str]) -> dict[str, PlayerRating]:
        return await self._read(lambda connection: people_sql.ratings(connection, game, players))

    async def ratings_of(self, player: str) -> dict[str, PlayerRating]:
        return await self._read(lambda connection: people_sql.ratings_of(connection, player))

    async def rate(self, table: str, game: str, ratings: Mapping[str, PlayerRating]) -> None:
        await self._together(lambda connection: people_sql.rate(connection, table, game, ratings))

    async def unrated(self) -> list[StoredTable]:
        return await self._read(tables_sql.unrated)

    async def table(self, table: str) -> StoredTable | None:
        found = await self._read(lambda connection: tables_sql.numbered(connection, table))
        if found is None:
            return None
        stored, number = found
        if len(self._numbers) >= NUMBERS:
            self._numbers.clear()
        self._numbers[table] = number
        return stored

    async def tables_of(self, visitor: str, limit: int = 100) -> list[StoredTable]:
        return await self._read(lambda connection: tables_sql.of_visitor(connection, visitor, limit))

    async def listed(self, limit: int = 100) -> list[StoredTable]:
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
        self._writer.join()
        self._readers.shutdown()
        if self._reading is not None:
            self._reading.close()
        self._lock.release()
