"""The house: tables made, found again, let go, and limits kept."""

from __future__ import annotations

import asyncio
import gc
import weakref

import msgspec
import pytest

from kotatsu.bots.levels import UnknownLevel
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame
from kotatsu.store.contract import StoredTable, TooManyTables
from kotatsu.store.memory import MemoryStore
from kotatsu.table.connection import Connection
from kotatsu.table.house import HouseRules, NoSuchTable, NotOver
from tests.table.people import Person, a_house


async def test_what_cannot_be_made_is_refused_with_a_sentence() -> None:
    house = a_house()
    with pytest.raises(UnknownGame, match="no game called 'chess'"):
        await house.create("ana", "chess", {}, ("me", "open"))
    with pytest.raises(BadTable, match="for 1 to 4 players"):
        await house.create("ana", "whisper", {}, ("me",) * 5)
    with pytest.raises(BadTable, match="unknown field"):
        await house.create("ana", "whisper", {"depth": 3}, ("me", "open"))
    with pytest.raises(UnknownLevel, match="no bot called 'oracle'"):
        await house.create("ana", "whisper", {}, ("me", "oracle"))
    with pytest.raises(BadTable, match="while a seat is open"):
        await house.create("ana", "whisper", {}, ("me", "open"), start=True)
    assert await house.tables_of("ana") == []


async def test_ids_cannot_be_guessed() -> None:
    house = a_house()
    ids = {(await house.create("ana", "whisper", {}, ("me", "open"))).id for _ in range(40)}
    assert len(ids) == 40
    assert all(len(made) >= 12 for made in ids)


async def test_tables_are_limited_per_visitor() -> None:
    house = a_house(rules=HouseRules(tables_a_day=2))
    for _ in range(2):
        await house.create("ana", "whisper", {}, ("me", "open"))
    with pytest.raises(TooManyTables):
        await house.create("ana", "whisper", {}, ("me", "open"))
    await house.create("ben", "whisper", {}, ("me", "open"))


async def test_there_is_one_live_table_of_an_id() -> None:
    class SlowStore(MemoryStore):
        async def table(self, table: str) -> StoredTable | None:
            await asyncio.sleep(0)
            return await super().table(table)

    house = a_house(SlowStore())
    made = await house.create("ana", "whisper", {}, ("me", "open"))
    found = await asyncio.gather(*(house.enter(made.id, Connection(f"v{n}")) for n in range(10)))
    assert len(set(found)) == 1
    assert house.tables == 1
    assert house.connections == 10
    await house.close()


async def test_there_is_no_table_nobody_made() -> None:
    house = a_house()
    for question in (
        house.enter("nowhere", Connection("ana")),
        house.find("nowhere"),
        house.record("nowhere"),
    ):
        with pytest.raises(NoSuchTable):
            await question
    await house.close()


async def test_empty_tables_are_let_go_and_come_back_from_the_log() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me", "me"), start=True)
    ana = await Person(house, "ana").enter(made.id)
    await ana.play(0, {"move": "write", "number": 3})
    house.sweep()
    assert house.tables == 1, "somebody is there"
    ana.leave()
    house.sweep()
    assert house.tables == 0
    back = await Person(house, "ana").enter(made.id)
    assert back.heard[0].seq == 2
    assert back.heard[0].view["mine"] == 3
    await house.close()


async def test_a_table_that_was_let_go_is_gone_without_a_search_for_cycles() -> None:
    gc.disable()
    try:
        house = a_house()
        made = await house.create("ana", "whisper", {"seconds": 100}, ("me", "random"), start=True)
        ana = await Person(house, "ana").enter(made.id)
        await ana.play(0, {"move": "write", "number": 3})
        alive = weakref.ref(ana.table)
        assert alive() is not None
        ana.leave()
        ana.table = None
        await house.close()
        await asyncio.sleep(0)
        assert alive() is None
    finally:
        gc.enable()


async def test_nobody_is_brought_to_a_table_that_was_let_go_meanwhile() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me", "me"), start=True)
    ana = Person(house, "ana")
    entering = asyncio.create_task(ana.enter(made.id))
    while not house.tables:
        await asyncio.sleep(0)
    house.sweep()
    assert house.tables == 0, "swept before anybody sat down"
    await entering
    assert house.tables == 1
    assert (await ana.play(0, {"move": "write", "number": 3})).seq == 2
    await house.close()


async def test_tables_linger_a_while() -> None:
    house = a_house(rules=HouseRules(linger=3600))
    made = await house.create("ana", "whisper", {}, ("me", "open"))
    (await Person(house, "ana").enter(made.id)).leave()
    house.sweep()
    assert house.tables == 1
    await house.close()


async def test_sweeping_happens_by_itself() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me", "open"))
    (await Person(house, "ana").enter(made.id)).leave()
    while house.tables:
        await asyncio.sleep(0.01)
    await house.close()


async def test_closing_leaves_no_task_behind() -> None:
    before = asyncio.all_tasks()
    house = a_house(rules=HouseRules(pace=3600))
    for _ in range(5):
        made = await house.create("ana", "whisper", {"seconds": 100}, ("me", "random"), start=True)
        connection = Connection("ana")
        await house.enter(made.id, connection)
    await asyncio.sleep(0)
    await house.close()
    await asyncio.sleep(0)
    assert connection.closed is not None
    assert asyncio.all_tasks() == before


async def test_the_record_is_closed_until_the_game_is_over() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me",), start=True)
    ana = await Person(house, "ana").enter(made.id)
    with pytest.raises(NotOver):
        await house.record(made.id)
    for n in range(3):
        await ana.play(0, {"move": "write", "number": n})
    record = msgspec.to_builtins(await house.record(made.id))
    assert record["kotatsu"] == 1
    assert record["names"] == ["seat 0"]
    assert next(entry for entry in record["log"] if "move" in entry) == {
        "seat": 0,
        "move": "write",
        "number": 0,
    }
    await house.close()


async def test_a_table_is_told_without_ids_of_visitors() -> None:
    house = a_house()
    made = await house.create("secret-visitor", "whisper", {}, ("me", "open"))
    person = await Person(house, "other-secret").enter(made.id)
    _, info = await house.find(made.id)
    told = b"".join(person.raw) + msgspec.json.encode(info)
    assert b"secret" not in told
    await house.close()
