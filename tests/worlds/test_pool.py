"""The processes worlds run in: started when needed, spread over tables, and gone without taking a table along."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import pytest

from kotatsu.engine.realtime import WorldFrame
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
    WorldReply,
    encode_message,
    request_decoder,
)
from kotatsu.worlds.pool import MAX_UNREAD_BYTES, WorldPool

LOOK = FrameReported("t", WorldFrame(3, b"head", {1: b"part"}))


class Pipe:
    """The standard input of a process that does not exist."""

    def __init__(self) -> None:
        self.written = b""
        self.closing = False
        self.waiting = 0

    @property
    def transport(self) -> Pipe:
        return self

    def is_closing(self) -> bool:
        return self.closing

    def write(self, data: bytes) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return self.waiting


class FakeProcess:
    """What it is told is in ``heard``; what it ``says`` is read by the pool."""

    def __init__(self) -> None:
        self.stdin = Pipe()
        self.stdout = asyncio.StreamReader()
        self.returncode: int | None = None
        self.killed = 0

    @property
    def heard(self) -> list[Any]:
        data, at, found = self.stdin.written, 0, []
        while at < len(data):
            (length,) = LENGTH.unpack_from(data, at)
            at += LENGTH.size + length
            found.append(request_decoder.decode(data[at - length : at]))
        return found

    def says(self, *messages: WorldReply) -> None:
        self.stdout.feed_data(b"".join(map(encode_message, messages)))

    def dies(self, code: int = -9) -> None:
        self.returncode = code
        self.stdout.feed_eof()

    def kill(self) -> None:
        self.killed += 1
        self.dies()

    async def wait(self) -> int | None:
        return self.returncode


class Ear:
    """Remembers what a world said."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def on_frame(self, message: FrameReported) -> None:
        self.heard.append(message)

    def on_entries(self, message: EntriesReported) -> None:
        self.heard.append(message)

    def on_rejected(self, message: InputRejected) -> None:
        self.heard.append(message)

    def on_failed(self) -> None:
        self.heard.append("failed")


