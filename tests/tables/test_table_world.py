"""The world of a live table, in a process of its own: what it says is written down, and its death is survived."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kotatsu.games.kaboum import realtime
from kotatsu.games.kaboum.codec import read_frame, read_motion
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.model import KaboumOptions, TableLaid
from kotatsu.games.kaboum.tests.staging import Table as Staged
from kotatsu.protocol.messages import Sit, Stand, StepMessage
from kotatsu.tables.manager import TableManager
from kotatsu.worlds.messages import (
    LENGTH,
    BotsSeated,
    CloseTurn,
    EntriesReported,
    FrameReported,
    InputRejected,
    OpenTurn,
    PauseTurn,
    PlayerInput,
    TurnFailed,
    reply_decoder,
)
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.pool import WorldPool
from kotatsu.worlds.table_world import TableWorld, TableWorlds
from kotatsu.worlds.viewer import WorldViewer
from kotatsu.worlds.worker import CATCH_UP_TICKS, WorldWorker
from tests.tables.people import RULES, FailingStore, LocalThinker, Person

PATIENCE_S = 60


class Here:
    """A table of Kaboum: ``ana`` in seat 0, a bot in seat 1, and a browser that watches the world."""

    def __init__(self, manager: TableManager, worlds: WorldPool, store: FailingStore) -> None:
        self.manager, self.worlds, self.store = manager, worlds, store
        self.viewer = WorldViewer("ana")

    async def sit(self) -> None:
        made = await self.manager.create("ana", "kaboum", {"hourglass_s": 30}, ["me", "adept"], start=True)
        self.table = made.id
        self.ana = await Person(self.manager, "ana").enter(made.id)
        self.world.arrive(self.viewer)

    @property
    def world(self) -> TableWorld:
        world = self.manager.world(self.table, "ana")
        assert world is not None
        return world

    @property
    def facts(self) -> list[str]:
        return [fact["fact"] for step in self.ana.all(StepMessage) for fact in step.facts]

    @property
    def logged(self) -> bytes:
        return b"".join(step.entries for step in self.store._logs[self.table].values())

    def moves_of(self, seat: int) -> list[str]:
        steps = self.store._logs[self.table].values()
        entries = [entry for step in steps for entry in msgspec.json.decode(step.entries)]
        return [entry["move"] for entry in entries if "move" in entry and entry["seat"] == seat]

    async def word(self) -> str:
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(news := await self.viewer.take(), str):
                pass
        return news

    async def flip(self) -> None:
        await self.ana.play(0, {"move": "flip"})
        assert self.world.running

    async def until(self, found: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not found():
                await asyncio.sleep(0.02)

    async def frame(self) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            while not isinstance(news := await self.viewer.take(), bytes):
                pass
        read = read_frame(news)
        self.viewer.seen(read.header.tick)
        return read


def luck_of_seat_0() -> Random:
    """Chance that lets seat 0 build first."""

    def builds_first(seed: int) -> bool:
        (laid,) = GAME.setup(2, KaboumOptions(), Random(seed))
        return isinstance(laid, TableLaid) and laid.builder == 0

    return Random(next(seed for seed in count() if builds_first(seed)))


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    store, worlds = FailingStore(), WorldPool(1)
    stages = TableWorlds(worlds, MotionFiles(tmp_path))
    manager = TableManager(store, LocalThinker(), RULES, luck_of_seat_0(), worlds=stages)
    place = Here(manager, worlds, store)
    await place.sit()
    yield place
    await manager.close()
    await worlds.stop()


async def test_a_flip_opens_a_world_that_everyone_sees(here: Here) -> None:
    await here.flip()
    first = await here.frame()
    assert len(first.bodies) == 26
    then = await here.frame()
    assert then.header.tick > first.header.tick
    assert then.header.seconds_left < 30


async def test_what_the_builder_does_is_done_and_written_down(here: Here) -> None:
    await here.flip()
    await here.frame()
    here.world.act(here.viewer, 0, b'{"move":"grab","piece":3}')
    async with asyncio.timeout(PATIENCE_S):
        while (await here.frame()).header.held != 3:
            pass

    await here.until(lambda: b'"grab"' in here.logged)


async def test_who_leaves_in_the_middle_of_a_turn_is_stood_in_for_and_may_come_back(here: Here) -> None:
    await here.flip()
    await here.frame()
    here.world.act(here.viewer, 0, b'{"move":"grab","piece":3}')
    await here.until(lambda: b'"grab"' in here.logged)
    assert (await here.ana.ask(Stand("stand", 0))).seq > 0
    here.world.act(here.viewer, 0, b'{"move":"grab","piece":3}')
    assert "not your seat" in await here.word()
    await here.until(lambda: here.moves_of(0).count("grab") > 2)
    assert here.moves_of(0)[:4] == ["flip", "grab", "release", "grab"]

    assert (await here.ana.ask(Sit("sit", 0))).seq > 0
    here.world.act(here.viewer, 0, b'{"move":"grab","piece":5}')
    async with asyncio.timeout(PATIENCE_S):
        while (await here.frame()).header.held != 5:
            pass
    assert here.world.running


async def test_who_leaves_while_the_world_opens_is_stood_in_for(here: Here) -> None:
    await here.flip()
    await here.ana.ask(Stand("stand", 0))
    await here.until(lambda: "grab" in here.moves_of(0))


async def test_only_ones_own_seat_is_moved(here: Here) -> None:
    await here.flip()
    stranger = WorldViewer("ben")
    here.world.arrive(stranger)
    here.world.act(stranger, 0, b'{"move":"grab","piece":3}')
    word = await stranger.take()
    assert isinstance(word, str)
    assert "not your seat" in word
    here.world.act(here.viewer, 1, b'{"move":"grab","piece":3}')
    here.world.act(here.viewer, 31, b'{"move":"grab","piece":3}')
    assert "not your seat" in str(await here.viewer.take())


async def test_nonsense_is_refused_by_the_world(here: Here) -> None:
    await here.flip()
    here.world.act(here.viewer, 0, b'{"move":"grab","piece":3}')
    assert "No turn is under way yet" in str(await here.viewer.take())
    await here.frame()
    here.world.act(here.viewer, 0, b'{"move":"explode"}')
    assert "refused" in await here.word()


async def test_moves_by_the_tables_own_door_are_refused_while_the_world_decides(here: Here) -> None:
    await here.flip()
    answer = await here.ana.play(0, {"move": "release"})
    assert answer.clause == "world"


async def test_a_world_that_dies_costs_a_turn_not_the_table(here: Here) -> None:
    await here.flip()
    await here.frame()
    process = here.worlds._workers[0]._process
    assert process is not None
    process.kill()
    await here.until(lambda: "turn_broken" in here.facts)
    await here.flip()
    while len((await here.frame()).bodies) < 26:
        pass  # what the old world had sent last may come first


async def test_a_turn_is_lost_with_the_server_that_ran_it(here: Here) -> None:
    await here.flip()
    await here.manager.close()
    manager = TableManager(
        here.store, LocalThinker(), RULES, worlds=TableWorlds(here.worlds, MotionFiles(None))
    )
    ana = await Person(manager, "ana").enter(here.table)
    await here.until(lambda: b"turn_broken" in here.logged)
    assert (await ana.play(0, {"move": "flip"})).seq > 0
    await manager.close()


async def test_what_could_not_be_written_did_not_happen(here: Here) -> None:
    await here.flip()
    await here.frame()
    here.store.fail_before = True
    here.world.on_entries(EntriesReported(here.table, b'[{"fact":"completed","tile":3}]'))
    await here.until(lambda: not here.world.running)
    state = here.ana.table._table_game.state  # type: ignore[union-attr]
    assert (state.running, state.standing) == (False, ())


class Clocked:
    """The inside of the process, with a clock of the test's."""

    def __init__(self) -> None:
        self.now = 100.0
        self.out = io.BytesIO()
        self.process = WorldWorker(self.out, lambda: self.now)
        staged = Staged(players=2, hourglass_s=30)
        staged.flip()
        self.state = staged.state
        self.setting = realtime.setting(staged.state, {0: "adept", 1: "adept"}, 7)

    def open(self, table: str = "t") -> None:
        self.process.handle(OpenTurn(table, "kaboum", self.setting))

    def run(self, seconds: float, step: float = 1 / 60) -> list[Any]:
        for _ in range(round(seconds / step)):
            self.now += step
            self.process.run()
        data, self.out = self.out.getvalue(), io.BytesIO()
        self.process._out = self.out
        said, at = [], 0
        while at < len(data):
            (length,) = LENGTH.unpack_from(data, at)
            said.append(reply_decoder.decode(data[at + 4 : at + 4 + length]))
            at += 4 + length
        return said


