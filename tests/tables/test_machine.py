"""Anything may happen in any order: joins, drops, resends, timeouts, failures, crashes.

Whatever the order, every acknowledged move is in the log exactly once, everyone's steps are the
log as they may know it, and a table read from the log is the table that was live.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kotatsu.engine.driver import Driver
from kotatsu.engine.record import LogReader
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import (
    CatchUp,
    CommandAccepted,
    CommandRefused,
    Play,
    Sit,
    Start,
    StepMessage,
    Welcome,
)
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.live_table import LiveTable
from kotatsu.tables.mail import DeadlinePassed
from kotatsu.tables.manager import TableManager
from kotatsu.tables.table_game import TableGame, facts_of
from tests.tables.people import FailingStore, Person, a_manager, settle

VISITORS = ("ana", "ben", "cleo")
SEAT_OF = {"ana": 0, "ben": 1}


class TableMachine(RuleBasedStateMachine):
    """Ana and ben play whisper against a bot, cleo watches; the house may fall at any moment."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.store = FailingStore()
        self.manager = self.open_house()
        self.people: dict[str, list[Person]] = {visitor: [] for visitor in VISITORS}
        self.sent: dict[tuple[int, str], tuple[int, dict[str, Any]]] = {}
        self.acknowledged: dict[tuple[int, str], int] = {}
        self.commands = 0
        self.table = self.run(self.make())

    def open_house(self) -> TableManager:
        async def inside() -> TableManager:
            return a_manager(self.store)

        return self.loop.run_until_complete(inside())

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    async def make(self) -> str:
        made = await self.manager.create(
            "ana", "whisper", {"seconds": 3600, "shouting": True}, ("me", "open", "random")
        )
        ana, ben = (
            await Person(self.manager, "ana").enter(made.id),
            await Person(self.manager, "ben").enter(made.id),
        )
        await ben.ask(Sit("sit", 1))
        await ana.ask(Start("start", "random"))
        for person in (ana, ben):
            self.people[person.visitor].append(person)
        return made.id

    @property
    def present(self) -> list[Person]:
        return [person for people in self.people.values() for person in people]

    async def log(self) -> list[LoggedStep]:
        return await self.store.steps(self.table)

    @rule(visitor=st.sampled_from(VISITORS), views=st.booleans())
    def join(self, visitor: str, views: bool) -> None:
        if len(self.people[visitor]) < 3:

            async def enter() -> Person:
                return await Person(self.manager, visitor, views=views).enter(self.table)

            self.people[visitor].append(self.run(enter()))

    @rule(data=st.data())
    @precondition(lambda self: self.present)
    def drop(self, data: st.DataObject) -> None:
        person = data.draw(st.sampled_from(self.present))
        self.loop.call_soon(person.leave)
        self.run(asyncio.sleep(0))
        self.people[person.visitor].remove(person)

    @rule(visitor=st.sampled_from(("ana", "ben")), number=st.integers(0, 11), lag=st.integers(0, 3))
    def play(self, visitor: str, number: int, lag: int) -> None:
        if self.people[visitor]:
            person, seat = self.people[visitor][-1], SEAT_OF[visitor]
            self.commands += 1
            command = f"c{self.commands}"
            self.send(person, seat, command, {"move": "write", "number": number}, max(0, person.seq - lag))

    @rule(visitors=st.permutations(("ana", "ben")), number=st.integers(0, 11), times=st.integers(1, 2))
    def shout(self, visitors: list[str], number: int, times: int) -> None:
        """They press at once, perhaps twice, and something else comes in while the table stands still."""
        people = [self.people[visitor][-1] for visitor in visitors[:times] if self.people[visitor]]
        sent = []
        for person in people * times:
            for move in ({"move": "shout"}, {"move": "write", "number": number}):
                self.commands += 1
                command, seat = f"c{self.commands}", SEAT_OF[person.visitor]
                self.sent[seat, command] = person.seq, move
                sent.append((person, seat, command, move))
        self.run(self.all_at_once(sent))

    async def all_at_once(self, sent: list[tuple[Person, int, str, dict[str, Any]]]) -> None:
        for person, seat, command, move in sent:
            assert person.table is not None
            raw = msgspec.Raw(msgspec.json.encode(move))
            person.table.submit(person.connection, Play(command, seat, self.sent[seat, command][0], raw))
        for person, seat, command, _ in sent:
            await person.settle()
            self.note(seat, command, person.answer(command))

    @rule(data=st.data())
    @precondition(lambda self: self.sent)
    def resend(self, data: st.DataObject) -> None:
        seat, command = data.draw(st.sampled_from(sorted(self.sent)))
        visitor = VISITORS[seat]
        if self.people[visitor]:
            seen, move = self.sent[seat, command]
            self.send(self.people[visitor][-1], seat, command, move, seen)

    @rule(visitor=st.sampled_from(VISITORS), seat=st.integers(0, 4))
    def take_anothers_seat(self, visitor: str, seat: int) -> None:
        if self.people[visitor] and SEAT_OF.get(visitor) != seat:
            answer = self.run(
                self.people[visitor][-1].play(seat, {"move": "write", "number": 1}, command="thief")
            )
            assert isinstance(answer, CommandRefused)
            assert answer.code in ("not_your_seat", "no_such_seat")

    @rule(visitor=st.sampled_from(VISITORS))
    def stumble(self, visitor: str) -> None:
        if self.people[visitor]:
            seat = SEAT_OF.get(visitor, 0)
            answer = self.run(self.people[visitor][-1].play(seat, {"move": "stumble"}, command="stumble"))
            assert isinstance(answer, CommandRefused)

    @rule(visitor=st.sampled_from(VISITORS), have=st.integers(0, 12))
    def catch_up(self, visitor: str, have: int) -> None:
        if self.people[visitor]:
            self.run(self.people[visitor][-1].ask(CatchUp(have)))

    @rule()
    @precondition(lambda self: self.present)
    def time_passes(self) -> None:
        table = self.present[0].table
        assert table is not None
        self.run(self.ring(table))

    async def ring(self, table: LiveTable) -> None:
        if table._timer.deadline is not None:
            table._mailbox.put(DeadlinePassed(table._timer.deadline, self.loop.time()))
            await settle(table)

    @rule(after=st.booleans())
    def the_disk_will_fail(self, after: bool) -> None:
        self.store.fail_after, self.store.fail_before = after, not after

    @rule()
    def crash(self) -> None:
        """Nothing is said goodbye to: tasks end where they are, and only the log is left."""
        self.end_all_tasks()
        self.manager = self.open_house()
        for people in self.people.values():
            people.clear()

    def send(self, person: Person, seat: int, command: str, move: dict[str, Any], seen: int) -> None:
        self.sent[seat, command] = seen, move
        self.note(seat, command, self.run(person.play(seat, move, seen=seen, command=command)))

    def note(self, seat: int, command: str, answer: Any) -> None:
        if isinstance(answer, CommandAccepted):
            assert self.acknowledged.setdefault((seat, command), answer.seq) == answer.seq
        else:
            assert isinstance(answer, CommandRefused)
            assert (seat, command) not in self.acknowledged

    @invariant()
    def every_acknowledged_move_is_in_the_log_exactly_once(self) -> None:
        log = self.run(self.log())
        assert [row.seq for row in log] == list(range(1, len(log) + 1))
        written = [(row.seat, row.command_id) for row in log if row.seat is not None and row.command_id]
        assert len(written) == len(set(written))
        for (seat, command), seq in self.acknowledged.items():
            assert (log[seq - 1].seat, log[seq - 1].command_id) == (seat, command)

    @invariant()
    def everyone_is_told_the_log_as_they_may_know_it(self) -> None:
        kind, log = game("whisper"), self.run(self.log())
        for person in self.present:
            person.collect()
            told = {event.seq: event.facts for event in person.heard if isinstance(event, StepMessage)}
            viewpoint = SEAT_OF.get(person.visitor)
            reader = LogReader(Driver(kind, 3, kind.options_type()))
            for row in log:
                known = [kind.redact(reader.state, fact, viewpoint) for fact in facts_of(reader, row)]
                if row.seq in told:
                    assert msgspec.json.encode(told[row.seq]) == msgspec.json.encode(known)

    @invariant()
    def every_shout_was_ruled_on(self) -> None:
        for row in self.run(self.log()):
            entries = msgspec.json.decode(row.entries)
            shouted = [entry["seat"] for entry in entries if entry.get("fact") == "shouted"]
            ruled = [entry["receipt"] for entry in entries if "receipt" in entry]
            assert [(receipt["seq"], receipt["seat"]) for receipt in ruled] == [(row.seq, s) for s in shouted]

    @invariant()
    def steps_count_up_by_one_from_the_last_welcome(self) -> None:
        for person in self.present:
            seq = None
            for event in person.heard:
                if isinstance(event, Welcome):
                    seq = event.seq
                elif isinstance(event, StepMessage):
                    assert seq is not None
                    assert event.seq <= seq + 1
                    seq = event.seq

    @invariant()
    def what_is_live_is_what_is_written(self) -> None:
        for person in self.present[:1]:
            table = person.table
            assert table is not None
            progress = table._table_game
            again = TableGame(progress.driver)
            again.load(self.run(self.log()))
            for part in (
                "state",
                "seq",
                "_answered",
                "last_step_of",
                "race",
                "race_since",
                "receipt",
                "outcome",
            ):
                assert getattr(again, part) == getattr(progress, part)

    def end_all_tasks(self) -> None:
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self.run(asyncio.wait(tasks))

    def teardown(self) -> None:
        self.end_all_tasks()
        self.loop.close()


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
