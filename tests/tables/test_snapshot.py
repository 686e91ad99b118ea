"""What each browser is told: only what its seats may know, the same bytes for all who are told the same."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Deadline
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import PeopleChanged, Receipt, StepMessage, Welcome
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import StoredSeat, StoredTable
from kotatsu.tables.broadcast import CATCH_UP_STEPS, Broadcaster
from kotatsu.tables.snapshot import RedactedStep, TableSnapshot
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import DeadlineTimer
from tests.tables.people import read
from tests.tables.virtual_time import in_virtual_time

RECEIPT = Receipt(2, 0, "alone", 0, ())
SEATS = (StoredSeat("person", "ana", "Ana"), StoredSeat("person", "ben", "Ben"))


class Stage:
    """A table of ``whisper`` with ``ana`` and ``ben``, and whoever else is let in."""

    def __init__(
        self, *, forgetful: bool = False, seats: tuple[StoredSeat, ...] = SEATS, **options: Any
    ) -> None:
        kind = game("whisper")
        self.driver = Driver(kind, len(seats), msgspec.convert(options, kind.options_type))
        self.game = TableGame(self.driver)
        self.timer = DeadlineTimer(lambda _: None)
        self.presence = Presence(StoredTable("t", "whisper", "ana", 1.0, 1.0, seats, status="playing"))
        self.broadcaster = Broadcaster(self.presence, forgetful=forgetful)
        self.game.apply(self.game.opening(Random(1)), 0.0)
        self.look()

    def look(self) -> TableSnapshot:
        self.broadcaster.snapshot = TableSnapshot(self.game, self.timer)
        return self.broadcaster.snapshot

    def enter(self, visitor: str, **how: Any) -> TableConnection:
        connection = TableConnection(visitor, **how)
        self.presence.arrive(connection)
        return connection

    def write(self, seat: int, number: int = 7, receipt: Receipt | None = None) -> PendingStep:
        move = msgspec.convert({"move": "write", "number": number}, self.game.game.move_type)
        return self.game.play(seat, move, Random(2), receipt=receipt)

    def happens(self, step: PendingStep) -> PendingStep:
        """It is told to everyone."""
        self.game.apply(step, 0.0)
        self.broadcaster.step(self.look(), RedactedStep.of(self.driver, step))
        return step


def heard(connection: TableConnection) -> list[Any]:
    return [read(message) for message in raw(connection)]


def raw(connection: TableConnection) -> list[bytes]:
    taken, connection._outbox = connection._outbox, []
    return taken


async def test_a_step_that_hides_nothing_is_one_text_for_all() -> None:
    stage = Stage(shouting=True)
    step = stage.game.play(0, msgspec.convert({"move": "shout"}, stage.game.game.move_type), Random(0))
    told = RedactedStep.of(stage.driver, step)
    assert told.separate == ()
    assert [told.facts(eyes) for eyes in (0, 1, None)] == [step.facts_json] * 3
    assert told.seq == 2
    assert told.receipt == b"null"


async def test_a_step_that_hides_something_is_a_text_for_each_view_of_it() -> None:
    stage = Stage()
    told = RedactedStep.of(stage.driver, stage.write(0, 7, RECEIPT))
    assert told.shared == b""
    assert [msgspec.json.decode(told.facts(eyes))[0]["number"] for eyes in (0, 1, None)] == [7, None, None]
    assert told.facts(1) is told.facts(None), "who is told the same shares the bytes"
    assert msgspec.json.decode(told.receipt, type=Receipt) == RECEIPT


async def test_a_fact_that_is_hidden_wholly_is_left_out() -> None:
    class Secretive(type(game("whisper"))):  # type: ignore[misc]
        def redact(self, state: Any, fact: Any, seat: int | None) -> Any:
            return fact if seat == 1 else None

    stage = Stage()
    step = stage.write(0)
    kind = Secretive()
    told = RedactedStep.of(Driver(kind, 2, kind.options_type()), step)
    assert [told.facts(eyes) for eyes in (0, 1, None)] == [b"[]", step.facts_json, b"[]"]


async def test_what_is_hidden_is_judged_by_the_state_it_led_to() -> None:
    class OpensUp(type(game("whisper"))):  # type: ignore[misc]
        def redact(self, state: Any, fact: Any, seat: int | None) -> Any:
            return fact if state.written[0] is None else None

    stage = Stage()
    stage.game.apply(stage.write(0), 0.0)
    step = stage.write(1, 3)
    kind = OpensUp()
    told = RedactedStep.of(Driver(kind, 2, kind.options_type()), step)
    assert [fact["fact"] for fact in msgspec.json.decode(told.facts(0))] == ["revealed", "opened"]


async def test_a_past_step_waits_for_nothing() -> None:
    stage = Stage()
    told = RedactedStep.of(stage.driver, stage.write(0, 7, RECEIPT))
    past = msgspec.json.decode(told.past_step(0), type=StepMessage)
    assert past == StepMessage(2, ({"fact": "wrote", "seat": 0, "number": 7},), None, None, RECEIPT)
    assert msgspec.json.decode(told.past_step(None), type=StepMessage).facts[0]["number"] is None


async def test_a_snapshot_is_of_one_moment() -> None:
    stage = Stage()
    before = stage.look()
    stage.game.apply(stage.write(0), 0.0)
    assert (before.seq, before.acting, before.over, before.receipt) == (1, (0, 1), False, None)
    assert (stage.look().seq, stage.look().acting) == (2, (1,))
    assert msgspec.json.decode(before.view(0))["mine"] is None
    assert msgspec.json.decode(stage.look().view(0))["mine"] == 7
    assert msgspec.json.decode(stage.look().view(1))["mine"] is None
    assert before.view(0) is before.view(0), "worked out once"


async def test_whose_move_it_is_is_told_to_all_and_what_to_do_to_those_who_may() -> None:
    stage = Stage(seconds=30.0)
    stage.game.apply(stage.write(0), 0.0)
    snapshot = stage.look()
    deadline = Deadline("numbers", 30.0, token=1)
    stage.timer.wait_for(deadline, running=False)
    waiting = snapshot.waiting((0, 1))
    assert waiting is not None
    assert (waiting.acting, waiting.deadline, waiting.left) == ((1,), deadline, 30.0)
    assert [(each.seat, len(each.moves)) for each in waiting.moves] == [(1, 10)]
    nobody = snapshot.waiting(())
    assert nobody is not None
    assert (nobody.acting, nobody.moves) == ((1,), ())


async def test_after_the_end_nothing_is_waited_for() -> None:
    stage = Stage(seats=SEATS[:1])
    for number in (1, 2, 3):
        stage.game.apply(stage.write(0, number), 0.0)
    assert stage.look().over
    assert stage.look().waiting((0,)) is None


async def test_the_spliced_step_is_what_the_struct_would_say() -> None:
    stage = Stage(seconds=30.0)
    step = stage.write(0, 7, RECEIPT)
    told = RedactedStep.of(stage.driver, step)
    stage.game.apply(step, 0.0)
    for running in (None, Deadline("numbers", 30.0, token=1)):
        stage.timer.wait_for(running, running=False)
        for eyes, held, views in ((0, (0,), False), (1, (1,), True), (None, (), True), (None, (), False)):
            snapshot = stage.look()
            spliced = snapshot.step(told, eyes, held, views)
            message = msgspec.json.decode(spliced, type=StepMessage)
            assert msgspec.json.encode(message) == spliced
            assert message.facts == tuple(msgspec.json.decode(told.facts(eyes)))
            assert message.receipt == RECEIPT
            assert (message.view is not None) == views
            assert message.waiting is not None
            assert message.waiting.acting == (1,)
            assert message.waiting.deadline == running
            assert [each.seat for each in message.waiting.moves] == [seat for seat in held if seat == 1]
            if views:
                assert message.view == msgspec.json.decode(snapshot.view(eyes))


async def test_everyone_is_told_what_they_may_know() -> None:
    stage = Stage()
    ana, ben, zoe, screen = (stage.enter(name) for name in ("ana", "ben", "zoe", "max"))
    screen.views = True
    stage.happens(stage.write(0, 7))
    (told,), (his,), (hers,), (shown,) = (heard(each) for each in (ana, ben, zoe, screen))
    assert [each.facts[0]["number"] for each in (told, his, hers, shown)] == [7, None, None, None]
    assert [len(each.waiting.moves) for each in (told, his, hers, shown)] == [0, 1, 0, 0]
    assert [each.view is None for each in (told, his, hers, shown)] == [True, True, True, False]


async def test_who_is_told_the_same_is_sent_the_same_bytes() -> None:
    stage = Stage()
    watchers = [stage.enter(f"w{number}") for number in range(3)]
    views = [stage.enter("ana", views=True), stage.enter("ana", views=True), stage.enter("w", views=True)]
    stage.happens(stage.write(1, 7))
    first, *others = [raw(watcher)[0] for watcher in watchers]
    assert all(other is first for other in others)
    mine, again, theirs = [raw(each)[0] for each in views]
    assert mine is again
    assert theirs is not mine


async def test_a_view_is_never_shared_with_other_eyes() -> None:
    """Facts and moves are alike for ana and ben, their views are not."""
    stage = Stage(seats=(*SEATS, StoredSeat("bot", level="random")))
    stage.game.apply(stage.write(0, 7), 0.0)
    stage.game.apply(stage.write(1, 8), 0.0)
    ana, ben, zoe = (stage.enter(name, views=True) for name in ("ana", "ben", "zoe"))
    plain = stage.enter("zoe")
    stage.timer.wait_for(None, running=False)
    stage.broadcaster.step(stage.look(), RedactedStep(4, b"null", b"[]"))
    assert [heard(each)[0].view["mine"] for each in (ana, ben, zoe)] == [7, 8, None]
    assert heard(plain)[0].view is None


@in_virtual_time
async def test_a_welcome_says_where_the_table_stands() -> None:
    stage = Stage()
    stage.game.apply(stage.write(0, 7, RECEIPT), 0.0)
    stage.look()
    ana, zoe = stage.enter("ana"), stage.enter("zoe")
    stage.broadcaster.welcome(ana, zoe)
    (mine,), (theirs,) = heard(ana), heard(zoe)
    assert isinstance(mine, Welcome)
    assert (mine.seq, mine.yours, mine.host, mine.view["mine"]) == (2, (0,), True, 7)
    assert (theirs.seq, theirs.yours, theirs.host, theirs.view["mine"]) == (2, (), False, None)
    assert mine.waiting is not None
    assert (mine.receipt, mine.waiting.acting) == (RECEIPT, (1,))
    assert mine.table == stage.presence.info()
    stage.broadcaster.welcome_all()
    assert [len(heard(each)) for each in (ana, zoe)] == [1, 1]


async def test_before_the_game_a_welcome_shows_the_seats_alone() -> None:
    stage = Stage()
    stage.broadcaster.snapshot = None
    ana = stage.enter("ana")
    stage.broadcaster.welcome(ana)
    (welcome,) = heard(ana)
    assert (welcome.seq, welcome.view, welcome.waiting, welcome.receipt) == (0, None, None, None)
    assert welcome.yours == (0,)


@in_virtual_time
async def test_who_is_here_is_told_to_all_but_one() -> None:
    stage = Stage()
    ana, ben, zoe = (stage.enter(name) for name in ("ana", "ben", "zoe"))
    stage.broadcaster.people(but=zoe)
    (mine,), (his,) = heard(ana), heard(ben)
    assert mine == PeopleChanged(stage.presence.info(), (0,), True)
    assert his == PeopleChanged(stage.presence.info(), (1,), False)
    assert heard(zoe) == []
    stage.broadcaster.people()
    assert [len(heard(each)) for each in (ana, ben, zoe)] == [1, 1, 1]


def steps(stage: Stage, number: int) -> None:
    """So many steps of which nothing is hidden."""
    for _ in range(number):
        seq = stage.broadcaster._recent[-1].seq + 1 if stage.broadcaster._recent else 2
        stage.game.seq = seq
        stage.broadcaster.step(stage.look(), RedactedStep(seq, b"null", b'[{"n":%d}]' % seq))


async def test_a_gap_is_filled_step_by_step() -> None:
    stage = Stage()
    steps(stage, 5)
    ana = stage.enter("ana", views=True)
    stage.broadcaster.catch_up(ana, 3)
    told = heard(ana)
    assert [(each.seq, each.facts) for each in told] == [(n, ({"n": n},)) for n in (4, 5, 6)]
    assert [each.waiting is None for each in told] == [True, True, False]
    assert [each.view is None for each in told] == [True, True, False]
    stage.broadcaster.catch_up(ana, 5)
    assert [each.seq for each in heard(ana)] == [6]


async def test_a_gap_that_cannot_be_filled_is_filled_with_a_welcome() -> None:
    stage = Stage()
    ana = stage.enter("ana")
    stage.broadcaster.catch_up(ana, 0)
    assert [type(each) for each in heard(ana)] == [Welcome], "there is nothing to fill it with"
    steps(stage, CATCH_UP_STEPS + 1)
    heard(ana)
    for have, kind in ((CATCH_UP_STEPS + 2, Welcome), (99_999, Welcome), (1, Welcome), (2, StepMessage)):
        stage.broadcaster.catch_up(ana, have)
        told = heard(ana)
        assert {type(each) for each in told} == {kind}
    assert len(told) == CATCH_UP_STEPS
    stage.broadcaster.forget_steps()
    stage.broadcaster.catch_up(ana, 60)
    assert [type(each) for each in heard(ana)] == [Welcome]


async def test_before_the_game_a_gap_is_filled_with_a_welcome() -> None:
    stage = Stage()
    steps(stage, 3)
    ana = stage.enter("ana")
    stage.broadcaster.snapshot = None
    stage.broadcaster.catch_up(ana, 2)
    assert [type(each) for each in heard(ana)] == [Welcome]


async def test_a_forgetful_game_tells_nothing_again() -> None:
    stage = Stage(forgetful=True)
    ana = stage.enter("ana")
    stage.happens(stage.write(1, 7))
    assert [type(each) for each in heard(ana)] == [StepMessage]
    stage.broadcaster.catch_up(ana, 1)
    assert [type(each) for each in heard(ana)] == [Welcome]
