"""One thread that writes, in natural groups: it commits whatever is queued, then what queued meanwhile.

A write that fails alone (a step somebody else has written) fails for its sender
alone; the rest of its group goes on. A future is resolved only after the commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from kotatsu.store.contract import StoreError

LARGEST_GROUP = 2_000

Work = Callable[[sqlite3.Connection], None]
"""Statements that belong together. It raises to undo them, and nothing else of the group."""


class _Write(NamedTuple):
    sql: str
    values: tuple[Any, ...]
    work: Work | None
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class Writer:
    """Owns the writing connection, and closes it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._run, name="kotatsu-writer", daemon=True)
        self._thread.start()

    def insert(self, sql: str, values: tuple[Any, ...]) -> asyncio.Future[None]:
        """Queue one statement, which is whole or nothing by itself."""
        return self._put(sql, values, None)

    def together(self, work: Work) -> asyncio.Future[None]:
        """Queue several statements that are kept or undone together."""
        return self._put("", (), work)

    def close(self) -> None:
        """Write what is queued, then stop. Blocks."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _put(self, sql: str, values: tuple[Any, ...], work: Work | None) -> asyncio.Future[None]:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Write(sql, values, work, loop, done))
        return done

    def _run(self) -> None:
        open_for_more = True
        while open_for_more:
            group, open_for_more = self._next_group()
            if group:
                _announce(group, _commit(self._connection, group))
        self._connection.close()

    def _next_group(self) -> tuple[list[_Write], bool]:
        group: list[_Write] = []
        item = self._queue.get()
        try:
            while item is not None:
                group.append(item)
                if len(group) == LARGEST_GROUP:
                    return group, True
                item = self._queue.get_nowait()
        except Empty:
            return group, True
        return group, False


Failures = dict[int, Exception]


def _commit(connection: sqlite3.Connection, group: list[_Write]) -> Failures:
    """Write a group in one transaction; what failed, by its place in the group."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        failures = _write(connection, group)
        connection.execute("COMMIT")
    except Exception as error:  # noqa: BLE001 - a full disk, say: nobody may believe in a write of this group
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        failure = StoreError(f"the data could not be written: {error}")
        return dict.fromkeys(range(len(group)), failure)
    return failures


def _write(connection: sqlite3.Connection, group: list[_Write]) -> Failures:
    failures: Failures = {}
    for place, write in enumerate(group):
        try:
            if write.work is None:
                connection.execute(write.sql, write.values)
            else:
                _all_or_nothing(connection, write.work)
        except (sqlite3.IntegrityError, StoreError) as error:
            failures[place] = error
        except Exception as error:
            if isinstance(error, sqlite3.OperationalError) or not connection.in_transaction:
                raise
            failures[place] = StoreError(f"the data could not be written: {error}")
    return failures


def _all_or_nothing(connection: sqlite3.Connection, work: Work) -> None:
    connection.execute("SAVEPOINT work")
    try:
        work(connection)
    except Exception:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO work")
            connection.execute("RELEASE work")
        raise
    connection.execute("RELEASE work")


def _announce(group: list[_Write], failures: Failures) -> None:
    """Wake each event loop once for all its writes of a group."""
    outcomes: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[None], Exception | None]]] = {}
    for place, write in enumerate(group):
        outcomes.setdefault(write.loop, []).append((write.done, failures.get(place)))
    for loop, told in outcomes.items():
        try:
            loop.call_soon_threadsafe(_resolve, told)
        except RuntimeError:
            continue  # that loop is closed: nobody is waiting any more


def _resolve(told: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, failure in told:
        if done.done():
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)
