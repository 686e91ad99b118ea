"""The bots of one table: one question a seat at a time, at a pace people can follow, and never in the way of a game."""

from __future__ import annotations

import asyncio
import threading
from random import Random
from typing import Any

import msgspec
import pytest

from kotatsu.bots.contract import Situation, Thought
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game
from kotatsu.store.contract import StoredSeat
from kotatsu.tables.bot_runner import BotRunner, random_legal_move
from kotatsu.tables.table_game import TableGame
from kotatsu.tables.timers import DeadlineTimer
from tests.tables.virtual_time import in_virtual_time

ANA = StoredSeat("person", "ana", "Ana")


def bot(level: str | None = "random", **fields: Any) -> StoredSeat:
    return StoredSeat("bot", level=level, **fields)


class Thinkers:
    """Answers as a test lets it, after so long; ``asked`` is every question."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Situation]] = []
        self.seconds = 0.0
        self.after = 0.0
        self.fails = False
        self.answers: Any = None

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        self.asked.append((game, level, situation))
        await asyncio.sleep(self.seconds)
        if self.fails:
            raise RuntimeError("out of ideas")
        if self.answers is not None:
            return Thought(self.answers(situation), self.after)
        return Thought(situation.moves[3], self.after)

    @property
    def seats(self) -> list[int]:
        return [situation.seat for _, _, situation in self.asked]


class Bench:
    """A table with bots; ``answers`` are the moves that came in by its door, and when."""

    def __init__(self, *seats: StoredSeat, name: str = "whisper", pace: float = 0.0, **options: Any) -> None:
        kind = game(name)
        self.now = asyncio.get_running_loop().time
        self.game = TableGame(Driver(kind, len(seats), msgspec.convert(options, kind.options_type)))
        self.thinkers = Thinkers()
        self.timer = DeadlineTimer(lambda _: None)
        self.answers: list[tuple[int, Any, int]] = []
        self.at: list[float] = []
        self.bots = BotRunner(self.thinkers, "t", self.timer, pace, self.answer)
        self.game.apply(self.game.opening(Random(4)), 0.0)
        self.rows: list[Any] = []
        self.seats = seats
        self.bots.set_bots(self.game.driver, seats, ())

    def answer(self, seat: int, move: Any, seq: int, _seconds: float) -> None:
        self.answers.append((seat, move, seq))
        self.at.append(self.now())

    def ask(self, *acting: int) -> None:
        self.bots.ask(self.game, acting or tuple(sorted(self.game.game.acting(self.game.state))))

    def play(self, seat: int, move: Any) -> None:
        before = self.game.state
        step = self.game.play(seat, msgspec.convert(move, self.game.game.move_type), Random(9))
        self.rows.append(step.at(1.0))
        self.game.apply(step, 0.0)
        self.bots.observe(before, step)


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def write(number: int = 5) -> dict[str, Any]:
    return {"move": "write", "number": number}


@in_virtual_time
async def test_bots_that_may_move_are_asked_and_people_are_not() -> None:
    bench = Bench(ANA, bot(), bot("novice"), bot())
    assert not bench.bots.busy
    bench.ask(0, 1, 2)
    assert bench.bots.busy
    await turns()
    assert [(name, level, seen.seat) for name, level, seen in bench.thinkers.asked] == [
        ("whisper", "random", 1),
        ("whisper", "novice", 2),
    ]
    assert [(seat, move.number, seq) for seat, move, seq in bench.answers] == [(1, 3, 1), (2, 3, 1)]
    assert bench.bots.busy, "until the table has dealt with their answers"
    for seat in (1, 2):
        bench.bots.answered(seat)
    assert not bench.bots.busy
    bench.bots.answered(3)


@in_virtual_time
async def test_a_bot_that_stands_in_for_somebody_plays_too() -> None:
    bench = Bench(ANA, bot("novice", visitor="ben", name="Ben"))
    bench.ask()
    await turns()
    assert bench.thinkers.seats == [1]


@in_virtual_time
async def test_a_bot_without_a_level_is_no_bot() -> None:
    bench = Bench(bot(None), StoredSeat(level="random"), StoredSeat("person", "ana", level="random"))
    bench.ask()
    await turns()
    assert bench.thinkers.asked == []


@in_virtual_time
async def test_nobody_is_asked_twice_at_a_time() -> None:
    bench = Bench(ANA, bot())
    bench.thinkers.seconds = 5
    bench.ask()
    await asyncio.sleep(1)
    bench.ask()
    await asyncio.sleep(10)
    assert bench.thinkers.seats == [1]
    assert len(bench.answers) == 1
    bench.ask()
    await turns()
    assert bench.thinkers.seats == [1], "its answer lies at the table's door"
    bench.bots.answered(1)
    bench.ask()
    await turns()
    assert bench.thinkers.seats == [1, 1]


@in_virtual_time
async def test_a_bot_sees_its_own_situation() -> None:
    bench = Bench(ANA, bot(), bot(), seconds=30.0)
    bench.play(0, write(8))
    bench.timer.wait_for(bench.game.game.deadline(bench.game.state), running=True)
    await asyncio.sleep(4)
    bench.ask(1)
    await turns()
    ((_, _, seen),) = bench.thinkers.asked
    assert (seen.players, seen.options, seen.waited) == (3, bench.game.driver.options, 4.0)
    assert (seen.view.mine, seen.view.written) == (None, (True, False, False))
    assert list(seen.moves) == list(bench.game.game.moves(bench.game.state, 1))
    assert (seen.told, seen.imagined) == ((), ())


@in_virtual_time
async def test_no_two_thoughts_have_the_same_luck() -> None:
    bench = Bench(bot(), bot(), bot(), bot())
    bench.ask()
    await turns()
    assert len({seen.seed for _, _, seen in bench.thinkers.asked}) == 4


async def test_a_bot_with_imagination_and_memory_is_given_both() -> None:
    bench = Bench(ANA, bot("adept"), name="kabuki")
    log = [bench.game.opening(Random(4)).at(1.0)]
    bench.game.load(log)
    bench.bots.set_bots(bench.game.driver, bench.seats, log)
    bench.ask(1)
    while not bench.thinkers.asked:
        await asyncio.sleep(0)
    ((_, _, seen),) = bench.thinkers.asked
    facts = [type(fact).__name__ for fact in seen.told]
    assert facts[0] == "RoundStarted"
    heard = len(seen.told)
    bench.bots.stop()
    (acting,) = bench.game.game.acting(bench.game.state)
    bench.play(acting, _first(bench, acting))
    bench.ask(1)
    while len(bench.thinkers.asked) < 2:
        await asyncio.sleep(0)
    assert len(bench.thinkers.asked[1][2].told) > heard
    bench.bots.stop()


def _first(bench: Bench, seat: int) -> Any:
    return msgspec.to_builtins(bench.game.game.moves(bench.game.state, seat)[0])


async def test_imagining_keeps_the_table_waiting_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search looks into imagined states; they are gathered beside the loop, not in it."""
    threads: set[int] = set()
    bench = Bench(ANA, bot("novice"), name="whisper")
    kind = type(bench.game.game)
    imagine = kind.imagine

    def watched(*given: Any) -> Any:
        threads.add(threading.get_ident())
        return imagine(*given)

    monkeypatch.setattr(kind, "imagine", watched)
    bench.ask(1)
    await asyncio.sleep(0)
    while not bench.thinkers.asked:
        await asyncio.sleep(0.001)
    ((_, _, seen),) = bench.thinkers.asked
    assert seen.imagined
    assert threads
    assert threading.get_ident() not in threads
    bench.bots.stop()


