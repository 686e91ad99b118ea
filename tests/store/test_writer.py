"""One thread that writes: in groups, each write for itself, and nobody is told before it is on disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from kotatsu.store import writer as module
from kotatsu.store.contract import SeqTaken, StoreError
from kotatsu.store.writer import MAX_GROUP_SIZE, ROWS_PER_STATEMENT, Writer, _multi_row_sql, resolve

INSERT = "INSERT INTO things (id, name) VALUES (?, ?)"


class Desk:
    """A writer of one table of things, and another connection that reads what is on disk."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "things.sqlite3"
        connection = sqlite3.connect(self.file, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        self.statements: list[str] = []
        connection.set_trace_callback(self.statements.append)
        self.connection = connection
        self.writer = Writer(connection)

    def insert(self, number: int, name: Any = "x", sql: str = INSERT) -> asyncio.Future[None]:
        written = asyncio.get_running_loop().create_future()
        self.writer.insert(sql, (number, name), lambda failure: resolve(written, failure))
        return written

    def ids(self) -> list[int]:
        reading = sqlite3.connect(self.file)
        try:
            return [number for (number,) in reading.execute("SELECT id FROM things ORDER BY id")]
        finally:
            reading.close()

    def count(self, beginning: str) -> int:
        return sum(statement.startswith(beginning) for statement in self.statements)

    async def close(self) -> None:
        self.writer.close()
        await asyncio.to_thread(self.writer.join)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    opened = Desk(tmp_path)
    yield opened
    await opened.close()


async def test_whoever_is_told_finds_it_on_disk(desk: Desk) -> None:
    for number in range(5):
        await desk.insert(number)
        assert desk.ids() == list(range(number + 1))


async def test_what_is_asked_for_in_one_turn_is_one_group(desk: Desk) -> None:
    await asyncio.gather(*(desk.insert(number) for number in range(100)))
    assert desk.ids() == list(range(100))
    assert desk.count("BEGIN IMMEDIATE") == desk.count("COMMIT") == 1
    assert desk.count("INSERT") == 100 // 64 + (100 % 64) // 16 + (100 % 16) // 4


async def test_rows_go_in_as_many_to_a_statement_as_there_are(desk: Desk) -> None:
    assert ROWS_PER_STATEMENT == (256, 64, 16, 4)
    await asyncio.gather(*(desk.insert(number) for number in range(256 + 64 + 16 + 4 + 3)))
    assert desk.count("INSERT") == 4 + 3
    assert len(desk.ids()) == 343


async def test_rows_of_different_kinds_keep_their_order(desk: Desk) -> None:
    other = "INSERT OR REPLACE INTO things (id, name) VALUES (?, ?)"
    await asyncio.gather(
        *(desk.insert(number) for number in range(4)),
        desk.insert(0, "replaced", other),
        *(desk.insert(number) for number in range(4, 8)),
    )
    assert desk.count("INSERT INTO") == 2
    assert desk.count("INSERT OR") == 1
    assert desk.connection.execute("SELECT name FROM things WHERE id = 0").fetchone() == ("replaced",)


async def test_a_row_that_is_taken_fails_alone(desk: Desk) -> None:
    await desk.insert(7)
    outcomes = await asyncio.gather(*(desk.insert(number) for number in range(20)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        SeqTaken if number == 7 else type(None) for number in range(20)
    ]
    assert desk.ids() == list(range(20))


async def test_a_value_that_cannot_be_written_fails_alone(desk: Desk) -> None:
    strange = object()
    outcomes = await asyncio.gather(
        *(desk.insert(number, strange if number == 3 else "x") for number in range(9)), return_exceptions=True
    )
    assert [isinstance(outcome, StoreError) for outcome in outcomes] == [number == 3 for number in range(9)]
    assert "could not be written" in str(outcomes[3])
    assert desk.ids() == [0, 1, 2, 4, 5, 6, 7, 8]


async def test_statements_that_belong_together_are_kept_or_undone_together(desk: Desk) -> None:
    def good(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES (1, 'a')")
        connection.execute("INSERT INTO things VALUES (2, 'b')")

    def bad(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES (3, 'c')")
        connection.execute("INSERT INTO things VALUES (1, 'again')")

    def changes_its_mind(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES (4, 'd')")
        raise StoreError("no, after all")

    def stumbles(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO things VALUES (5, 'e')")
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        *(desk.writer.execute(work) for work in (good, bad, changes_its_mind, stumbles)),
        desk.insert(6),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [
        type(None),
        sqlite3.IntegrityError,
        StoreError,
        StoreError,
        type(None),
    ]
    assert str(outcomes[2]) == "no, after all"
    assert desk.ids() == [1, 2, 6]
    assert desk.count("COMMIT") == 1


async def test_where_the_disk_is_full_nobody_of_the_group_may_believe_in_a_write(desk: Desk) -> None:
    (pages,) = desk.connection.execute("PRAGMA page_count").fetchone()
    desk.connection.execute(f"PRAGMA max_page_count = {pages}")
    outcomes = await asyncio.gather(
        desk.insert(1), desk.insert(2, "x" * 100_000), desk.insert(3), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 3
    assert all("the data could not be written" in str(outcome) for outcome in outcomes)
    assert desk.ids() == []
    desk.connection.execute("PRAGMA max_page_count = 100000")
    await desk.insert(1)
    assert desk.ids() == [1]


async def test_a_full_disk_in_many_rows_at_once_fails_them_all(desk: Desk) -> None:
    (pages,) = desk.connection.execute("PRAGMA page_count").fetchone()
    desk.connection.execute(f"PRAGMA max_page_count = {pages}")
    outcomes = await asyncio.gather(
        *(desk.insert(number, "x" * 50_000) for number in range(4)), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 4
    desk.connection.execute("PRAGMA max_page_count = 100000")
    assert desk.ids() == []


async def test_a_group_is_bounded(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_GROUP_SIZE == 2_000
    monkeypatch.setattr(module, "MAX_GROUP_SIZE", 10)
    await asyncio.gather(*(desk.insert(number) for number in range(25)))
    assert desk.count("COMMIT") == 3
    assert desk.ids() == list(range(25))


async def test_what_was_asked_for_before_the_end_is_written(desk: Desk) -> None:
    writes = [desk.insert(number) for number in range(50)]
    desk.writer.close()
    desk.writer.close()
    with pytest.raises(StoreError, match="the store is closed"):
        desk.insert(99)
    await asyncio.gather(*writes)
    await asyncio.to_thread(desk.writer.join)
    assert desk.ids() == list(range(50))
    with pytest.raises(sqlite3.ProgrammingError):
        desk.connection.execute("SELECT 1")


async def test_an_end_without_a_write_is_an_end(tmp_path: Path) -> None:
    await Desk(tmp_path).close()


async def test_what_fails_afterwards_stops_nobody(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Exception | None) -> None:
        raise RuntimeError("nobody listens")

    desk.writer.insert(INSERT, (1, "x"), fail)
    await desk.insert(2)
    assert desk.ids() == [1, 2]
    assert "nobody listens" in caplog.text


async def test_who_went_away_meanwhile_is_not_woken(desk: Desk) -> None:
    gone = desk.insert(1)
    gone.cancel()
    taken = desk.insert(1)
    taken.cancel()
    await desk.insert(2)
    assert desk.ids() == [1, 2]
    assert gone.cancelled()


def test_a_loop_that_is_gone_is_told_nothing(tmp_path: Path) -> None:
    async def leave() -> Desk:
        desk = Desk(tmp_path)
        desk.insert(1)
        desk.writer.close()
        return desk

    with asyncio.Runner() as runner:
        desk = runner.run(leave())
    with suppress(RuntimeError):
        desk.writer.join()
    assert desk.ids() == [1]


def test_a_statement_of_many_rows() -> None:
    assert _multi_row_sql("INSERT INTO t (a) VALUES (?)", 3) == "INSERT INTO t (a) VALUES (?), (?), (?)"
