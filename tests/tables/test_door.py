"""The door of a live table: who comes and goes, what is counted, what waits, and what a closed table leaves behind."""

from __future__ import annotations

import asyncio
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.bots.contract import Thought
from kotatsu.connections.connection import NOT_ADMITTED, SERVICE_RESTART, TableConnection
from kotatsu.engine.contract import Deadline
from kotatsu.protocol.messages import (
    CatchUp,
    CommandAccepted,
    CommandRefused,
    PeopleChanged,
    Ping,
    Play,
    Pong,
    React,
    Said,
    Say,
    SetBot,
    SetTableSettings,
    Sit,
    Stand,
    Start,
    StepMessage,
    Welcome,
)
from kotatsu.store.contract import Persona, StoredSeat, StoreError, TableSettings
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.live_table import MAX_QUEUED_COMMANDS
from kotatsu.tables.mail import BotMoved, DeadlinePassed
from kotatsu.tables.manager import ManagerSettings, TableManager
from tests.tables.people import FailingStore, LocalThinker, Person, a_manager
from tests.tables.virtual_time import in_virtual_time

RULES = ManagerSettings(pace=0, linger=60.0)


def write(number: int = 5) -> dict[str, Any]:
    return {"move": "write", "number": number}


class Tally:
    """Counts what a table lets be counted."""

    def __init__(self) -> None:
        self.moves: list[tuple[str, bool, float]] = []
        self.refusals: list[str] = []

    def moved(self, game: str, *, bot: bool, seconds: float) -> None:
        self.moves.append((game, bot, seconds))

    def refused(self, code: str) -> None:
        self.refusals.append(code)


class OpenTable:
    """A table of ``whisper``: ana in seat 0, who hosts, ben in seat 1, a bot that does nothing in seat 2."""

    def __init__(self, thinker: LocalThinker | None = None) -> None:
        self.store = FailingStore()
        self.tally = Tally()
        self.thinker = thinker or LocalThinker(lambda _: Thought(None))
        self.manager = TableManager(self.store, self.thinker, RULES, metrics=self.tally)

    async def begin(self, *, start: bool = True, **options: Any) -> OpenTable:
        made = await self.manager.create("ana", "whisper", options, ("me", "open", "random"))
        self.table = made.id
        self.ana = await Person(self.manager, "ana").enter(made.id)
        self.ben = await Person(self.manager, "ben").enter(made.id)
        await self.ben.ask(Sit("sit", 1))
        if start:
            await self.ana.ask(Start("start", "random"))
        for person in (self.ana, self.ben):
            await person.settle()
            person.heard.clear()
        return self

    async def stored(self) -> Any:
        return await self.store.table(self.table)


@in_virtual_time
async def test_whoever_arrives_is_welcomed_and_the_others_hear_of_it() -> None:
    house = await OpenTable().begin()
    await house.ana.ask(Say("s", "hello"))
    house.ben.collect()
    house.ben.heard.clear()
    zoe = await Person(house.manager, "zoe").enter(house.table)
    assert [type(event) for event in zoe.heard] == [Welcome, Said]
    assert [type(event) for event in house.ben.all(object)] == [PeopleChanged]
    assert house.ben.heard[0].table.watching == 1
    await house.manager.close()


@in_virtual_time
async def test_who_leaves_twice_leaves_once() -> None:
    house = await OpenTable().begin()
    house.ben.leave()
    assert [seat.here for seat in house.ana.all(PeopleChanged)[-1].table.seats] == [True, False, False]
    told = len(house.ana.all(PeopleChanged))
    house.ben.leave()
    assert len(house.ana.all(PeopleChanged)) == told
    await house.manager.close()


