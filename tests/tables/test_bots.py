"""Bots come in by the same door, and no bot can stop a game."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.bots.contract import Situation, Thought
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import CommandAccepted, PeopleChanged, Play, StepMessage
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.mail import BotMoved
from kotatsu.tables.manager import ManagerSettings, TableManager
from tests.tables.people import LocalThinker, Person, a_manager
from tests.tables.virtual_time import in_virtual_time


async def at_a_table(manager: TableManager, *seats: str) -> Person:
    made = await manager.create("ana", "whisper", {}, seats, start=True)
    return await Person(manager, "ana").enter(made.id)


def first_move(situation: Situation) -> Thought:
    return Thought(situation.moves[0])


async def test_bots_play_when_they_may_and_finish_a_game() -> None:
    manager = a_manager()
    ana = await at_a_table(manager, "me", "random", "random")
    for n in range(3):
        assert isinstance(await ana.play(0, {"move": "write", "number": n}), CommandAccepted)
        await ana.settle()
    assert ana.all(PeopleChanged)[-1].table.status == "over"
    await manager.close()


async def test_a_table_of_bots_rests_until_somebody_watches() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {}, ("random", "random"), start=True)
    assert len(await store.steps(made.id)) == 1
    watcher = await Person(manager, "cleo").enter(made.id)
    assert watcher.all(PeopleChanged)[-1].table.status == "over"
    await manager.close()


async def test_a_bot_sees_its_seat_only() -> None:
    thinker = LocalThinker(lambda situation: Thought(None) if situation.seat == 1 else first_move(situation))
    manager = a_manager(thinker=thinker)
    ana = await at_a_table(manager, "me", "random", "random")
    await ana.play(0, {"move": "write", "number": 8})
    seen = thinker.asked[-1]
    assert msgspec.to_builtins(seen.view) == {
        "round": 1,
        "theme": seen.view.theme,
        "mine": None,
        "written": (True, False, True),
        "scores": (0, 0, 0),
    }
    assert (seen.told, seen.imagined) == ((), ())
    await manager.close()


async def test_a_bot_that_waits_is_asked_again_when_something_changes() -> None:
    thinker = LocalThinker(
        lambda situation: first_move(situation) if situation.view.written[0] else Thought(None)
    )
    manager = a_manager(thinker=thinker)
    ana = await at_a_table(manager, "me", "random")
    assert not ana.all(StepMessage)
    await ana.play(0, {"move": "write", "number": 8})
    await ana.settle()
    assert [step.seq for step in ana.all(StepMessage)] == [2, 3]
    await manager.close()


async def test_a_bot_biding_its_time_thinks_again_when_something_changes() -> None:
    def patient(situation: Situation) -> Thought:
        return Thought(situation.moves[5], after=0 if situation.view.written[0] else 3600)

    manager = a_manager(thinker=LocalThinker(patient))
    made = await manager.create("ana", "whisper", {}, ("me", "random"), start=True)
    ana = Person(manager, "ana")
    ana.table = await manager.enter(made.id, ana.connection)
    ana.collect()
    for _ in range(20):
        await asyncio.sleep(0)
    ana.collect()
    assert not ana.all(StepMessage)
    ana.table.submit(ana.connection, Play("c", 0, 1, msgspec.Raw(b'{"move":"write","number":1}')))
    while len(ana.all(StepMessage)) < 2:
        await asyncio.sleep(0)
    assert {"fact": "revealed", "numbers": [1, 5]} in ana.all(StepMessage)[1].facts
    await manager.close()


async def test_a_bot_that_fails_moves_at_random(caplog: pytest.LogCaptureFixture) -> None:
    def fail(situation: Situation) -> Thought:
        raise RuntimeError("out of ideas")

    manager = a_manager(thinker=LocalThinker(fail))
    ana = await at_a_table(manager, "me", "random")
    await ana.settle()
    assert len(ana.all(StepMessage)) == 1
    assert "out of ideas" in caplog.text
    await manager.close()


async def test_a_bot_that_cheats_moves_at_random(caplog: pytest.LogCaptureFixture) -> None:
    too_large = msgspec.convert({"move": "write", "number": 50}, game("whisper").move_type)
    manager = a_manager(thinker=LocalThinker(lambda _: Thought(too_large)))
    ana = await at_a_table(manager, "me", "random")
    await ana.settle()
    assert len(ana.all(StepMessage)) == 1
    assert "an illegal move (WH-2)" in caplog.text
    await manager.close()


@in_virtual_time
async def test_a_thought_the_table_has_outrun_is_thought_anew() -> None:
    """The deadline passes while a bot thinks; its move is illegal by then and it is asked again."""
    go = asyncio.Event()
    asked = 0

    class SlowMinds:
        async def think(self, game: str, level: str, situation: Situation) -> Thought:
            nonlocal asked
            asked += 1
            if asked == 1:
                await go.wait()
            return Thought(situation.moves[asked])

    manager = TableManager(MemoryStore(), SlowMinds(), a_manager().settings)
    made = await manager.create("ana", "whisper", {"seconds": 0.01}, ("me", "random"), start=True)
    ana = Person(manager, "ana")
    ana.table = await manager.enter(made.id, ana.connection)
    while not ana.all(StepMessage):
        await asyncio.sleep(0.001)
    go.set()
    while len(ana.all(StepMessage)) < 2:
        await asyncio.sleep(0.001)
    assert ana.all(StepMessage)[1].facts[0]["seat"] == 1, (
        "the answer fits the next round too, and is played there"
    )
    await manager.close()


async def test_bots_keep_a_pace_people_can_follow() -> None:
    manager = a_manager(rules=ManagerSettings(pace=3600, linger=0))
    made = await manager.create("ana", "whisper", {}, ("me", "random"), start=True)
    ana = Person(manager, "ana")
    ana.table = await manager.enter(made.id, ana.connection)
    ana.table.submit(ana.connection, Play("c", 0, 1, msgspec.Raw(b'{"move":"write","number":1}')))
    while not ana.all(CommandAccepted):
        await asyncio.sleep(0)
    assert ana.table.pending
    assert len(ana.all(StepMessage)) <= 2
    await manager.close()


async def test_a_level_that_is_gone_is_played_at_random(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {}, ("me", "random"), start=True)
    store._tables[made.id] = replace(
        store._tables[made.id], seats=(made.seats[0], replace(made.seats[1], level="oracle"))
    )
    ana = await Person(manager, "ana").enter(made.id)
    assert len(ana.all(StepMessage)) == 1
    assert "has no level oracle" in caplog.text
    await manager.close()


async def test_a_bot_does_not_move_for_a_person_who_took_its_seat() -> None:
    """Its answer was under way when they did."""
    manager = a_manager()
    ana = await at_a_table(manager, "me", "me")
    assert ana.table is not None
    move = msgspec.convert({"move": "write", "number": 1}, game("whisper").move_type)
    ana.table._mailbox.put(BotMoved(1, move, seq=1, at=0.0))
    await ana.settle()
    assert not ana.all(StepMessage)
    await manager.close()
