"""Whoever waits for a change hears of the next one, and of one they missed at once."""

from __future__ import annotations

import asyncio

from kotatsu.tables.change_signal import ChangeSignal


async def test_whoever_waits_hears_of_the_next_change() -> None:
    signal = ChangeSignal()
    assert signal.count == 0
    waiting = [asyncio.create_task(signal.wait(0)) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    signal.notify()
    assert await asyncio.gather(*waiting) == [1, 1]


async def test_changes_that_were_missed_are_heard_of_at_once() -> None:
    signal = ChangeSignal()
    for _ in range(3):
        signal.notify()
    assert await signal.wait(1) == 3
    assert await signal.wait(0) == 3
    later = asyncio.create_task(signal.wait(3))
    await asyncio.sleep(0)
    assert not later.done()
    signal.notify()
    assert await later == 4
