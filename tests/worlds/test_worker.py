"""Inside the process of worlds, with a clock of the test's: ticks at their pace, and trouble that stays where it is."""

from __future__ import annotations

import io
import time
from queue import SimpleQueue
from typing import Any

import msgspec
import pytest

from kotatsu.worlds.messages import (
    LENGTH,
    AnyRequestToWorld,
    BotsSeated,
    CloseTurn,
    EntriesReported,
    FrameReported,
    InputRejected,
    OpenTurn,
    PauseTurn,
    PlayerInput,
    TurnFailed,
    encode_message,
    reply_decoder,
)
from kotatsu.worlds.worker import CATCH_UP_TICKS, LOG_DELAY_S, WorldWorker, _requests_within, read_requests

TICK = 0.1
SETTING = b'{"run":4,"levels":{},"seed":1}'


class Clocked:
    """A process of worlds; ``run`` lets time pass and gives what was said meanwhile."""

    def __init__(self) -> None:
        self.now = 100.0
        self.out = io.BytesIO()
        self.worker = WorldWorker(self.out, lambda: self.now)

    def hear(self, *messages: AnyRequestToWorld) -> None:
        for message in messages:
            self.worker.handle(message)

    def open(self, *tables: str, setting: bytes = SETTING) -> None:
        self.hear(*(OpenTurn(table, "sprint", setting) for table in tables or ("t",)))

    def run(self, ticks: int = 1) -> list[Any]:
        for _ in range(ticks):
            self.worker.run()
            self.now += TICK
        return self.said()

    def said(self) -> list[Any]:
        data, at, found = self.out.getvalue(), 0, []
        self.out.seek(0)
        self.out.truncate()
        while at < len(data):
            (length,) = LENGTH.unpack_from(data, at)
            at += LENGTH.size + length
            found.append(reply_decoder.decode(data[at - length : at]))
        return found


def looks(said: list[Any]) -> list[int]:
    return [each.look.tick for each in said if isinstance(each, FrameReported)]


def entries(said: list[Any]) -> list[Any]:
    return [
        entry
        for each in said
        if isinstance(each, EntriesReported)
        for entry in msgspec.json.decode(each.entries)
    ]


def step(seat: int = 0, move: str = "step", table: str = "t") -> PlayerInput:
    return PlayerInput(table, seat, msgspec.json.encode({"move": move}))


def test_a_world_ticks_at_its_pace_and_is_looked_at_every_other_tick() -> None:
    clocked = Clocked()
    clocked.open()
    assert looks(clocked.run(5)) == [2, 4]
    assert clocked.worker.run() == pytest.approx(TICK), "the next tick is that far away"
    assert looks(clocked.said()) == [6]


def test_between_two_ticks_nothing_happens() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.run(2)
    clocked.now += -TICK + 0.04
    assert clocked.worker.run() == pytest.approx(0.06)
    assert clocked.said() == []


def test_a_process_without_worlds_rests_for_a_second() -> None:
    assert Clocked().worker.run() == pytest.approx(1.0)


def test_a_fact_is_told_at_once_with_the_moves_before_it() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.hear(step(0, "rest"), step(1))
    (told,) = [each for each in clocked.run(1) if isinstance(each, EntriesReported)]
    assert (told.table, told.motion) == ("t", None)
    assert msgspec.json.decode(told.entries) == [
        {"seat": 0, "move": "step"},
        {"seat": 1, "move": "step"},
        {"fact": "stepped", "seat": 1},
    ]
    assert entries(clocked.run(5)) == [], "and only once"


def test_moves_that_brought_nothing_wait_for_company_but_not_for_ever() -> None:
    assert LOG_DELAY_S == 1.0
    clocked = Clocked()
    clocked.open()
    clocked.run(3)
    clocked.hear(step(0, "rest"))
    assert entries(clocked.run(5)) == []
    clocked.hear(step(1, "rest"))
    assert entries(clocked.run(5)) == []
    assert entries(clocked.run(2)) == [{"seat": 0, "move": "step"}, {"seat": 1, "move": "step"}]
    clocked.hear(step(0, "rest"))
    assert entries(clocked.run(9)) == [], "the next one waits anew"


def test_the_end_is_told_with_a_last_look_and_how_it_all_went() -> None:
    clocked = Clocked()
    clocked.open()
    said = clocked.run(50)
    assert looks(said) == list(range(2, 41, 2))
    *_, last = [each for each in said if isinstance(each, EntriesReported)]
    assert msgspec.json.decode(last.entries) == [{"fact": "run_ended", "run": 4}]
    assert last.motion == b"".join(b"tick %d|" % tick for tick in range(2, 41, 2))
    assert clocked.run(20) == []
    clocked.hear(step())
    assert clocked.run(5) == [], "it is gone"
    assert not clocked.worker._turns, "and takes up no room"


