"""A new version of the server in the middle of forty games: a pause, nothing lost, and every clock ran on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page as Screen
from playwright.async_api import async_playwright, expect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from kotatsu.protocol.messages import CommandAccepted, CommandRefused, PeopleChanged, Waiting, Welcome
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor, log_of
from tests.tools import browser as chromium

BUSY, CLOCKED = 28, 12
MOVES_BEFORE, MOVES_AFTER = 3, 3
TURNS = {"clock", "place"}
PATIENCE_MS = 30_000
ENOUGH = {"KOTATSU_TABLES_A_DAY": "50", "KOTATSU_CONNECTIONS_PER_VISITOR": "50"}
KAKUZU = "kakuzu", ("me", "random"), {"clock_s": 3600}
KABUKI = "kabuki", ("me", "me"), {"turn_s": 300}
KIMONO: tuple[str, tuple[str, ...], dict[str, Any]] = "kimono", ("me", "random"), {}


class Restart:
    """What the pages wait for: the house is about to close, and it may go on."""

    def __init__(self) -> None:
        self.begins = asyncio.Event()
        self.is_over = asyncio.Event()


class Page:
    """Plays its visitor's seats as a browser does: comes back by itself, and sends again what it had no answer to.

    It makes ``MOVES_BEFORE`` moves and waits for the restart with the next one in its hand. A busy page
    sends that one just as the house closes; one at a table with a clock is thinking about it meanwhile.
    """

    def __init__(self, visitor: Visitor, table: str, restart: Restart, *, thinks: bool) -> None:
        self.table = table
        self.acknowledged: dict[str, int] = {}
        self.lines: list[Line] = []
        self.ready = asyncio.Event()
        self.thinks = thinks
        self.over = False
        self.back_at = 0.0
        self.moved_at = 0.0
        self._visitor = visitor
        self._restart = restart
        self._rng = Random(table)
        self._moves = 0
        self._pending: dict[str, Any] | None = None

    @property
    def line(self) -> Line:
        return self.lines[-1]

    async def play(self) -> None:
        while not self.done:
            self.back_at = monotonic()
            try:
                line = await self._visitor.dial(self.table)
            except (OSError, InvalidHandshake):
                await asyncio.sleep(0.1)
                continue
            self.lines.append(line)
            with suppress(ConnectionClosed):
                await self._listen(line)

    @property
    def done(self) -> bool:
        enough = self._moves >= MOVES_BEFORE + MOVES_AFTER and self._pending is None
        return self.over or (self.thinks and enough)

    async def _listen(self, line: Line) -> None:
        while not self.done:
            event = await line.hear()
            match event:
                case Welcome() if self._pending is not None:
                    await line.send(self._pending)
                case CommandAccepted(command_id=command, seq=seq):
                    assert self._pending is not None
                    assert self._pending["command_id"] == command
                    self.acknowledged[command] = seq
                    self.moved_at = self.moved_at or (monotonic() if self._restart.is_over.is_set() else 0.0)
                    self._pending = None
                case CommandRefused() as refused:
                    pytest.fail(f"{refused}")
            if isinstance(event, Welcome | PeopleChanged) and event.table.status == "over":
                self.over = True
            await self._move(line)

    async def _move(self, line: Line) -> None:
        if self.done or self._pending is not None or not line.moves:
            return
        if self._moves == MOVES_BEFORE and not self._restart.is_over.is_set():
            if self.thinks and not is_for_a_turn(line.now.waiting):
                return
            self.ready.set()
            if self.thinks:
                return
            await self._restart.begins.wait()
        seat, moves = min(line.moves.items())
        moves = tuple(move for move in moves if move["move"] != "stop")
        self._moves += 1
        move = {"seat": seat, "seen": line.seq, "move": self._rng.choice(moves)}
        self._pending = {"type": "play", "command_id": f"m{self._moves}", **move}
        await line.send(self._pending)


def is_for_a_turn(waiting: Waiting | None) -> bool:
    """Whether the clock that runs is that of whoever is to move, not the moment left for a Stop!"""
    return waiting is not None and waiting.deadline is not None and waiting.deadline.waits_for in TURNS


async def time_left(page: Page) -> float:
    """As the house says now."""
    await page.line.send({"type": "catch_up", "have": 1_000_000})
    while True:
        await asyncio.sleep(0.01)
        if isinstance(page.line.heard[-1], Welcome):
            left = page.line.now.waiting.left  # type: ignore[union-attr]
            assert left is not None
            return left


@asynccontextmanager
async def watched(house: ServerProcess, visitor: Visitor, table: str) -> AsyncIterator[Screen | None]:
    """A real browser at one of the tables, where there is a Chromium."""
    path = chromium.find()
    if path is None:
        yield None
        return
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        context = await started.new_context(base_url=house.address)
        await context.add_cookies([{"name": "kotatsu", "value": visitor.cookie, "url": house.address}])
        screen = await context.new_page()
        await screen.goto(f"/t/{table}")
        await expect(screen.locator("[data-connection=open]")).to_be_attached()
        await screen.evaluate("window.neverReloaded = true")
        yield screen
        await started.close()


async def forty_tables(visitor: Visitor, restart: Restart) -> list[Page]:
    return [
        Page(visitor, await visitor.make(game, *seats, **options), restart, thinks=bool(options))
        for game, seats, options in (KIMONO,) * BUSY + (KAKUZU, KABUKI) * (CLOCKED // 2)
    ]


@pytest.mark.rule("KZ-22")
async def test_forty_games_through_a_new_version(tmp_path: Path) -> None:
    house = ServerProcess(tmp_path, ENOUGH)
    house.start()
    restart = Restart()
    try:
        async with Visitor(house.address) as ana, asyncio.TaskGroup() as playing:
            pages = await forty_tables(ana, restart)
            assert len(pages) == 40
            async with watched(house, ana, pages[0].table) as screen:
                for page in pages:
                    playing.create_task(page.play())
                await asyncio.gather(*(page.ready.wait() for page in pages))
                thinking = [page for page in pages if page.thinks]
                left = {page.table: await time_left(page) for page in thinking}
                told = {page.table: page.line.seq for page in pages}
                restart.begins.set()
                await asyncio.to_thread(house.stop)
                restart.is_over.set()
                await asyncio.to_thread(house.start)
                if screen is not None:
                    await expect(screen.locator("[data-connection=open]")).to_be_attached()
                    assert await screen.evaluate("window.neverReloaded")
    finally:
        house.close()
    assert "Traceback" not in house.complaints()
    for page in pages:
        check_nothing_is_lost(log_of(house.data, page.table), page, told[page.table])
    for page in thinking:
        check_its_clock_ran_on(log_of(house.data, page.table), page, left[page.table])


def check_nothing_is_lost(log: list[tuple[Any, ...]], page: Page, told: int) -> None:
    """Every answer holds, nothing is there twice, and the game went on from where it was."""
    assert [seq for seq, *_ in log] == list(range(1, len(log) + 1))
    assert len(log) > told
    commands = [command for _, _, seat, command, _ in log if command is not None]
    assert len(commands) == len(set(commands))
    assert len(page.acknowledged) >= MOVES_BEFORE
    for command, seq in page.acknowledged.items():
        assert log[seq - 1][3] == command
    assert len(page.lines) == 2
    assert page.lines[0].socket.close_code == 1012
    assert page.lines[1].all(Welcome)[0].seq >= page.lines[0].seq
    assert page.thinks or page.over


def check_its_clock_ran_on(log: list[tuple[Any, ...]], page: Page, left: float) -> None:
    """Less time than before; and the move costs what passed between the two steps, the restart included."""
    before, after = page.lines[0].now, page.lines[1].all(Welcome)[0]
    assert after.seq == before.seq
    assert after.waiting.deadline == before.waiting.deadline  # type: ignore[union-attr]
    assert after.waiting.left < left
    before_it, first = log[after.seq - 1], log[after.seq]
    spent = [fact["ms"] for fact in msgspec.json.decode(first[4]) if fact.get("fact") == "time_spent"]
    if spent:
        assert sum(spent) / 1000 == pytest.approx(first[1] - before_it[1], abs=0.2)