@in_virtual_time
async def test_bots_keep_a_pace_from_the_last_move_on() -> None:
    bench = Bench(ANA, bot(), pace=2.0)
    await asyncio.sleep(10)
    bench.play(0, write())
    moved = bench.now()
    await asyncio.sleep(0.5)
    bench.ask(1)
    await asyncio.sleep(10)
    assert bench.at == [moved + 2.0]


@in_virtual_time
async def test_a_bot_that_took_longer_than_the_pace_does_not_wait() -> None:
    bench = Bench(ANA, bot(), pace=2.0)
    bench.play(0, write())
    bench.thinkers.seconds = 3.0
    bench.ask(1)
    await asyncio.sleep(10)
    assert bench.at == [3.0]


@in_virtual_time
async def test_a_bot_may_let_more_time_pass_than_the_pace() -> None:
    bench = Bench(ANA, bot(), pace=2.0)
    bench.thinkers.after = 5.0
    bench.ask(1)
    await asyncio.sleep(10)
    assert bench.at == [5.0]


@in_virtual_time
async def test_a_bot_that_bides_its_time_is_asked_again() -> None:
    for bides in (60.0, 0.75):
        bench = Bench(ANA, bot())
        began = bench.now()
        bench.thinkers.after = bides
        bench.ask(1)
        await asyncio.sleep(0.5)
        bench.thinkers.after = 0.0
        bench.ask(1)
        await asyncio.sleep(100)
        assert bench.thinkers.seats == [1, 1]
        assert bench.at == [began + 0.5], "the first thought came to nothing"


