"""What is particular to the SQLite store: files, locks, groups, migrations."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kotatsu.store import schema, writer
from kotatsu.store import sqlite as sqlite_module
from kotatsu.store.contract import (
    DataUnusable,
    LoggedStep,
    Persona,
    StoredSeat,
    StoredTable,
    StoreError,
    TableChange,
)
from kotatsu.store.sqlite import SqliteStore

TABLE = StoredTable("t1", "kimono", "ana", 1.0, 1.0, (StoredSeat(), StoredSeat()))


async def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    steps = [LoggedStep(seq, float(seq), b"[]", seat=1, command_id=None) for seq in range(1, 50)]
    await asyncio.gather(*(store.append("t1", step) for step in steps))
    await store.close()
    again = SqliteStore(tmp_path)
    assert await again.steps("t1") == steps
    await again.close()


async def test_closing_writes_what_is_queued(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    writes = [asyncio.ensure_future(store.append("t1", LoggedStep(n, 0.0, b"[]"))) for n in range(1, 200)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    again = SqliteStore(tmp_path)
    assert len(await again.steps("t1")) == 199
    await again.close()


async def test_power_cuts_lose_nothing_acknowledged(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    connection = store._connect()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
    await store.close()


async def test_only_one_server_may_have_the_data(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path)
    with pytest.raises(DataUnusable, match="another server is already using"):
        SqliteStore(tmp_path)
    await first.close()
    await SqliteStore(tmp_path).close()


def test_a_directory_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataUnusable, match="cannot write to the data directory"):
        SqliteStore(tmp_path / "file" / "data")


def test_a_directory_whose_lock_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kotatsu.lock").mkdir()
    with pytest.raises(DataUnusable, match=f"cannot write to the data directory {tmp_path}: "):
        SqliteStore(tmp_path)


async def test_something_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "kotatsu.sqlite3"
    file.write_bytes(b"a letter to grandmother" * 100)
    with pytest.raises(DataUnusable, match="cannot use"):
        SqliteStore(tmp_path)
    assert file.read_bytes().startswith(b"a letter to grandmother")
    file.unlink()
    await SqliteStore(tmp_path).close()


async def test_data_of_a_newer_kotatsu_is_refused(tmp_path: Path) -> None:
    await SqliteStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "kotatsu.sqlite3") as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 0)")
    connection.close()
    with pytest.raises(DataUnusable, match="newer Kotatsu"):
        SqliteStore(tmp_path)


async def test_older_data_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as past:
        past.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        await SqliteStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "kotatsu.sqlite3") as connection:
        connection.execute("INSERT INTO visitors VALUES ('ana', 'Ana', 1.0)")
        connection.execute(
            "INSERT INTO tables VALUES ('t1', 'kimono', 2, '{}', 'gathering', 'ana', 1.0, 1.0, NULL)"
        )
        connection.execute(
            "INSERT INTO tables VALUES ('a0', 'kimono', 0, '{}', 'gathering', 'ana', 2.0, 2.0, NULL)"
        )
        connection.executemany("INSERT INTO seats VALUES ('t1', ?, 'open', NULL, '', NULL)", [(0,), (1,)])
        connection.executemany(
            "INSERT INTO log VALUES (?, ?, 1.0, ?, ?, ?)",
            [("t1", 1, None, None, "[1]"), ("a0", 1, None, None, "[2]"), ("t1", 2, 1, "c", "[3]")],
        )
    connection.close()
    again = SqliteStore(tmp_path)
    assert await again.table("t1") == TABLE
    assert await again.steps("t1") == [LoggedStep(1, 1.0, b"[1]"), LoggedStep(2, 1.0, b"[3]", 1, "c")]
    await again.append("a0", LoggedStep(2, 1.0, b"[4]"))
    assert [step.entries for step in await again.steps("a0")] == [b"[2]", b"[4]"]
    await again.create(replace(TABLE, id="new"), limit=9, since=0)
    await again.append("new", LoggedStep(1, 1.0, b"[5]"))
    assert [step.entries for step in await again.steps("new")] == [b"[5]"]
    assert await again.persona("ana") == Persona("Ana")
    await again.close()


async def test_the_numbers_of_tables_are_kept_at_hand_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_module, "CACHED_TABLE_NUMBERS", 2)
    store = SqliteStore(tmp_path)
    for name in ("a", "b", "c"):
        await store.create(replace(TABLE, id=name), limit=9, since=0)
        await store.table(name)
        assert len(store._numbers) <= 2
    for name in ("a", "b", "c"):
        await store.append(name, LoggedStep(1, 1.0, name.encode()))
        assert [step.entries for step in await store.steps(name)] == [name.encode()]
    await store.close()


async def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    store._writer._connection.execute("ALTER TABLE tables RENAME TO elsewhere")
    with pytest.raises(StoreError, match="the data could not be read: no such table: tables"):
        await store.table("t1")
    await store.close()


async def test_writes_that_wait_are_committed_together(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    commits = 0

    def trace(statement: str) -> None:
        nonlocal commits
        commits += statement == "COMMIT"

    store._writer._connection.set_trace_callback(trace)
    await asyncio.gather(*(store.append("t1", LoggedStep(n, 0.0, b"[]")) for n in range(1, 501)))
    store._writer._connection.set_trace_callback(None)
    assert 1 <= commits < 250
    await store.close()


async def test_a_full_disk_is_reported_and_later_writes_succeed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    connection = store._writer._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="could not be written"):
        await store.append("t1", LoggedStep(1, 0.0, b"x" * 100_000))
    connection.execute("PRAGMA max_page_count = 1000000")
    assert await store.steps("t1") == []
    await store.append("t1", LoggedStep(1, 0.0, b"[]"))
    await store.close()


async def test_a_value_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    strange: Any = object()
    steps = [LoggedStep(n, 0.0, b"[]", command_id=strange if n == 7 else None) for n in range(1, 21)]
    outcomes = await asyncio.gather(*(store.append("t1", step) for step in steps), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        StoreError if n == 7 else type(None) for n in range(1, 21)
    ]
    assert [step.seq for step in await store.steps("t1")] == [n for n in range(1, 21) if n != 7]
    await store.close()


async def test_a_group_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_GROUP_SIZE", 10)
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    commits = 0

    def trace(statement: str) -> None:
        nonlocal commits
        commits += statement == "COMMIT"

    store._writer._connection.set_trace_callback(trace)
    await asyncio.gather(*(store.append("t1", LoggedStep(n, 0.0, b"[]")) for n in range(1, 101)))
    assert commits >= 10
    assert len(await store.steps("t1")) == 100
    await store.close()


async def test_what_belongs_together_is_kept_together_or_not_at_all(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    sofa: Any = "sofa"
    broken = replace(TABLE, id="broken", seats=(StoredSeat(), StoredSeat(sofa)))
    outcomes = await asyncio.gather(
        store.create(TABLE, limit=9, since=0),
        store.create(broken, limit=9, since=0),
        store.create(replace(TABLE, id="t2"), limit=9, since=0),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), StoreError, type(None)]
    assert await store.table("broken") is None, "its row was written before its seats failed"
    assert await store.table("t1") == TABLE
    assert await store.table("t2") == replace(TABLE, id="t2")
    await store.create(replace(TABLE, id="broken"), limit=9, since=0)
    await store.close()


async def test_a_step_whose_change_cannot_be_written_is_not_written(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    await store.create(TABLE, limit=9, since=0)
    lost: Any = "lost"
    outcomes = await asyncio.gather(
        store.append("t1", LoggedStep(1, 1.0, b"[1]")),
        store.append("t1", LoggedStep(2, 2.0, b"[2]"), TableChange(status=lost)),
        store.append("t1", LoggedStep(3, 3.0, b"[3]")),
        return_exceptions=True,
    )
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [False, True, False]
    assert [step.seq for step in await store.steps("t1")] == [1, 3]
    await store.append("t1", LoggedStep(2, 2.0, b"[2]"), TableChange(status="over"))
    found = await store.table("t1")
    assert found is not None
    assert (found.status, found.updated) == ("over", 3.0)
    await store.close()
