"""Deadlines: they ring, they rest with the table, and a restart begins them anew."""

from __future__ import annotations

import asyncio

import pytest

from kotatsu.engine.contract import Deadline
from kotatsu.protocol.messages import StepMessage
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.timers import RETRY_S, DeadlineTimer
from tests.tables.people import Person, a_manager
from tests.tables.virtual_time import in_virtual_time


async def started(clock: DeadlineTimer, seconds: float, token: int = 0) -> Deadline:
    deadline = Deadline("x", seconds, token=token)
    clock.wait_for(deadline, running=True)
    return deadline


async def test_it_rings_once_for_the_deadline_it_was_given() -> None:
    rung: asyncio.Queue[Deadline] = asyncio.Queue()
    clock = DeadlineTimer(rung.put_nowait)
    await started(clock, 1000)
    soon = await started(clock, 0.001, token=1)
    assert await rung.get() == soon
    assert rung.empty()
    assert clock.left == 0


async def test_the_same_deadline_goes_on_and_another_begins() -> None:
    clock = DeadlineTimer(lambda _: None)
    await started(clock, 100)
    ends = clock._ends
    await started(clock, 100)
    assert clock._ends == ends
    await started(clock, 100, token=1)
    assert clock._ends >= ends
    clock.wait_for(None, running=True)
    assert clock.left is None
    assert clock.waited == 0


async def test_a_paused_clock_keeps_what_is_left() -> None:
    rung: asyncio.Queue[Deadline] = asyncio.Queue()
    clock = DeadlineTimer(rung.put_nowait)
    await started(clock, 100)
    clock.pause()
    left = clock.left
    assert left is not None
    assert 0 < left <= 100
    assert clock.left == left
    clock.resume()
    assert clock._handle is not None
    clock.restart()
    assert clock.left is not None
    assert clock.left > 99
    clock.pause()


@in_virtual_time
async def test_a_clock_that_is_told_what_passed_counts_from_there() -> None:
    rung: list[Deadline] = []
    clock = DeadlineTimer(rung.append)
    deadline = Deadline("x", 10, keeps_running=True)
    clock.wait_for(deadline, running=True, passed=4)
    assert clock.left == pytest.approx(6)
    clock.wait_for(deadline, running=False, passed=9)
    assert clock.left == pytest.approx(1)
    await asyncio.sleep(5)
    assert not rung
    clock.wait_for(deadline, running=True, passed=14)
    assert clock.left == 0
    await asyncio.sleep(0.001)
    assert rung == [deadline]


@in_virtual_time
async def test_a_deadline_that_could_not_be_handled_passes_again_a_little_later() -> None:
    rung: list[Deadline] = []
    clock = DeadlineTimer(rung.append)
    deadline = Deadline("x", 10, keeps_running=True)
    clock.wait_for(deadline, running=True, passed=99)
    await asyncio.sleep(0.001)
    clock.retry()
    clock.wait_for(deadline, running=True, passed=99)
    await asyncio.sleep(RETRY_S / 2)
    assert len(rung) == 1
    await asyncio.sleep(RETRY_S)
    assert len(rung) == 2


async def test_time_passes_at_the_table_through_its_door() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 0.01}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    assert ana.heard[0].waiting.deadline.seconds == 0.01
    while not ana.all(StepMessage):
        await asyncio.sleep(0.001)
    step = ana.all(StepMessage)[0]
    assert [fact["fact"] for fact in step.facts] == ["wrote", "wrote", "revealed", "opened"]
    rows = await store.steps(made.id)
    assert (rows[1].seat, rows[1].command_id) == (None, None)
    await manager.close()


async def test_a_table_nobody_watches_does_not_age() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 0.005}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    ana.leave()
    before = len(await store.steps(made.id))
    await asyncio.sleep(0.02)
    assert len(await store.steps(made.id)) == before
    back = await Person(manager, "ana").enter(made.id)
    while not back.all(StepMessage):
        await asyncio.sleep(0.001)
    await manager.close()


async def test_a_restart_gives_the_whole_time_again() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 60}, ("me", "me"), start=True)
    await Person(manager, "ana").enter(made.id)
    await manager.close()
    later = a_manager(store)
    ana = await Person(later, "ana").enter(made.id)
    assert ana.heard[0].waiting.left > 59
    await later.close()
