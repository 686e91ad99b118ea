"""The world of one table as the table sees it: when it is opened, paused, lost and closed, and who hears of what."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kotatsu.engine.driver import Driver
from kotatsu.engine.realtime import WorldFrame
from kotatsu.engine.registry import game
from kotatsu.store.contract import StoredSeat
from kotatsu.worlds.messages import EntriesReported, FrameReported, InputRejected
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.pool import WorldListener
from kotatsu.worlds.table_world import TableWorld, TableWorlds
from kotatsu.worlds.viewer import WorldViewer
from tests.worlds.quiet_pool import QuietPool

ANA = StoredSeat("person", "ana", "Ana")
BEN = StoredSeat("person", "ben", "Ben")
BOT = StoredSeat("bot", level="adept")
SEATS = (ANA, BEN, BOT)


class Stage:
    """A world of the toy ``sprint`` at the table ``t``, and the state the table is in."""

    def __init__(self, folder: Path | None = None, pool: QuietPool | None = None) -> None:
        self.pool = pool or QuietPool()
        self.motions = MotionFiles(folder)
        self.reported: list[bytes] = []
        self.kind = game("sprint")
        driver = Driver(self.kind, 3, self.kind.options_type())
        self.state = driver.empty()
        self.world = self.new_world()

    def new_world(self) -> TableWorld:
        found = TableWorlds(self.pool, self.motions).of("t", self.kind, self.reported.append)
        assert found is not None
        return found

    def happens(self, fact: str, **fields: Any) -> None:
        self.state = self.kind.fold(
            self.state, msgspec.convert({"fact": fact, **fields}, self.kind.fact_type)
        )

    async def follow(self, seats: tuple[StoredSeat, ...] = SEATS, *, anyone: bool = True) -> None:
        self.world.follow(self.state, seats, anyone=anyone)
        await self.settle()

    async def settle(self) -> None:
        while self.world._tasks:
            await asyncio.sleep(0)

    async def in_a_run(self) -> None:
        """The table was looked at before the run began, as it is when one plays."""
        await self.follow()
        self.happens("run_begun", run=self.state.run + 1)
        await self.follow()

    def look(self, tick: int = 2, part: bytes = b"part") -> None:
        self.world.on_frame(FrameReported("t", WorldFrame(tick, b"head|", {0: part})))

    def lost(self) -> list[Any]:
        """The facts of the reports so far."""
        reports, self.reported[:] = list(self.reported), []
        return [entry for report in reports for entry in msgspec.json.decode(report)]


async def sent(viewer: WorldViewer) -> list[Any]:
    """What a browser is sent at once; ``None`` at the end: it is over."""
    taken: list[Any] = []
    while True:
        taking = asyncio.ensure_future(viewer.take())
        await asyncio.sleep(0)
        if not taking.done():
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
            return taken
        taken.append(taking.result())
        if taken[-1] is None:
            return taken


async def refusals(viewer: WorldViewer) -> list[Any]:
    return [msgspec.json.decode(word) for word in await sent(viewer)]


def test_only_a_game_in_real_time_has_a_world() -> None:
    worlds = TableWorlds(QuietPool(), MotionFiles(None))
    assert worlds.of("t", game("kimono"), lambda _: None) is None
    assert isinstance(worlds.of("t", game("sprint"), lambda _: None), TableWorld)


async def test_a_table_that_is_looked_at_has_a_process_made_ready_once() -> None:
    stage = Stage()
    assert not stage.world.running
    await stage.follow()
    await stage.follow()
    assert stage.pool.said == [("prepare", "t")]
    assert not stage.world.running


async def test_a_run_opens_the_world_with_its_bots() -> None:
    stage = Stage()
    await stage.in_a_run()
    (opened, seated) = stage.pool.heard("open", "seat", "pause", "close")
    assert opened[:3] == ("open", "t", "sprint")
    setting = msgspec.json.decode(opened[3])
    assert (setting["run"], setting["levels"]) == (1, {"2": "adept"})
    assert seated == ("seat", "t", {2: "adept"})
    assert stage.pool.listeners["t"] is stage.world
    assert stage.world.running
    assert stage.lost() == []


async def test_no_two_worlds_have_the_same_luck() -> None:
    seeds = set()
    for _ in range(5):
        stage = Stage()
        await stage.in_a_run()
        ((*_, setting),) = stage.pool.heard("open")
        seeds.add(msgspec.json.decode(setting)["seed"])
    assert len(seeds) == 5


async def test_a_run_is_opened_once_and_closed_once() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.pool.heard()
    stage.happens("stepped", seat=0)
    await stage.follow()
    assert stage.pool.said == []
    stage.happens("run_ended", run=1)
    await stage.follow()
    await stage.follow()
    assert stage.pool.said == [("close", "t")]
    assert not stage.world.running
    stage.happens("run_begun", run=2)
    await stage.follow()
    assert [each[0] for each in stage.pool.heard("open", "close")] == ["close", "open"]


async def test_a_run_whose_server_went_down_is_lost() -> None:
    stage = Stage()
    stage.happens("run_begun", run=1)
    await stage.follow()
    assert stage.lost() == [{"fact": "run_lost", "run": 1}]
    assert stage.pool.heard("open", "seat") == []
    stage.happens("run_lost", run=1)
    await stage.follow()
    stage.happens("run_begun", run=1)
    await stage.follow()
    assert len(stage.pool.heard("open")) == 1
    assert stage.lost() == []


async def test_what_could_not_be_written_costs_the_run_it_belonged_to() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.pool.heard()
    stage.world.doubt()
    assert stage.pool.heard("open", "seat", "pause", "close") == [("close", "t")]
    await stage.follow()
    assert stage.lost() == [{"fact": "run_lost", "run": 1}], "world and table may differ by now"
    assert stage.pool.heard("open") == []


async def test_doubt_between_two_runs_costs_nothing() -> None:
    stage = Stage()
    await stage.follow()
    stage.pool.heard()
    stage.world.doubt()
    assert stage.pool.said == []
    stage.happens("run_begun", run=1)
    await stage.follow()
    assert len(stage.pool.heard("open")) == 1
    assert stage.lost() == []


async def test_others_who_sit_down_are_told_to_the_world() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.pool.heard()
    stood_in = StoredSeat("bot", "ben", "Ben", level="novice")
    await stage.follow((ANA, stood_in, BOT))
    await stage.follow((ANA, stood_in, BOT))
    assert stage.pool.heard("seat") == [("seat", "t", {1: "novice", 2: "adept"})]
    await stage.follow((StoredSeat("bot"), BEN, StoredSeat()))
    assert stage.pool.heard("seat") == [("seat", "t", {})], "a bot without a level is none"


async def test_who_left_while_the_world_opened_is_told_to_it_then() -> None:
    stage = Stage()
    await stage.follow()
    stage.happens("run_begun", run=1)
    stage.world.follow(stage.state, SEATS, anyone=True)
    stage.world.follow(stage.state, (BOT, BEN, BOT), anyone=True)
    await stage.settle()
    assert [each[0] for each in stage.pool.said][-2:] == ["open", "seat"]
    assert stage.pool.said[-1] == ("seat", "t", {0: "adept", 2: "adept"})


async def test_a_world_nobody_is_at_rests() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.pool.heard()
    for anyone in (False, False, True, True):
        await stage.follow(anyone=anyone)
    stage.world.rest(paused=True)
    stage.world.rest(paused=True)
    assert stage.pool.said == [("pause", "t", True), ("pause", "t", False), ("pause", "t", True)]


async def test_a_world_that_opens_while_nobody_is_there_begins_at_rest() -> None:
    stage = Stage()
    await stage.follow()
    stage.happens("run_begun", run=1)
    stage.world.follow(stage.state, SEATS, anyone=False)
    await stage.settle()
    assert [each for each in stage.pool.said if each[0] in ("open", "pause")][-1] == ("pause", "t", True)
    assert [each[0] for each in stage.pool.said].index("open") < len(stage.pool.said) - 1


async def test_everybody_who_watches_is_shown_what_moves_and_who_comes_late_the_latest() -> None:
    stage = Stage()
    await stage.in_a_run()
    early, late, gone = WorldViewer("ana"), WorldViewer("zoe"), WorldViewer("ben")
    for viewer in (early, gone):
        stage.world.arrive(viewer)
    stage.world.depart(gone)
    stage.world.depart(WorldViewer("never here"))
    stage.look(2)
    stage.world.arrive(late)
    for viewer, frames in ((early, [b"head|part"]), (late, [b"head|part"]), (gone, [])):
        assert await sent(viewer) == frames


async def test_who_comes_before_the_first_run_sees_nothing_yet() -> None:
    stage, viewer = Stage(), WorldViewer("ana")
    stage.world.arrive(viewer)
    assert await sent(viewer) == []


async def test_the_very_first_frame_is_shown_to_whoever_comes_after_it() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.look(0)
    late = WorldViewer("zoe")
    stage.world.arrive(late)
    assert await sent(late) == [b"head|part"]


async def test_nothing_of_the_last_run_is_shown_in_the_next() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.look(30, b"old")
    stage.happens("run_ended", run=1)
    await stage.in_a_run()
    viewer = WorldViewer("ana")
    stage.world.arrive(viewer)
    assert await sent(viewer) == []
    stage.world.act(viewer, 0, b"step")
    assert (await refusals(viewer))[0]["clause"] == "turn"
    stage.look(2, b"new")
    assert await sent(viewer) == [b"head|new"]


async def test_hands_move_for_their_own_seat_alone() -> None:
    stage = Stage()
    await stage.in_a_run()
    stage.look()
    stage.pool.heard()
    ana, zoe = WorldViewer("ana"), WorldViewer("zoe")
    stage.world.act(ana, 0, b"step")
    assert stage.pool.heard("act") == [("act", "t", 0, b"step")]
    for viewer, seat in ((ana, 1), (ana, 2), (ana, 3), (ana, -3), (ana, -1), (zoe, 0), (zoe, 2)):
        stage.world.act(viewer, seat, b"step")
        assert await refusals(viewer) == [
            {"type": "refused", "seat": seat, "clause": "seat", "message": "That is not your seat."}
        ]
    assert stage.pool.heard("act") == []
    await stage.follow((StoredSeat("bot", "ana", "Ana", level="adept"), BEN, BOT))
    stage.world.act(ana, 0, b"step")
    assert (await refusals(ana))[0]["clause"] == "seat", "a bot plays for ana now"


async def test_hands_wait_for_the_first_look_and_rest_after_the_last() -> None:
    stage = Stage()
    ana = WorldViewer("ana")
    stage.world.act(ana, 0, b"step")
    assert (await refusals(ana))[0]["clause"] == "seat", "nobody is known to sit anywhere"
    await stage.in_a_run()
    stage.world.act(ana, 0, b"step")
    assert await refusals(ana) == [
        {"type": "refused", "seat": 0, "clause": "turn", "message": "No turn is under way yet."}
    ]
    stage.look(0)
    stage.world.act(ana, 0, b"step")
    assert await refusals(ana) == []
    stage.happens("run_ended", run=1)
    await stage.follow()
    stage.world.act(ana, 0, b"step")
    assert (await refusals(ana))[0]["clause"] == "turn"
    assert len(stage.pool.heard("act")) == 1


async def test_whoever_sits_there_hears_that_it_was_not_done() -> None:
    stage = Stage()
    await stage.in_a_run()
    viewers = [WorldViewer(visitor) for visitor in ("ana", "ben", "ben", "zoe")]
    for viewer in viewers:
        stage.world.arrive(viewer)
    stage.world.on_rejected(InputRejected("t", 1, "SP-3", "Here one steps."))
    told = {"type": "refused", "seat": 1, "clause": "SP-3", "message": "Here one steps."}
    assert [await refusals(viewer) for viewer in viewers] == [[], [told], [told], []]


async def test_what_happened_goes_to_the_log_and_how_it_went_to_its_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = Stage(tmp_path)
    await stage.in_a_run()
    stage.world.on_entries(EntriesReported("t", b'[{"fact":"stepped","seat":0}]'))
    await stage.settle()
    assert stage.motions.read("t", 1) is None
    assert caplog.text == ""
    stage.world.on_entries(EntriesReported("t", b'[{"fact":"run_ended","run":1}]', b"all looks"))
    await stage.settle()
    assert stage.motions.read("t", 1) == b"all looks"
    assert stage.motions.read("t", 2) is None
    assert [entry["fact"] for entry in stage.lost()] == ["stepped", "run_ended"]
    stage.happens("run_ended", run=1)
    await stage.in_a_run()
    stage.world.on_entries(EntriesReported("t", b"[]", b"more looks"))
    await stage.settle()
    assert (stage.motions.read("t", 1), stage.motions.read("t", 2)) == (b"all looks", b"more looks")


async def test_a_motion_of_no_run_is_not_kept(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    await stage.follow()
    stage.world.on_entries(EntriesReported("t", b"[]", b"looks"))
    await stage.settle()
    assert list(tmp_path.iterdir()) == []


async def test_a_world_that_fails_costs_the_run_under_way_and_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stage = Stage()
    stage.world.on_failed()
    await stage.follow()
    stage.world.on_failed()
    assert stage.lost() == []
    await stage.in_a_run()
    stage.world.on_failed()
    assert stage.lost() == [{"fact": "run_lost", "run": 1}]
    assert "table t" in caplog.text


async def test_a_closed_table_closes_its_world_and_shows_nobody_anything() -> None:
    stage = Stage()
    await stage.in_a_run()
    viewer = WorldViewer("ana")
    stage.world.arrive(viewer)
    stage.pool.heard()
    stage.world.close()
    assert stage.pool.said == [("close", "t")]
    assert await sent(viewer) == [None]
    assert not stage.world._viewers


class BrokenPool(QuietPool):
    """Nothing can be opened."""

    async def open(self, table: str, game: str, setting: bytes, listener: WorldListener) -> None:
        raise RuntimeError("no room for a world")


async def test_what_goes_wrong_in_the_background_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage(pool=BrokenPool())
    await stage.in_a_run()
    assert "table t: no room for a world" in caplog.text
    caplog.clear()
    blocked = asyncio.get_running_loop().create_future()
    stage.world._spawn(blocked)
    blocked.cancel()
    await stage.settle()
    assert caplog.text == "", "who is cancelled has not failed"
