"""The one thread that writes to SQLite, with natural group commit.

It commits whatever is queued as one transaction, then whatever was queued meanwhile. With synchronous=FULL
this wrote 17,000 rows a second for 50 concurrent senders where one commit per row wrote at most 570; a fixed
window of 2 ms wrote 7,500 and only added delay. A write that fails alone (a step that is already in the
log) fails for its sender only; the rest of its group is kept. Senders hear of success only after the commit.

The event loop and this thread share the interpreter's lock, so they interact rarely: all writes asked for
in one turn of the loop are queued together, and equal INSERT statements are merged into multi-row ones.
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

from kotatsu.store.contract import SeqTaken, StoreError, WriteCallback

logger = logging.getLogger(__name__)

MAX_GROUP_SIZE = 2_000
"""Most writes in one transaction. Chosen by hand: above what 500 busy tables queue during one commit, and
small enough that a backlog does not keep the first of its senders waiting for the last."""

ROWS_PER_STATEMENT = (256, 64, 16, 4)
"""Sizes of merged INSERT statements, the largest that fits first: few sizes, so that each stays prepared in
SQLite's statement cache. Chosen by hand in powers of four; 256 rows of 6 columns stay far below SQLite's
limit of 32,766 parameters a statement."""

Work = Callable[[sqlite3.Connection], None]
"""Statements that are kept or undone together: if it raises, they alone of their group are undone."""


Failures = dict[int, Exception]
"""The errors of a group of writes, by index in the group."""


class _QueuedWrite(msgspec.Struct, frozen=True, gc=False):
    sql: str
    values: tuple[Any, ...]
    work: Work | None
    then: WriteCallback


class Writer:
    """A thread that owns the writing ``connection`` and closes it at the end.

    All methods but ``join`` belong to the thread of one event loop, the first one to ask for a write.
    Callbacks run there, after the commit.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._queue: SimpleQueue[list[_QueuedWrite] | None] = SimpleQueue()
        self._requested: list[_QueuedWrite] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._thread = Thread(target=self._run, name="kotatsu-writer", daemon=True)
        self._thread.start()

    def insert(self, sql: str, values: tuple[Any, ...], then: WriteCallback) -> None:
        """Queue one row.

        Args:
            sql: ``INSERT … VALUES (…)`` with a placeholder for each value; the same object for rows to merge.
            values: the values of the row.
            then: called after the commit, or with ``SeqTaken`` if a row of the same key exists.

        Raises:
            StoreError: the writer is closed.
        """
        self._enqueue(_QueuedWrite(sql, values, None, then))

    def execute_then(self, work: Work, then: WriteCallback) -> None:
        """Queue ``work``, statements that are kept or undone together; ``then`` is called after the commit.

        Raises:
            StoreError: the writer is closed.
        """
        self._enqueue(_QueuedWrite("", (), work, then))

    def execute(self, work: Work) -> asyncio.Future[None]:
        """Queue ``work``, statements that are kept or undone together.

        Returns:
            A future that is done after the commit, or has the exception ``work`` raised.

        Raises:
            StoreError: the writer is closed.
        """
        written = asyncio.get_running_loop().create_future()
        self.execute_then(work, partial(resolve, written))
        return written

    def close(self) -> None:
        """Accept no more writes; the thread stops when everything queued is written. Does not wait for it."""
        if not self._closed:
            self._closed = True
            self._pass_to_thread()
            self._queue.put(None)

    def join(self) -> None:
        """Block until the thread has stopped. Call it from any thread but the event loop's."""
        self._thread.join()

    def _enqueue(self, write: _QueuedWrite) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        if not self._requested:
            self._loop.call_soon(self._pass_to_thread)
        self._requested.append(write)

    def _pass_to_thread(self) -> None:
        requested, self._requested = self._requested, []
        if requested:
            self._queue.put(requested)

    def _run(self) -> None:
        open_for_more = True
        while open_for_more:
            waiting, open_for_more = self._next_writes()
            for start in range(0, len(waiting), MAX_GROUP_SIZE):
                group = waiting[start : start + MAX_GROUP_SIZE]
                self._notify(group, _commit(self._connection, group))
        self._connection.close()

    def _next_writes(self) -> tuple[list[_QueuedWrite], bool]:
        """Block until something is queued; everything queued, and whether more may follow."""
        waiting: list[_QueuedWrite] = []
        requested = self._queue.get()
        try:
            while requested is not None:
                waiting += requested
                requested = self._queue.get_nowait()
        except Empty:
            return waiting, True
        return waiting, False

    def _notify(self, group: list[_QueuedWrite], failures: Failures) -> None:
        """Wake the event loop once for a whole group."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is closed: nobody is waiting any more
            self._loop.call_soon_threadsafe(_call_back, group, failures)


def _commit(connection: sqlite3.Connection, group: list[_QueuedWrite]) -> Failures:
    """Write a group in one transaction."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        failures = _write(connection, group)
        connection.execute("COMMIT")
    except Exception as error:  # noqa: BLE001 - for example a full disk: every sender of the group must know
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        failure = StoreError(f"the data could not be written: {error}")
        return dict.fromkeys(range(len(group)), failure)
    return failures


def _write(connection: sqlite3.Connection, group: list[_QueuedWrite]) -> Failures:
    failures: Failures = {}
    index = 0
    while index < len(group):
        if inserted := _insert_many(connection, group, index):
            index += inserted
            continue
        write = group[index]
        try:
            if write.work is None:
                connection.execute(write.sql, write.values)
            else:
                _run_in_savepoint(connection, write.work)
        except (sqlite3.IntegrityError, StoreError) as error:
            failures[index] = error if write.work is not None else SeqTaken(str(error))
        except Exception as error:
            if isinstance(error, sqlite3.OperationalError) or not connection.in_transaction:
                raise
            failures[index] = StoreError(f"the data could not be written: {error}")
        index += 1
    return failures


def _insert_many(connection: sqlite3.Connection, group: list[_QueuedWrite], index: int) -> int:
    """Insert several rows from ``index`` on with one statement; how many, 0 if they must go in one by one."""
    sql = group[index].sql
    for count in ROWS_PER_STATEMENT:
        rows = group[index : index + count]
        if len(rows) == count and all(row.work is None and row.sql is sql for row in rows):
            try:
                connection.execute(
                    _multi_row_sql(sql, count), [value for row in rows for value in row.values]
                )
            except Exception as error:
                if isinstance(error, sqlite3.OperationalError) or not connection.in_transaction:
                    raise
                return 0
            return count
    return 0


@lru_cache
def _multi_row_sql(sql: str, count: int) -> str:
    insert, values, row = sql.partition(" VALUES ")
    return insert + values + ", ".join([row] * count)


def _run_in_savepoint(connection: sqlite3.Connection, work: Work) -> None:
    connection.execute("SAVEPOINT work")
    try:
        work(connection)
    except Exception:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO work")
            connection.execute("RELEASE work")
        raise
    connection.execute("RELEASE work")


def _call_back(group: list[_QueuedWrite], failures: Failures) -> None:
    for index, write in enumerate(group):
        try:
            write.then(failures.get(index))
        except Exception:
            logger.exception("the callback of a committed write raised an exception")


def resolve(future: asyncio.Future[None], failure: Exception | None) -> None:
    """Give ``future`` its result, or ``failure`` as its exception, unless it is done or cancelled."""
    if future.done():
        return
    if failure is None:
        future.set_result(None)
    else:
        future.set_exception(failure)
