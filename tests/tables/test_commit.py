"""Commit, then broadcast: nothing is told before it is on disk, and what goes wrong reaches whoever asked."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.bots.contract import Thought
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Race
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import PeopleChanged, StepMessage, Welcome
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import StoredSeat, StoredTable, StoreError, TableChange
from kotatsu.tables.bot_runner import BotRunner
from kotatsu.tables.broadcast import Broadcaster
from kotatsu.tables.change_signal import ChangeSignal
from kotatsu.tables.commit import StepCommitter
from kotatsu.tables.table_clock import TableClock
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import DeadlineTimer
from tests.tables.people import FailingStore, LocalThinker, read
from tests.tables.shelf.whisper.game import Shout
from tests.tables.virtual_time import in_virtual_time

SEATS = (StoredSeat("person", "ana", "Ana"), StoredSeat("bot", level="random"))


class Rig:
    """The parts of a table of ``whisper`` around its committer. Ana has seat 0; the bot in seat 1 thinks for ever."""

    def __init__(self, *, seats: tuple[StoredSeat, ...] = SEATS, **options: Any) -> None:
        kind = game("whisper")
        chosen = msgspec.convert(options, kind.options_type)
        self.stored = StoredTable("t", "whisper", "ana", 1.0, 1.0, seats, msgspec.to_builtins(chosen))
        self.store = FailingStore()
        self.game = TableGame(Driver(kind, len(seats), chosen))
        self.presence = Presence(self.stored)
        self.thinker = LocalThinker(lambda _: Thought(None))
        self.timer = DeadlineTimer(lambda deadline: self.rung.append(deadline))
        self.rung: list[Any] = []
        self.bots = BotRunner(self.thinker, "t", self.timer, 0.0, lambda *_: None)
        self.races: RaceTracker[Any] = RaceTracker(
            self.presence, on_due=lambda _: None, on_again=lambda _: None, on_freeze=lambda: None
        )
        self.changes = ChangeSignal()
        self.now = asyncio.get_running_loop().time
        self.broadcaster = Broadcaster(self.presence)
        self.steps = StepCommitter(
            self.store,
            self.game,
            self.presence,
            self.broadcaster,
            bots=self.bots,
            races=self.races,
            timer=self.timer,
            clock=TableClock(wall=self.now),
            world=None,
            changes=self.changes,
        )
        self.ana = TableConnection("ana")
        self.told: list[Exception | None] = []

    async def open(self) -> Rig:
        await self.store.create(self.stored, limit=9, since=0)
        self.steps.load(self.stored, [])
        self.presence.arrive(self.ana)
        return self

    async def begin(self) -> Rig:
        await self.open()
        await self.steps.committed(self.game.opening(Random(1), "start"), TableChange(status="playing"))
        self.heard()
        return self

    def write(self, seat: int = 0, number: int = 5) -> PendingStep:
        move = msgspec.convert({"move": "write", "number": number}, self.game.game.move_type)
        return self.game.play(seat, move, Random(2), command_id="c")

    def heard(self) -> list[Any]:
        taken, self.ana._outbox = self.ana._outbox, []
        return [read(message) for message in taken]

    async def settled(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


@in_virtual_time
async def test_a_step_is_on_disk_before_anybody_hears_of_it() -> None:
    rig = await Rig().begin()
    rig.store.hold = asyncio.Event()
    step = rig.write()
    rig.steps.commit(step, rig.told.append)
    await rig.settled()
    assert (rig.heard(), rig.told, rig.game.seq) == ([], [], 1)
    assert len(await rig.store.steps("t")) == 1
    rig.store.hold.set()
    await rig.settled()
    assert rig.told == [None]
    assert [row.seq for row in await rig.store.steps("t")] == [1, 2]
    (told,) = rig.heard()
    assert isinstance(told, StepMessage)
    assert (told.seq, told.facts) == (2, ({"fact": "wrote", "seat": 0, "number": 5},))
    assert rig.game.seq == 2
    assert rig.game.state == step.state


@in_virtual_time
async def test_whoever_asked_is_told_after_everybody_else() -> None:
    rig = await Rig().begin()
    order: list[Any] = []
    rig.steps.commit(rig.write(), lambda failure: order.append((failure, rig.game.seq, len(rig.ana._outbox))))
    await rig.settled()
    assert order == [(None, 2, 1)]


@in_virtual_time
async def test_what_is_not_written_has_not_happened() -> None:
    rig = await Rig().begin()
    rig.store.fail_before = True
    before = rig.game.state
    rig.steps.commit(rig.write(), rig.told.append)
    await rig.settled()
    (failure,) = rig.told
    assert isinstance(failure, StoreError)
    assert (rig.heard(), rig.game.seq) == ([], 1)
    assert rig.game.state is before


@in_virtual_time
async def test_what_goes_wrong_after_writing_reaches_whoever_asked() -> None:
    rig = await Rig().begin()
    step = replace(rig.write(), states=())
    rig.steps.commit(step, rig.told.append)
    await rig.settled()
    (failure,) = rig.told
    assert isinstance(failure, ValueError), "facts and states are not of one length"
    assert len(await rig.store.steps("t")) == 2


@in_virtual_time
async def test_who_waits_goes_on_or_hears_the_failure() -> None:
    rig = await Rig().begin()
    await rig.steps.committed(rig.write())
    assert rig.game.seq == 2
    rig.store.fail_before = True
    with pytest.raises(StoreError, match="the disk is full"):
        await rig.steps.committed(rig.write(1))
    assert rig.game.seq == 2


@in_virtual_time
async def test_who_was_cancelled_while_waiting_disturbs_nobody() -> None:
    rig = await Rig().begin()
    for fails in (False, True):
        rig.store.hold, rig.store.fail_before = asyncio.Event(), fails
        waiting = rig.steps.committed(rig.write(int(fails)))
        await rig.settled()
        waiting.cancel()
        rig.store.hold.set()
        await rig.settled()
        assert waiting.cancelled()
    assert rig.game.seq == 2, "the first was written all the same"


@in_virtual_time
async def test_the_opening_welcomes_everyone_and_is_a_change_the_lobby_hears_of() -> None:
    rig = await Rig().open()
    await rig.steps.committed(rig.game.opening(Random(1), "start"), TableChange(status="playing"))
    (welcome,) = rig.heard()
    assert isinstance(welcome, Welcome)
    assert (welcome.seq, welcome.table.status, welcome.yours) == (1, "playing", (0,))
    assert rig.changes.count == 1
    stored = await rig.store.table("t")
    assert stored is not None
    assert stored.status == "playing"
    await rig.steps.committed(rig.write())
    assert rig.changes.count == 1, "what is played is no change of the table"


@in_virtual_time
async def test_seats_that_change_with_the_opening_are_held_and_thought_for() -> None:
    rig = await Rig(seats=(SEATS[0], StoredSeat())).open()
    await rig.steps.committed(rig.game.opening(Random(1)), TableChange(status="playing", seats=SEATS))
    await rig.settled()
    assert rig.presence.stored.seats == SEATS
    assert [asked.seat for asked in rig.thinker.asked] == [1]


@in_virtual_time
async def test_the_end_of_a_game_is_written_with_its_last_step_and_told() -> None:
    rig = await Rig().begin()
    for number in range(3):
        await rig.steps.committed(rig.write(0, number))
        assert rig.presence.stored.status == "playing"
        rig.heard()
        await rig.steps.committed(rig.write(1, 9))
    last, people = rig.heard()
    assert isinstance(last, StepMessage)
    assert last.waiting is None
    assert isinstance(people, PeopleChanged)
    assert people.table.status == "over"
    assert people.table.outcome is not None
    assert people.table.outcome.scores == (3, 27)
    stored = await rig.store.table("t")
    assert stored is not None
    assert (stored.status, stored.seats) == ("over", SEATS)
    assert stored.result is not None
    assert stored.result["winners"] == (1,)
    assert rig.presence.stored.result == stored.result


@in_virtual_time
async def test_after_a_step_the_bots_are_asked_and_the_clock_runs() -> None:
    rig = await Rig(seconds=30.0).begin()
    await rig.settled()
    assert [asked.seat for asked in rig.thinker.asked] == [1]
    assert rig.timer.left == 30.0
    await asyncio.sleep(10)
    await rig.steps.committed(rig.write(0))
    await rig.settled()
    assert rig.timer.left == 20.0, "the same wait goes on"
    assert len(rig.thinker.asked) == 2
    await asyncio.sleep(20)
    assert len(rig.rung) == 1


@in_virtual_time
async def test_while_nobody_is_here_nothing_is_waited_for() -> None:
    rig = await Rig(seconds=30.0).open()
    rig.presence.depart(rig.ana)
    await rig.steps.committed(rig.game.opening(Random(1)), TableChange(status="playing"))
    await asyncio.sleep(100)
    assert (rig.thinker.asked, rig.rung, rig.timer.left) == ([], [], 30.0)
    rig.presence.arrive(rig.ana)
    rig.steps.await_next()
    await asyncio.sleep(29)
    assert [asked.seat for asked in rig.thinker.asked] == [1]
    assert rig.rung == []
    await asyncio.sleep(2)
    assert len(rig.rung) == 1


@in_virtual_time
async def test_while_somebody_has_pressed_nothing_is_waited_for() -> None:
    rig = await Rig(seconds=30.0).begin()
    await rig.settled()
    asked = len(rig.thinker.asked)
    rig.races.press(Race(Shout(), (0, 1), 1), 0, asyncio.get_running_loop().time())
    rig.timer.pause()
    await rig.steps.committed(rig.write(0))
    rig.steps.await_next()
    await asyncio.sleep(100)
    assert len(rig.thinker.asked) == asked
    assert rig.rung == []


@in_virtual_time
async def test_a_game_that_is_over_waits_for_nothing() -> None:
    rig = await Rig(seconds=30.0).begin()
    for number in range(3):
        for seat in (0, 1):
            await rig.steps.committed(rig.write(seat, number))
    await rig.settled()
    asked = len(rig.thinker.asked)
    rig.steps.await_next()
    await asyncio.sleep(100)
    assert len(rig.thinker.asked) == asked
    assert (rig.rung, rig.timer.left) == ([], None)


@in_virtual_time
async def test_a_table_that_has_not_begun_waits_for_nothing() -> None:
    rig = await Rig(seconds=30.0).open()
    rig.steps.await_next()
    await asyncio.sleep(100)
    assert (rig.thinker.asked, rig.rung, rig.broadcaster.snapshot) == ([], [], None)


@in_virtual_time
async def test_a_log_that_is_read_anew_is_all_there_is() -> None:
    rig = await Rig(seconds=30.0).begin()
    await rig.steps.committed(rig.write(0, 4))
    log = await rig.store.steps("t")
    state = rig.game.state
    await rig.steps.committed(rig.write(1, 4))
    rig.heard()
    rig.steps.load(replace(rig.presence.stored, status="playing"), log)
    assert (rig.game.seq, rig.game.state) == (2, state)
    assert rig.broadcaster.snapshot is not None
    assert rig.broadcaster.snapshot.seq == 2
    rig.broadcaster.catch_up(rig.ana, 1)
    (welcome,) = rig.heard()
    assert isinstance(welcome, Welcome), "what was told before is forgotten"
    assert rig.heard() == []


@in_virtual_time
async def test_thinking_begins_anew_after_ones_move() -> None:
    rig = await Rig().begin()
    await asyncio.sleep(5)
    assert [rig.game.seconds_thought(seat, rig.now()) for seat in (0, 1)] == [5.0, 5.0]
    await rig.steps.committed(rig.write(0))
    await rig.steps.committed(rig.write(1))
    await asyncio.sleep(1)
    assert [rig.game.seconds_thought(seat, rig.now()) for seat in (0, 1)] == [1.0, 1.0]


@in_virtual_time
async def test_the_log_says_when_each_step_was_written() -> None:
    rig = await Rig().begin()
    await asyncio.sleep(5)
    await rig.steps.committed(rig.write(0))
    first, second = await rig.store.steps("t")
    assert (first.at, second.at) == pytest.approx((0.0, 5.0))
    assert (second.seat, second.command_id) == (0, "c")
    assert (first.seat, first.command_id) == (None, "start")
