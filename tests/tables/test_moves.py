"""What becomes of a move: a step, a refusal that changes nothing, or a press that waits for its ruling."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.connections.connection import TableConnection
from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.driver import Driver, NothingAwaited
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import Play
from kotatsu.protocol.refusal import Refusal
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import StoredSeat, StoredTable
from kotatsu.tables.mail import BotMoved, CommandReceived, DeadlinePassed
from kotatsu.tables.moves import MoveIntake
from kotatsu.tables.table_clock import TableClock
from kotatsu.tables.table_game import PendingStep, TableGame
from tests.tables.virtual_time import in_virtual_time

SHOUT = {"move": "shout"}


def write(number: int = 5) -> dict[str, Any]:
    return {"move": "write", "number": number}


class Intake:
    """Three people at a table of ``whisper``, each 200 ms away; moves are decided and never written."""

    def __init__(self, status: Any = "playing", **options: Any) -> None:
        kind = game("whisper")
        self.game = TableGame(Driver(kind, 3, msgspec.convert(options, kind.options_type)))
        self.now = asyncio.get_running_loop().time
        seats = tuple(StoredSeat("person", f"v{seat}") for seat in range(3))
        self.presence = Presence(StoredTable("t", "whisper", "v0", 1.0, 1.0, seats, status=status))
        self.people = []
        for seat in range(3):
            estimate = RoundTripEstimate(max_age_s=1e9)
            estimate.at_most(0.2, 0.0)
            self.people.append(TableConnection(f"v{seat}", round_trip=estimate))
            self.presence.arrive(self.people[-1])
        self.again: list[Any] = []
        self.frozen = 0
        self.races: RaceTracker[Any] = RaceTracker(
            self.presence, on_due=lambda _: None, on_again=self.again.append, on_freeze=self.freeze
        )
        clock = TableClock(wall=asyncio.get_running_loop().time)
        self.moves = MoveIntake(self.game, self.presence, self.races, clock, None, Random(7))
        self.take(self.game.opening(Random(1)))

    def freeze(self) -> None:
        self.frozen += 1

    def take(self, step: PendingStep | None) -> PendingStep:
        """It was written."""
        assert step is not None
        self.game.apply(step, asyncio.get_running_loop().time())
        self.races.observe(self.game.race_since)
        return step

    def received(
        self, seat: int, move: Any = None, *, seen: int | None = None, command: str = "c"
    ) -> tuple[CommandReceived, Play]:
        sent = move if isinstance(move, bytes) else msgspec.json.encode(move or write())
        play = Play(command, seat, self.game.seq if seen is None else seen, msgspec.Raw(sent))
        return CommandReceived(self.people[seat], play, self.now()), play

    def decide(self, seat: int, move: Any = None, **how: Any) -> PendingStep | None:
        return self.moves.decide(*self.received(seat, move, **how))

    def refusal(self, seat: int, move: Any = None, **how: Any) -> Refusal:
        before = self.game.seq, self.game.state, self.moves._rng.getstate()
        with pytest.raises(Refusal) as refused:
            self.decide(seat, move, **how)
        assert (self.game.seq, self.game.state, self.moves._rng.getstate()) == before
        assert refused.value.message
        return refused.value

    def bot(self, seat: int, move: Any, *, seq: int | None = None) -> BotMoved:
        moved = msgspec.convert(move, self.game.game.move_type)
        return BotMoved(seat, moved, self.game.seq if seq is None else seq, self.now())


@in_virtual_time
async def test_a_move_is_a_step_under_the_id_it_was_asked_for() -> None:
    intake = Intake()
    step = intake.decide(1, write(4), command="mine")
    assert step is not None
    assert (step.seq, step.seat, step.command_id, step.receipt) == (2, 1, "mine", None)
    assert step.state.written == (None, 4, None)
    assert intake.game.seq == 1, "nothing has happened yet"


@in_virtual_time
async def test_a_seat_is_played_by_whoever_holds_it() -> None:
    intake = Intake()
    (received, play) = intake.received(1)
    assert intake.moves.made_before(received.connection, play) is None
    for stranger in (intake.people[0], TableConnection("zoe"), TableConnection("v0")):
        with pytest.raises(Refusal) as refused:
            intake.moves.made_before(stranger, play)
        assert refused.value.code == "not_your_seat"
    with pytest.raises(Refusal) as refused:
        intake.moves.made_before(intake.people[0], Play("c", 7, 1, msgspec.Raw(b"{}")))
    assert refused.value.code == "no_such_seat"


@in_virtual_time
async def test_another_browser_of_the_same_person_plays_their_seat() -> None:
    intake = Intake()
    _, play = intake.received(1)
    assert intake.moves.made_before(TableConnection("v1"), play) is None


@in_virtual_time
async def test_whoever_looks_on_does_not_play_not_even_their_own_seat() -> None:
    intake = Intake()
    screen = TableConnection("v1", spectator_only=True)
    intake.presence.arrive(screen)
    _, play = intake.received(1)
    with pytest.raises(Refusal, match="looks on") as refused:
        intake.moves.made_before(screen, play)
    assert refused.value.code == "not_your_seat"


@in_virtual_time
async def test_a_move_that_was_made_before_is_found_again() -> None:
    intake = Intake()
    intake.take(intake.decide(1, command="once"))
    received, play = intake.received(1, command="once")
    assert intake.moves.made_before(received.connection, play) == 2
    received, play = intake.received(1, command="other")
    assert intake.moves.made_before(received.connection, play) is None
    received, play = intake.received(0, command="once")
    assert intake.moves.made_before(received.connection, play) is None


@in_virtual_time
async def test_moves_are_made_while_a_game_goes_on() -> None:
    for status in ("gathering", "over"):
        assert Intake(status).refusal(0).code == "not_playing"


@in_virtual_time
async def test_a_move_must_have_seen_ones_own_last_step_and_no_future() -> None:
    intake = Intake()
    intake.take(intake.decide(0))
    intake.take(intake.decide(1))
    assert intake.decide(2, seen=0) is not None, "what others did does not matter"
    assert intake.decide(2, seen=3) is not None
    assert intake.refusal(2, seen=4).code == "stale"
    intake.take(intake.decide(2))
    assert intake.refusal(1, seen=2).code == "stale"
    assert intake.decide(1, seen=3) is not None
    assert intake.decide(1, seen=4) is not None


@in_virtual_time
async def test_what_is_no_move_is_refused_as_malformed() -> None:
    intake = Intake()
    for sent in (
        b"{",
        b'"\xff"',
        b'"write"',
        b"{}",
        b"[" * 10_000,
        b'{"move":"fly"}',
        b'{"move":"write"}',
        b'{"move":"write","number":100}',
        b'{"move":"write","number":1,"more":2}',
    ):
        refused = intake.refusal(0, sent)
        assert (refused.code, refused.clause) == ("malformed", None)
        assert refused.message.startswith("whisper has no such move: ")


@in_virtual_time
async def test_what_the_rules_forbid_is_illegal_by_its_clause() -> None:
    intake = Intake()
    refused = intake.refusal(0, write(42))
    assert (refused.code, refused.clause, refused.message) == (
        "illegal",
        "WH-2",
        "Write a number from 0 to 9.",
    )
    assert intake.refusal(0, SHOUT).clause == "WH-3"


@in_virtual_time
async def test_thinking_is_timed_from_when_one_could_move() -> None:
    intake = Intake(counts_time=True)
    await asyncio.sleep(3)
    step = intake.decide(0)
    assert step is not None
    assert step.state.spent == 3.0
    bots = intake.moves.decide_for_bot(replace(intake.bot(1, write()), seconds=2.0))
    assert bots is not None
    assert bots.state.spent == 2.0, "a bot is charged what it says it thought"


class Ruling(Intake):
    """The same table where the first to shout ends the round; the race has been on for a while."""

    @classmethod
    async def open(cls, **options: Any) -> Ruling:
        found = cls(shouting=True, **options)
        await asyncio.sleep(5)
        return found


@in_virtual_time
async def test_a_press_waits_for_its_ruling_and_freezes_the_table() -> None:
    intake = await Ruling.open()
    received, play = intake.received(1, SHOUT, command="mine")
    assert intake.moves.decide(received, play) is None
    freeze = intake.races.frozen
    assert freeze is not None
    assert freeze.pressed == [(received.connection, play)]
    assert intake.frozen == 1
    step, receipt = intake.moves.decide_race(freeze)
    assert (receipt.seat, receipt.seq, receipt.decided_by) == (1, 2, "alone")
    assert (step.seq, step.seat, step.command_id, step.receipt) == (2, 1, "mine", receipt)
    assert step.facts[0].seat == 1  # type: ignore[attr-defined]


@in_virtual_time
async def test_a_press_is_timed_by_when_it_came() -> None:
    intake = await Ruling.open(counts_time=True)
    early, play = intake.received(0, SHOUT, command="early")
    await asyncio.sleep(0.05)
    assert intake.decide(2, SHOUT, command="late") is None
    assert intake.moves.decide(early, play) is None
    assert intake.races.frozen is not None
    step, receipt = intake.moves.decide_race(intake.races.frozen)
    assert (receipt.seat, receipt.margin_ms, step.command_id) == (0, 50, "early")
    assert step.state.spent == pytest.approx(5.0), (
        "a press is charged until it came, not until it was ruled on"
    )


@in_virtual_time
async def test_a_press_meant_for_an_earlier_race_is_stale() -> None:
    intake = await Ruling.open()
    for seat in range(3):
        intake.take(intake.moves.decide_for_bot(intake.bot(seat, write())))
    assert intake.game.race_since == 4
    assert intake.refusal(2, SHOUT, seen=4 - 1).code == "stale"
    assert intake.decide(0, SHOUT, seen=4) is None
    assert intake.races.frozen is not None


@in_virtual_time
async def test_other_moves_wait_while_the_table_stands_still() -> None:
    intake = await Ruling.open()
    assert intake.decide(1, SHOUT) is None
    received, play = intake.received(0, write())
    assert intake.moves.decide(received, play) is None
    assert intake.races.lift()[1] == [received]


@in_virtual_time
async def test_where_no_race_is_on_nothing_stands_still() -> None:
    intake = Intake()
    assert not intake.moves.is_press(1, intake.bot(1, SHOUT).move)
    assert intake.decide(0) is not None
    assert intake.races.frozen is None


@in_virtual_time
async def test_a_move_that_would_end_a_race_waits_for_a_press_under_way() -> None:
    intake = await Ruling.open()
    for seat in (0, 1):
        intake.take(intake.decide(seat))
    received, play = intake.received(2, write())
    assert intake.moves.decide(received, play) is not None, "the last in a race waits for nobody"
    deadline: Any = None
    letter = DeadlinePassed(deadline, intake.now())
    step = intake.moves.decide_for_bot(intake.bot(2, write()))
    assert step is not None
    anybody = msgspec.structs.replace(step, seat=None)
    assert intake.moves.must_wait(letter, anybody), "seat 2 may have pressed before time was up"
    await asyncio.sleep(1)
    assert intake.again == [letter]


@in_virtual_time
async def test_a_persons_move_that_would_end_a_race_comes_again() -> None:
    intake = await Ruling.open()
    ends = await ending(intake)
    assert intake.moves.decide(*ends) is None
    await asyncio.sleep(1)
    assert intake.again == [ends[0]]
    assert intake.moves.decide(*ends) is not None


async def ending(intake: Intake) -> tuple[CommandReceived, Play]:
    """A move of seat 2 after which another race is on, while seat 0 may still press."""
    kind = type(intake.game.game)

    class EndsAtOnce(kind):  # type: ignore[misc, valid-type]
        def decide(self, state: Any, seat: int, move: Any, rng: Random) -> list[Any]:
            facts = super().decide(state, seat, move, rng)
            return [*facts, msgspec.convert({"fact": "opened", "round": 2, "theme": 1}, self.fact_type)]

    intake.game.driver.game = EndsAtOnce()
    return intake.received(2, write())


@in_virtual_time
async def test_a_bots_move_is_a_step_under_no_id() -> None:
    intake = Intake()
    step = intake.moves.decide_for_bot(intake.bot(1, write(4)))
    assert step is not None
    assert (step.seat, step.command_id, step.state.written) == (1, None, (None, 4, None))


@in_virtual_time
async def test_a_bot_that_cheats_has_a_legal_move_made_for_it() -> None:
    intake = Intake()
    step = intake.moves.decide_for_bot(intake.bot(1, write(42)))
    assert step is not None
    assert step.state.written[1] in range(10)


@in_virtual_time
async def test_a_move_made_for_a_bot_is_a_move_like_any_other() -> None:
    intake = Intake(counts_time=True)
    for seat in (0, 2):
        intake.take(intake.decide(seat))
    await asyncio.sleep(3)
    step = intake.moves.decide_for_bot(replace(intake.bot(1, write(42)), seconds=3.0))
    assert step is not None
    assert [type(fact).__name__ for fact in step.facts] == ["Spent", "Wrote", "Revealed", "Opened"]
    assert step.state.spent == 3.0


@in_virtual_time
async def test_a_bot_the_table_has_outrun_thinks_again() -> None:
    intake = Intake()
    assert intake.moves.decide_for_bot(intake.bot(1, write(42), seq=0)) is None


@in_virtual_time
async def test_a_bot_that_has_no_move_makes_none() -> None:
    intake = Intake()
    intake.take(intake.decide(1))
    assert intake.moves.decide_for_bot(intake.bot(1, write(4))) is None


@in_virtual_time
async def test_a_bot_presses_like_anybody() -> None:
    intake = await Ruling.open()
    answer = intake.bot(1, SHOUT)
    assert intake.moves.is_press(1, answer.move)
    assert not intake.moves.is_press(1, intake.bot(1, write()).move)
    assert intake.moves.press_of_bot(answer)
    assert intake.races.frozen is not None
    step, receipt = intake.moves.decide_race(intake.races.frozen)
    assert (receipt.seat, step.command_id) == (1, None)


@in_virtual_time
async def test_a_bot_that_thought_of_an_earlier_race_presses_in_none() -> None:
    intake = await Ruling.open()
    assert intake.game.race_since == 1
    assert not intake.moves.press_of_bot(intake.bot(1, SHOUT, seq=0))
    assert intake.moves.press_of_bot(intake.bot(1, SHOUT, seq=1))
    quiet = Intake()
    assert not quiet.moves.press_of_bot(quiet.bot(1, SHOUT))
    assert quiet.races.frozen is None


@in_virtual_time
async def test_time_that_is_up_is_a_step_of_nobody() -> None:
    step = Intake(seconds=5.0).moves.expire()
    assert (step.seq, step.seat) == (2, None)
    with pytest.raises(NothingAwaited):
        Intake().moves.expire()