@in_virtual_time
async def test_signs_of_life_and_gaps_are_answered_whatever_goes_on() -> None:
    house = await OpenTable().begin()
    house.store.hold = asyncio.Event()
    table = house.ana.table
    assert table is not None
    table.submit(house.ana.connection, Play("c", 0, 1, msgspec.Raw(msgspec.json.encode(write()))))
    table.submit(house.ana.connection, Ping())
    table.submit(house.ana.connection, CatchUp(0))
    assert [type(event) for event in house.ana.all(object)] == [Pong, Welcome]
    house.store.hold.set()
    await house.ana.settle()
    assert house.ana.answer("c") == CommandAccepted("c", 2)
    await house.manager.close()


@in_virtual_time
async def test_a_table_that_is_overwhelmed_says_so_and_loses_nothing_it_took() -> None:
    house = await OpenTable().begin()
    house.store.hold = asyncio.Event()
    table = house.ana.table
    assert table is not None
    table.submit(house.ana.connection, Play("first", 0, 1, msgspec.Raw(msgspec.json.encode(write()))))
    reader = TableConnection("ben")
    for number in range(MAX_QUEUED_COMMANDS):
        table.submit(reader, React(f"r{number}", "wow"))
    assert reader._outbox == []
    table.submit(house.ben.connection, React("one too many", "wow"))
    refused = house.ben.all(CommandRefused)
    assert [(each.code, each.command_id) for each in refused] == [("busy", "one too many")]
    house.store.hold.set()
    await house.ana.settle()
    assert house.ana.answer("first") == CommandAccepted("first", 2)
    assert isinstance(await house.ben.ask(Stand("now", 1)), CommandAccepted)
    await house.manager.close()


@in_virtual_time
async def test_moves_and_refusals_are_counted() -> None:
    house = await OpenTable().begin()
    refused_before = len(house.tally.refusals)
    await house.ana.play(0, write())
    await house.ana.play(0, write(), seen=99)
    await house.ben.play(0, write())
    await house.ben.ask(Start("again", "random"))
    assert [(game, bot) for game, bot, _ in house.tally.moves] == [("whisper", False)]
    assert house.tally.moves[0][2] == pytest.approx(0.0)
    assert house.tally.refusals[refused_before:] == ["stale", "not_your_seat", "not_host"]
    await house.manager.close()


@in_virtual_time
async def test_how_long_a_move_took_is_counted_from_when_it_arrived() -> None:
    house = await OpenTable().begin()
    house.store.hold = asyncio.Event()
    table = house.ana.table
    assert table is not None
    table.submit(house.ana.connection, Play("c", 0, 1, msgspec.Raw(msgspec.json.encode(write()))))
    await asyncio.sleep(3)
    house.store.hold.set()
    await house.ana.settle()
    ((_, _, seconds),) = house.tally.moves
    assert seconds == pytest.approx(3.0)
    await house.manager.close()


@in_virtual_time
async def test_moves_of_bots_are_counted_as_theirs() -> None:
    house = OpenTable(LocalThinker(lambda situation: Thought(situation.moves[0])))
    await asyncio.sleep(50)
    await house.begin()
    assert [(game, bot) for game, bot, _ in house.tally.moves] == [("whisper", True)]
    assert house.tally.moves[0][2] == pytest.approx(0.0)
    await house.manager.close()


@in_virtual_time
async def test_a_table_that_closes_says_why_and_does_nothing_more() -> None:
    house = await OpenTable().begin(seconds=10.0)
    table = house.ana.table
    assert table is not None
    await table.close(4001, "enough for today")
    assert house.ana.connection.closed == (4001, "enough for today")
    assert house.ben.connection.closed == (4001, "enough for today")
    assert table.connections == 0
    await asyncio.sleep(100)
    assert len(await house.store.steps(house.table)) == 1
    await table.close()
    await house.manager.close()


@in_virtual_time
async def test_a_table_closes_so_that_browsers_come_back() -> None:
    house = await OpenTable().begin()
    await house.manager.close()
    assert house.ana.connection.closed == (SERVICE_RESTART, "the table is closing")


