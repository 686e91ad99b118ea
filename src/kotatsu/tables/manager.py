"""All tables of one server: created, loaded from the log when needed, closed when nobody is left."""

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
from kotatsu.tables.table_clock import WallClock
from kotatsu.tables.table_game import TableGame, record_entries
from kotatsu.worlds.table_world import TableWorld, TableWorlds

logger = logging.getLogger(__name__)
DAY_S = 86_400.0  # seconds in a day

_ALL_TABLES = 100_000  # a limit no visitor reaches: 50 unfinished tables a day for five years

SHORTEST_IDLE_CHECK_S = 0.05
"""Least seconds between two searches for idle tables. Chosen by hand: tests set ``linger`` near 0."""


class NoSuchTable(LookupError):
    """No table has that id."""


class NotOver(Exception):
    """The game is not over, and only then may its record, replay or rematch be asked for."""


class NotAdmitted(Exception):
    """The visitor may not watch this table."""


class NotSeated(Exception):
    """The visitor does not play at this table, and only players may ask for that."""


class ManagerSettings(msgspec.Struct, frozen=True):
    """Settings of an operator that concern all tables; ``docs/hosting.md`` explains them.

    ``pace``: least seconds between a step and the next move of a bot. ``linger``: seconds an empty table
    stays in memory. ``tables_a_day``: unfinished tables one visitor may create in a day. The defaults are
    chosen by hand: a pace people can follow, and a minute for a page to reload before its table is loaded
    from disk again.
    """

    pace: float = 0.7
    linger: float = 60.0
    tables_a_day: int = 50


