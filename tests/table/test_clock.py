"""Deadlines: they ring, they rest with the table, and a restart begins them anew."""

from __future__ import annotations

import asyncio

from kotatsu.engine.contract import Deadline
from kotatsu.store.memory import MemoryStore
from kotatsu.table.clock import Clock, Pondering
from kotatsu.table.wire import Step
from tests.table.people import Person, a_house


async def started(clock: Clock, seconds: float, token: int = 0) -> Deadline:
    deadline = Deadline("x", seconds, token=token)
    clock.wait_for(deadline, running=True)
    return deadline


async def test_it_rings_once_for_the_deadline_it_was_given() -> None:
    rung: asyncio.Queue[Deadline] = asyncio.Queue()
    clock = Clock(rung.put_nowait)
    await started(clock, 1000)
    soon = await started(clock, 0.001, token=1)
    assert await rung.get() == soon
    assert rung.empty()
    assert clock.left == 0


async def test_the_same_deadline_goes_on_and_another_begins() -> None:
    clock = Clock(lambda _: None)
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
    clock = Clock(rung.put_nowait)
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


async def test_pondering_counts_from_when_one_could_move() -> None:
    pondering = Pondering()
    pondering.these((0,))
    await asyncio.sleep(0.002)
    pondering.these((0, 1))
    assert pondering.seconds(0) > pondering.seconds(1) >= 0
    assert pondering.seconds(2) == 0
    pondering.done(0)
    assert pondering.seconds(0) == 0
    pondering.afresh()
    assert pondering.seconds(1) < 0.002


async def test_time_passes_at_the_table_through_its_door() -> None:
    store = MemoryStore()
    house = a_house(store)
    made = await house.create("ana", "whisper", {"seconds": 0.01}, ("me", "me"), start=True)
    ana = await Person(house, "ana").enter(made.id)
    assert ana.heard[0].waiting.deadline.seconds == 0.01
    while not ana.all(Step):
        await asyncio.sleep(0.001)
    step = ana.all(Step)[0]
    assert [fact["fact"] for fact in step.facts] == ["wrote", "wrote", "revealed", "opened"]
    rows = await store.steps(made.id)
    assert (rows[1].seat, rows[1].command_id) == (None, None)
    await house.close()


async def test_a_table_nobody_watches_does_not_age() -> None:
    store = MemoryStore()
    house = a_house(store)
    made = await house.create("ana", "whisper", {"seconds": 0.005}, ("me", "me"), start=True)
    ana = await Person(house, "ana").enter(made.id)
    ana.leave()
    before = len(await store.steps(made.id))
    await asyncio.sleep(0.02)
    assert len(await store.steps(made.id)) == before
    back = await Person(house, "ana").enter(made.id)
    while not back.all(Step):
        await asyncio.sleep(0.001)
    await house.close()


async def test_a_restart_gives_the_whole_time_again() -> None:
    store = MemoryStore()
    house = a_house(store)
    made = await house.create("ana", "whisper", {"seconds": 60}, ("me", "me"), start=True)
    await Person(house, "ana").enter(made.id)
    await house.close()
    later = a_house(store)
    ana = await Person(later, "ana").enter(made.id)
    assert ana.heard[0].waiting.left > 59
    await later.close()