class Yard:
    """Where processes are started; ``broken`` while none can be."""

    def __init__(self) -> None:
        self.started: list[FakeProcess] = []
        self.broken = False

    async def start(self, *command: str, **pipes: Any) -> FakeProcess:
        assert command == (sys.executable, "-m", "kotatsu.worlds.worker")
        assert pipes == {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        await asyncio.sleep(0)
        if self.broken:
            raise OSError("no more processes")
        self.started.append(FakeProcess())
        return self.started[-1]


@pytest.fixture
def yard(monkeypatch: pytest.MonkeyPatch) -> Yard:
    found = Yard()
    monkeypatch.setattr(asyncio, "create_subprocess_exec", found.start)
    return found


async def turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_process_is_started_when_it_is_first_needed_and_once(yard: Yard) -> None:
    pool = WorldPool(1)
    assert yard.started == []
    await asyncio.gather(pool.prepare("t"), pool.prepare("u"), pool.open("t", "sprint", b"set", Ear()))
    (process,) = yard.started
    assert process.heard == [OpenTurn("t", "sprint", b"set")]
    await pool.stop()


async def test_there_are_as_many_processes_as_were_asked_for_or_as_the_machine_bears(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for asked, cores, processes in ((3, 8, 3), (None, 8, 7), (0, 8, 7), (None, 1, 1), (None, None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert len(WorldPool(asked)._workers) == processes


async def test_everything_said_to_a_world_goes_to_the_process_it_runs_in(yard: Yard) -> None:
    pool = WorldPool(1)
    await pool.open("t", "sprint", b"set", Ear())
    pool.act("t", 2, b"step")
    pool.set_bots("t", {1: "adept"})
    pool.pause("t", paused=True)
    pool.pause("t", paused=False)
    pool.act("elsewhere", 2, b"step")
    pool.close("elsewhere")
    pool.close("t")
    pool.act("t", 2, b"too late")
    assert yard.started[0].heard == [
        OpenTurn("t", "sprint", b"set"),
        PlayerInput("t", 2, b"step"),
        BotsSeated("t", {1: "adept"}),
        PauseTurn("t", True),
        PauseTurn("t", False),
        CloseTurn("t"),
    ]
    await pool.stop()


async def test_tables_are_spread_over_processes_and_stay_where_they_are(yard: Yard) -> None:
    pool = WorldPool(2)
    for table in ("a", "b", "c", "a"):
        await pool.open(table, "sprint", b"", Ear())
    first, second = yard.started
    assert [message.table for message in first.heard] == ["a", "c", "a"]
    assert [message.table for message in second.heard] == ["b"]
    pool.close("a")
    pool.close("c")
    await pool.open("d", "sprint", b"", Ear())
    assert first.heard[-1] == OpenTurn("d", "sprint", b""), "it has fewer tables now"
    await pool.stop()


async def test_a_table_that_was_prepared_for_is_opened_in_that_process(yard: Yard) -> None:
    pool = WorldPool(2)
    await pool.prepare("t")
    await pool.open("other", "sprint", b"", Ear())
    await pool.open("t", "sprint", b"", Ear())
    (process,) = yard.started
    assert [message.table for message in process.heard] == ["other", "t"]
    await pool.stop()


async def test_a_table_that_was_only_prepared_for_may_close(yard: Yard) -> None:
    pool = WorldPool(1)
    await pool.prepare("t")
    pool.close("t")
    pool.close("t")
    assert yard.started[0].heard == [CloseTurn("t")]
    await pool.stop()


async def test_what_a_world_says_is_heard_at_its_table_and_at_no_other(yard: Yard) -> None:
    pool, ear, other = WorldPool(1), Ear(), Ear()
    await pool.open("t", "sprint", b"", ear)
    await pool.open("u", "sprint", b"", other)
    said = [LOOK, EntriesReported("t", b"[]", b"motion"), InputRejected("t", 1, "SP-3", "Here one steps.")]
    yard.started[0].says(*said, TurnFailed("t", "broke"), TurnFailed("nowhere", "broke"))
    await turns()
    assert ear.heard == [*said, "failed"]
    assert other.heard == []
    await pool.stop()


async def test_what_comes_in_pieces_is_heard_whole(yard: Yard) -> None:
    pool, ear = WorldPool(1), Ear()
    await pool.open("t", "sprint", b"", ear)
    data = encode_message(LOOK) * 2
    for byte in data[:-1]:
        yard.started[0].stdout.feed_data(bytes([byte]))
        await asyncio.sleep(0)
    await turns()
    assert ear.heard == [LOOK]
    yard.started[0].stdout.feed_data(data[-1:])
    await turns()
    assert ear.heard == [LOOK, LOOK]
    await pool.stop()


async def test_a_table_that_was_closed_hears_nothing_more(yard: Yard) -> None:
    pool, ear = WorldPool(1), Ear()
    await pool.open("t", "sprint", b"", ear)
    pool.close("t")
    yard.started[0].says(LOOK)
    await turns()
    yard.started[0].dies()
    await turns()
    assert ear.heard == []
    await pool.stop()


async def test_a_process_that_dies_fails_its_tables_and_another_is_started(
    yard: Yard, caplog: pytest.LogCaptureFixture
) -> None:
    pool, ears = WorldPool(2), [Ear() for _ in range(3)]
    for table, ear in zip("abc", ears, strict=True):
        await pool.open(table, "sprint", b"", ear)
    first, second = yard.started
    first.says(FrameReported("a", LOOK.look))
    first.dies(-11)
    await turns()
    assert [ear.heard[-1:] for ear in ears] == [["failed"], [], ["failed"]]
    assert isinstance(ears[0].heard[0], FrameReported), "what it said before it died was heard"
    assert "-11" in caplog.text
    pool.act("a", 0, b"step")
    await pool.open("a", "sprint", b"again", ears[0])
    assert len(yard.started) == 3
    assert yard.started[2].heard == [OpenTurn("a", "sprint", b"again")]
    assert second.heard == [OpenTurn("b", "sprint", b"")]
    await pool.stop()


async def test_a_process_whose_pipe_breaks_fails_its_tables(yard: Yard) -> None:
    pool, ear = WorldPool(1), Ear()
    await pool.open("t", "sprint", b"", ear)
    yard.started[0].returncode = 1
    yard.started[0].stdout.set_exception(ConnectionResetError())
    await turns()
    assert ear.heard == ["failed"]
    await pool.stop()


async def test_a_process_that_was_gone_before_it_was_ended_is_no_trouble(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = WorldPool(1)
    await pool.open("t", "sprint", b"", Ear())
    (process,) = yard.started

    def gone() -> None:
        process.dies()
        raise ProcessLookupError

    monkeypatch.setattr(process, "kill", gone)
    await pool.stop()


async def test_a_process_that_hangs_is_ended(yard: Yard, caplog: pytest.LogCaptureFixture) -> None:
    pool, ear = WorldPool(1), Ear()
    await pool.open("t", "sprint", b"", ear)
    (process,) = yard.started
    process.stdin.waiting = MAX_UNREAD_BYTES
    pool.act("t", 0, b"step")
    killed = [process.killed]
    process.stdin.waiting = MAX_UNREAD_BYTES + 1
    pool.act("t", 0, b"step")
    assert [*killed, process.killed] == [0, 1]
    assert "ERROR" in caplog.text
    await turns()
    assert ear.heard == ["failed"]
    await pool.stop()


async def test_nothing_is_said_to_a_process_that_listens_no_more(yard: Yard) -> None:
    pool = WorldPool(1)
    await pool.open("t", "sprint", b"", Ear())
    (process,) = yard.started
    process.stdin.closing = True
    pool.act("t", 0, b"step")
    assert process.heard == [OpenTurn("t", "sprint", b"")]
    await pool.stop()


async def test_where_no_process_can_be_started_a_turn_fails_and_preparing_is_no_trouble(
    yard: Yard, caplog: pytest.LogCaptureFixture
) -> None:
    pool, ear = WorldPool(1), Ear()
    yard.broken = True
    await pool.prepare("t")
    await pool.open("t", "sprint", b"", ear)
    assert ear.heard == ["failed"]
    assert "no more processes" in caplog.text
    yard.broken = False
    await pool.open("t", "sprint", b"", ear)
    assert yard.started[0].heard == [OpenTurn("t", "sprint", b"")]
    await pool.stop()


async def test_stopping_ends_every_process_and_fails_nobody(
    yard: Yard, caplog: pytest.LogCaptureFixture
) -> None:
    pool, ears = WorldPool(3), [Ear(), Ear()]
    for table, ear in zip("ab", ears, strict=True):
        await pool.open(table, "sprint", b"", ear)
    await pool.stop()
    assert [process.killed for process in yard.started] == [1, 1]
    assert [ear.heard for ear in ears] == [[], []]
    assert caplog.text == "", "they were asked to"
    await pool.stop()


async def test_stopping_leaves_a_dead_process_alone(yard: Yard) -> None:
    pool = WorldPool(1)
    await pool.open("t", "sprint", b"", Ear())
    (process,) = yard.started
    process.returncode = 1
    process.stdout.feed_eof()
    await pool.stop()
    assert not process.killed