class TableManager:
    """Creates and finds tables, and keeps those in memory at which somebody is connected.

    ``changes`` is notified when the lobby may have changed. All methods belong to the event loop's thread.

    Args:
        store: where tables are kept.
        thinker: where bots think.
        settings: the operator's settings.
        rng: the source of randomness; the operating system's by default.
        metrics: counts moves and refusals; nowhere by default.
        worlds: where real-time games run; without it there are none.
        wall: the clock for the moments that are written in logs.
    """

    def __init__(
        self,
        store: Store,
        thinker: BotThinker,
        settings: ManagerSettings | None = None,
        rng: Random | None = None,
        metrics: MetricsSink | None = None,
        worlds: TableWorlds | None = None,
        wall: WallClock = time.time,
    ) -> None:
        self.settings = settings or ManagerSettings()
        self.changes = ChangeSignal()
        self._store = store
        self._thinker = thinker
        self._rng = rng or BufferedSystemRandom()
        self._metrics = metrics or NoMetrics()
        self._worlds = worlds
        self._wall = wall
        self._tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._idle_checker: asyncio.Task[None] | None = None

    @property
    def tables(self) -> int:
        """The number of tables in memory."""
        return len(self._tables)

    @property
    def connections(self) -> int:
        """The number of browsers connected to all tables."""
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
        """Create and store a table.

        Args:
            host: the visitor who makes it.
            name: the game's name.
            options: the game's options; those left out have their defaults, at a listed table its own.
            seats: for each seat ``me``, ``open`` or the level of a bot.
            start: begin the game at once; no seat may be open.
            settings: the host's settings; the defaults if ``None``.

        Raises:
            UnknownGame, BadTable, UnknownLevel: with one sentence that says what is wrong.
            TooManyTables: the host has too many unfinished tables.
        """
        kind = game(name)
        check_players(kind, len(seats))
        settings = settings or TableSettings()
        chosen = read_options(kind, options, listed=settings.listed)
        if start and "open" in seats:
            raise BadTable("a game cannot begin while a seat is open; choose a bot for it")
        persona = await self._store.persona(host)
        now = self._wall()
        table = StoredTable(
            id=secrets.token_urlsafe(12),
            game=name,
            host=host,
            created=now,
            updated=now,
            seats=tuple(_seat(kind, choice, host, persona) for choice in seats),
            options=msgspec.to_builtins(chosen),
            settings=settings,
        )
        await self._store.create(table, limit=self.settings.tables_a_day, since=now - DAY_S)
        if start:
            opening = TableGame(Driver(kind, table.players, chosen)).opening(self._rng)
            await self._store.append(table.id, opening.at(now), TableChange(status="playing"))
        logger.info("table created", extra={"table": table.id, "game": name, "players": table.players})
        self.changes.notify()
        return table

    async def enter(self, table: str, connection: TableConnection) -> LiveTable:
        """Connect a browser to a ``table``, which is loaded from the store if it is not in memory.

        Returns:
            The live table; tell it with ``leave`` when ``connection`` ends.

        Raises:
            NoSuchTable: there is none of that id.
            NotAdmitted: the visitor may not watch it.
        """
        while (found := self._tables.get(table)) is None:
            await self._open(table)  # it may be closed again before this task continues
        if not found.admits(connection.visitor):
            raise NotAdmitted("this table is not open to spectators")
        found.join(connection)
        return found

    def world(self, table: str, visitor: str) -> TableWorld | None:
        """Return the world of a ``table`` in memory; ``None`` if it has none or ``visitor`` may not watch."""
        live = self._tables.get(table)
        return live.world if live is not None and live.admits(visitor) else None

    async def motion(self, table: str, visitor: str, turn: int) -> bytes | None:
        """Return the recorded motion of a finished turn of a real-time game; ``None`` if there is none.

        Args:
            table: the table's id.
            visitor: who asks.
            turn: the turn's number in the game.

        Raises:
            NoSuchTable: there is none of that id, or the visitor may not watch it.
        """
        stored, _ = await self.find(table)
        live = self._tables.get(table)
        if not (may_watch(stored, visitor) if live is None else live.admits(visitor)):
            raise NoSuchTable(table)
        if self._worlds is None:
            return None
        return await asyncio.to_thread(self._worlds.motions.read, table, turn)

    async def find(self, table: str) -> tuple[StoredTable, TableInfo]:
        """Return a table as it is stored and as everyone may see it.

        Raises:
            NoSuchTable: there is none of that id.
        """
        stored = await self._store.table(table)
        if stored is None:
            raise NoSuchTable(table)
        return stored, self._info(stored)

    async def tables_of(self, visitor: str) -> list[tuple[StoredTable, TableInfo]]:
        """Return the tables a visitor made or sits at, the last changed first."""
        return [(stored, self._info(stored)) for stored in await self._store.tables_of(visitor)]

    async def lobby(self) -> list[tuple[StoredTable, TableInfo]]:
        """Return the tables anybody may join, the newest first."""
        return [(stored, self._info(stored)) for stored in await self._store.lobby_tables()]

    async def rematch(self, table: str, visitor: str) -> StoredTable:
        """Create the rematch of a finished ``table``: same people and settings, everyone one seat further.

        Its game begins at once. If there is a rematch already, that one is returned.

        Raises:
            NoSuchTable: there is none of that id.
            NotOver: the game is still running.
            NotSeated: ``visitor`` did not play.
        """
        stored, _ = await self.find(table)
        if stored.status != "over":
            raise NotOver("the game is not over; finish it first")
        if not assignment.held_by(stored.seats, visitor):
            raise NotSeated("only those who played can ask for a rematch")
        kind, now = game(stored.game), self._wall()
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
        found = await self._store.create_rematch(table, again)
        if found.id == again.id:
            await self._store.append(again.id, opening.at(now), TableChange(status="playing"))
            self._refresh(table)
        return found

    async def replay(self, table: str, viewpoint: Seat | None) -> tuple[TableInfo, list[ReplayStep]]:
        """Return a finished game step by step, as seat ``viewpoint``, or with ``None`` a spectator, saw it.

        Raises:
            NoSuchTable: there is none with the id ``table``.
            NotOver: the game is still running.
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

    async def delete_visitor(self, visitor: str) -> None:
        """Delete everything about a visitor; where they were playing, bots take their seats."""
        tables = await self._store.tables_of(visitor, limit=_ALL_TABLES)
        await self._store.delete_visitor(visitor, STAND_IN)
        for table in tables:
            self._refresh(table.id)

    async def record(self, table: str) -> GameRecord:
        """Return the record of a finished table: every move and fact.

        Raises:
            NoSuchTable: there is none of that id.
            NotOver: the game is still running.
        """
        stored, _ = await self.find(table)
        if stored.status != "over":
            raise NotOver("the game is not over; its record is still closed")
        kind = game(stored.game)
        driver = Driver(kind, stored.players, read_options(kind, stored.options))
        log = await asyncio.to_thread(record_entries, driver, await self._store.steps(table))
        names = list(assignment.names(stored.seats))
        return GameRecord(FORMAT, stored.game, stored.players, log, stored.options, names)

    async def blocked_ids(self, visitor: str) -> frozenset[str]:
        """Return the visitors a visitor has blocked."""
        return await self._store.blocked_ids(visitor)

    async def persona(self, visitor: str) -> Persona:
        """Return a visitor's name and avatar; empty ones if they never chose any."""
        return await self._store.persona(visitor)

    async def set_persona(self, visitor: str, persona: Persona) -> None:
        """Save a visitor's name and avatar, ``persona``, and show them where ``visitor`` sits."""
        await self._store.set_persona(visitor, persona, time.time())
        for table in self._tables.values():
            table.introduce(visitor, persona)

    def close_idle_tables(self) -> None:
        """Close the tables at which nobody has been for ``linger`` seconds.

        It happens by itself from time to time.
        """
        for table in list(self._tables.values()):
            self._close_if_idle(table)

    async def close(self) -> None:
        """Close every table and wait until they are closed; nothing is lost, for their logs are on disk."""
        if self._idle_checker is not None:
            self._idle_checker.cancel()
        for opening in self._opening.values():
            opening.cancel()
        for table in list(self._tables.values()):
            self._close_table(table)
        if self._closing:
            await asyncio.wait(self._closing)

    async def _open(self, table: str) -> None:
        """Load a table once, however many browsers ask for it at the same time."""
        opening = self._opening.get(table)
        if opening is None:
            opening = self._opening[table] = asyncio.create_task(self._load(table))
            opening.add_done_callback(lambda _: self._opening.pop(table, None))
        await asyncio.shield(opening)

    async def _load(self, table: str) -> None:
        stored = await self._store.table(table)
        if stored is None:
            raise NoSuchTable(table)
        live = LiveTable(
            stored,
            self._store,
            self._thinker,
            rng=self._rng,
            pace=self.settings.pace,
            on_broken=self._close_table,
            changes=self.changes,
            metrics=self._metrics,
            worlds=self._worlds,
            wall=self._wall,
        )
        await live.open()
        self._tables[table] = live
        if self._idle_checker is None:
            self._idle_checker = asyncio.create_task(self._close_idle_tables_forever())

    def _refresh(self, table: str) -> None:
        if (live := self._tables.get(table)) is not None:
            live.refresh()

    def _close_if_idle(self, table: LiveTable) -> bool:
        long_ago = asyncio.get_running_loop().time() - self.settings.linger
        idle = table.idle and table.idle_since <= long_ago
        if idle:
            self._close_table(table)
        return idle

    def _close_table(self, table: LiveTable) -> None:
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
            closing = asyncio.create_task(table.close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _close_idle_tables_forever(self) -> None:
        while True:
            await asyncio.sleep(max(SHORTEST_IDLE_CHECK_S, self.settings.linger / 4))
            for table in list(self._tables.values()):
                if self._close_if_idle(table):
                    await asyncio.sleep(0)  # let other tables' work run in between, however many are idle

    def _info(self, stored: StoredTable) -> TableInfo:
        live = self._tables.get(stored.id)
        return table_info(stored) if live is None else live.info()


def seats_held_by(stored: StoredTable, visitor: str) -> tuple[Seat, ...]:
    """Return the seats of a ``stored`` table that a ``visitor`` plays."""
    return assignment.held_by(stored.seats, visitor)


def _seat(kind: AnyGame, choice: str, host: str, persona: Persona) -> StoredSeat:
    if choice == "open":
        return StoredSeat()
    if choice == "me":
        return assignment.person_seat(host, persona)
    bot(kind.name, choice)
    return StoredSeat("bot", level=choice)
