"""The real-time world of one table: opened for a turn, and shown to the browsers that watch.

While a turn runs its world decides, by the same rules as the table, in a worker process; the table writes
what it reports to the log.
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
from kotatsu.worlds.pool import WorldListener, WorldPool
from kotatsu.worlds.viewer import LatestFrame, WorldViewer

logger = logging.getLogger(__name__)

Report = Callable[[bytes], None]
"""Called with entries for the table's log, a JSON array."""


class InputRefused(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """Sent to a browser: its input for a seat was not carried out; ``clause`` is the rule that forbids it."""

    seat: Seat
    clause: str
    message: str


class TableWorlds:
    """Makes the worlds of a server's tables.

    Args:
        pool: the worker processes they run in.
        motions: where the motions of their turns are kept.
    """

    def __init__(self, pool: WorldPool, motions: MotionFiles) -> None:
        self.pool = pool
        self.motions = motions

    def of(self, table: str, game: AnyGame, report: Report) -> TableWorld | None:
        """Return the world of a table; ``None`` if its game is not a real-time one.

        Args:
            table: the table's id.
            game: its game.
            report: called with what the world has for the table's log.
        """
        if part(game.name, "realtime") is None:
            return None
        return TableWorld(table, game, self.pool, self.motions, report)


class TableWorld(WorldListener):
    """One table's world and the browsers that watch it. All methods belong to the event loop's thread.

    Args:
        table: the table's id.
        game: its game, which has a module ``realtime``.
        pool: the worker processes.
        motions: where the motions of turns are kept.
        report: called with entries for the table's log.
    """

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
        self._followed_before = False
        self._paused = False
        self._latest = LatestFrame()
        self._viewers: set[WorldViewer] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> bool:
        """Whether a turn is under way: its world, not the table, decides and measures the time."""
        return self._state is not None and self._kind.running(self._state)

    def follow(self, state: Any, seats: tuple[StoredSeat, ...], *, anyone: bool) -> None:
        """Follow the table after each of its steps: open a turn, close it, or tell it who plays.

        A turn that is under way when the table has just been loaded is lost, for its world ended with the
        server that ran it.

        Args:
            state: the table's present state.
            seats: who sits where.
            anyone: whether somebody is connected; if not, the world pauses.
        """
        first, self._followed_before = not self._followed_before, True
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
                self.on_failed()
            else:
                self._open()
        elif self._levels != _levels(seats):
            self._set_bots()
        self.rest(paused=not anyone)

    def doubt(self) -> None:
        """Drop the present turn, as the table failed to write something and the two may differ.

        The next ``follow`` reports it as lost.
        """
        if self._turn is not None:
            self._pool.close(self._table)
            self._turn = None
            self._followed_before = False

    def rest(self, *, paused: bool) -> None:
        """Let the world's time stand still while ``paused``: nobody is connected to the table."""
        if paused != self._paused:
            self._paused = paused
            self._pool.pause(self._table, paused=paused)

    def close(self) -> None:
        """Drop the turn and close all viewers, as the table closes."""
        self._pool.close(self._table)
        for viewer in list(self._viewers):
            viewer.close()
        self._viewers.clear()

    def arrive(self, viewer: WorldViewer) -> None:
        """Add a browser that watches; it is shown the present frame."""
        self._viewers.add(viewer)
        if self._latest.tick >= 0:
            viewer.show(self._latest)

    def depart(self, viewer: WorldViewer) -> None:
        """Remove a browser that watched."""
        self._viewers.discard(viewer)

    def act(self, viewer: WorldViewer, seat: Seat, text: bytes) -> None:
        """Pass on a browser's input, or send it an ``InputRefused``.

        Args:
            viewer: the browser.
            seat: the seat it acts for; any number.
            text: the input as JSON; the world checks it.
        """
        sitting = self._seats[seat] if 0 <= seat < len(self._seats) else None
        if sitting is None or sitting.kind != "person" or sitting.visitor != viewer.visitor:
            _send(viewer, InputRefused(seat, "seat", "That is not your seat."))
        elif self.running and self._latest.tick >= 0:
            self._pool.act(self._table, seat, text)
        else:
            _send(viewer, InputRefused(seat, "turn", "No turn is under way yet."))

    def on_frame(self, message: FrameReported) -> None:
        self._latest.update(message.look)
        for viewer in self._viewers:
            viewer.show(self._latest)

    def on_entries(self, message: EntriesReported) -> None:
        if message.motion is not None and self._turn is not None:
            self._keep(self._turn, message.motion)
        self._report(message.entries)

    def on_rejected(self, message: InputRejected) -> None:
        refusal = InputRefused(message.seat, message.clause, message.message)
        visitor = self._seats[message.seat].visitor
        for viewer in self._viewers:
            if viewer.visitor == visitor:
                _send(viewer, refusal)

    def on_failed(self) -> None:
        if self.running:
            logger.warning("table %s lost the real-time world of its turn", self._table)
            self._report(msgspec.json.encode(self._kind.lost(self._state)))

    def _open(self) -> None:
        self._levels = _levels(self._seats)
        setting = self._kind.setting(self._state, self._levels, secrets.randbits(62))
        self._latest = LatestFrame()
        self._spawn(self._begin(setting))

    async def _begin(self, setting: bytes) -> None:
        await self._pool.open(self._table, self._game.name, setting, self)
        self._set_bots()  # somebody may have left, or come back, while the process started
        if self._paused:
            self._pool.pause(self._table, paused=True)

    def _set_bots(self) -> None:
        self._levels = _levels(self._seats)
        self._pool.set_bots(self._table, self._levels)

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


def _send(viewer: WorldViewer, refusal: InputRefused) -> None:
    viewer.send_text(msgspec.json.encode(refusal).decode())
