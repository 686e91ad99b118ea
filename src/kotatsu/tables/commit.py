"""Commit, then broadcast: the one way for a step to happen at a table.

A step is appended to the log; only when it is on disk is it applied to the state and sent to everyone who is
connected. Then the table waits for what comes next: its timer runs, its world continues, its bots are asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial

from msgspec import to_builtins
from msgspec.structs import replace

from kotatsu.races.tracker import RaceTracker
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import LoggedStep, Store, StoredTable, TableChange
from kotatsu.tables.bot_runner import BotRunner
from kotatsu.tables.broadcast import Broadcaster
from kotatsu.tables.change_signal import ChangeSignal
from kotatsu.tables.mail import RaceMail
from kotatsu.tables.snapshot import RedactedStep, TableSnapshot
from kotatsu.tables.table_clock import TableClock
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import DeadlineTimer
from kotatsu.worlds.table_world import TableWorld

logger = logging.getLogger(__name__)

Committed = Callable[[Exception | None], None]
"""Called with ``None`` when a step was committed and broadcast, or with the error that prevented it."""


class StepCommitter:
    """Writes a table's steps to the store, applies them and broadcasts them.

    It refers to the table's parts, not to the table, so that no reference cycle keeps a closed table in
    memory.

    Args:
        store: where the log is.
        game: the table's game so far.
        presence: the stored table, and who is connected.
        broadcaster: sends the steps.
        bots: asked for moves after each step.
        races: whether the table is frozen by a press.
        timer: runs towards the game's deadline.
        clock: the moments that are written in the log.
        world: the table's real-time world; ``None`` if its game has none.
        changes: notified when something changed that the lobby shows.
    """

    __slots__ = (
        "_bots",
        "_broadcaster",
        "_changes",
        "_clock",
        "_game",
        "_presence",
        "_races",
        "_store",
        "_timer",
        "_world",
    )

    def __init__(
        self,
        store: Store,
        game: TableGame,
        presence: Presence,
        broadcaster: Broadcaster,
        *,
        bots: BotRunner,
        races: RaceTracker[RaceMail],
        timer: DeadlineTimer,
        clock: TableClock,
        world: TableWorld | None,
        changes: ChangeSignal,
    ) -> None:
        self._store = store
        self._game = game
        self._presence = presence
        self._broadcaster = broadcaster
        self._bots = bots
        self._races = races
        self._timer = timer
        self._clock = clock
        self._world = world
        self._changes = changes

    def commit(self, step: PendingStep, then: Committed, change: TableChange | None = None) -> None:
        """Queue a step to be written, applied and broadcast; returns at once.

        Args:
            step: what is to happen, decided on the present state.
            then: called on the event loop after the broadcast, or with the error.
            change: what else of the table changes with it; the end of a game is added here.
        """
        if step.outcome is not None:
            change = TableChange(status="over", result=to_builtins(step.outcome))
        row = step.at(self._clock.now())
        written = partial(self._written, step, row.at, change, then)
        self._store.append_then(self._presence.stored.id, row, change, written)

    def committed(self, step: PendingStep, change: TableChange | None = None) -> asyncio.Future[None]:
        """Do what ``commit`` does with ``step`` and ``change``, for a caller who can wait.

        Returns:
            A future that is done after the broadcast, or has the error as its exception.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.commit(step, partial(_resolve, done), change)
        return done

    def load(self, stored: StoredTable, log: Iterable[LoggedStep]) -> None:
        """Replace everything by a ``stored`` table and its ``log``; nothing is sent."""
        self._presence.update(stored)
        self._game.load(log)
        self._bots.set_bots(self._game.driver, stored.seats, log)
        self._broadcaster.forget_steps()
        self._update()

    def await_next(self) -> None:
        """Let the timer run and ask the bots, if somebody is connected and the table is not frozen."""
        snapshot = self._broadcaster.snapshot
        if not self._presence.connections or snapshot is None or snapshot.over or self._races.frozen:
            return
        self.run_timer()
        if self._world is not None:
            self._world.rest(paused=False)
            if self._world.running:
                return  # the turn is decided, and timed, in the world
        self._bots.ask(self._game, snapshot.acting)

    def run_timer(self) -> None:
        """Time the present deadline: from the log if it keeps running, else while somebody is connected."""
        deadline = None if self._game.outcome is not None or not self._game.seq else self._game.deadline
        passed = None
        # the time of bots is what they think, so it rests like them while nobody is connected
        if deadline is not None and deadline.keeps_running and not self._bots.plays(deadline.seats):
            passed = max(0.0, self._clock.now() - self._game.deadline_since)
        running = bool(self._presence.connections) and not self._races.frozen
        self._timer.wait_for(deadline, running=running, passed=passed)

    def update_world(self) -> None:
        """Pass the state and the seats to the table's world, if it has one and the game has begun."""
        if self._world is not None and self._game.seq:
            anyone = bool(self._presence.connections)
            self._world.follow(self._game.state, self._presence.stored.seats, anyone=anyone)

    def _written(
        self,
        step: PendingStep,
        moment: float,
        change: TableChange | None,
        then: Committed,
        failure: Exception | None,
    ) -> None:
        """Called by the store when a step is on disk, or could not be written."""
        if failure is None:
            try:
                self._broadcast(step, moment, change)
            except Exception as error:  # noqa: BLE001 - handled by whoever asked for the step
                failure = error
        then(failure)

    def _broadcast(self, step: PendingStep, moment: float, change: TableChange | None) -> None:
        if change is not None:
            self._apply_change(change)
        before = self._game.state
        self._game.apply(step, moment)
        self._bots.observe(before, step)
        snapshot = self._update()
        if step.seq == 1:
            self._broadcaster.welcome_all()
            self._changes.notify()
        else:
            self._broadcaster.step(snapshot, RedactedStep.of(self._game.driver, step))
        if step.outcome is not None:
            name, table = self._game.game.name, self._presence.stored.id
            logger.info("game over", extra={"table": table, "game": name, "steps": step.seq})
            self._broadcaster.people()
        self.await_next()

    def _apply_change(self, change: TableChange) -> None:
        stored = self._presence.stored
        status, seats = change.status or stored.status, change.seats or stored.seats
        self._presence.update(replace(stored, status=status, seats=seats, result=change.result))
        if change.seats is not None:
            self._bots.set_bots(self._game.driver, seats, ())

    def _update(self) -> TableSnapshot:
        """Bring timer, races, broadcast and world up to date with the state."""
        game = self._game
        snapshot = TableSnapshot(game, self._timer)
        self._races.observe(game.race_since)
        self.run_timer()
        self._broadcaster.snapshot = snapshot if game.seq else None
        self.update_world()
        return snapshot


def _resolve(done: asyncio.Future[None], failure: Exception | None) -> None:
    if done.done():
        return  # the waiter was cancelled: the table was closed meanwhile
    if failure is None:
        done.set_result(None)
    else:
        done.set_exception(failure)
