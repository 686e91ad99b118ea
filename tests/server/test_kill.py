"""``kill -9`` in the middle of a game, again and again: nothing acknowledged is lost and everybody carries on."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import kotatsu
from kotatsu.protocol.messages import CommandAccepted, CommandRefused, PeopleChanged, StepMessage, Welcome
from kotatsu.server.wire import Wire
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor, log_of

KILLS = 5
MOVES_BETWEEN_KILLS = 5
SEATS = ("me", "open", "open", "random")


class PowerCuts:
    """Kills the server while a move is on its way, and starts it again."""

    def __init__(self, house: ServerProcess) -> None:
        self.kills = 0
        self._house = house
        self._moves = 0
        self._cutting: asyncio.Task[None] | None = None

    def a_move_was_sent(self) -> None:
        self._moves += 1
        due = self._moves >= MOVES_BETWEEN_KILLS * (self.kills + 1)
        if due and self.kills < KILLS and (self._cutting is None or self._cutting.done()):
            self.kills += 1
            self._cutting = asyncio.create_task(self._cut(after=0.001 * (self.kills - 1)))

    async def _cut(self, after: float) -> None:
        """Each time a little later: before the move is read, while it is written, after it was told."""
        await asyncio.sleep(after)
        await asyncio.to_thread(self._house.kill)
        await asyncio.to_thread(self._house.start)

    async def over(self) -> None:
        if self._cutting is not None:
            await self._cutting


class Stubborn:
    """Plays one seat to the end of the game over as many connections as it takes."""

    def __init__(self, visitor: Visitor, table: str, seat: int, cuts: PowerCuts) -> None:
        self.acknowledged: dict[str, int] = {}
        self.lines: list[Line] = []
        self.seat = seat
        self._visitor = visitor
        self._table = table
        self._cuts = cuts
        self._rng = Random(seat)
        self._pending: dict[str, Any] | None = None
        self._commands = 0

    async def play(self) -> None:
        while True:
            try:
                line = await self._visitor.dial(self._table)
            except (OSError, InvalidHandshake):
                await asyncio.sleep(0.05)
                continue
            self.lines.append(line)
            with suppress(ConnectionClosed):
                await self._until_the_end(line)
                return

    async def _until_the_end(self, line: Line) -> None:
        while True:
            match await line.hear():
                case Welcome(table=table, seq=seq):
                    if table.status == "over":
                        return
                    if self._pending is not None:
                        await line.send(self._pending)
                    elif seq:
                        await self._move(line)
                case PeopleChanged(table=table):
                    if table.status == "over":
                        return
                case StepMessage():
                    await self._move(line)
                case CommandAccepted(command_id=command, seq=seq):
                    assert self._pending is not None
                    assert self._pending["command_id"] == command
                    self.acknowledged[command] = seq
                    self._pending = None
                    await self._move(line)
                case CommandRefused() as refused:
                    pytest.fail(f"{refused}")

    async def _move(self, line: Line) -> None:
        if self._pending is None and self.seat in line.moves:
            self._commands += 1
            move = self._rng.choice(line.moves[self.seat])
            command = f"{self.seat}-{self._commands}"
            self._pending = {
                "type": "play",
                "command_id": command,
                "seat": self.seat,
                "seen": line.seq,
                "move": move,
            }
            self._cuts.a_move_was_sent()
            await line.send(self._pending)


ORPHANED_WORKER = re.compile(
    r'Traceback \(most recent call last\):\n  File "<string>", line 1, in <module>\n.*spawn_main'
)
"""A worker that was just being started when its server was killed: nobody tells it any more what to do."""


def own_tracebacks(complaints: str) -> int:
    """How many tracebacks are the server's own, not those of workers whose start a kill cut short."""
    return complaints.count("Traceback") - len(ORPHANED_WORKER.findall(complaints))


async def test_no_acknowledged_move_is_lost_and_the_game_is_finished(tmp_path: Path, wire: Wire) -> None:
    house = ServerProcess(tmp_path, {"KOTATSU_WIRE": wire})
    house.start()
    cuts = PowerCuts(house)
    try:
        async with (
            Visitor(house.address) as ana,
            Visitor(house.address) as ben,
            Visitor(house.address) as cleo,
        ):
            table = await ana.make("kimono", *SEATS, start=False)
            for seat, visitor in ((1, ben), (2, cleo)):
                assert isinstance(await (await visitor.join(table)).ask("sit", seat=seat), CommandAccepted)
            assert isinstance(await (await ana.join(table)).ask("start", level="random"), CommandAccepted)
            players = [Stubborn(who, table, seat, cuts) for seat, who in enumerate((ana, ben, cleo))]
            await asyncio.gather(*(player.play() for player in players))
            await cuts.over()
            record = (await ana.http.get(f"/api/tables/{table}/record")).json()
    finally:
        house.close()
    assert cuts.kills == KILLS
    log = log_of(house.data, table)
    check_log(log, players)
    check_what_was_told(log, players)
    assert kotatsu.replay(record).outcome is not None
    assert not own_tracebacks(house.complaints())


def check_log(log: list[tuple[Any, ...]], players: list[Stubborn]) -> None:
    """Every acknowledged move is there, where it was said to be, and none is there twice."""
    assert [seq for seq, *_ in log] == list(range(1, len(log) + 1))
    commands = [(seat, command) for _, _, seat, command, _ in log if command is not None and seat is not None]
    assert len(commands) == len(set(commands))
    for player in players:
        assert player.acknowledged
        for command, seq in player.acknowledged.items():
            assert log[seq - 1][2:4] == (player.seat, command)


def check_what_was_told(log: list[tuple[Any, ...]], players: list[Stubborn]) -> None:
    """No kill unmade anything a player had been told."""
    facts = {
        seq: [entry for entry in msgspec.json.decode(entries) if "fact" in entry]
        for seq, _, _, _, entries in log
    }
    for player in players:
        steps = [step for line in player.lines for step in line.all(StepMessage)]
        assert steps
        for step in steps:
            assert list(step.facts) == facts[step.seq]
