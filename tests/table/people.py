"""People, minds and stores for the tests of a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.levels import bot
from kotatsu.engine.contract import Move
from kotatsu.store.contract import Change, LoggedStep, Persona, Store, StoreError, Written
from kotatsu.store.memory import MemoryStore
from kotatsu.table.connection import Connection
from kotatsu.table.house import House, HouseRules
from kotatsu.table.table import Table
from kotatsu.table.wire import Incoming, Outgoing, Play

read = msgspec.json.Decoder(Outgoing).decode
RULES = HouseRules(pace=0, linger=0)


class LocalMinds:
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

    def append_then(self, table: str, step: LoggedStep, change: Change | None, then: Written) -> None:
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

    async def append(self, table: str, step: LoggedStep, change: Change | None = None) -> None:
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

    def __init__(self, house: House, visitor: str, *, views: bool = False, eyes: int | None = None) -> None:
        self.house = house
        self.visitor = visitor
        self.connection = Connection(visitor, Persona(visitor.title()), views=views, wanted=eyes)
        self.heard: list[Any] = []
        self.raw: list[bytes] = []
        self.table: Table | None = None
        self._commands = 0

    async def enter(self, table: str) -> Person:
        self.table = await self.house.enter(table, self.connection)
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


async def settle(table: Table) -> None:
    """Wait until the table has nothing more to do by itself."""
    while table.pending:
        await asyncio.sleep(0)


def a_house(store: Store | None = None, minds: LocalMinds | None = None, rules: HouseRules = RULES) -> House:
    return House(store or MemoryStore(), minds or LocalMinds(), rules)
