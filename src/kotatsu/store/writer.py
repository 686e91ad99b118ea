"""One thread that writes, in natural groups: it commits whatever is queued, then what queued meanwhile.

A write that fails alone (a step somebody else has written) fails for its sender
alone; the rest of its group goes on. A sender is told only after the commit.

The event loop and this thread share the interpreter's lock, so they meet seldom: what is asked for in one
turn of the loop is handed over at once, and rows of the same kind go in many to a statement.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import msgspec

from kotatsu.store.contract import SeqTaken, StoreError, Written

logger = logging.getLogger(__name__)

LARGEST_GROUP = 2_000
AT_ONCE = (256, 64, 16, 4)
"""How many rows one statement writes where there are so many: few sizes, so that each stays prepared."""

Work = Callable[[sqlite3.Connection], None]
"""Statements that belong together. It raises to undo them, and nothing else of the group."""


Failures = dict[int, Exception]
"""What went wrong, by its place in a group."""


class _QueuedWrite(msgspec.Struct, frozen=True, gc=False):
    sql: str
    values: tuple[Any, ...]
    work: Work | None
    then: Written


class Writer:
    """Owns the writing connection, and closes it. It serves one event loop: the first that asks."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._queue: SimpleQueue[list[_QueuedWrite] | None] = SimpleQueue()
        self._asked: list[_QueuedWrite] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._thread = Thread(target=self._run, name="kotatsu-writer", daemon=True)
        self._thread.start()

    def insert(self, sql: str, values: tuple[Any, ...], then: Written) -> None:
        """Queue one row, ``INSERT … VALUES (…)``; it fails with ``SeqTaken`` if there is one of that key."""
        self._put(_QueuedWrite(sql, values, None, then))

    def together_then(self, work: Work, then: Written) -> None:
        """Queue several statements that are kept or undone together."""
        self._put(_QueuedWrite("", (), work, then))

    def together(self, work: Work) -> asyncio.Future[None]:
        """Queue several statements that are kept or undone together, for somebody who waits."""
        written = asyncio.get_running_loop().create_future()
        self.together_then(work, partial(settle, written))
        return written

    def close(self) -> None:
        """Take no more, and stop when what was asked for is written. Of the event loop's thread, like all above."""
        if not self._closed:
            self._closed = True
            self._hand_over()
            self._queue.put(None)

    def join(self) -> None:
        """Wait until it has stopped. Blocks."""
        self._thread.join()

    def _put(self, write: _QueuedWrite) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        if not self._asked:
            self._loop.call_soon(self._hand_over)
        self._asked.append(write)

    def _hand_over(self) -> None:
        asked, self._asked = self._asked, []
        if asked:
            self._queue.put(asked)

    def _run(self) -> None:
        open_for_more = True
        while open_for_more:
            waiting, open_for_more = self._what_waits()
            for start in range(0, len(waiting), LARGEST_GROUP):
                group = waiting[start : start + LARGEST_GROUP]
                self._announce(group, _commit(self._connection, group))
        self._connection.close()

    def _what_waits(self) -> tuple[list[_QueuedWrite], bool]:
        """Everything that was handed over, and whether more may come."""
        waiting: list[_QueuedWrite] = []
        handed = self._queue.get()
        try:
            while handed is not None:
                waiting += handed
                handed = self._queue.get_nowait()
        except Empty:
            return waiting, True
        return waiting, False

    def _announce(self, group: list[_QueuedWrite], failures: Failures) -> None:
        """Wake the event loop once for all of a group."""
        assert self._loop is not None
        with suppress(RuntimeError):  # it is closed: nobody is waiting any more
            self._loop.call_soon_threadsafe(_tell, group, failures)


def _commit(connection: sqlite3.Connection, group: list[_QueuedWrite]) -> Failures:
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


def _write(connection: sqlite3.Connection, group: list[_QueuedWrite]) -> Failures:
    failures: Failures = {}
    place = 0
    while place < len(group):
        if many := _insert_many(connection, group, place):
            place += many
            continue
        write = group[place]
        try:
            if write.work is None:
                connection.execute(write.sql, write.values)
            else:
                _all_or_nothing(connection, write.work)
        except (sqlite3.IntegrityError, StoreError) as error:
            failures[place] = error if write.work is not None else SeqTaken(str(error))
        except Exception as error:
            if isinstance(error, sqlite3.OperationalError) or not connection.in_transaction:
                raise
            failures[place] = StoreError(f"the data could not be written: {error}")
        place += 1
    return failures


def _insert_many(connection: sqlite3.Connection, group: list[_QueuedWrite], place: int) -> int:
    """Write several rows from a place on with one statement; how many, none if they have to go in one by one."""
    sql = group[place].sql
    for many in AT_ONCE:
        rows = group[place : place + many]
        if len(rows) == many and all(row.work is None and row.sql is sql for row in rows):
            try:
                connection.execute(_of_rows(sql, many), [value for row in rows for value in row.values])
            except Exception as error:
                if isinstance(error, sqlite3.OperationalError) or not connection.in_transaction:
                    raise
                return 0
            return many
    return 0


@lru_cache
def _of_rows(sql: str, many: int) -> str:
    insert, values, row = sql.partition(" VALUES ")
    return insert + values + ", ".join([row] * many)


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


def _tell(group: list[_QueuedWrite], failures: Failures) -> None:
    for place, write in enumerate(group):
        try:
            write.then(failures.get(place))
        except Exception:
            logger.exception("what follows from a write failed")


def settle(waiting: asyncio.Future[None], failure: Exception | None) -> None:
    """Somebody who waits goes on, unless they have gone away."""
    if waiting.done():
        return
    if failure is None:
        waiting.set_result(None)
    else:
        waiting.set_exception(failure)