@in_virtual_time
async def test_a_table_that_closes_in_the_middle_of_a_freeze_rules_on_nothing() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    for person in (house.ana, house.ben):
        person.connection.round_trip.at_most(0.3, asyncio.get_running_loop().time())
    await asyncio.sleep(5)
    table.submit(house.ana.connection, Play("c", 0, 1, msgspec.Raw(b'{"move":"shout"}')))
    await asyncio.sleep(0)
    assert table.pending
    await table.close()
    await asyncio.sleep(10)
    assert len(await house.store.steps(house.table)) == 1
    await house.manager.close()


@in_virtual_time
async def test_a_name_changes_in_ones_seats_and_in_what_one_says(caplog: pytest.LogCaptureFixture) -> None:
    house = await OpenTable().begin()
    await house.manager.set_persona("ben", Persona("Benoît", "owl"))
    await house.ana.settle()
    seat = house.ana.all(Welcome)[-1].table.seats[1]
    assert (seat.name, seat.avatar) == ("Benoît", "owl")
    await house.ben.ask(Say("s", "salut"))
    assert house.ana.all(Said)[-1].name == "Benoît"
    assert house.ana.connection.persona == Persona("Ana"), "others keep theirs"
    heard = len(house.ana.all(object))
    await house.manager.set_persona("zoe", Persona("Zoe"))
    await house.ana.settle()
    assert len(house.ana.all(object)) == heard, "who sits nowhere changes nothing"
    assert "ERROR" not in caplog.text
    await house.manager.close()


@in_virtual_time
async def test_a_finished_game_keeps_the_names_it_was_played_with() -> None:
    house = await OpenTable(LocalThinker()).begin()
    for number in range(3):
        await house.ana.play(0, write(number))
        await house.ben.play(1, write(number))
    assert (await house.stored()).status == "over"
    await house.manager.set_persona("ben", Persona("Benoît"))
    await house.ana.settle()
    assert (await house.stored()).seats[1].name == "Ben"
    late = await Person(house.manager, "zoe").enter(house.table)
    assert late.all(Welcome)[0].table.seats[1].name == "Ben"
    await house.manager.close()


@in_virtual_time
async def test_who_returns_to_a_finished_game_finds_the_bot_that_finished_it() -> None:
    house = await OpenTable(LocalThinker()).begin()
    await house.ben.ask(Stand("up", 1))
    house.ben.leave()
    for number in range(3):
        await house.ana.play(0, write(number))
        await house.ana.settle()
    assert (await house.stored()).status == "over"
    back = await Person(house.manager, "ben").enter(house.table)
    await back.settle()
    assert (await house.stored()).seats[1].kind == "bot"
    assert back.all(Welcome)[-1].yours == ()
    await house.manager.close()


@in_virtual_time
async def test_a_screen_in_the_room_takes_no_seat_back() -> None:
    house = await OpenTable().begin()
    await house.ben.ask(Stand("up", 1))
    screen = Person(house.manager, "ben")
    screen.connection = TableConnection("ben", Persona("Ben"), spectator_only=True)
    await screen.enter(house.table)
    assert (await house.stored()).seats[1].kind == "bot"
    await Person(house.manager, "ben").enter(house.table)
    await screen.settle()
    assert (await house.stored()).seats[1].kind == "person"
    await house.manager.close()


@in_virtual_time
async def test_what_the_host_decides_is_kept_told_and_heard_in_the_lobby() -> None:
    house = await OpenTable().begin()
    zoe = await Person(house.manager, "zoe").enter(house.table)
    before = house.manager.changes.count
    shut = TableSettings(watchable=False, patience=33.0)
    assert isinstance(await house.ana.ask(SetTableSettings("shut", shut)), CommandAccepted)
    assert (await house.stored()).settings == shut
    assert house.ben.all(PeopleChanged)[-1].table.settings == shut
    assert zoe.connection.closed == (NOT_ADMITTED, "this table is not open to spectators")
    assert house.ben.connection.closed is None
    assert house.manager.changes.count == before + 1
    await house.manager.close()


