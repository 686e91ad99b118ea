"""A live table whose turns are played in a world: what it says is written down, or the turn is lost; never both."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from kotatsu.engine.realtime import WorldFrame
from kotatsu.protocol.messages import CommandAccepted, Sit, Stand, StepMessage, Welcome
from kotatsu.tables.manager import TableManager
from kotatsu.worlds.messages import EntriesReported, FrameReported
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.table_world import TableWorld, TableWorlds
from kotatsu.worlds.viewer import WorldViewer
from tests.tables.people import RULES, FailingStore, LocalThinker, Person
from tests.tables.virtual_time import in_virtual_time
from tests.worlds.quiet_pool import QuietPool

GO = {"move": "go"}


class Track:
    """A table of ``sprint``: ``ana`` in seat 0, a bot in seat 1, and a world that says what a test lets it say."""

    def __init__(self) -> None:
        self.pool = QuietPool()
        self.store = FailingStore()
        self.thinker = LocalThinker()
        self.worlds = TableWorlds(self.pool, MotionFiles(None))
        self.manager = TableManager(self.store, self.thinker, RULES, worlds=self.worlds)

    async def open(self, *seats: str) -> Track:
        made = await self.manager.create("ana", "sprint", {}, seats or ("me", "me"), start=True)
        self.table = made.id
        self.ana = await Person(self.manager, "ana").enter(made.id)
        return self

    async def begin(self) -> Track:
        await self.open()
        assert isinstance(await self.ana.play(0, GO), CommandAccepted)
        await self.settle()
        self.pool.heard()
        return self

    @property
    def world(self) -> TableWorld:
        found = self.manager.world(self.table, "ana")
        assert found is not None
        return found

    @property
    def state(self) -> Any:
        assert self.ana.table is not None
        return self.ana.table._table_game.state

    async def settle(self) -> None:
        while self.world._tasks:
            await asyncio.sleep(0)
        await self.ana.settle()

    async def says(self, *entries: dict[str, Any]) -> None:
        """The world reports something for the log."""
        self.world.on_entries(EntriesReported(self.table, msgspec.json.encode(entries)))
        await self.settle()

    async def facts(self) -> list[str]:
        rows = await self.store.steps(self.table)
        entries = [entry for row in rows for entry in msgspec.json.decode(row.entries)]
        return [entry["fact"] for entry in entries if "fact" in entry]


@in_virtual_time
async def test_what_the_world_says_is_written_down_and_told() -> None:
    track = await Track().begin()
    await track.says({"seat": 0, "move": "step"}, {"fact": "stepped", "seat": 0})
    (row,) = (await track.store.steps(track.table))[2:]
    assert msgspec.json.decode(row.entries) == [
        {"seat": 0, "move": "step"},
        {"fact": "stepped", "seat": 0},
    ]
    assert (row.seat, row.command_id) == (None, None)
    assert track.ana.all(StepMessage)[-1].facts == ({"fact": "stepped", "seat": 0},)
    assert track.state.steps == (1, 0)
    await track.manager.close()


@in_virtual_time
async def test_what_could_not_be_written_costs_the_turn_and_the_table_goes_on() -> None:
    track = await Track().begin()
    track.store.fail_before = True
    await track.says({"fact": "stepped", "seat": 0})
    assert await track.facts() == ["run_begun", "run_lost"]
    assert track.pool.heard("close", "open") == [("close", track.table)] * 2
    assert (track.state.running, track.state.steps) == (False, (0, 0))
    assert track.ana.all(StepMessage)[-1].facts == ({"fact": "run_lost", "run": 1},)
    assert isinstance(await track.ana.play(0, GO), CommandAccepted)
    await track.settle()
    assert len(track.pool.heard("open")) == 1
    await track.manager.close()


@in_virtual_time
async def test_a_failure_after_writing_costs_the_turn_too_for_nobody_knows_what_the_world_did_next() -> None:
    track = await Track().begin()
    track.store.fail_after = True
    await track.says({"fact": "stepped", "seat": 0})
    assert await track.facts() == ["run_begun", "stepped", "run_lost"]
    assert (track.state.running, track.state.steps) == (False, (1, 0))
    await track.manager.close()


@in_virtual_time
async def test_nonsense_of_the_world_costs_the_turn_and_is_not_written() -> None:
    track = await Track().begin()
    await track.says({"fact": "flew", "seat": 0})
    assert await track.facts() == ["run_begun", "run_lost"]
    await track.manager.close()


@in_virtual_time
async def test_a_failure_between_two_turns_costs_none() -> None:
    track = await Track().open()
    track.store.fail_before = True
    assert (await track.ana.play(0, GO, command="go")).code == "busy"
    assert isinstance(await track.ana.play(0, GO, command="go"), CommandAccepted)
    await track.settle()
    assert await track.facts() == ["run_begun"]
    assert track.world.running
    await track.manager.close()


@in_virtual_time
async def test_while_a_turn_runs_the_table_decides_nothing() -> None:
    track = await Track().begin()
    refused = await track.ana.play(1, GO)
    assert (refused.code, refused.clause) == ("illegal", "world")
    assert (await track.ana.play(0, {"move": "fly"})).code == "malformed"
    await track.says({"fact": "run_ended", "run": 1})
    assert isinstance(await track.ana.play(1, GO), CommandAccepted)
    await track.manager.close()


@in_virtual_time
async def test_while_a_turn_runs_its_world_keeps_the_time() -> None:
    track = await Track().begin()
    assert track.ana.all(StepMessage)[-1].waiting.deadline.waits_for == "run"
    await asyncio.sleep(60)
    await track.settle()
    assert await track.facts() == ["run_begun"]
    await track.manager.close()


@in_virtual_time
async def test_bots_are_asked_between_turns_and_not_while_one_runs() -> None:
    track = await Track().open("me", "random")
    while "run_begun" not in await track.facts():
        await asyncio.sleep(0.1)
    asked = len(track.thinker.asked)
    assert asked
    await track.settle()
    await track.says({"fact": "stepped", "seat": 1})
    await asyncio.sleep(10)
    assert len(track.thinker.asked) == asked
    await track.says({"fact": "run_ended", "run": 1})
    while (await track.facts()).count("run_begun") < 2:
        await asyncio.sleep(0.1)
    assert len(track.thinker.asked) > asked
    await track.manager.close()


@in_virtual_time
async def test_a_table_nobody_is_at_lets_its_world_rest() -> None:
    track = await Track().begin()
    track.ana.leave()
    assert track.pool.heard("pause") == [("pause", track.table, True)]
    assert track.manager.tables == 1
    await Person(track.manager, "ana").enter(track.table)
    assert track.pool.heard("pause") == [("pause", track.table, False)]
    await track.manager.close()


@in_virtual_time
async def test_one_of_two_who_leaves_lets_nothing_rest() -> None:
    track = await Track().begin()
    zoe = await Person(track.manager, "zoe").enter(track.table)
    zoe.leave()
    assert track.pool.heard("pause") == []
    await track.manager.close()


@in_virtual_time
async def test_who_stands_up_in_the_middle_of_a_turn_is_stood_in_for_in_its_world() -> None:
    track = await Track().begin()
    assert isinstance(await track.ana.ask(Stand("stand", 0)), CommandAccepted)
    assert track.pool.heard("seat") == [("seat", track.table, {0: "adept"})]
    assert isinstance(await track.ana.ask(Sit("sit", 0)), CommandAccepted)
    assert track.pool.heard("seat") == [("seat", track.table, {})]
    await track.manager.close()


@in_virtual_time
async def test_a_table_that_closes_closes_its_world() -> None:
    track = await Track().begin()
    viewer = WorldViewer("ana")
    track.world.arrive(viewer)
    await track.manager.close()
    assert track.pool.heard("close") == [("close", track.table)]
    assert await viewer.take() is None


@in_virtual_time
async def test_a_turn_goes_down_with_the_server_that_ran_it_and_is_begun_anew() -> None:
    track = await Track().begin()
    await track.manager.close()
    later = TableManager(track.store, track.thinker, RULES, worlds=track.worlds)
    ana = await Person(later, "ana").enter(track.table)
    await ana.settle()
    assert await track.facts() == ["run_begun", "run_lost"]
    assert not (await Person(later, "zoe").enter(track.table)).all(Welcome)[0].view["running"]
    assert isinstance(await ana.play(0, GO, command="again"), CommandAccepted)
    assert ana.all(StepMessage)[-1].facts == ({"fact": "run_begun", "run": 1},)
    await later.close()


@in_virtual_time
async def test_a_game_that_is_over_hears_nothing_more_of_its_world() -> None:
    track = await Track().begin()
    await track.says({"fact": "run_ended", "run": 1})
    await track.ana.play(0, GO)
    await track.settle()
    track.world.on_frame(FrameReported(track.table, WorldFrame(2, b"", {})))
    await track.says({"fact": "stepped", "seat": 1}, {"fact": "run_ended", "run": 2})
    over = await track.facts()
    assert over[-1] == "run_ended"
    stored = await track.store.table(track.table)
    assert stored is not None
    assert stored.status == "over"
    assert stored.result is not None
    assert stored.result["scores"] == (0, 1)
    await track.says({"fact": "stepped", "seat": 0})
    assert await track.facts() == over
    await track.manager.close()
