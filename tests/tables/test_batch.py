"""What many have to say or to hear is dealt with in one go, and nobody's trouble is another's."""

from __future__ import annotations

import asyncio
import logging

import pytest

from kotatsu.connections.batch import LoopBatch


async def test_everyone_takes_part_once_in_the_order_they_came() -> None:
    done: list[str] = []
    deliveries = LoopBatch(done.append)
    for one in "abc":
        deliveries.add(one)
    assert not done
    await asyncio.sleep(0)
    assert done == ["a", "b", "c"]
    await asyncio.sleep(0)
    assert done == ["a", "b", "c"]


async def test_who_comes_while_it_goes_round_waits_for_the_next() -> None:
    done: list[int] = []

    def again(one: int) -> None:
        done.append(one)
        if one < 3:
            deliveries.add(one + 1)

    deliveries = LoopBatch(again)
    deliveries.add(1)
    seen = []
    for _ in range(4):
        await asyncio.sleep(0)
        seen.append(list(done))
    assert seen == [[1], [1, 2], [1, 2, 3], [1, 2, 3]]


async def test_one_that_fails_stops_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    done: list[int] = []
    deliveries = LoopBatch[int](lambda one: done.append(10 // one))
    for one in (5, 0, 2):
        deliveries.add(one)
    with caplog.at_level(logging.ERROR):
        await asyncio.sleep(0)
    assert done == [2, 5]
    assert "ZeroDivisionError" in caplog.text