@in_virtual_time
async def test_seats_that_change_are_kept_told_and_heard_in_the_lobby() -> None:
    house = await OpenTable().begin(start=False)
    before, updated = house.manager.changes.count, (await house.stored()).updated
    await house.ben.ask(Stand("up", 1))
    stored = await house.stored()
    assert stored.seats[1] == StoredSeat()
    assert stored.updated >= updated
    assert [type(event) for event in house.ana.all(object)] == [PeopleChanged]
    assert house.manager.changes.count == before + 1
    await house.ben.ask(Stand("up again", 1))
    assert house.manager.changes.count == before + 1, "nothing changed"
    await house.manager.close()


@in_virtual_time
async def test_a_table_written_from_outside_is_read_anew_and_told() -> None:
    house = await OpenTable().begin()
    stored = await house.stored()
    await house.store.set_seats(house.table, (*stored.seats[:2], StoredSeat("bot", level="novice")), 9.0)
    assert house.ana.table is not None
    house.ana.table.refresh()
    await house.ana.settle()
    assert house.ana.all(Welcome)[-1].table.seats[2].level == "novice"
    assert house.ana.all(Welcome)[-1].seq == 1
    await house.manager.close()


@in_virtual_time
async def test_a_table_that_is_gone_closes() -> None:
    house = await OpenTable().begin()
    del house.store._tables[house.table]
    assert house.ana.table is not None
    house.ana.table.refresh()
    await house.ana.settle()
    assert house.ana.connection.closed == (1011, "the table cannot be read")
    assert house.manager.tables == 0
    await house.manager.close()


@in_virtual_time
async def test_a_deadline_that_changes_nothing_rings_again() -> None:
    """The deadline after it is the same: the wait begins anew instead of ringing at once, or never."""
    house = await OpenTable().begin(seconds=10.0)
    kind = type(house.ana.table._game)  # type: ignore[union-attr]
    again = msgspec.convert({"fact": "opened", "round": 1, "theme": 7}, kind.fact_type)
    with patch.object(kind, "expire", lambda *_: [again]):
        await asyncio.sleep(25)
        assert len(await house.store.steps(house.table)) == 3
        assert house.ana.all(StepMessage)[-1].facts[0]["theme"] == 7
    await house.manager.close()


@in_virtual_time
async def test_a_deadline_that_is_another_by_now_brings_nothing_about() -> None:
    house = await OpenTable().begin(seconds=10.0)
    table = house.ana.table
    assert table is not None
    for deadline in (Deadline("numbers", 10.0, token=0), Deadline("tea", 10.0, token=1)):
        table._mailbox.put(DeadlinePassed(deadline, asyncio.get_running_loop().time()))
    await house.ana.settle()
    assert len(await house.store.steps(house.table)) == 1
    await house.manager.close()


@in_virtual_time
async def test_a_failure_in_the_middle_of_a_freeze_answers_whoever_pressed() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    house.ben.connection.round_trip.at_most(0.3, asyncio.get_running_loop().time())
    await asyncio.sleep(5)

    async def full(*_: Any) -> None:
        raise StoreError("the disk is full")

    house.store.set_settings = full  # type: ignore[method-assign, assignment]
    table.submit(house.ana.connection, Play("press", 0, 1, msgspec.Raw(b'{"move":"shout"}')))
    table.submit(house.ana.connection, SetTableSettings("shut", TableSettings()))
    await asyncio.sleep(0.01)
    house.ana.collect()
    for command in ("press", "shut"):
        assert house.ana.answer(command).code == "busy"
    await asyncio.sleep(5)
    assert len(await house.store.steps(house.table)) == 1, "the press counts no more"
    await house.manager.close()


