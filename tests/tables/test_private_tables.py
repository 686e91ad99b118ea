"""A table one may not look on at shows a stranger neither its world nor how a turn went, awake or asleep."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from kotatsu.protocol.messages import SetBot, SetTableSettings
from kotatsu.store.contract import StoredSeat, TableSettings
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.manager import NoSuchTable, TableManager
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.table_world import TableWorlds
from tests.tables.people import RULES, LocalThinker, Person
from tests.worlds.quiet_pool import QuietPool

MOTION = b"how the first turn went"
PRIVATE = TableSettings(watchable=False)


class Hall:
    """A table of Kaboum made by ``ana``, with ``ben`` in the second seat and the motion of its first turn."""

    def __init__(self, folder: Path) -> None:
        self.store = MemoryStore()
        self.motions = MotionFiles(folder)
        worlds = TableWorlds(QuietPool(), self.motions)
        self.manager = TableManager(self.store, LocalThinker(), RULES, worlds=worlds)

    async def make(self, settings: TableSettings) -> str:
        made = await self.manager.create(
            "ana", "kaboum", {}, ("adept", "adept", "adept"), start=True, settings=settings
        )
        seats = (
            StoredSeat("person", "ben", "Ben"),
            StoredSeat("bot", "cleo", "Cleo", level="adept"),
            *made.seats[2:],
        )
        await self.store.set_seats(made.id, seats, 1.0)
        self.motions.keep(made.id, 1, MOTION)
        return made.id

    async def watches(self, table: str, visitor: str) -> bool:
        """Whether a visitor is shown how the first turn went."""
        try:
            return await self.manager.motion(table, visitor, 1) == MOTION
        except NoSuchTable:
            return False


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    opened = Hall(tmp_path)
    yield opened
    await opened.manager.close()


FRIENDS = ("ana", "ben", "cleo")
"""The host, who plays not; a player; and somebody a bot stands in for."""


async def test_the_motion_of_a_private_table_is_for_those_of_the_table(hall: Hall) -> None:
    table = await hall.make(PRIVATE)
    for _asleep in (True, False):
        assert [await hall.watches(table, friend) for friend in FRIENDS] == [True] * 3
        assert not await hall.watches(table, "zoe")
        with pytest.raises(NoSuchTable):
            await hall.manager.motion(table, "zoe", 1)
        await Person(hall.manager, "ben").enter(table)
        assert hall.manager.tables == 1


async def test_the_motion_of_a_watchable_table_is_for_all(hall: Hall) -> None:
    table = await hall.make(TableSettings())
    for _asleep in (True, False):
        assert [await hall.watches(table, visitor) for visitor in (*FRIENDS, "zoe")] == [True] * 4
        await Person(hall.manager, "zoe").enter(table)
        assert hall.manager.tables == 1


async def test_a_stranger_learns_nothing_from_what_was_kept_and_what_was_not(hall: Hall) -> None:
    table = await hall.make(PRIVATE)
    for turn in (1, 2):
        with pytest.raises(NoSuchTable):
            await hall.manager.motion(table, "zoe", turn)
    with pytest.raises(NoSuchTable):
        await hall.manager.motion("nowhere", "zoe", 1)
    assert await hall.manager.motion(table, "ana", 2) is None


async def test_a_gathering_table_is_open_to_whoever_may_sit_down(hall: Hall) -> None:
    made = await hall.manager.create("ana", "kaboum", {}, ("me", "open"), settings=PRIVATE)
    hall.motions.keep(made.id, 1, MOTION)
    assert await hall.watches(made.id, "zoe")


async def test_the_world_of_a_private_table_is_for_those_of_the_table(hall: Hall) -> None:
    table = await hall.make(PRIVATE)
    world = hall.manager.world
    assert [world(table, visitor) for visitor in (*FRIENDS, "zoe")] == [None] * 4, "nobody is there"
    ben = await Person(hall.manager, "ben").enter(table)
    assert ben.table is not None
    assert ben.table.world is not None
    assert [world(table, friend) for friend in FRIENDS] == [ben.table.world] * 3
    assert world(table, "zoe") is None
    assert world("nowhere", "ana") is None


async def test_the_world_of_a_watchable_table_is_for_all(hall: Hall) -> None:
    table = await hall.make(TableSettings())
    zoe = await Person(hall.manager, "zoe").enter(table)
    assert zoe.table is not None
    assert hall.manager.world(table, "zoe") is zoe.table.world is not None


async def test_a_table_that_is_shut_while_it_is_played_is_shut_at_once(hall: Hall) -> None:
    table = await hall.make(TableSettings())
    ana = await Person(hall.manager, "ana").enter(table)
    assert hall.manager.world(table, "zoe") is not None
    await ana.ask(SetTableSettings("shut", PRIVATE))
    assert hall.manager.world(table, "zoe") is None
    assert not await hall.watches(table, "zoe")
    await ana.ask(SetTableSettings("open", TableSettings()))
    assert hall.manager.world(table, "zoe") is not None
    assert await hall.watches(table, "zoe")


async def test_whoever_lost_their_seat_for_good_is_a_stranger(hall: Hall) -> None:
    table = await hall.make(PRIVATE)
    stored = await hall.store.table(table)
    assert stored is not None
    ana = await Person(hall.manager, "ana").enter(table)
    assert await hall.watches(table, "ben")
    await ana.ask(SetBot("bot", 0, "adept"))
    assert await hall.watches(table, "ben"), "a bot stands in for ben, who may come back"
    await hall.store.set_seats(
        table, (replace(stored.seats[0], kind="bot", visitor=None), *stored.seats[1:]), 2.0
    )
    assert ana.table is not None
    ana.table.refresh()
    await ana.settle()
    assert not await hall.watches(table, "ben")


async def test_a_house_without_worlds_has_no_motions() -> None:
    manager = TableManager(MemoryStore(), LocalThinker(), RULES)
    made = await manager.create("ana", "kaboum", {}, ("me", "adept"), start=True, settings=PRIVATE)
    assert await manager.motion(made.id, "ana", 1) is None
    with pytest.raises(NoSuchTable):
        await manager.motion(made.id, "zoe", 1)
    ana = await Person(manager, "ana").enter(made.id)
    assert ana.table is not None
    assert manager.world(made.id, "ana") is None
    await manager.close()
