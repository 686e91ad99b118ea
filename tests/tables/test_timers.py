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


class Watch:
    """A timer, and when it rang for what."""

    def __init__(self) -> None:
        self.now = asyncio.get_running_loop().time
        self.rung: list[tuple[Deadline, float]] = []
        self.timer = DeadlineTimer(lambda deadline: self.rung.append((deadline, self.now())))

    def wait(self, seconds: float, token: int = 0, *, running: bool = True) -> Deadline:
        deadline = Deadline("x", seconds, token=token)
        self.timer.wait_for(deadline, running=running)
        return deadline


@in_virtual_time
async def test_it_rings_once_for_the_deadline_it_was_given() -> None:
    watch = Watch()
    watch.wait(1000)
    await asyncio.sleep(3)
    soon = watch.wait(2, token=1)
    await asyncio.sleep(5000)
    assert watch.rung == [(soon, 5.0)]
    assert watch.timer.left == 0
    assert watch.timer.deadline == soon


@in_virtual_time
async def test_the_same_deadline_goes_on_and_another_begins() -> None:
    watch = Watch()
    watch.wait(100)
    await asyncio.sleep(30)
    watch.wait(100)
    assert (watch.timer.left, watch.timer.waited) == (70.0, 30.0)
    watch.wait(100, token=1)
    assert (watch.timer.left, watch.timer.waited) == (100.0, 0.0)
    watch.wait(50, token=1)
    assert watch.timer.left == 50.0


@in_virtual_time
async def test_where_nothing_is_waited_for_nothing_rings() -> None:
    watch = Watch()
    assert (watch.timer.left, watch.timer.waited, watch.timer.deadline) == (None, 0.0, None)
    watch.timer.wait_for(None, running=True)
    watch.timer.resume()
    watch.timer.restart()
    watch.timer.pause()
    watch.wait(10)
    watch.timer.wait_for(None, running=True)
    await asyncio.sleep(100)
    assert watch.rung == []
    assert (watch.timer.left, watch.timer.waited) == (None, 0.0)


@in_virtual_time
async def test_a_paused_clock_keeps_what_is_left() -> None:
    watch = Watch()
    deadline = watch.wait(100)
    await asyncio.sleep(40)
    watch.timer.pause()
    await asyncio.sleep(1000)
    watch.timer.pause()
    assert (watch.timer.left, watch.timer.waited) == (60.0, 40.0)
    watch.timer.resume()
    watch.timer.resume()
    await asyncio.sleep(59)
    assert watch.timer.left == 1.0
    assert watch.rung == []
    await asyncio.sleep(100)
    assert watch.rung == [(deadline, 1100.0)]


@in_virtual_time
async def test_a_wait_may_begin_at_rest_and_be_put_to_rest() -> None:
    watch = Watch()
    deadline = watch.wait(10, running=False)
    await asyncio.sleep(100)
    assert (watch.rung, watch.timer.left) == ([], 10.0)
    watch.wait(10)
    await asyncio.sleep(4)
    watch.wait(10, running=False)
    await asyncio.sleep(100)
    assert (watch.rung, watch.timer.left) == ([], 6.0)
    watch.wait(10)
    await asyncio.sleep(100)
    assert watch.rung == [(deadline, 210.0)]


@in_virtual_time
async def test_a_wait_that_is_restarted_has_its_whole_time_again() -> None:
    watch = Watch()
    deadline = watch.wait(10)
    await asyncio.sleep(8)
    watch.timer.restart()
    assert watch.timer.left == 10.0
    await asyncio.sleep(9)
    assert watch.rung == []
    await asyncio.sleep(100)
    assert watch.rung == [(deadline, 18.0)]


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


@in_virtual_time
async def test_time_passes_at_the_table_through_its_door() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 7}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    assert ana.heard[0].waiting.deadline.seconds == 7
    await asyncio.sleep(6.9)
    assert not ana.all(StepMessage)
    await asyncio.sleep(0.2)
    step = ana.all(StepMessage)[0]
    assert [fact["fact"] for fact in step.facts] == ["wrote", "wrote", "revealed", "opened"]
    assert step.waiting.left == pytest.approx(7)
    rows = await store.steps(made.id)
    assert (rows[1].seat, rows[1].command_id) == (None, None)
    await manager.close()


@in_virtual_time
async def test_a_table_nobody_watches_does_not_age() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 7}, ("me", "me"), start=True)
    ana = await Person(manager, "ana").enter(made.id)
    await asyncio.sleep(5)
    ana.leave()
    before = len(await store.steps(made.id))
    await asyncio.sleep(100)
    assert len(await store.steps(made.id)) == before
    back = await Person(manager, "ana").enter(made.id)
    await asyncio.sleep(7.1)
    assert back.all(StepMessage)
    await manager.close()


@in_virtual_time
async def test_a_restart_gives_the_whole_time_again() -> None:
    store = MemoryStore()
    manager = a_manager(store)
    made = await manager.create("ana", "whisper", {"seconds": 60}, ("me", "me"), start=True)
    await Person(manager, "ana").enter(made.id)
    await asyncio.sleep(50)
    await manager.close()
    later = a_manager(store)
    ana = await Person(later, "ana").enter(made.id)
    assert ana.heard[0].waiting.left == pytest.approx(60.0)
    await later.close()
