"""One table: who may do what, what is answered, what is told to whom."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from kotatsu.engine.match import replay
from kotatsu.store.contract import LoggedStep, Persona, StoredSeat
from kotatsu.store.memory import MemoryStore
from kotatsu.table.connection import OUTBOX, Connection
from kotatsu.table.house import House
from kotatsu.table.wire import (
    Accepted,
    CatchUp,
    People,
    Ping,
    Pong,
    Refused,
    SetBot,
    SetGuest,
    Sit,
    Stand,
    Start,
    Step,
    Welcome,
)
from tests.table.people import FailingStore, Person, a_house


def write(number: int) -> dict[str, Any]:
    return {"move": "write", "number": number}


async def whispering(house: House, *seats: str, **options: Any) -> tuple[str, Person]:
    """A started table of ``whisper`` hosted by ana, with ana at it."""
    made = await house.create("ana", "whisper", options, seats or ("me", "me"), start=True)
    return made.id, await Person(house, "ana").enter(made.id)


async def two_players(house: House, **options: Any) -> tuple[str, Person, Person]:
    """Ana in seat 0 and ben in seat 1, the game begun."""
    made = await house.create("ana", "whisper", options, ("me", "open"))
    ana, ben = await Person(house, "ana").enter(made.id), await Person(house, "ben").enter(made.id)
    await ben.ask(Sit("sit", 1))
    await ana.ask(Start("start", "random"))
    ana.collect()
    ben.collect()
    return made.id, ana, ben


async def test_gathering_sitting_starting() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me", "open", "open", "open"))
    ana, ben = await Person(house, "ana").enter(made.id), await Person(house, "ben").enter(made.id)
    assert ana.heard[0].host
    assert not ben.heard[0].host
    assert ben.heard[0].seq == 0
    assert ben.heard[0].view is None
    assert await ben.ask(Sit("1", 1)) == Accepted("1", 0)
    assert ben.all(People)[-1].yours == (1,)
    assert (await ben.ask(Sit("2", 0))).code == "seat_taken"
    assert (await ben.ask(Sit("3", 4))).code == "no_such_seat"
    assert (await ben.ask(Stand("4", 0))).code == "not_your_seat"
    assert (await ben.ask(SetBot("5", 2, "random"))).code == "not_host"
    assert (await ben.ask(Start("6", "random"))).code == "not_host"
    assert (await ana.ask(SetGuest("7", 1, "Léa"))).code == "seat_taken"
    assert (await ana.ask(SetBot("8", 2, "oracle"))).code == "no_such_level"
    assert await ana.ask(SetBot("9", 2, "random")) == Accepted("9", 0)
    assert await ana.ask(SetBot("10", 2, None)) == Accepted("10", 0)
    assert await ben.ask(Stand("11", 1)) == Accepted("11", 0)
    assert await ben.ask(Sit("12", 3)) == Accepted("12", 0)
    assert (await ana.ask(Start("13", "oracle"))).code == "no_such_level"
    assert await ana.ask(Start("14", "novice")) == Accepted("14", 1)
    kinds = [(seat.kind, seat.name, seat.level) for seat in ana.all(Welcome)[-1].table.seats]
    assert kinds == [
        ("person", "", None),
        ("bot", "", "novice"),
        ("bot", "", "novice"),
        ("person", "Ben", None),
    ]
    assert await ana.ask(Start("14", "novice")) == Accepted("14", 1)
    assert (await ana.ask(Start("15", "novice"))).code == "not_gathering"
    assert (await ben.ask(Sit("16", 1))).code == "seat_taken"
    assert (await Person(house, "cleo").enter(made.id)).heard[0].yours == ()
    await house.close()


async def test_a_game_from_first_to_last_step() -> None:
    store = MemoryStore()
    house = a_house(store)
    table, ana, ben = await two_players(house)
    for n in range(3):
        assert isinstance(await ana.play(0, write(n)), Accepted)
        assert isinstance(await ben.play(1, write(9)), Accepted)
    last = ana.all(Step)[-1]
    assert last.waiting is None
    assert ana.all(People)[-1].table.status == "over"
    assert ana.all(People)[-1].table.outcome.scores == (3, 27)
    assert [step.seq for step in ana.all(Step)] == list(range(2, 8))
    record = await house.record(table)
    outcome = replay(msgspec.to_builtins(record)).outcome
    assert outcome is not None
    assert outcome.winners == (1,)
    assert (await ana.play(0, write(1))).code == "not_playing"
    stored = await store.table(table)
    assert stored is not None
    assert (stored.status, stored.result) == ("over", msgspec.to_builtins(outcome))
    await house.close()


async def test_refusals_change_nothing() -> None:
    store = MemoryStore()
    house = a_house(store)
    table, ana, ben = await two_players(house)
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
    assert all(isinstance(r, Refused) and r.command_id and r.message for r in refusals)
    assert await store.steps(table) == log
    assert isinstance(await ana.play(0, write(1)), Accepted)
    assert (await ana.play(0, write(1))).clause == "WH-1"
    await house.close()


async def test_moving_before_the_start_is_refused() -> None:
    house = a_house()
    made = await house.create("ana", "whisper", {}, ("me", "open"))
    ana = await Person(house, "ana").enter(made.id)
    assert (await ana.play(0, write(1))).code == "not_playing"
    await house.close()


async def test_a_repeated_command_is_answered_and_not_played_again() -> None:
    store = MemoryStore()
    house = a_house(store)
    table, ana, ben = await two_players(house)
    first = await ana.play(0, write(1), command="once")
    again = await ana.play(0, write(2), command="once", seen=0)
    assert first == again == Accepted("once", 2)
    assert isinstance(await ben.play(1, write(5), command="once"), Accepted), (
        "ids of other seats are other ids"
    )
    assert len(await store.steps(table)) == 3
    await house.close()
    later = a_house(store)
    ana = await Person(later, "ana").enter(table)
    assert await ana.play(0, write(9), command="once", seen=0) == Accepted("once", 2)
    assert len(await store.steps(table)) == 3
    await later.close()


async def test_a_move_is_stale_only_after_ones_own_move() -> None:
    house = a_house()
    _, ana, ben = await two_players(house)
    await ben.play(1, write(5))
    assert isinstance(await ana.play(0, write(1), seen=1), Accepted), "others may move meanwhile"
    assert (await ana.play(0, write(2), seen=1)).code == "stale", "a double click is no second move"
    assert isinstance(await ana.play(0, write(2), seen=3), Accepted)
    await house.close()


async def test_secrets_stay_secret() -> None:
    house = a_house()
    table, ana, ben = await two_players(house)
    cleo = await Person(house, "cleo", views=True).enter(table)
    await ana.play(0, write(7))
    for watcher in (ben, cleo):
        step = watcher.all(Step)[-1]
        assert step.facts == ({"fact": "wrote", "seat": 0, "number": None},)
    assert cleo.all(Step)[-1].view["mine"] is None
    assert ana.all(Step)[-1].facts == ({"fact": "wrote", "seat": 0, "number": 7},)
    assert ben.all(Step)[-1].view is None
    await ben.play(1, write(4))
    assert {"fact": "revealed", "numbers": [7, 4]} in cleo.all(Step)[-1].facts
    assert b'"seat":0,"number":7' not in b"".join(ben.raw + cleo.raw)
    await house.close()


async def test_everyone_is_told_their_own_moves_and_nobody_elses() -> None:
    house = a_house()
    table, ana, ben = await two_players(house)
    cleo = await Person(house, "cleo").enter(table)
    await ana.play(0, write(7))
    waiting = [person.all(Step)[-1].waiting for person in (ana, ben, cleo)]
    assert [w.acting for w in waiting] == [(1,)] * 3
    assert [[(m.seat, len(m.moves)) for m in w.moves] for w in waiting] == [[], [(1, 10)], []]
    await house.close()


async def test_one_visitor_may_hold_several_seats_and_choose_whose_eyes() -> None:
    house = a_house()
    table, ana = await whispering(house)
    assert ana.heard[0].yours == (0, 1)
    assert [m.seat for m in ana.heard[0].waiting.moves] == [0, 1]
    other_eyes = await Person(house, "ana", eyes=1, views=True).enter(table)
    stolen_eyes = await Person(house, "cleo", eyes=1, views=True).enter(table)
    await ana.play(1, write(3))
    for person in (ana, other_eyes, stolen_eyes):
        person.collect()
    assert other_eyes.all(Step)[-1].view["mine"] == 3
    assert ana.all(Step)[-1].facts[0]["number"] is None
    assert stolen_eyes.all(Step)[-1].facts[0]["number"] is None
    assert stolen_eyes.all(Step)[-1].view["mine"] is None
    await house.close()


async def test_gaps_are_filled_step_by_step_or_by_a_welcome() -> None:
    house = a_house()
    table, ana, ben = await two_players(house)
    for n in range(2):
        await ana.play(0, write(n))
        await ben.play(1, write(n))
    live = ben.all(Step)
    ben.heard.clear()
    await ben.ask(CatchUp(2))
    replayed = ben.all(Step)
    assert [step.seq for step in replayed] == [3, 4, 5]
    assert [step.facts for step in replayed] == [step.facts for step in live[1:]]
    assert [step.waiting for step in replayed[:-1]] == [None, None]
    assert replayed[-1] == live[-1]
    for have in (5, 99):
        answer = await ben.ask(CatchUp(have))
        assert (type(answer), answer.seq) == (Welcome, 5)
    house.sweep()
    await house.close()
    later = a_house(house._store)
    ben = await Person(later, "ben").enter(table)
    assert isinstance(await ben.ask(CatchUp(2)), Welcome), "what was told before a restart is not told again"
    await later.close()


async def test_comings_and_goings_are_told() -> None:
    house = a_house()
    table, ana, ben = await two_players(house)
    cleo = await Person(house, "cleo").enter(table)
    ana.collect()
    assert ana.heard[-1].table.watching == 1
    assert [seat.here for seat in ana.heard[-1].table.seats] == [True, True]
    ben.leave()
    cleo.leave()
    ana.collect()
    assert ana.heard[-1].table.watching == 0
    assert [seat.here for seat in ana.heard[-1].table.seats] == [True, False]
    assert await ana.ask(Ping()) == Pong()
    await house.close()


async def test_a_new_name_is_shown_at_once_and_kept() -> None:
    store = MemoryStore()
    house = a_house(store)
    table, ana, _ = await two_players(house)
    await house.introduce("ben", Persona("Benoît"))
    await ana.settle()
    assert ana.heard[-1].table.seats[1].name == "Benoît"
    stored = await store.table(table)
    assert stored is not None
    assert stored.seats[1] == StoredSeat("person", "ben", "Benoît")
    await house.close()


async def test_a_browser_that_does_not_read_is_closed_and_the_others_go_on() -> None:
    house = a_house()
    table, ana, _ = await two_players(house)
    sleeper = Connection("zoe")
    alive = await house.enter(table, sleeper)
    for _ in range(OUTBOX + 1):
        alive.submit(sleeper, Ping())
    assert sleeper.closed is not None
    assert sleeper.closed[1] == "too slow"
    assert await sleeper.take() == []
    assert isinstance(await ana.play(0, write(1)), Accepted)
    await house.close()


async def test_nothing_is_told_before_it_is_written() -> None:
    store = FailingStore()
    house = a_house(store)
    _, ana, ben = await two_players(house)
    store.hold = asyncio.Event()
    assert ana.table is not None
    heard = len(ben.heard)
    playing = asyncio.ensure_future(ana.play(0, write(4)))
    for _ in range(50):
        await asyncio.sleep(0)
    ben.collect()
    ana.collect()
    assert len(ben.heard) == heard
    assert not ana.all(Accepted)[1:]
    store.hold.set()
    assert isinstance(await playing, Accepted)
    assert ben.all(Step)
    await house.close()


async def test_a_full_disk_is_a_refusal_and_the_table_goes_on() -> None:
    store = FailingStore()
    house = a_house(store)
    table, ana, ben = await two_players(house)
    store.fail_before = True
    refused = await ana.play(0, write(4), command="try")
    assert (refused.code, refused.command_id) == ("busy", "try")
    assert not ben.all(Step)
    assert await ana.play(0, write(4), command="try") == Accepted("try", 2)
    assert len(await store.steps(table)) == 2
    await house.close()


async def test_a_failure_after_writing_is_found_in_the_log_and_acknowledged() -> None:
    store = FailingStore()
    house = a_house(store)
    table, ana, ben = await two_players(house)
    store.fail_after = True
    assert await ana.play(0, write(4), command="try") == Accepted("try", 2)
    assert ben.all(Welcome)[-1].seq == 2
    assert len(await store.steps(table)) == 2
    assert isinstance(await ben.play(1, write(4)), Accepted)
    await house.close()


async def test_another_server_was_quicker() -> None:
    store = MemoryStore()
    house, elsewhere = a_house(store), a_house(store)
    table, ana, _ = await two_players(house)
    ben = await Person(elsewhere, "ben").enter(table)
    assert isinstance(await ben.play(1, write(2)), Accepted)
    assert (await ana.play(0, write(1), command="try")).code == "busy"
    assert ana.all(Welcome)[-1].view["written"] == [False, True]
    assert await ana.play(0, write(1), command="try") == Accepted("try", 3)
    await house.close()
    await elsewhere.close()


async def test_a_bug_in_the_rules_stays_at_its_table(caplog: pytest.LogCaptureFixture) -> None:
    house = a_house()
    _, ana, ben = await two_players(house)
    _, elsewhere = await whispering(house)
    assert (await ana.play(0, {"move": "stumble"})).code == "busy"
    assert "a bug in the rules" in caplog.text
    assert isinstance(await elsewhere.play(0, write(1)), Accepted)
    assert isinstance(await ana.play(0, write(1)), Accepted)
    assert ben.all(Step)[-1].facts[0]["seat"] == 0
    await house.close()


async def test_a_table_whose_log_cannot_be_read_is_closed_with_a_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FailingStore()
    house = a_house(store)
    table, ana, _ = await two_players(house)
    await store.append(table, LoggedStep(2, 0.0, b'[{"fact":"unheard_of"}]'))
    assert ana.table is not None
    await ana.play(0, write(1))
    assert ana.connection.closed is not None
    assert ana.connection.closed[1] == "the table cannot be read"
    assert "cannot be read and is closed" in caplog.text
    assert house.tables == 0
    await house.close()


async def test_how_long_a_seat_took_is_a_fact_of_games_that_ask() -> None:
    store = MemoryStore()
    house = a_house(store)
    table, ana, _ = await two_players(house, counts_time=True)
    await ana.play(0, write(1))
    entries = msgspec.json.decode((await store.steps(table))[-1].entries)
    assert [entry.get("fact") or entry["move"] for entry in entries] == ["spent", "write", "wrote"]
    assert entries[0]["seconds"] >= 0
    await house.close()


async def test_the_spliced_step_is_what_the_struct_would_say() -> None:
    house = a_house()
    table, ana, _ = await two_players(house, seconds=60)
    viewer = await Person(house, "ben", views=True).enter(table)
    await ana.play(0, write(1))
    viewer.collect()
    for raw in (ana.raw[-2], viewer.raw[-1]):
        assert msgspec.json.encode(msgspec.json.decode(raw, type=Step)) == raw
    await house.close()
