"""All tables of one server: made, found again in the log when somebody comes, let go when nobody is left."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from kotatsu.bots.levels import bot
from kotatsu.connections.connection import TableConnection
from kotatsu.engine.contract import AnyGame, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import BadTable, check_players, read_options
from kotatsu.engine.record import FORMAT, GameRecord
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import TableInfo
from kotatsu.seats import assignment
from kotatsu.seats.permissions import STAND_IN
from kotatsu.seats.presence import may_watch, table_info
from kotatsu.store.contract import Persona, Store, StoredSeat, StoredTable, TableChange, TableSettings
from kotatsu.tables.bot_runner import BotThinker
from kotatsu.tables.change_signal import ChangeSignal
from kotatsu.tables.live_table import LiveTable
from kotatsu.tables.metrics_sink import MetricsSink, NoMetrics
from kotatsu.tables.replay import ReplayStep, replay_steps
from kotatsu.tables.system_random import BufferedSystemRandom
from kotatsu.tables.table_game import TableGame, record_entries
from kotatsu.worlds.table_world import TableWorld, TableWorlds

logger = logging.getLogger(__name__)
DAY = 86_400.0


class NoSuchTable(LookupError):
    """No table has that id."""


class NotOver(Exception):
    """The record of a table is open to all only when nothing is hidden any more."""


class NotAdmitted(Exception):
    """A table one may not look on at."""


class NotSeated(Exception):
    """Only those who play at a table may ask that of it."""


class ManagerSettings(msgspec.Struct, frozen=True):
    """``pace``: seconds between two moves of bots. ``linger``: seconds an empty table stays in memory."""

    pace: float = 0.7
    linger: float = 60.0
    tables_a_day: int = 50


class TableManager:
    """Finds the one live table of an id, or brings it to life."""

    def __init__(
        self,
        store: Store,
        thinker: BotThinker,
        rules: ManagerSettings | None = None,
        rng: Random | None = None,
        metrics: MetricsSink | None = None,
        worlds: TableWorlds | None = None,
    ) -> None:
        self.rules = rules or ManagerSettings()
        self.changes = ChangeSignal()
        self._store = store
        self._thinker = thinker
        self._rng = rng or BufferedSystemRandom()
        self._metrics = metrics or NoMetrics()
        self._worlds = worlds
        self._tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def tables(self) -> int:
        """How many are in memory."""
        return len(self._tables)

    @property
    def connections(self) -> int:
        """How many browsers are at them."""
        return sum(table.connections for table in self._tables.values())

    async def create(
        self,
        host: str,
        name: str,
        options: Mapping[str, Any],
        seats: Sequence[str],
        *,
        start: bool = False,
        settings: TableSettings | None = None,
    ) -> StoredTable:
        """A new table; ``seats`` says for each ``me``, ``open`` or the level of a bot.

        Raises:
            UnknownGame, BadTable, UnknownLevel: with one sentence that says what is wrong.
            TooManyTables: finish one first.
        """
        kind = game(name)
        check_players(kind, len(seats))
        chosen = read_options(kind, options)
        if start and "open" in seats:
            raise BadTable("a game cannot begin while a seat is open; choose a bot for it")
        persona = await self._store.persona(host)
        now = time.time()
        table = StoredTable(
            id=secrets.token_urlsafe(12),
            game=name,
            host=host,
            created=now,
            updated=now,
            seats=tuple(_seat(kind, choice, host, persona) for choice in seats),
            options=msgspec.to_builtins(chosen),
            settings=settings or TableSettings(),
        )
        await self._store.create(table, limit=self.rules.tables_a_day, since=now - DAY)
        if start:
            opening = TableGame(Driver(kind, table.players, chosen)).opening(self._rng)
            await self._store.append(table.id, opening.at(now), TableChange(status="playing"))
        logger.info("a table is made", extra={"table": table.id, "game": name, "players": table.players})
        self.changes.notify()
        return table

    async def enter(self, table: str, connection: TableConnection) -> LiveTable:
        """Bring a browser to a table, which comes to life if it was not.

        Raises:
            NoSuchTable: there is none of that id.
            NotAdmitted: not everyone may look on.
        """
        while (found := self._tables.get(table)) is None:
            await self._open(table)  # and let go again, perhaps, before this visitor's turn
        if not found.admits(connection.visitor):
            raise NotAdmitted("this table is not open to spectators")
        found.join(connection)
        return found

    def world(self, table: str, visitor: str) -> TableWorld | None:
        """The world of a table somebody is at, if it has one and is open to them."""
        live = self._tables.get(table)
        return live.world if live is not None and live.admits(visitor) else None

    async def motion(self, table: str, visitor: str, turn: int) -> bytes | None:
        """How a turn of a table went that is played in a world of its own, if it was kept.

        Raises:
            NoSuchTable: there is none of that id, or not for this visitor.
        """
        stored, _ = await self.find(table)
        live = self._tables.get(table)
        if not (may_watch(stored, visitor) if live is None else live.admits(visitor)):
            raise NoSuchTable(table)
        if self._worlds is None:
            return None
        return await asyncio.to_thread(self._worlds.motions.read, table, turn)

    async def find(self, table: str) -> tuple[StoredTable, TableInfo]:
        """A table, as it is stored and as everyone may know it.

        Raises:
            NoSuchTable: there is none of that id.
        """
        stored = await self._store.table(table)
        if stored is None:
            raise NoSuchTable(table)
        return stored, self._info(stored)

    async def tables_of(self, visitor: str) -> list[tuple[StoredTable, TableInfo]]:
        """The tables a visitor made or sits at."""
        return [(stored, self._info(stored)) for stored in await self._store.tables_of(visitor)]

    async def lobby(self) -> list[tuple[StoredTable, TableInfo]]:
        """The tables anybody may join, the newest first."""
        return [(stored, self._info(stored)) for stored in await self._store.listed()]

    async def rematch(self, table: str, visitor: str) -> StoredTable:
        """The same people, options and manners at a new table, everyone one seat further; it begins at once.

        Whoever asks second comes to the table the first one made.

        Raises:
            NoSuchTable: there is none of that id.
            NotOver: the game is still going on.
            NotSeated: only those who played may ask.
        """
        stored, _ = await self.find(table)
        if stored.status != "over":
            raise NotOver("the game is not over; finish it first")
        if not assignment.held_by(stored.seats, visitor):
            raise NotSeated("only those who played can ask for a rematch")
        kind, now = game(stored.game), time.time()
        opening = TableGame(Driver(kind, stored.players, read_options(kind, stored.options))).opening(
            self._rng
        )
        again = StoredTable(
            id=secrets.token_urlsafe(12),
            game=stored.game,
            host=visitor,
            created=now,
            updated=now,
            seats=(*stored.seats[-1:], *stored.seats[:-1]),
            options=stored.options,
            settings=stored.settings,
        )
        found = await self._store.succeed(table, again)
        if found.id == again.id:
            await self._store.append(again.id, opening.at(now), TableChange(status="playing"))
            self._refresh(table)
        return found

    async def replay(self, table: str, viewpoint: Seat | None) -> tuple[TableInfo, list[ReplayStep]]:
        """A finished game step by step, through the eyes of a seat or of a spectator.

        Raises:
            NoSuchTable: there is none of that id.
            NotOver: the game is still going on.
            BadTable: it has no such seat.
        """
        stored, info = await self.find(table)
        if stored.status != "over":
            raise NotOver("the game is not over; it can be seen again afterwards")
        if viewpoint is not None and not 0 <= viewpoint < stored.players:
            raise BadTable(f"this table has {stored.players} seats, the first is 0")
        kind = game(stored.game)
        log = await self._store.steps(table)
        options = read_options(kind, stored.options)
        return info, await asyncio.to_thread(replay_steps, kind, stored.players, options, log, viewpoint)

    async def forget(self, visitor: str) -> None:
        """Delete everything about a visitor; where they were playing, bots go on for them."""
        tables = await self._store.tables_of(visitor, limit=100_000)
        await self._store.forget(visitor, STAND_IN)
        for table in tables:
            self._refresh(table.id)

    async def record(self, table: str) -> GameRecord:
        """The record of a table.

        Raises:
            NoSuchTable: there is none of that id.
            NotOver: the game is still going on.
        """
        stored, _ = await self.find(table)
        if stored.status != "over":
            raise NotOver("the game is not over; its record is still closed")
        kind = game(stored.game)
        driver = Driver(kind, stored.players, read_options(kind, stored.options))
        log = await asyncio.to_thread(record_entries, driver, await self._store.steps(table))
        names = list(assignment.names(stored.seats))
        return GameRecord(FORMAT, stored.game, stored.players, log, stored.options, names)

    async def blocked(self, visitor: str) -> frozenset[str]:
        """Whom a visitor wants to hear no more of."""
        return await self._store.blocked(visitor)

    async def persona(self, visitor: str) -> Persona:
        """What a visitor chose to be called; nothing if they never did."""
        return await self._store.persona(visitor)

    async def introduce(self, visitor: str, persona: Persona) -> None:
        """A visitor goes by another name or picture now, also where they sit."""
        await self._store.introduce(visitor, persona, time.time())
        for table in self._tables.values():
            table.introduce(visitor, persona)

    def sweep(self) -> None:
        """Let go of the tables nobody has been at for a while."""
        for table in list(self._tables.values()):
            self._let_go_if_forgotten(table)

    async def close(self) -> None:
        """Close every table; they come back from the log."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for opening in self._opening.values():
            opening.cancel()
        for table in list(self._tables.values()):
            self._let_go(table)
        if self._closing:
            await asyncio.wait(self._closing)

    async def _open(self, table: str) -> None:
        """Two who come at once find the same table."""
        opening = self._opening.get(table)
        if opening is None:
            opening = self._opening[table] = asyncio.create_task(self._bring_to_life(table))
            opening.add_done_callback(lambda _: self._opening.pop(table, None))
        await asyncio.shield(opening)

    async def _bring_to_life(self, table: str) -> None:
        stored = await self._store.table(table)
        if stored is None:
            raise NoSuchTable(table)
        alive = LiveTable(
            stored,
            self._store,
            self._thinker,
            rng=self._rng,
            pace=self.rules.pace,
            on_broken=self._let_go,
            changes=self.changes,
            metrics=self._metrics,
            worlds=self._worlds,
        )
        await alive.open()
        self._tables[table] = alive
        if self._sweeper is None:
            self._sweeper = asyncio.create_task(self._sweep_for_ever())

    def _refresh(self, table: str) -> None:
        if (live := self._tables.get(table)) is not None:
            live.refresh()

    def _let_go_if_forgotten(self, table: LiveTable) -> bool:
        long_ago = asyncio.get_running_loop().time() - self.rules.linger
        forgotten = table.idle and table.idle_since <= long_ago
        if forgotten:
            self._let_go(table)
        return forgotten

    def _let_go(self, table: LiveTable) -> None:
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
            closing = asyncio.create_task(table.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(max(0.05, self.rules.linger / 4))
            for table in list(self._tables.values()):
                if self._let_go_if_forgotten(table):
                    await asyncio.sleep(0)  # games go on meanwhile, however many tables are empty

    def _info(self, stored: StoredTable) -> TableInfo:
        live = self._tables.get(stored.id)
        return table_info(stored) if live is None else live.info()


def held(stored: StoredTable, visitor: str) -> tuple[Seat, ...]:
    """The seats of a table a visitor holds."""
    return assignment.held_by(stored.seats, visitor)


def _seat(kind: AnyGame, choice: str, host: str, persona: Persona) -> StoredSeat:
    if choice == "open":
        return StoredSeat()
    if choice == "me":
        return assignment.seat_of(host, persona)
    bot(kind.name, choice)
    return StoredSeat("bot", level=choice)
