"""The house: tables made, found again, let go, and limits kept."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.bots.contract import Thought
from kotatsu.bots.levels import UnknownLevel
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.match import BadTable
from kotatsu.engine.match import replay as kotatsu_replay
from kotatsu.engine.record import FORMAT
from kotatsu.engine.registry import UnknownGame
from kotatsu.protocol.messages import Welcome
from kotatsu.store.contract import (
    LoggedStep,
    Persona,
    StoredSeat,
    StoredTable,
    StoreError,
    TableSettings,
    TooManyTables,
)
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import (
    ManagerSettings,
    NoSuchTable,
    NotOver,
    NotSeated,
    TableManager,
    seats_held_by,
)
from tests.tables.people import RULES, LocalThinker, Person, a_manager
from tests.tables.virtual_time import in_virtual_time


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
        manager.motion("nowhere", "ana", 1),
    ):
        with pytest.raises(NoSuchTable, match="nowhere"):
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


@in_virtual_time
async def test_tables_linger_a_while() -> None:
    manager = a_manager(rules=ManagerSettings(linger=3600))
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    (await Person(manager, "ana").enter(made.id)).leave()
    manager.close_idle_tables()
    assert manager.tables == 1
    manager._idle_checker.cancel()  # type: ignore[union-attr]
    await asyncio.sleep(3599)
    manager.close_idle_tables()
    assert manager.tables == 1
    await asyncio.sleep(1)
    manager.close_idle_tables()
    assert manager.tables == 0
    await manager.close()


@in_virtual_time
async def test_sweeping_happens_by_itself() -> None:
    manager = a_manager(rules=ManagerSettings(linger=40.0))
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    ana = await Person(manager, "ana").enter(made.id)
    await asyncio.sleep(1000)
    assert manager.tables == 1
    ana.leave()
    await asyncio.sleep(39)
    assert manager.tables == 1
    await asyncio.sleep(12)
    assert manager.tables == 0, "it looks four times as often as tables linger"
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


async def test_a_table_is_written_down_as_it_was_asked_for() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    await manager.set_persona("ana", Persona("Ana", "fox"))
    changes = manager.changes.count
    settings = TableSettings(listed=True, patience=44.0)
    made = await manager.create("ana", "whisper", {"seconds": 5}, ("open", "me", "novice"), settings=settings)
    assert made.seats == (
        StoredSeat(),
        StoredSeat("person", "ana", "Ana", avatar="fox"),
        StoredSeat("bot", level="novice"),
    )
    assert (made.game, made.host, made.status, made.settings) == ("whisper", "ana", "gathering", settings)
    assert made.options == {"seconds": 5.0, "counts_time": False, "shouting": False}
    assert made.created == made.updated > 1_600_000_000
    assert await store.table(made.id) == made
    assert await store.steps(made.id) == []
    assert manager.changes.count == changes + 1
    plain = await manager.create("ana", "whisper", {}, ("me", "open"))
    assert plain.settings == TableSettings()


async def test_a_game_that_begins_at_once_has_its_first_step() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 5}, ("me", "random"), start=True)
    (opening,) = await store.steps(made.id)
    assert (opening.seq, opening.seat, opening.command_id, opening.at) == (1, None, None, made.created)
    assert msgspec.json.decode(opening.entries)[0]["fact"] == "opened"
    stored = await store.table(made.id)
    assert stored is not None
    assert stored.status == "playing"


async def test_yesterdays_tables_do_not_count_today() -> None:
    store = MemoryStore()
    manager = a_manager(store, rules=ManagerSettings(tables_a_day=1))
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    for age, refused in ((86_300.0, True), (86_500.0, False)):
        store._tables[made.id] = replace(made, created=time.time() - age)
        outcome = await asyncio.gather(
            manager.create("ana", "whisper", {}, ("me", "open")), return_exceptions=True
        )
        assert isinstance(outcome[0], TooManyTables) is refused


async def test_tables_are_found_as_they_are_and_as_everyone_may_know_them() -> None:
    manager = a_manager(rules=ManagerSettings(linger=60.0))
    made = await manager.create("ana", "whisper", {}, ("me", "open"), settings=TableSettings(listed=True))
    stored, info = await manager.find(made.id)
    assert stored == made
    assert (info.id, info.seats[0].here, info.watching) == (made.id, False, 0)
    await Person(manager, "ana").enter(made.id)
    await Person(manager, "zoe").enter(made.id)
    for stored, info in (
        await manager.find(made.id),
        *await manager.tables_of("ana"),
        *await manager.lobby(),
    ):
        assert stored.id == info.id == made.id
        assert (info.seats[0].here, info.watching) == (True, 1), "the live table knows best"
    assert await manager.tables_of("zoe") == []
    await manager.close()


async def finished(manager: TableManager, *seats: str, **options: Any) -> tuple[str, Person]:
    """A game of ``whisper`` that is over."""
    settings = TableSettings(watchable=False)
    made = await manager.create(
        "ana", "whisper", options, seats or ("me", "random"), start=True, settings=settings
    )
    ana = await Person(manager, "ana").enter(made.id)
    for number in range(3):
        await ana.play(0, {"move": "write", "number": number})
        await ana.settle()
    return made.id, ana


async def test_a_rematch_is_the_same_game_of_the_same_people_one_seat_further() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana = await finished(manager, "me", "random", "novice", counts_time=True)
    again = await manager.rematch(table, "ana")
    assert [seat.level or seat.visitor for seat in again.seats] == ["novice", "ana", "random"]
    assert (again.game, again.host, again.settings) == ("whisper", "ana", TableSettings(watchable=False))
    assert again.options["counts_time"] is True
    assert again.created == again.updated > 1_600_000_000
    assert again.id != table
    stored = await store.table(again.id)
    assert stored is not None
    assert stored.status == "playing"
    (opening,) = await store.steps(again.id)
    assert opening.seq == 1
    assert opening.at == again.created
    await ana.settle()
    assert ana.all(Welcome)[-1].table.rematch == again.id
    await manager.close()


async def test_of_two_who_ask_for_a_rematch_at_once_both_come_to_one_table() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, _ = await finished(manager)
    first, second = await asyncio.gather(manager.rematch(table, "ana"), manager.rematch(table, "ana"))
    assert first.id == second.id
    assert len(await store.steps(first.id)) == 1
    await manager.close()


async def test_only_who_played_asks_for_a_rematch_and_only_afterwards() -> None:
    manager = a_manager()
    table, _ = await finished(manager)
    with pytest.raises(NotSeated, match="who played"):
        await manager.rematch(table, "zoe")
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    for question in (
        manager.rematch(made.id, "ana"),
        manager.replay(made.id, None),
        manager.record(made.id),
    ):
        with pytest.raises(NotOver, match="the game is not over"):
            await question
    with pytest.raises(NoSuchTable):
        await manager.rematch("nowhere", "ana")
    await manager.close()


async def test_a_finished_game_is_seen_again_by_seat() -> None:
    manager = a_manager()
    table, _ = await finished(manager, seconds=9)
    info, mine = await manager.replay(table, 0)
    assert info.status == "over"
    assert [step.facts[0].number for step in mine if step.seat == 0] == [0, 1, 2]
    _, theirs = await manager.replay(table, 1)
    _, nobodys = await manager.replay(table, None)
    assert {step.facts[0].number for step in nobodys if step.seat is not None} == {None}
    assert len(mine) == len(theirs) == len(nobodys) == 7
    for seat in (-1, 2, 99):
        with pytest.raises(BadTable, match="2 seats, the first is 0"):
            await manager.replay(table, seat)
    with pytest.raises(NoSuchTable):
        await manager.replay("nowhere", 0)
    await manager.close()


async def test_a_record_is_whole_and_replays() -> None:
    manager = a_manager()
    await manager.set_persona("ana", Persona("Ana"))
    table, _ = await finished(manager, "me", "random", seconds=9.0)
    record = await manager.record(table)
    assert (record.kotatsu, record.game, record.players) == (FORMAT, "whisper", 2)
    assert record.names == ["Ana", "bot:random"]
    assert record.options["seconds"] == 9.0
    match = kotatsu_replay(msgspec.to_builtins(record))
    assert match.outcome is not None
    assert not [entry for entry in record.log if "receipt" in entry]
    await manager.close()


async def test_whoever_is_forgotten_is_forgotten_at_every_live_table() -> None:
    store = MemoryStore()
    manager = a_manager(store, thinker=LocalThinker(lambda _: Thought(None)))
    rooms = []
    for _ in range(2):
        made = await manager.create("ana", "whisper", {}, ("me", "me"), start=True)
        rooms.append(await Person(manager, "zoe").enter(made.id))
    asleep = await manager.create("ana", "whisper", {}, ("me", "open"))
    await manager.delete_visitor("ana")
    for zoe in rooms:
        await zoe.settle()
        assert zoe.all(Welcome)[-1].table.seats[0].level == "adept"
    stored = await store.table(asleep.id)
    assert stored is not None
    assert (stored.host, stored.seats[0]) == ("", StoredSeat())
    await manager.close()


async def test_everybody_has_a_name_of_their_own() -> None:
    manager = a_manager()
    await manager.set_persona("ana", Persona("Ana", "fox"))
    assert await manager.persona("ana") == Persona("Ana", "fox")
    assert await manager.persona("ben") == Persona()


async def test_the_chance_of_a_house_may_be_given() -> None:
    themes = set()
    for seed in (5, 5, 6):
        store = MemoryStore()
        manager = TableManager(store, LocalThinker(), RULES, Random(seed))
        made = await manager.create("ana", "whisper", {}, ("me",), start=True)
        (opening,) = await store.steps(made.id)
        themes.add(msgspec.json.decode(opening.entries)[0]["theme"])
    assert themes == {Random(5).randrange(100), Random(6).randrange(100)}


async def test_a_table_that_cannot_be_opened_leaves_nothing_open() -> None:
    class Stumbles(MemoryStore):
        stumbling = True

        async def steps(self, table: str) -> list[LoggedStep]:
            if self.stumbling:
                raise StoreError("cannot be read")
            return await super().steps(table)

    store = Stumbles()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    with pytest.raises(StoreError):
        await manager.enter(made.id, TableConnection("ana"))
    assert manager.tables == 0
    store.stumbling = False
    await Person(manager, "ana").enter(made.id)
    assert manager.tables == 1
    await manager.close()


async def test_who_gives_up_entering_lets_the_others_in() -> None:
    gate = asyncio.Event()

    class Slow(MemoryStore):
        async def steps(self, table: str) -> list[LoggedStep]:
            await gate.wait()
            return await super().steps(table)

    manager = a_manager(Slow())
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    impatient = asyncio.create_task(manager.enter(made.id, TableConnection("ana")))
    patient = asyncio.create_task(manager.enter(made.id, TableConnection("ben")))
    await asyncio.sleep(0)
    impatient.cancel()
    gate.set()
    assert (await patient).connections == 1
    await manager.close()


async def test_a_house_that_closes_while_a_table_opens_opens_it_no_more() -> None:
    class Slow(MemoryStore):
        async def steps(self, table: str) -> list[LoggedStep]:
            await asyncio.Event().wait()
            return []

    manager = a_manager(Slow())
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    entering = asyncio.create_task(manager.enter(made.id, TableConnection("ana")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await manager.close()
    with pytest.raises(asyncio.CancelledError):
        await entering
    assert manager.tables == 0


async def test_seats_one_holds_at_a_stored_table() -> None:
    seats = (
        StoredSeat("person", "ana"),
        StoredSeat("bot", "ana", level="x"),
        StoredSeat("person", "ana", guest=True),
    )
    table = StoredTable("t", "whisper", "ana", 1.0, 1.0, seats)
    assert (seats_held_by(table, "ana"), seats_held_by(table, "ben")) == ((0, 2), ())
