"""The world of one table, as the table sees it: opened when a turn is to be played in it, shown to whoever looks.

While a turn runs the world decides, by the same rules as the table, and the table writes down what it says.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any, cast

import msgspec

from kotatsu.engine.contract import AnyGame, Seat
from kotatsu.engine.realtime import RealTime
from kotatsu.engine.registry import part
from kotatsu.store.contract import StoredSeat
from kotatsu.worlds.messages import EntriesReported, FrameReported, InputRejected
from kotatsu.worlds.motions import MotionFiles
from kotatsu.worlds.pool import WorldPool
from kotatsu.worlds.viewer import LatestFrame, WorldViewer

logger = logging.getLogger(__name__)

Report = Callable[[bytes], None]
"""Take entries for the log, a JSON array."""


class InputRefused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """A browser hears that what it did for a seat was not done, and which clause forbids it."""

    seat: Seat
    clause: str
    message: str


class TableWorlds:
    """Where worlds run and where their turns are kept, for all tables of a house."""

    def __init__(self, pool: WorldPool, motions: MotionFiles) -> None:
        self.pool = pool
        self.motions = motions

    def of(self, table: str, game: AnyGame, report: Report) -> TableWorld | None:
        """The stage of a table; ``None`` if its game is not played in a world of its own."""
        if part(game.name, "realtime") is None:
            return None
        return TableWorld(table, game, self.pool, self.motions, report)


class TableWorld:
    """One table's world and those who watch it."""

    def __init__(
        self, table: str, game: AnyGame, pool: WorldPool, motions: MotionFiles, report: Report
    ) -> None:
        self._table = table
        self._game = game
        self._kind = cast("RealTime", part(game.name, "realtime"))
        self._pool = pool
        self._motions = motions
        self._report = report
        self._state: Any = None
        self._seats: tuple[StoredSeat, ...] = ()
        self._levels: dict[Seat, str] = {}
        self._turn: int | None = None
        self._looked_before = False
        self._paused = False
        self._latest = LatestFrame()
        self._viewers: set[WorldViewer] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> bool:
        """Whether a turn is under way: its world, not the table, decides and keeps the time."""
        return self._state is not None and self._kind.running(self._state)

    def follow(self, state: Any, seats: tuple[StoredSeat, ...], *, anyone: bool) -> None:
        """The table stands like this now; ``anyone`` is whether somebody is there."""
        first, self._looked_before = not self._looked_before, True
        self._state, self._seats = state, seats
        if first:
            self._spawn(self._pool.prepare(self._table))
        if not self._kind.running(state):
            if self._turn is not None:
                self._turn = None
                self._pool.close(self._table)
        elif self._turn is None:
            self._turn = self._kind.number(state)
            if first:
                self.failed()  # the turn's world went down with the server that ran it
            else:
                self._open()
        elif self._levels != _levels(seats):
            self._seat()
        self.rest(paused=not anyone)

    def doubt(self) -> None:
        """Something could not be written down: table and world may differ, so a turn under way is lost."""
        if self._turn is not None:
            self._pool.close(self._table)
            self._turn = None
            self._looked_before = False

    def rest(self, *, paused: bool) -> None:
        """A table nobody is at rests, and its world too."""
        if paused != self._paused:
            self._paused = paused
            self._pool.pause(self._table, paused=paused)

    def close(self) -> None:
        """The table closes."""
        self._pool.close(self._table)
        for viewer in list(self._viewers):
            viewer.close()
        self._viewers.clear()

    def arrive(self, viewer: WorldViewer) -> None:
        """A browser wants to see the world."""
        self._viewers.add(viewer)
        if self._latest.tick >= 0:
            viewer.show(self._latest)

    def depart(self, viewer: WorldViewer) -> None:
        """A browser has seen enough."""
        self._viewers.discard(viewer)

    def act(self, viewer: WorldViewer, seat: Seat, text: bytes) -> None:
        """A browser does something for a seat."""
        sitting = self._seats[seat] if 0 <= seat < len(self._seats) else None
        if sitting is None or sitting.kind != "person" or sitting.visitor != viewer.visitor:
            _tell(viewer, InputRefused(seat, "seat", "That is not your seat."))
        elif self.running and self._latest.tick >= 0:
            self._pool.act(self._table, seat, text)
        else:
            _tell(viewer, InputRefused(seat, "turn", "No turn is under way yet."))

    def looked(self, message: FrameReported) -> None:
        self._latest.take(message.look)
        for viewer in self._viewers:
            viewer.show(self._latest)

    def happened(self, message: EntriesReported) -> None:
        if message.motion is not None and self._turn is not None:
            self._keep(self._turn, message.motion)
        self._report(message.entries)

    def refused(self, message: InputRejected) -> None:
        word = InputRefused(message.seat, message.clause, message.message)
        visitor = self._seats[message.seat].visitor
        for viewer in self._viewers:
            if viewer.visitor == visitor:
                _tell(viewer, word)

    def failed(self) -> None:
        """The turn is lost, the table is not."""
        if self.running:
            logger.warning("table %s lost the world of its turn", self._table)
            self._report(msgspec.json.encode(self._kind.lost(self._state)))

    def _open(self) -> None:
        self._levels = _levels(self._seats)
        setting = self._kind.setting(self._state, self._levels, secrets.randbits(62))
        self._latest = LatestFrame()
        self._spawn(self._begin(setting))

    async def _begin(self, setting: bytes) -> None:
        await self._pool.open(self._table, self._game.name, setting, self)
        self._seat()  # somebody may have left, or come back, while the process started
        if self._paused:
            self._pool.pause(self._table, paused=True)

    def _seat(self) -> None:
        self._levels = _levels(self._seats)
        self._pool.seat(self._table, self._levels)

    def _keep(self, turn: int, motion: bytes) -> None:
        self._spawn(asyncio.to_thread(self._motions.keep, self._table, turn, motion))

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("table %s: %s", self._table, error)


def _levels(seats: tuple[StoredSeat, ...]) -> dict[Seat, str]:
    return {
        number: seat.level
        for number, seat in enumerate(seats)
        if seat.kind == "bot" and seat.level is not None
    }


def _tell(viewer: WorldViewer, word: InputRefused) -> None:
    viewer.tell(msgspec.json.encode(word).decode())