@in_virtual_time
async def test_a_deadline_that_could_not_be_written_comes_again() -> None:
    house = await OpenTable().begin(seconds=10.0)
    house.store.fail_before = True
    await asyncio.sleep(11)
    assert len(await house.store.steps(house.table)) == 1
    await asyncio.sleep(10)
    assert len(await house.store.steps(house.table)) == 2
    await house.manager.close()


@in_virtual_time
async def test_a_start_that_could_not_be_written_is_refused_and_may_be_tried_again() -> None:
    house = await OpenTable().begin(start=False)
    house.store.fail_before = True
    refused = await house.ana.ask(Start("go", "random"))
    assert (refused.code, refused.command_id) == ("busy", "go")
    assert (await house.stored()).status == "gathering"
    assert await house.ana.ask(Start("go", "random")) == CommandAccepted("go", 1)
    house.store.fail_after = True
    await house.manager.close()


@in_virtual_time
async def test_a_start_found_in_the_log_after_a_failure_is_acknowledged() -> None:
    house = await OpenTable().begin(start=False)
    house.store.fail_after = True
    assert await house.ana.ask(Start("go", "random")) == CommandAccepted("go", 1)
    assert house.ana.all(Welcome)[-1].seq == 1
    await house.manager.close()


@in_virtual_time
async def test_a_change_of_seats_that_could_not_be_written_is_refused() -> None:
    house = await OpenTable().begin()

    async def full(*_: Any) -> None:
        raise StoreError("the disk is full")

    house.store.set_seats = full  # type: ignore[method-assign, assignment]
    refused = await house.ben.ask(Stand("up", 1))
    assert (refused.code, refused.command_id) == ("busy", "up")
    assert house.ana.all(Welcome)[-1].table.seats[1].kind == "person"
    assert isinstance(await house.ben.play(1, write()), CommandAccepted)
    await house.manager.close()


@in_virtual_time
async def test_in_the_middle_of_a_freeze_seats_wait() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    house.ben.connection.round_trip.at_most(0.3, asyncio.get_running_loop().time())
    await asyncio.sleep(5)
    table.submit(house.ana.connection, Play("press", 0, 1, msgspec.Raw(b'{"move":"shout"}')))
    table.submit(house.ben.connection, Stand("up", 1))
    await asyncio.sleep(0.01)
    house.ben.collect()
    assert house.ben.answer("up") is None
    await asyncio.sleep(1)
    house.ana.collect()
    assert house.ana.answer("press") == CommandAccepted("press", 2)
    house.ben.collect()
    assert isinstance(house.ben.answer("up"), CommandAccepted)
    await house.manager.close()


@in_virtual_time
async def test_in_the_middle_of_a_freeze_a_bots_other_moves_wait_too() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    house.ben.connection.round_trip.at_most(0.3, asyncio.get_running_loop().time())
    await asyncio.sleep(5)
    move = msgspec.convert(write(4), table._game.move_type)
    table.submit(house.ana.connection, Play("press", 0, 1, msgspec.Raw(b'{"move":"shout"}')))
    table._mailbox.put(BotMoved(2, move, seq=1, at=asyncio.get_running_loop().time()))
    await asyncio.sleep(0.01)
    assert len(await house.store.steps(house.table)) == 1
    await asyncio.sleep(1)
    assert [row.seat for row in await house.store.steps(house.table)] == [None, 0, 2], "the press comes first"
    await house.manager.close()


@in_virtual_time
async def test_a_bot_that_pressed_too_late_for_its_race_thinks_of_the_present() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    asked = len(house.thinker.asked)
    shout = msgspec.convert({"move": "shout"}, table._game.move_type)
    table._mailbox.put(BotMoved(2, shout, seq=0, at=asyncio.get_running_loop().time()))
    await house.ana.settle()
    assert len(house.thinker.asked) == asked + 1
    assert len(await house.store.steps(house.table)) == 1
    table._mailbox.put(BotMoved(2, shout, seq=1, at=asyncio.get_running_loop().time()))
    await asyncio.sleep(1)
    assert [row.seat for row in await house.store.steps(house.table)] == [None, 2]
    await house.manager.close()


