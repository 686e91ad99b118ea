"""A browser that watches a world: it gets what it lacks, and a slow one gets less, later, and slows nobody."""

from __future__ import annotations

import asyncio

from kotatsu.engine.realtime import WorldFrame
from kotatsu.worlds.viewer import FRAMES_IN_FLIGHT, QUEUED_TEXTS, LatestFrame, WorldViewer


def look(tick: int, **parts: bytes) -> WorldFrame:
    return WorldFrame(tick, b"h%d|" % tick, {ord(name): part for name, part in parts.items()})


async def nothing_comes(viewer: WorldViewer) -> bool:
    taking = asyncio.create_task(viewer.take())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waits = not taking.done()
    taking.cancel()
    return waits


async def test_who_comes_late_sees_everything_and_then_only_what_changed() -> None:
    latest, viewer = LatestFrame(), WorldViewer("ana")
    latest.update(look(2, a=b"A1", b=b"B1"))
    latest.update(look(4, a=b"A2"))
    viewer.show(latest)
    assert await viewer.take() == b"h4|A2B1"
    assert await nothing_comes(viewer)
    latest.update(look(6, b=b"B2"))
    viewer.show(latest)
    assert await viewer.take() == b"h6|B2"


async def test_what_was_missed_comes_once_and_newest() -> None:
    latest, viewer = LatestFrame(), WorldViewer("ana")
    latest.update(look(2, a=b"A1", b=b"B1"))
    viewer.show(latest)
    await viewer.take()
    for tick in range(4, 20, 2):
        latest.update(look(tick, a=b"A%d" % tick))
        viewer.show(latest)
    assert await viewer.take() == b"h18|A18"


async def test_a_browser_that_says_nothing_is_sent_a_second_and_no_more() -> None:
    latest, silent, quick = LatestFrame(), WorldViewer("ana"), WorldViewer("ben")
    sent = {"ana": 0, "ben": 0}
    for tick in range(2, 20 * FRAMES_IN_FLIGHT, 2):
        latest.update(look(tick, a=b"A"))
        for viewer in (silent, quick):
            viewer.show(latest)
            taking = asyncio.create_task(viewer.take())
            await asyncio.sleep(0)
            sent[viewer.visitor] += taking.done()
            taking.cancel()
        quick.seen(tick)
    assert sent["ben"] == 10 * FRAMES_IN_FLIGHT - 1
    assert sent["ana"] == FRAMES_IN_FLIGHT
    silent.seen(2 * FRAMES_IN_FLIGHT)
    assert await silent.take() == b"h%d|A" % latest.tick


async def test_the_word_of_one_frame_makes_room_for_one() -> None:
    latest, viewer = LatestFrame(), WorldViewer("ana")
    for tick in range(1, FRAMES_IN_FLIGHT + 1):
        latest.update(look(tick, a=b"A"))
        viewer.show(latest)
        assert await viewer.take() == b"h%d|A" % tick
    latest.update(look(99, a=b"A"))
    viewer.show(latest)
    assert await nothing_comes(viewer)
    viewer.seen(0)
    assert await nothing_comes(viewer)
    viewer.seen(1)
    assert await viewer.take() == b"h99|A"


async def test_whoever_catches_up_slowly_is_never_forgotten() -> None:
    """However late the word of a browser comes, another frame follows it."""
    latest, viewer = LatestFrame(), WorldViewer("ana")
    waiting: list[int] = []
    got = 0
    for tick in range(2, 100 * FRAMES_IN_FLIGHT, 2):
        latest.update(look(tick, a=b"A"))
        viewer.show(latest)
        taking = asyncio.create_task(viewer.take())
        await asyncio.sleep(0)
        if taking.done():
            waiting.append(tick)
            got += 1
        taking.cancel()
        if tick % 400 == 0:  # it says only now what it has seen long ago, and only of every sixth frame
            viewer.seen(max(waiting[::6], default=0))
    assert got > 5 * FRAMES_IN_FLIGHT


async def test_another_turn_begins_from_nothing() -> None:
    viewer, first, second = WorldViewer("ana"), LatestFrame(), LatestFrame()
    first.update(look(500, a=b"A"))
    viewer.show(first)
    await viewer.take()
    second.update(look(2, a=b"X", b=b"Y"))
    viewer.show(second)
    assert await viewer.take() == b"h2|XY"


async def test_words_come_first_and_do_not_pile_up() -> None:
    viewer = WorldViewer("ana")
    for number in range(QUEUED_TEXTS + 5):
        viewer.send_text(str(number))
    assert await viewer.take() == "5"
    viewer.close()
    assert await viewer.take() is None
