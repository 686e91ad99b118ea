"""The house: tables made, found again, let go, and limits kept."""

from __future__ import annotations

import asyncio
import gc
import weakref

import msgspec
import pytest

from kotatsu.bots.levels import UnknownLevel
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.match import BadTable
from kotatsu.engine.record import FORMAT
from kotatsu.engine.registry import UnknownGame
from kotatsu.store.contract import StoredTable, TooManyTables
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import ManagerSettings, NoSuchTable, NotOver
from tests.tables.people import Person, a_manager


async def test_what_cannot_be_made_is_refused_with_a_sentence() -> None:
    manager = a_manager()
    with pytest.raises(UnknownGame, match="no game called 'chess'"):
        await manager.create("ana", "chess", {}, ("me", "open"))
    with pytest.raises(BadTable, match="for 1 to 4 players"):
        await manager.create("ana", "whisper", {}, ("me",) * 5)
    with pytest.raises(BadTable, match="unknown field"):
        await manager.create("ana", "whisper", {"depth": 3}, ("me", "open"))
    with pytest.raises(UnknownLevel, match="no bot called 'oracle'"):
        await manager.create("ana", "whisper", {}, ("me", "oracle"))
    with pytest.raises(BadTable, match="while a seat is open"):
        await manager.create("ana", "whisper", {}, ("me", "open"), start=True)
    assert await manager.tables_of("ana") == []


async def test_ids_cannot_be_guessed() -> None:
    manager = a_manager()
    ids = {(await manager.create("ana", "whisper", {}, ("me", "open"))).id for _ in range(40)}
    assert len(ids) == 40
    assert all(len(made) >= 12 for made in ids)


async def test_tables_are_limited_per_visitor() -> None:
    manager = a_manager(rules=ManagerSettings(tables_a_day=2))
    for _ in range(2):
        await manager.create("ana", "whisper", {}, ("me", "open"))
    with pytest.raises(TooManyTables):
        await manager.create("ana", "whisper", {}, ("me", "open"))
    await manager.create("ben", "whisper", {}, ("me", "open"))


async def test_there_is_one_live_table_of_an_id() -> None:
    class SlowStore(MemoryStore):
        async def table(self, table: str) -> StoredTable | None:
            await asyncio.sleep(0)
            return await super().table(table)

    manager = a_manager(SlowStore())
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    found = await asyncio.gather(*(manager.enter(made.id, TableConnection(f"v{n}")) for n in range(10)))
    assert len(set(found)) == 1
    assert manager.tables == 1
    assert manager.connections == 10
    await manager.close()


async def test_there_is_no_table_nobody_made() -> None:
    manager = a_manager()
    for question in (
        manager.enter("nowhere", TableConnection("ana")),
        manager.find("nowhere"),
        manager.record("nowhere"),
    ):
        with pytest.raises(NoSuchTable):
            await question
    await manager.close()


async def test_empty_tables_are_let_go_and_come_back_from_the_log() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    await ana.play(0, {"move": "write", "number": 3})
    manager.close_idle_tables()
    assert manager.tables == 1, "somebody is there"
    ana.leave()
    manager.close_idle_tables()
    assert manager.tables == 0
    back = await Person(manager, "ana").enter(made.id)
    assert back.heard[0].seq == 2
    assert back.heard[0].view["mine"] == 3
    await manager.close()


async def test_a_table_that_was_let_go_is_gone_without_a_search_for_cycles() -> None:
    gc.disable()
    try:
        manager = a_manager()
        made = await manager.create("ana", "whisper", {"seconds": 100}, ("me", "random"), start=True)
        ana = await Person(manager, "ana").enter(made.id)
        await ana.play(0, {"move": "write", "number": 3})
        alive = weakref.ref(ana.table)
        assert alive() is not None
        ana.leave()
        ana.table = None
        await manager.close()
        await asyncio.sleep(0)
        assert alive() is None
    finally:
        gc.enable()


async def test_nobody_is_brought_to_a_table_that_was_let_go_meanwhile() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me", "me"), start=True)
    ana = Person(manager, "ana")
    entering = asyncio.create_task(ana.enter(made.id))
    while not manager.tables:
        await asyncio.sleep(0)
    manager.close_idle_tables()
    assert manager.tables == 0, "swept before anybody sat down"
    await entering
    assert manager.tables == 1
    assert (await ana.play(0, {"move": "write", "number": 3})).seq == 2
    await manager.close()


async def test_tables_linger_a_while() -> None:
    manager = a_manager(rules=ManagerSettings(linger=3600))
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    (await Person(manager, "ana").enter(made.id)).leave()
    manager.close_idle_tables()
    assert manager.tables == 1
    await manager.close()


async def test_sweeping_happens_by_itself() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    (await Person(manager, "ana").enter(made.id)).leave()
    while manager.tables:
        await asyncio.sleep(0.01)
    await manager.close()


async def test_closing_leaves_no_task_behind() -> None:
    before = asyncio.all_tasks()
    manager = a_manager(rules=ManagerSettings(pace=3600))
    for _ in range(5):
        made = await manager.create("ana", "whisper", {"seconds": 100}, ("me", "random"), start=True)
        connection = TableConnection("ana")
        await manager.enter(made.id, connection)
    await asyncio.sleep(0)
    await manager.close()
    await asyncio.sleep(0)
    assert connection.closed is not None
    assert asyncio.all_tasks() == before


async def test_the_record_is_closed_until_the_game_is_over() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me",), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    with pytest.raises(NotOver):
        await manager.record(made.id)
    for n in range(3):
        await ana.play(0, {"move": "write", "number": n})
    record = msgspec.to_builtins(await manager.record(made.id))
    assert record["kotatsu"] == FORMAT
    assert record["names"] == ["seat 0"]
    assert next(entry for entry in record["log"] if "move" in entry) == {
        "seat": 0,
        "move": "write",
        "number": 0,
    }
    await manager.close()


async def test_a_table_is_told_without_ids_of_visitors() -> None:
    manager = a_manager()
    made = await manager.create("secret-visitor", "whisper", {}, ("me", "open"))
    person = await Person(manager, "other-secret").enter(made.id)
    _, info = await manager.find(made.id)
    told = b"".join(person.raw) + msgspec.json.encode(info)
    assert b"secret" not in told
    await manager.close()