def test_bots_take_the_seats_they_are_given_and_leave_them() -> None:
    clocked = Clocked()
    clocked.open(setting=b'{"run":1,"levels":{"2":"adept"},"seed":1}')
    assert [entry["seat"] for entry in entries(clocked.run(7))] == [2, 2]
    clocked.hear(BotsSeated("t", {0: "adept", 1: "adept"}), BotsSeated("nowhere", {0: "adept"}))
    assert [entry["seat"] for entry in entries(clocked.run(7))] == [0, 0, 1, 1]
    clocked.hear(BotsSeated("t", {}))
    assert entries(clocked.run(7)) == []


def test_what_cannot_be_done_is_refused_with_its_clause() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.hear(
        step(2, "fly"),
        PlayerInput("t", 1, b"{"),
        PlayerInput("t", 1, b'"\xff"'),
        PlayerInput("t", 0, b"[" * 10_000),
    )
    fly, *rest = clocked.said()
    assert fly == InputRejected("t", 2, "SP-3", "Here one steps.")
    assert [(each.table, each.seat, each.clause) for each in rest] == [
        ("t", 1, "form"),
        ("t", 1, "form"),
        ("t", 0, "form"),
    ]
    assert all(each.message.startswith("That is nothing one can do: ") for each in rest)
    assert looks(clocked.run(4)) == [2, 4], "the world goes on"


def test_a_paused_world_does_not_age() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.run(4)
    clocked.hear(PauseTurn("t", True), PauseTurn("nowhere", True))
    assert clocked.worker.run() == pytest.approx(1.0)
    assert clocked.run(100) == []
    clocked.hear(PauseTurn("t", False))
    assert looks(clocked.run(4)) == [6, 8]


def test_a_late_world_does_not_rush() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.run(1)
    clocked.now += 2.0
    said = clocked.run(1)
    assert looks(said) == [2, 4, 6], (
        f"{CATCH_UP_TICKS} ticks are made up for, and the one that is due is done"
    )


def test_worlds_do_not_disturb_each_other(caplog: pytest.LogCaptureFixture) -> None:
    clocked = Clocked()
    clocked.open("one", "two", "three")
    clocked.hear(step(0, "fall", "one"), BotsSeated("two", {0: "clumsy"}))
    assert [each for each in clocked.said() if isinstance(each, TurnFailed)] == [
        TurnFailed("one", "ZeroDivisionError: the world has a bug"),
        TurnFailed("two", "ZeroDivisionError: the bot has a bug"),
    ]
    assert {each.table for each in clocked.run(4)} == {"three"}
    assert "table one" in caplog.text
    assert "the world has a bug" in caplog.text


def test_a_world_that_breaks_down_while_it_ticks_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    clocked = Clocked()
    clocked.open("wrong", "sound")
    monkeypatch.setattr(clocked.worker._turns["wrong"]._turn, "tick", lambda: 1 // 0)
    said = clocked.run(4)
    assert [each.table for each in said if isinstance(each, TurnFailed)] == ["wrong"]
    assert {each.table for each in said if not isinstance(each, TurnFailed)} == {"sound"}


def test_a_world_that_cannot_be_opened_fails_and_one_of_no_such_game() -> None:
    clocked = Clocked()
    clocked.open("bad", setting=b"nonsense")
    clocked.hear(OpenTurn("none", "kimono", SETTING))
    failed = clocked.said()
    assert [(type(each), each.table) for each in failed] == [(TurnFailed, "bad"), (TurnFailed, "none")]
    assert failed[1].reason == "LookupError: kimono has no world"
    assert clocked.run(5) == []


def test_opening_again_drops_what_was_under_way() -> None:
    clocked = Clocked()
    clocked.open()
    clocked.run(10)
    clocked.open()
    assert looks(clocked.run(2)) == [2]


def test_a_world_that_is_closed_says_nothing_more() -> None:
    clocked = Clocked()
    clocked.open("one", "two")
    clocked.hear(CloseTurn("one"), CloseTurn("nowhere"))
    assert {each.table for each in clocked.run(4)} == {"two"}


def test_what_is_said_is_read_to_the_end() -> None:
    said: list[AnyRequestToWorld] = [OpenTurn("t", "sprint", SETTING), step(), CloseTurn("t")]
    whole = b"".join(map(encode_message, said))
    for cut, read in ((len(whole), 3), (len(whole) - 1, 2), (len(encode_message(said[0])) + 2, 1), (0, 0)):
        queue: SimpleQueue[AnyRequestToWorld | None] = SimpleQueue()
        read_requests(io.BytesIO(whole[:cut]), queue)
        found = [queue.get_nowait() for _ in range(queue.qsize())]
        assert found == [*said[:read], None], "its server is gone, and it goes too"


def test_what_was_said_is_taken_all_at_once() -> None:
    queue: SimpleQueue[AnyRequestToWorld | None] = SimpleQueue()
    assert list(_requests_within(queue, 0.0)) == []
    assert list(_requests_within(queue, -1.0)) == []
    for message in (CloseTurn("a"), CloseTurn("b"), None):
        queue.put(message)
    assert list(_requests_within(queue, 60.0)) == [CloseTurn("a"), CloseTurn("b"), None]
    before = time.monotonic()
    assert list(_requests_within(queue, 0.01)) == []
    assert time.monotonic() >= before + 0.01