def test_thirty_looks_a_second() -> None:
    clocked = Clocked()
    clocked.open()
    looks = [said for said in clocked.run(2.0) if isinstance(said, FrameReported)]
    assert 58 <= len(looks) <= 61


def test_a_bot_that_takes_a_seat_over_plays_at_once_and_one_that_is_gone_does_not() -> None:
    clocked = Clocked()
    builder = clocked.state.builder
    clocked.setting = realtime.setting(clocked.state, {}, 7)
    clocked.open()

    def builds(seconds: float) -> bool:
        said = [each for each in clocked.run(seconds) if isinstance(each, EntriesReported)]
        return any(f'"seat":{builder}'.encode() in each.entries for each in said)

    assert not builds(3.0)
    clocked.process.handle(BotsSeated("t", {builder: "adept"}))
    assert builds(4.0)
    clocked.process.handle(BotsSeated("t", {}))
    builds(2.0)  # what it did last, and the piece it let go
    assert not builds(4.0)
    clocked.process.handle(BotsSeated("elsewhere", {builder: "adept"}))


def test_the_same_bot_stays_when_another_seat_changes() -> None:
    def building(changes: bool) -> list[Any]:
        clocked = Clocked()
        builder = clocked.state.builder
        clocked.setting = realtime.setting(clocked.state, {builder: "adept"}, 7)
        clocked.open()
        early = clocked.run(3.0)
        if changes:
            clocked.process.handle(BotsSeated("t", {builder: "adept"}))
        return early + clocked.run(3.0)

    assert building(changes=True) == building(changes=False)


