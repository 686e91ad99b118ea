"""Every store keeps the same promises."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kotatsu.store.contract import (
    Change,
    LoggedStep,
    SeqTaken,
    Store,
    StoredSeat,
    StoredTable,
    StoreError,
    TooManyTables,
)
from kotatsu.store.memory import MemoryStore
from kotatsu.store.sqlite import SqliteStore


@pytest.fixture(params=["sqlite", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store = SqliteStore(tmp_path) if request.param == "sqlite" else MemoryStore()
    yield opened
    await opened.close()


def a_table(name: str = "t1", host: str = "ana", created: float = 100.0) -> StoredTable:
    seats = (StoredSeat("person", host, "Ana"), StoredSeat(), StoredSeat("bot", level="novice"))
    return StoredTable(name, "kimono", host, created, created, seats, {"accessory_combo": True})


def a_step(seq: int, entries: bytes = b'[{"fact":"x"}]') -> LoggedStep:
    return LoggedStep(seq, 200.0 + seq, entries, seat=0, command_id=f"c{seq}")


async def make(store: Store, table: StoredTable) -> None:
    await store.create(table, limit=100, since=0)


async def test_a_table_comes_back_as_it_was(store: Store) -> None:
    await make(store, a_table())
    assert await store.table("t1") == a_table()
    assert await store.table("t2") is None


async def test_the_log_comes_back_in_order_and_to_the_byte(store: Store) -> None:
    await make(store, a_table())
    steps = [a_step(1), LoggedStep(2, 202.0, '[{"fact":"é","n":1.5}]'.encode()), a_step(3)]
    for step in steps:
        await store.append("t1", step)
    assert await store.steps("t1") == steps
    found = await store.table("t1")
    assert found is not None
    assert found.updated == 203.0


async def test_a_step_is_written_once(store: Store) -> None:
    await make(store, a_table())
    await store.append("t1", a_step(1))
    with pytest.raises(SeqTaken):
        await store.append("t1", a_step(1, b"[]"), Change(status="over"))
    found = await store.table("t1")
    assert found is not None
    assert found.status == "gathering"
    assert await store.steps("t1") == [a_step(1)]


async def test_of_many_writers_of_one_step_one_wins_and_the_others_are_told(store: Store) -> None:
    for name in ("t1", "t2"):
        await make(store, a_table(name))
    rivals = [store.append("t1", a_step(1, b"[%d]" % n)) for n in range(20)]
    elsewhere = [store.append("t2", a_step(seq)) for seq in range(1, 21)]
    outcomes = await asyncio.gather(*rivals, *elsewhere, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes[:20]].count(type(None)) == 1
    assert all(isinstance(outcome, SeqTaken) for outcome in outcomes[:20] if outcome is not None)
    assert outcomes[20:] == [None] * 20
    assert len(await store.steps("t1")) == 1
    assert [step.seq for step in await store.steps("t2")] == list(range(1, 21))


async def test_a_step_of_an_unknown_table_is_refused(store: Store) -> None:
    with pytest.raises(StoreError):
        await store.append("nowhere", a_step(1))


async def test_a_change_comes_with_its_step(store: Store) -> None:
    await make(store, a_table())
    seats = (
        StoredSeat("person", "ana", "Ana"),
        StoredSeat("bot", level="adept"),
        StoredSeat("bot", level="x"),
    )
    await store.append("t1", a_step(1), Change(status="playing", seats=seats))
    await store.append("t1", a_step(2), Change(status="over", result={"scores": [1, 2, 3]}))
    found = await store.table("t1")
    assert found is not None
    assert (found.status, found.seats, found.result) == ("over", seats, {"scores": [1, 2, 3]})


async def test_seats_change(store: Store) -> None:
    await make(store, a_table())
    seats = (StoredSeat(), StoredSeat("person", "ben", "Ben"), StoredSeat())
    await store.seat("t1", seats, 300.0)
    found = await store.table("t1")
    assert found is not None
    assert (found.seats, found.updated) == (seats, 300.0)


async def test_my_tables_are_those_i_made_or_sit_at_the_liveliest_first(store: Store) -> None:
    await make(store, a_table("made", created=1))
    await make(store, a_table("other", host="ben", created=2))
    await make(store, a_table("joined", host="ben", created=3))
    await store.seat("joined", (StoredSeat("person", "ana", "Ana"), StoredSeat(), StoredSeat()), 5)
    await store.append("made", a_step(1))
    assert [table.id for table in await store.tables_of("ana")] == ["made", "joined"]
    assert [table.id for table in await store.tables_of("ana", limit=1)] == ["made"]
    assert await store.tables_of("nobody") == []


async def test_a_new_name_shows_where_one_still_plays(store: Store) -> None:
    assert await store.name_of("ana") == ""
    for name in ("live", "done"):
        await make(store, a_table(name))
    await store.append("done", a_step(1), Change(status="over"))
    await store.rename("ana", "Anaïs", 1.0)
    await store.rename("ana", "Anna", 2.0)
    assert await store.name_of("ana") == "Anna"
    names = {table.id: table.seats[0].name for table in await store.tables_of("ana")}
    assert names == {"live": "Anna", "done": "Ana"}


async def test_unfinished_tables_are_limited_even_when_made_at_once(store: Store) -> None:
    made = await asyncio.gather(
        *(store.create(a_table(f"t{n}"), limit=3, since=50) for n in range(5)), return_exceptions=True
    )
    assert sum(isinstance(outcome, TooManyTables) for outcome in made) == 2
    assert sum(outcome is None for outcome in made) == 3
    await store.append("t0", a_step(1), Change(status="over"))
    await store.create(a_table("t6"), limit=3, since=50)
    await store.create(a_table("t7", created=200), limit=3, since=150)


async def test_an_id_is_used_once(store: Store) -> None:
    await make(store, a_table())
    with pytest.raises(StoreError):
        await make(store, a_table(host="ben"))
    found = await store.table("t1")
    assert found is not None
    assert found.host == "ana"


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await make(store, a_table())
    with pytest.raises(StoreError, match="closed"):
        await store.table("t1")
