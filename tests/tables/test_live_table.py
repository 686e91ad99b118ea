"""One table: who may do what, what is answered, what is told to whom."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from kotatsu.connections.connection import MAX_QUEUED_MESSAGES, TableConnection
from kotatsu.engine.match import replay
from kotatsu.protocol.messages import (
    CatchUp,
    CommandAccepted,
    CommandRefused,
    PeopleChanged,
    Ping,
    Pong,
    SetBot,
    SetGuest,
    Sit,
    Stand,
    Start,
    StepMessage,
    Welcome,
)
from kotatsu.store.contract import LoggedStep, Persona, StoredSeat
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import TableManager
from tests.tables.people import FailingStore, Person, a_manager


def write(number: int) -> dict[str, Any]:
    return {"move": "write", "number": number}


async def whispering(manager: TableManager, *seats: str, **options: Any) -> tuple[str, Person]:
    """A started table of ``whisper`` hosted by ana, with ana at it."""
    made = await manager.create("ana", "whisper", options, seats or ("me", "me"), start=True)
    return made.id, await Person(manager, "ana").enter(made.id)


async def two_players(manager: TableManager, **options: Any) -> tuple[str, Person, Person]:
    """Ana in seat 0 and ben in seat 1, the game begun."""
    made = await manager.create("ana", "whisper", options, ("me", "open"))
    ana, ben = await Person(manager, "ana").enter(made.id), await Person(manager, "ben").enter(made.id)
    await ben.ask(Sit("sit", 1))
    await ana.ask(Start("start", "random"))
    ana.collect()
    ben.collect()
    return made.id, ana, ben


async def test_gathering_sitting_starting() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me", "open", "open", "open"))
    ana, ben = await Person(manager, "ana").enter(made.id), await Person(manager, "ben").enter(made.id)
    assert ana.heard[0].host
    assert not ben.heard[0].host
    assert ben.heard[0].seq == 0
    assert ben.heard[0].view is None
    assert await ben.ask(Sit("1", 1)) == CommandAccepted("1", 0)
    assert ben.all(PeopleChanged)[-1].yours == (1,)
    assert (await ben.ask(Sit("2", 0))).code == "seat_taken"
    assert (await ben.ask(Sit("3", 4))).code == "no_such_seat"
    assert (await ben.ask(Stand("4", 0))).code == "not_your_seat"
    assert (await ben.ask(SetBot("5", 2, "random"))).code == "not_host"
    assert (await ben.ask(Start("6", "random"))).code == "not_host"
    assert (await ana.ask(SetGuest("7", 1, "Léa"))).code == "seat_taken"
    assert (await ana.ask(SetBot("8", 2, "oracle"))).code == "no_such_level"
    assert await ana.ask(SetBot("9", 2, "random")) == CommandAccepted("9", 0)
    assert await ana.ask(SetBot("10", 2, None)) == CommandAccepted("10", 0)
    assert await ben.ask(Stand("11", 1)) == CommandAccepted("11", 0)
    assert await ben.ask(Sit("12", 3)) == CommandAccepted("12", 0)
    assert (await ana.ask(Start("13", "oracle"))).code == "no_such_level"
    assert await ana.ask(Start("14", "novice")) == CommandAccepted("14", 1)
    kinds = [(seat.kind, seat.name, seat.level) for seat in ana.all(Welcome)[-1].table.seats]
    assert kinds == [
        ("person", "", None),
        ("bot", "", "novice"),
        ("bot", "", "novice"),
        ("person", "Ben", None),
    ]
    assert await ana.ask(Start("14", "novice")) == CommandAccepted("14", 1)
    assert (await ana.ask(Start("15", "novice"))).code == "not_gathering"
    assert (await ben.ask(Sit("16", 1))).code == "seat_taken"
    assert (await Person(manager, "cleo").enter(made.id)).heard[0].yours == ()
    await manager.close()


async def test_a_game_from_first_to_last_step() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana, ben = await two_players(manager)
    for n in range(3):
        assert isinstance(await ana.play(0, write(n)), CommandAccepted)
        assert isinstance(await ben.play(1, write(9)), CommandAccepted)
    last = ana.all(StepMessage)[-1]
    assert last.waiting is None
    assert ana.all(PeopleChanged)[-1].table.status == "over"
    assert ana.all(PeopleChanged)[-1].table.outcome.scores == (3, 27)
    assert [step.seq for step in ana.all(StepMessage)] == list(range(2, 8))
    record = await manager.record(table)
    outcome = replay(msgspec.to_builtins(record)).outcome
    assert outcome is not None
    assert outcome.winners == (1,)
    assert (await ana.play(0, write(1))).code == "not_playing"
    stored = await store.table(table)
    assert stored is not None
    assert (stored.status, stored.result) == ("over", msgspec.to_builtins(outcome))
    await manager.close()


async def test_refusals_change_nothing() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana, ben = await two_players(manager)
    log = await store.steps(table)
    refusals = [
        await ben.play(0, write(1)),
        await ben.play(7, write(1)),
        await ana.play(0, write(10)),
        await ana.play(0, {"move": "sing"}),
        await ana.play(0, {"move": "write", "number": 1, "extra": 2}),
        await ana.play(0, write(1), seen=99),
    ]
    assert [(r.code, r.clause) for r in refusals] == [
        ("not_your_seat", None),
        ("no_such_seat", None),
        ("illegal", "WH-2"),
        ("malformed", None),
        ("malformed", None),
        ("stale", None),
    ]
    assert all(isinstance(r, CommandRefused) and r.command_id and r.message for r in refusals)
    assert await store.steps(table) == log
    assert isinstance(await ana.play(0, write(1)), CommandAccepted)
    assert (await ana.play(0, write(1))).clause == "WH-1"
    await manager.close()


async def test_moving_before_the_start_is_refused() -> None:
    manager = a_manager()
    made = await manager.create("ana", "whisper", {}, ("me", "open"))
    ana = await Person(manager, "ana").enter(made.id)
    assert (await ana.play(0, write(1))).code == "not_playing"
    await manager.close()


async def test_a_repeated_command_is_answered_and_not_played_again() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana, ben = await two_players(manager)
    first = await ana.play(0, write(1), command="once")
    again = await ana.play(0, write(2), command="once", seen=0)
    assert first == again == CommandAccepted("once", 2)
    assert isinstance(await ben.play(1, write(5), command="once"), CommandAccepted), (
        "ids of other seats are other ids"
    )
    assert len(await store.steps(table)) == 3
    await manager.close()
    later = a_manager(store)
    ana = await Person(later, "ana").enter(table)
    assert await ana.play(0, write(9), command="once", seen=0) == CommandAccepted("once", 2)
    assert len(await store.steps(table)) == 3
    await later.close()


async def test_a_move_is_stale_only_after_ones_own_move() -> None:
    manager = a_manager()
    _, ana, ben = await two_players(manager)
    await ben.play(1, write(5))
    assert isinstance(await ana.play(0, write(1), seen=1), CommandAccepted), "others may move meanwhile"
    assert (await ana.play(0, write(2), seen=1)).code == "stale", "a double click is no second move"
    assert isinstance(await ana.play(0, write(2), seen=3), CommandAccepted)
    await manager.close()


async def test_secrets_stay_secret() -> None:
    manager = a_manager()
    table, ana, ben = await two_players(manager)
    cleo = await Person(manager, "cleo", views=True).enter(table)
    await ana.play(0, write(7))
    for watcher in (ben, cleo):
        step = watcher.all(StepMessage)[-1]
        assert step.facts == ({"fact": "wrote", "seat": 0, "number": None},)
    assert cleo.all(StepMessage)[-1].view["mine"] is None
    assert ana.all(StepMessage)[-1].facts == ({"fact": "wrote", "seat": 0, "number": 7},)
    assert ben.all(StepMessage)[-1].view is None
    await ben.play(1, write(4))
    assert {"fact": "revealed", "numbers": [7, 4]} in cleo.all(StepMessage)[-1].facts
    assert b'"seat":0,"number":7' not in b"".join(ben.raw + cleo.raw)
    await manager.close()


async def test_everyone_is_told_their_own_moves_and_nobody_elses() -> None:
    manager = a_manager()
    table, ana, ben = await two_players(manager)
    cleo = await Person(manager, "cleo").enter(table)
    await ana.play(0, write(7))
    waiting = [person.all(StepMessage)[-1].waiting for person in (ana, ben, cleo)]
    assert [w.acting for w in waiting] == [(1,)] * 3
    assert [[(m.seat, len(m.moves)) for m in w.moves] for w in waiting] == [[], [(1, 10)], []]
    await manager.close()


async def test_one_visitor_may_hold_several_seats_and_choose_whose_eyes() -> None:
    manager = a_manager()
    table, ana = await whispering(manager)
    assert ana.heard[0].yours == (0, 1)
    assert [m.seat for m in ana.heard[0].waiting.moves] == [0, 1]
    other_eyes = await Person(manager, "ana", viewpoint=1, views=True).enter(table)
    stolen_eyes = await Person(manager, "cleo", viewpoint=1, views=True).enter(table)
    await ana.play(1, write(3))
    for person in (ana, other_eyes, stolen_eyes):
        person.collect()
    assert other_eyes.all(StepMessage)[-1].view["mine"] == 3
    assert ana.all(StepMessage)[-1].facts[0]["number"] is None
    assert stolen_eyes.all(StepMessage)[-1].facts[0]["number"] is None
    assert stolen_eyes.all(StepMessage)[-1].view["mine"] is None
    await manager.close()


async def test_gaps_are_filled_step_by_step_or_by_a_welcome() -> None:
    manager = a_manager()
    table, ana, ben = await two_players(manager)
    for n in range(2):
        await ana.play(0, write(n))
        await ben.play(1, write(n))
    live = ben.all(StepMessage)
    ben.heard.clear()
    await ben.ask(CatchUp(2))
    replayed = ben.all(StepMessage)
    assert [step.seq for step in replayed] == [3, 4, 5]
    assert [step.facts for step in replayed] == [step.facts for step in live[1:]]
    assert [step.waiting for step in replayed[:-1]] == [None, None]
    assert replayed[-1] == live[-1]
    for have in (5, 99):
        answer = await ben.ask(CatchUp(have))
        assert (type(answer), answer.seq) == (Welcome, 5)
    manager.close_idle_tables()
    await manager.close()
    later = a_manager(manager._store)
    ben = await Person(later, "ben").enter(table)
    assert isinstance(await ben.ask(CatchUp(2)), Welcome), "what was told before a restart is not told again"
    await later.close()


async def test_comings_and_goings_are_told() -> None:
    manager = a_manager()
    table, ana, ben = await two_players(manager)
    cleo = await Person(manager, "cleo").enter(table)
    ana.collect()
    assert ana.heard[-1].table.watching == 1
    assert [seat.here for seat in ana.heard[-1].table.seats] == [True, True]
    ben.leave()
    cleo.leave()
    ana.collect()
    assert ana.heard[-1].table.watching == 0
    assert [seat.here for seat in ana.heard[-1].table.seats] == [True, False]
    assert await ana.ask(Ping()) == Pong()
    await manager.close()


async def test_a_new_name_is_shown_at_once_and_kept() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana, _ = await two_players(manager)
    await manager.set_persona("ben", Persona("Benoît"))
    await ana.settle()
    assert ana.heard[-1].table.seats[1].name == "Benoît"
    stored = await store.table(table)
    assert stored is not None
    assert stored.seats[1] == StoredSeat("person", "ben", "Benoît")
    await manager.close()


async def test_a_browser_that_does_not_read_is_closed_and_the_others_go_on() -> None:
    manager = a_manager()
    table, ana, _ = await two_players(manager)
    sleeper = TableConnection("zoe")
    alive = await manager.enter(table, sleeper)
    for _ in range(MAX_QUEUED_MESSAGES + 1):
        alive.submit(sleeper, Ping())
    assert sleeper.closed is not None
    assert sleeper.closed[1] == "too slow"
    assert await sleeper.take() == []
    assert isinstance(await ana.play(0, write(1)), CommandAccepted)
    await manager.close()


async def test_nothing_is_told_before_it_is_written() -> None:
    store = FailingStore()
    manager = a_manager(store)
    _, ana, ben = await two_players(manager)
    store.hold = asyncio.Event()
    assert ana.table is not None
    heard = len(ben.heard)
    playing = asyncio.ensure_future(ana.play(0, write(4)))
    for _ in range(50):
        await asyncio.sleep(0)
    ben.collect()
    ana.collect()
    assert len(ben.heard) == heard
    assert not ana.all(CommandAccepted)[1:]
    store.hold.set()
    assert isinstance(await playing, CommandAccepted)
    assert ben.all(StepMessage)
    await manager.close()


async def test_a_full_disk_is_a_refusal_and_the_table_goes_on() -> None:
    store = FailingStore()
    manager = a_manager(store)
    table, ana, ben = await two_players(manager)
    store.fail_before = True
    refused = await ana.play(0, write(4), command="try")
    assert (refused.code, refused.command_id) == ("busy", "try")
    assert not ben.all(StepMessage)
    assert await ana.play(0, write(4), command="try") == CommandAccepted("try", 2)
    assert len(await store.steps(table)) == 2
    await manager.close()


async def test_a_failure_after_writing_is_found_in_the_log_and_acknowledged() -> None:
    store = FailingStore()
    manager = a_manager(store)
    table, ana, ben = await two_players(manager)
    store.fail_after = True
    assert await ana.play(0, write(4), command="try") == CommandAccepted("try", 2)
    assert ben.all(Welcome)[-1].seq == 2
    assert len(await store.steps(table)) == 2
    assert isinstance(await ben.play(1, write(4)), CommandAccepted)
    await manager.close()


async def test_another_server_was_quicker() -> None:
    store = MemoryStore()
    manager, elsewhere = a_manager(store), a_manager(store)
    table, ana, _ = await two_players(manager)
    ben = await Person(elsewhere, "ben").enter(table)
    assert isinstance(await ben.play(1, write(2)), CommandAccepted)
    assert (await ana.play(0, write(1), command="try")).code == "busy"
    assert ana.all(Welcome)[-1].view["written"] == [False, True]
    assert await ana.play(0, write(1), command="try") == CommandAccepted("try", 3)
    await manager.close()
    await elsewhere.close()


async def test_a_bug_in_the_rules_stays_at_its_table(caplog: pytest.LogCaptureFixture) -> None:
    manager = a_manager()
    _, ana, ben = await two_players(manager)
    _, elsewhere = await whispering(manager)
    assert (await ana.play(0, {"move": "stumble"})).code == "busy"
    assert "a bug in the rules" in caplog.text
    assert isinstance(await elsewhere.play(0, write(1)), CommandAccepted)
    assert isinstance(await ana.play(0, write(1)), CommandAccepted)
    assert ben.all(StepMessage)[-1].facts[0]["seat"] == 0
    await manager.close()


async def test_a_table_whose_log_cannot_be_read_is_closed_with_a_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FailingStore()
    manager = a_manager(store)
    table, ana, _ = await two_players(manager)
    await store.append(table, LoggedStep(2, 0.0, b'[{"fact":"unheard_of"}]'))
    assert ana.table is not None
    await ana.play(0, write(1))
    assert ana.connection.closed is not None
    assert ana.connection.closed[1] == "the table cannot be read"
    assert "cannot be read; closing it" in caplog.text
    assert manager.tables == 0
    await manager.close()


async def test_how_long_a_seat_took_is_a_fact_of_games_that_ask() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    table, ana, _ = await two_players(manager, counts_time=True)
    await ana.play(0, write(1))
    entries = msgspec.json.decode((await store.steps(table))[-1].entries)
    assert [entry.get("fact") or entry["move"] for entry in entries] == ["spent", "write", "wrote"]
    assert entries[0]["seconds"] >= 0
    await manager.close()


async def test_the_spliced_step_is_what_the_struct_would_say() -> None:
    manager = a_manager()
    table, ana, _ = await two_players(manager, seconds=60)
    viewer = await Person(manager, "ben", views=True).enter(table)
    await ana.play(0, write(1))
    viewer.collect()
    for raw in (ana.raw[-2], viewer.raw[-1]):
        assert msgspec.json.encode(msgspec.json.decode(raw, type=StepMessage)) == raw
    await manager.close()
