"""A table's game so far: what a step would bring, and the log it becomes and is read from again."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from kotatsu.engine.contract import IllegalMove
from kotatsu.engine.driver import Driver, NothingAwaited
from kotatsu.engine.record import LogReader
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import Press, Receipt
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.replay import replay_steps
from kotatsu.tables.table_game import PendingStep, TableGame, facts_of, record_entries

RECEIPT = Receipt(2, 0, "alone", 0, (Press(0, 0, 0, 0, 0),))


class Log:
    """A table of ``whisper`` for two and the rows that were written of it."""

    def __init__(self, **options: Any) -> None:
        kind = game("whisper")
        self.driver = Driver(kind, 2, msgspec.convert(options, kind.options_type))
        self.game = TableGame(self.driver)
        self.rows: list[LoggedStep] = []

    def begin(self) -> Log:
        self.written(self.game.opening(Random(1), "start"))
        return self

    def move(self, **fields: Any) -> Any:
        return msgspec.convert(fields, self.game.game.move_type)

    def write(self, seat: int, number: int = 5, command: str | None = None, **named: Any) -> PendingStep:
        move = self.move(move="write", number=number)
        return self.game.play(seat, move, Random(2), command_id=command, **named)

    def written(self, step: PendingStep) -> PendingStep:
        self.rows.append(step.at(100.0 + step.seq))
        self.game.apply(step, 0.0)
        return step

    def again(self) -> TableGame:
        read = TableGame(self.driver)
        read.load(self.rows)
        return read


def entries(step: PendingStep) -> list[Any]:
    found: list[Any] = msgspec.json.decode(step.entries)
    return found


def everything(read: TableGame) -> tuple[Any, ...]:
    return (
        read.seq,
        read.state,
        read.outcome,
        read.last_step_of,
        read.race,
        read.race_since,
        read.receipt,
        read._answered,
    )


def test_before_the_first_step_there_is_nothing() -> None:
    log = Log()
    assert everything(log.game)[0] == 0
    assert everything(log.game)[2:] == (None, {}, None, 0, None, {})
    assert log.game.state == log.driver.empty()
    assert log.game.game is game("whisper")


def test_the_opening_is_step_one() -> None:
    log = Log()
    step = log.game.opening(Random(1), "start")
    assert (step.seq, step.seat, step.command_id, step.outcome, step.receipt) == (
        1,
        None,
        "start",
        None,
        None,
    )
    assert entries(step) == [{"fact": "opened", "round": 1, "theme": Random(1).randrange(100)}]
    assert step.entries == step.facts_json
    assert log.game.seq == 0, "nothing has happened yet"
    assert log.game.opening(Random(1)).command_id is None


def test_a_move_becomes_a_row_with_its_facts_after_it() -> None:
    log = Log().begin()
    step = log.write(0, 7, "c")
    assert (step.seq, step.seat, step.command_id) == (2, 0, "c")
    assert entries(step) == [
        {"seat": 0, "move": "write", "number": 7},
        {"fact": "wrote", "seat": 0, "number": 7},
    ]
    assert msgspec.json.decode(step.facts_json) == [{"fact": "wrote", "seat": 0, "number": 7}]
    assert step.at(9.5) == LoggedStep(2, 9.5, step.entries, 0, "c")
    assert log.game.seq == 1


def test_a_move_without_a_fact_is_a_row_of_its_own() -> None:
    class Mute(type(game("whisper"))):  # type: ignore[misc]
        def decide(self, *_: Any) -> list[Any]:
            return []

    kind = Mute()
    table = TableGame(Driver(kind, 2, kind.options_type()))
    step = table.play(1, msgspec.convert({"move": "write", "number": 3}, kind.move_type), Random(0))
    assert entries(step) == [{"seat": 1, "move": "write", "number": 3}]
    assert (step.facts, step.facts_json) == ([], b"[]")
    assert step.state == table.state


def test_time_spent_comes_before_the_move_it_was_spent_on() -> None:
    log = Log(counts_time=True).begin()
    step = log.write(0, 7, seconds=2.5)
    assert entries(step) == [
        {"fact": "spent", "seat": 0, "seconds": 2.5},
        {"seat": 0, "move": "write", "number": 7},
        {"fact": "wrote", "seat": 0, "number": 7},
    ]


def test_a_ruling_is_written_with_the_move_it_made_count() -> None:
    log = Log().begin()
    step = log.write(0, 7, receipt=RECEIPT)
    assert msgspec.convert(entries(step)[-1]["receipt"], Receipt) == RECEIPT
    assert entries(step)[:-1] == entries(log.write(0, 7))
    assert step.receipt == RECEIPT
    log.written(step)
    assert log.game.receipt == RECEIPT
    assert log.again().receipt == RECEIPT
    log.written(log.write(1))
    assert log.game.receipt == RECEIPT, "the latest ruling stays until the next"
    assert everything(log.again()) == everything(log.game)


def test_a_record_keeps_moves_and_facts_and_no_ruling() -> None:
    log = Log().begin()
    log.written(log.write(0, 7, receipt=RECEIPT))
    assert record_entries(log.driver, log.rows)[1:] == [
        {"seat": 0, "move": "write", "number": 7},
        {"fact": "wrote", "seat": 0, "number": 7},
    ]
    reader = LogReader(log.driver)
    assert [type(fact).__name__ for row in log.rows for fact in facts_of(reader, row)] == ["Opened", "Wrote"]
    assert reader.state == log.game.state


def test_what_is_refused_leaves_everything_as_it_was() -> None:
    log = Log().begin()
    before = everything(log.game)
    with pytest.raises(IllegalMove):
        log.write(0, 42)
    with pytest.raises(NothingAwaited):
        log.game.expire(Random(0))
    assert everything(log.game) == before


def test_a_deadline_is_nobodys_move() -> None:
    log = Log(seconds=9.0).begin()
    step = log.game.expire(Random(3))
    assert (step.seq, step.seat, step.command_id) == (2, None, None)
    assert [entry["fact"] for entry in entries(step)] == ["wrote", "wrote", "revealed", "opened"]
    log.written(step)
    assert log.game.last_step_of == {}
    assert everything(log.again()) == everything(log.game)


def test_what_a_world_reports_is_written_as_it_is_and_its_facts_are_folded() -> None:
    log = Log().begin()
    report = b'[{"seat":1,"move":"write","number":2},  {"fact":"wrote","seat":1,"number":2}]'
    step = log.game.world_report(report)
    assert step.entries == report
    assert msgspec.json.decode(step.facts_json) == [{"fact": "wrote", "seat": 1, "number": 2}]
    assert (step.seq, step.seat, step.command_id) == (2, None, None)
    assert step.state.written == (None, 2)
    with pytest.raises(msgspec.ValidationError):
        log.game.world_report(b'[{"fact":"flew"}]')


def test_a_command_is_remembered_for_its_seat_alone_and_found_in_the_log_again() -> None:
    log = Log().begin()
    log.written(log.write(0, 1, "same"))
    log.written(log.write(1, 1, "same"))
    log.written(log.write(1, 1))
    for read in (log.game, log.again()):
        assert read.answered(0, "same") == 2
        assert read.answered(1, "same") == 3
        assert read.answered(None, "start") == 1
        assert read.answered(0, "start") is None
        assert read.answered(0, "other") is None
        assert read.answered(3, "same") is None
        assert read.last_step_of == {0: 2, 1: 4}


def test_a_race_is_on_since_the_step_that_began_it() -> None:
    log = Log(shouting=True)
    assert log.game.race is None
    log.begin()
    assert log.game.race is not None
    assert (log.game.race.token, log.game.race_since) == (1, 1)
    log.written(log.write(0))
    assert log.game.race is not None
    assert (log.game.race.seats, log.game.race_since) == ((1,), 1), "the same race, with fewer in it"
    log.written(log.write(1))
    assert log.game.race is not None
    assert (log.game.race.token, log.game.race_since) == (2, 3)
    assert everything(log.again()) == everything(log.game)


def test_a_race_after_none_is_a_new_one() -> None:
    log = Log(shouting=True).begin()
    log.game.race = None
    log.written(log.write(0))
    assert log.game.race_since == 2


def test_the_end_is_known_by_whoever_reads_the_log() -> None:
    log = Log().begin()
    for number in (1, 2, 3):
        assert log.again().outcome is None
        log.written(log.write(0, number))
        log.written(log.write(1, number))
    for read in (log.game, log.again()):
        assert read.outcome is not None
        assert read.outcome.scores == (6, 6)


def test_loading_forgets_what_was_there() -> None:
    log = Log(shouting=True).begin()
    log.written(log.write(0, 7, "c", receipt=RECEIPT))
    log.game.load(())
    assert everything(log.game) == everything(TableGame(log.driver))


def test_a_finished_game_is_seen_again_through_the_eyes_of_a_seat_or_of_nobody() -> None:
    log = Log().begin()
    for number in (1, 2, 3):
        log.written(log.write(0, number))
        log.written(log.write(1, 9))
    kind, options = log.game.game, log.driver.options
    mine, theirs, nobodys = (replay_steps(kind, 2, options, log.rows, eyes) for eyes in (0, 1, None))
    assert [step.seq for step in mine] == list(range(1, 8))
    assert [step.at for step in mine] == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert [step.seat for step in mine] == [None, 0, 1, 0, 1, 0, 1]
    assert [steps[1].facts[0].number for steps in (mine, theirs, nobodys)] == [1, None, None]
    assert [steps[1].view.mine for steps in (mine, theirs, nobodys)] == [1, None, None]
    assert [steps[2].view.round for steps in (mine, theirs, nobodys)] == [2, 2, 2]
    assert mine[-1].view.scores == (6, 27)


def test_a_fact_that_is_hidden_wholly_is_not_seen_again() -> None:
    class Secretive(type(game("whisper"))):  # type: ignore[misc]
        def redact(self, state: Any, fact: Any, seat: int | None) -> Any:
            return None if seat is None else fact

    log = Log().begin()
    log.written(log.write(0, 7))
    kind = Secretive()
    assert [step.facts for step in replay_steps(kind, 2, kind.options_type(), log.rows, None)] == [(), ()]
    assert [len(step.facts) for step in replay_steps(kind, 2, kind.options_type(), log.rows, 1)] == [1, 1]
    assert replay_steps(kind, 2, kind.options_type(), [], 1) == []


def test_what_is_hidden_is_judged_by_the_state_it_led_to() -> None:
    class OpensUp(type(game("whisper"))):  # type: ignore[misc]
        def redact(self, state: Any, fact: Any, seat: int | None) -> Any:
            return fact if state.written == (None, None) else None

    log = Log().begin()
    log.written(log.write(0, 7))
    log.written(log.write(1, 3))
    kind = OpensUp()
    steps = replay_steps(kind, 2, kind.options_type(), log.rows, None)
    assert [[type(fact).__name__ for fact in step.facts] for step in steps] == [
        ["Opened"],
        [],
        ["Revealed", "Opened"],
    ]


def test_times_are_told_to_the_millisecond() -> None:
    log = Log().begin()
    step = log.write(0, 7)
    rows = [log.rows[0], step.at(log.rows[0].at + 1.23456)]
    assert replay_steps(log.game.game, 2, log.driver.options, rows, None)[1].at == 1.235