@pytest.mark.rule("KA-33")
def test_a_turn_ends_with_its_motion() -> None:
    clocked = Clocked()
    clocked.open()
    said = clocked.run(31.0)
    *_, last = [each for each in said if isinstance(each, EntriesReported)]
    assert last.motion is not None
    frames = list(read_motion(last.motion))
    assert len(frames) == sum(isinstance(each, FrameReported) for each in said)
    entries = [
        entry
        for each in said
        if isinstance(each, EntriesReported)
        for entry in msgspec.json.decode(each.entries)
    ]
    assert entries[-1]["fact"] == "turn_ended"
    state = clocked.state
    for entry in entries:
        if "fact" in entry:
            state = GAME.fold(state, msgspec.convert(entry, GAME.fact_type))
    assert not state.running
    assert clocked.run(1.0) == []


def test_a_world_that_goes_wrong_says_so_and_is_gone() -> None:
    clocked = Clocked()
    clocked.open("sound")
    clocked.open("wrong")
    clocked.run(0.5)
    live = clocked.process._turns["wrong"]._turn
    assert isinstance(live, realtime.LiveKaboum)
    live._turn.world.put(5, (float("nan"), 0.0, 0.1))
    said = clocked.run(1.0)
    *_, last = [each for each in said if isinstance(each, EntriesReported) and each.table == "wrong"]
    assert msgspec.json.decode(last.entries)[-1] == {"fact": "turn_broken", "turn": 1}
    assert {each.table for each in clocked.run(1.0)} == {"sound"}


def test_a_world_that_breaks_down_takes_no_other_with_it(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocked = Clocked()
    clocked.open("sound")
    clocked.open("wrong")
    monkeypatch.setattr(clocked.process._turns["wrong"]._turn, "tick", lambda: 1 // 0)
    said = clocked.run(0.5)
    assert [each.table for each in said if isinstance(each, TurnFailed)] == ["wrong"]
    assert {each.table for each in clocked.run(0.5)} == {"sound"}
    assert "the real-time world of table wrong failed" in caplog.text


def test_a_paused_world_does_not_age_and_a_late_one_does_not_rush() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.run(1.0)
    clocked.process.handle(PauseTurn("t", True))
    assert clocked.run(5.0) == []
    clocked.process.handle(PauseTurn("t", False))
    looks = [said for said in clocked.run(0.1) if isinstance(said, FrameReported)]
    assert looks[0].look.tick <= 62 + CATCH_UP_TICKS
    looks = [said for said in clocked.run(10.0, step=10.0) if isinstance(said, FrameReported)]
    assert len(looks) <= CATCH_UP_TICKS


def test_worlds_do_not_disturb_each_other() -> None:
    clocked = Clocked()
    clocked.open("one")
    clocked.open("two")
    clocked.process.handle(OpenTurn("bad", "kaboum", b"nonsense"))
    clocked.process.handle(OpenTurn("worse", "kimono", clocked.setting))
    clocked.process.handle(PlayerInput("one", 0, b"{"))
    clocked.process.handle(PlayerInput("nobody", 0, b"{"))
    said = clocked.run(0.5)
    assert {each.table for each in said if isinstance(each, TurnFailed)} == {"bad", "worse"}
    assert [each.table for each in said if isinstance(each, InputRejected)] == ["one"]
    assert {each.table for each in said if isinstance(each, FrameReported)} == {"one", "two"}
    clocked.process.handle(CloseTurn("one"))
    assert {each.table for each in clocked.run(0.5)} == {"two"}


def test_motions_are_kept_by_table_and_turn(tmp_path: Path) -> None:
    motions = MotionFiles(tmp_path)
    motions.keep("table", 3, b"moves")
    assert motions.read("table", 3) == b"moves"
    assert motions.read("table", 4) is None
    assert motions.read("../table", 3) is None
    motions.keep("../other", 1, b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
