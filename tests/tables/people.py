"""People, minds and stores for the tests of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.levels import bot
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import Move
from kotatsu.protocol.messages import Incoming, Outgoing, Play
from kotatsu.store.contract import LoggedStep, Persona, Store, StoreError, TableChange, WriteCallback
from kotatsu.store.memory import MemoryStore
from kotatsu.tables.live_table import LiveTable
from kotatsu.tables.manager import ManagerSettings, TableManager

read = msgspec.json.Decoder(Outgoing).decode
RULES = ManagerSettings(pace=0, linger=0)


class LocalThinker:
    """Bots think on the spot, or as a test tells them to."""

    def __init__(self, script: Callable[[Situation], Thought] | None = None) -> None:
        self.script = script
        self.asked: list[Situation] = []

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        self.asked.append(situation)
        await asyncio.sleep(0)
        return self.script(situation) if self.script else Thought(bot(game, level).think(situation).move)


class FailingStore(MemoryStore):
    """Fails when told to, before or after it has written."""

    def __init__(self) -> None:
        super().__init__()
        self.fail_before = False
        self.fail_after = False
        self.hold: asyncio.Event | None = None
        self._writing: set[asyncio.Task[None]] = set()

    def append_then(
        self, table: str, step: LoggedStep, change: TableChange | None, then: WriteCallback
    ) -> None:
        async def write() -> None:
            failure: Exception | None = None
            try:
                await self.append(table, step, change)
            except StoreError as error:
                failure = error
            then(failure)

        writing = asyncio.create_task(write())
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)

    async def append(self, table: str, step: LoggedStep, change: TableChange | None = None) -> None:
        if self.hold is not None:
            await self.hold.wait()
        if self.fail_before:
            self.fail_before = False
            raise StoreError("the disk is full")
        await super().append(table, step, change)
        if self.fail_after:
            self.fail_after = False
            raise StoreError("the disk went away after writing")


class Person:
    """A browser of one visitor: remembers all it is told."""

    def __init__(
        self, manager: TableManager, visitor: str, *, views: bool = False, viewpoint: int | None = None
    ) -> None:
        self.manager = manager
        self.visitor = visitor
        self.connection = TableConnection(visitor, Persona(visitor.title()), views=views, wanted=viewpoint)
        self.heard: list[Any] = []
        self.raw: list[bytes] = []
        self.table: LiveTable | None = None
        self._commands = 0

    async def enter(self, table: str) -> Person:
        self.table = await self.manager.enter(table, self.connection)
        await self.settle()
        return self

    async def ask(self, incoming: Incoming) -> Any:
        """Send something and give its answer, or the last thing that came back if it has none."""
        assert self.table is not None
        self.table.submit(self.connection, incoming)
        await self.settle()
        command = getattr(incoming, "command_id", None)
        return self.answer(command) or self.heard[-1]

    def answer(self, command: str | None) -> Any:
        """What a command was answered last; ``None`` if it was not."""
        answers = (event for event in reversed(self.heard) if hasattr(event, "command_id"))
        return next((event for event in answers if event.command_id == command is not None), None)

    async def play(
        self, seat: int, move: Move | dict[str, Any], *, seen: int | None = None, command: str = ""
    ) -> Any:
        self._commands += 1
        name = command or f"{self.visitor}-{self._commands}"
        last = self.seq if seen is None else seen
        return await self.ask(Play(name, seat, last, msgspec.Raw(msgspec.json.encode(move))))

    async def settle(self) -> None:
        assert self.table is not None
        await settle(self.table)
        self.collect()

    def collect(self) -> None:
        taken, self.connection._outbox = self.connection._outbox, []
        self.raw += taken
        self.heard += map(read, taken)

    def all(self, kind: type) -> list[Any]:
        self.collect()
        return [event for event in self.heard if isinstance(event, kind)]

    @property
    def seq(self) -> int:
        return max((event.seq for event in self.heard if hasattr(event, "seq")), default=0)

    def leave(self) -> None:
        assert self.table is not None
        self.table.leave(self.connection)


async def settle(table: LiveTable) -> None:
    """Wait until the table has nothing more to do by itself."""
    while table.pending:
        await asyncio.sleep(0)


def a_manager(
    store: Store | None = None, thinker: LocalThinker | None = None, rules: ManagerSettings = RULES
) -> TableManager:
    return TableManager(store or MemoryStore(), thinker or LocalThinker(), rules)