@in_virtual_time
async def test_a_bot_that_only_keeps_the_pace_is_not_asked_again() -> None:
    bench = Bench(ANA, bot(), pace=5.0)
    bench.play(0, write())
    bench.ask(1)
    await asyncio.sleep(1)
    bench.ask(1)
    await asyncio.sleep(10)
    assert bench.thinkers.seats == [1]
    assert len(bench.answers) == 1


@in_virtual_time
async def test_a_bot_that_waits_for_something_may_be_asked_when_it_comes() -> None:
    bench = Bench(ANA, bot())
    bench.thinkers.answers = lambda _: None
    bench.ask(1)
    await turns()
    assert not bench.bots.busy
    assert bench.answers == []
    bench.ask(1)
    await turns()
    assert bench.thinkers.seats == [1, 1]


@in_virtual_time
async def test_a_thought_about_timing_must_be_about_the_present() -> None:
    bench = Bench(ANA, bot())
    bench.thinkers.seconds, bench.thinkers.after = 5.0, 3.0
    bench.ask(1)
    await asyncio.sleep(1)
    bench.play(0, write())
    await asyncio.sleep(20)
    assert bench.thinkers.seats == [1, 1]
    assert [seq for _, _, seq in bench.answers] == [2]


@in_virtual_time
async def test_a_move_to_be_made_at_once_is_made_though_the_table_went_on() -> None:
    bench = Bench(ANA, bot())
    bench.thinkers.seconds = 5.0
    bench.ask(1)
    await asyncio.sleep(1)
    bench.play(0, write())
    await asyncio.sleep(20)
    assert bench.thinkers.seats == [1]
    assert [seq for _, _, seq in bench.answers] == [1], "it says of which moment it was thought"


@in_virtual_time
async def test_a_bot_that_may_not_move_any_more_thinks_no_further() -> None:
    bench = Bench(ANA, bot(), bot())
    bench.thinkers.seconds, bench.thinkers.after = 5.0, 3.0
    bench.ask(1)
    await asyncio.sleep(1)
    bench.play(1, write())
    await asyncio.sleep(20)
    assert bench.thinkers.seats == [1]
    assert bench.answers == []
    assert not bench.bots.busy


@in_virtual_time
async def test_stopping_wants_no_answers() -> None:
    bench = Bench(ANA, bot(), bot())
    bench.thinkers.seconds = 5.0
    bench.ask(1, 2)
    await asyncio.sleep(1)
    bench.bots.stop()
    assert not bench.bots.busy
    await asyncio.sleep(100)
    assert bench.answers == []
    bench.bots.stop()


@in_virtual_time
async def test_others_may_have_the_seats_from_now_on() -> None:
    bench = Bench(ANA, bot())
    bench.bots.set_bots(bench.game.driver, (bot("novice"), ANA), ())
    bench.ask()
    await turns()
    assert bench.thinkers.seats == [0]


async def test_a_bot_that_fails_moves_at_random(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(ANA, bot())
    bench.thinkers.fails = True
    bench.ask(1)
    await turns()
    ((seat, move, seq),) = bench.answers
    assert (seat, seq) == (1, 1)
    assert move in bench.game.game.moves(bench.game.state, 1)
    assert "out of ideas" in caplog.text


async def test_a_level_that_is_gone_is_played_at_random(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(ANA, bot("oracle"))
    assert "oracle" in caplog.text
    bench.ask(1)
    await turns()
    ((_, level, seen),) = bench.thinkers.asked
    assert (level, seen.seat, seen.imagined) == ("oracle", 1, ())


@in_virtual_time
async def test_any_move_is_a_legal_one_if_there_is_one() -> None:
    bench = Bench(ANA, bot())
    legal = bench.game.game.moves(bench.game.state, 0)
    assert {random_legal_move(bench.game, 0) for _ in range(300)} == set(legal)
    bench.play(0, write())
    assert random_legal_move(bench.game, 0) is None