@in_virtual_time
async def test_a_bots_move_that_would_end_a_race_waits_for_a_press_under_way() -> None:
    house = await OpenTable().begin(shouting=True)
    table = house.ana.table
    assert table is not None
    now = asyncio.get_running_loop().time
    ends = msgspec.convert({"fact": "opened", "round": 2, "theme": 1}, table._game.fact_type)
    move = msgspec.convert(write(4), table._game.move_type)
    house.ben.connection.round_trip.at_most(0.2, now())
    with patch.object(type(table._game), "decide", lambda *_: [ends]):
        table._mailbox.put(BotMoved(2, move, seq=1, at=now()))
        await asyncio.sleep(0.09)
        assert len(await house.store.steps(house.table)) == 1
        await asyncio.sleep(0.05)
    assert [row.seat for row in await house.store.steps(house.table)] == [None, 2]
    await house.manager.close()


@in_virtual_time
async def test_only_where_there_are_races_does_it_matter_how_far_away_one_is() -> None:
    manager = a_manager(thinker=LocalThinker(lambda _: Thought(None)))
    races = {}
    for name in ("whisper", "kimono", "kabuki"):
        made = await manager.create("ana", name, {}, ("me", "random"), start=True)
        table = (await Person(manager, "ana").enter(made.id)).table
        assert table is not None
        races[name] = table.races
    assert races == {"whisper": True, "kimono": False, "kabuki": True}
    await manager.close()


@in_virtual_time
async def test_a_table_is_idle_when_nobody_is_there_and_nothing_under_way() -> None:
    house = await OpenTable().begin()
    table = house.ana.table
    assert table is not None
    assert (table.connections, table.idle, table.pending) == (2, False, False)
    house.ana.leave()
    await asyncio.sleep(3)
    house.ben.leave()
    assert table.idle
    assert table.idle_since == asyncio.get_running_loop().time()
    await house.manager.close()


async def test_a_tables_own_task_bears_its_name() -> None:
    house = await OpenTable().begin()
    assert f"table {house.table}" in {task.get_name() for task in asyncio.all_tasks()}
    await house.manager.close()


@in_virtual_time
async def test_what_a_visitor_may_not_do_is_refused_under_the_id_it_was_asked_for() -> None:
    house = await OpenTable().begin()
    zoe = await Person(house.manager, "zoe").enter(house.table)
    for command in (
        Sit("a", 0),
        Stand("b", 0),
        SetBot("c", 0, "random"),
        SetTableSettings("d", TableSettings()),
        Start("e", "random"),
    ):
        answer = await zoe.ask(command)
        assert isinstance(answer, CommandRefused)
        assert answer.command_id == command.command_id
        assert answer.message
    assert (await house.stored()).seats[0].visitor == "ana"
    await house.manager.close()


async def test_the_host_does_not_sit_with_whom_they_have_blocked() -> None:
    store = MemoryStore()
    await store.block("ana", "ben", "Ben", 1.0)
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    ben = await Person(manager, "ben").enter(made.id)
    assert (await ben.ask(Sit("sit", 1))).code == "seat_taken"
    await store.unblock("ana", 1)
    ben.table.refresh()  # type: ignore[union-attr]
    await ben.settle()
    assert isinstance(await ben.ask(Sit("again", 1)), CommandAccepted)
    await manager.close()


async def test_options_are_those_of_the_table() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 44.0}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    assert ana.all(Welcome)[0].waiting.deadline.seconds == 44.0
    assert ana.all(Welcome)[0].table.options == {"seconds": 44.0, "counts_time": False, "shouting": False}
    store._tables[made.id] = replace(made, options={"seconds": "x"})
    await manager.close()
    with pytest.raises(msgspec.ValidationError):
        await a_manager(store).enter(made.id, TableConnection("ana"))
