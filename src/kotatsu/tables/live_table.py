"""One live table: commands of people, moves of bots and expired deadlines are handled one at a time.

Every step happens through ``StepCommitter``: committed, then broadcast. An error at one table does not affect
others: it is logged, the sender gets a refusal, and the table reads its log again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from random import Random

import msgspec
from msgspec.structs import replace

from kotatsu.connections.connection import INTERNAL_ERROR, NOT_ADMITTED, SERVICE_RESTART, TableConnection
from kotatsu.engine.contract import Game
from kotatsu.engine.driver import TIME, Driver
from kotatsu.engine.match import options_when_listed
from kotatsu.engine.registry import game
from kotatsu.protocol.messages import (
    Block,
    CatchUp,
    Command,
    CommandAccepted,
    CommandRefused,
    Incoming,
    Ping,
    Play,
    Pong,
    React,
    Say,
    SetBot,
    SetGuest,
    SetTableSettings,
    Sit,
    Stand,
    Start,
    TableInfo,
)
from kotatsu.protocol.refusal import Refusal
from kotatsu.races.freeze import Freeze
from kotatsu.races.tracker import RaceTracker
from kotatsu.seats import assignment
from kotatsu.seats.permissions import SeatPermissions
from kotatsu.seats.presence import Presence
from kotatsu.store.contract import Persona, Store, StoredTable, StoreError, TableChange, TableSettings
from kotatsu.tables.bot_runner import BotRunner, BotThinker
from kotatsu.tables.broadcast import Broadcaster
from kotatsu.tables.change_signal import ChangeSignal
from kotatsu.tables.chat import TableChat
from kotatsu.tables.commit import StepCommitter
from kotatsu.tables.mail import (
    BotMoved,
    CommandReceived,
    DeadlinePassed,
    Mail,
    MoveFailed,
    PersonaChanged,
    PlayerReturned,
    RaceMail,
    RulingDue,
    TableChanged,
    WorldReported,
)
from kotatsu.tables.mailbox import Mailbox
from kotatsu.tables.metrics_sink import MetricsSink
from kotatsu.tables.moves import MoveIntake
from kotatsu.tables.table_clock import TableClock, WallClock
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import DeadlineTimer
from kotatsu.worlds.table_world import TableWorlds

logger = logging.getLogger(__name__)

MAX_QUEUED_COMMANDS = 1_000
"""Commands that may wait at one table before further ones are refused as ``busy``. Chosen by hand: one and a
half seconds of 32 players who all send at their limit of 20 messages a second; a healthy table has a few
waiting."""

_encode = msgspec.json.Encoder().encode
_PONG = _encode(Pong())


class LiveTable:
    """A table in memory: it answers commands, runs bots and timers, and sends steps to its connections.

    What it does for a browser is described in ``docs/protocol.md``. All methods belong to the event loop's
    thread. ``id`` is the table's id, ``idle_since`` the time (of the event loop's clock) when something last
    happened here, ``world`` its real-time world, ``None`` if its game has none.

    Args:
        stored: the table as it is in the store.
        store: where its log is.
        thinker: where its bots think.
        rng: the source of randomness.
        pace: least seconds between a step and the next move of a bot.
        on_broken: called with the table when its log cannot be read any more.
        changes: notified when something changed that the lobby shows.
        metrics: counts moves and refusals.
        worlds: where real-time games run; without it there are none.
        wall: the clock for the moments that are written in the log.
    """

    __slots__ = (
        "__weakref__",
        "_bot_runner",
        "_broadcaster",
        "_changes",
        "_chat",
        "_clock",
        "_game",
        "_mailbox",
        "_metrics",
        "_moves",
        "_now",
        "_on_broken",
        "_permissions",
        "_presence",
        "_races",
        "_rng",
        "_steps",
        "_store",
        "_table_game",
        "_task",
        "_timer",
        "id",
        "idle_since",
        "world",
    )

    def __init__(
        self,
        stored: StoredTable,
        store: Store,
        thinker: BotThinker,
        *,
        rng: Random,
        pace: float,
        on_broken: Callable[[LiveTable], None],
        changes: ChangeSignal,
        metrics: MetricsSink,
        worlds: TableWorlds | None = None,
        wall: WallClock = time.time,
    ) -> None:
        self.id = stored.id
        self._clock = TableClock(wall)
        self._now = asyncio.get_running_loop().time
        self.idle_since = self._now()
        self._store = store
        self._rng = rng
        self._on_broken = on_broken
        self._changes = changes
        self._metrics = metrics
        self._game = game(stored.game)
        options = msgspec.convert(stored.options, self._game.options_type)
        self._table_game = TableGame(Driver(self._game, stored.players, options))
        self._mailbox = Mailbox()
        # Its parts refer to the mailbox, not to the table: without reference cycles a closed table is freed
        # at once, and the garbage collector has nothing to search.
        now, post = self._now, self._mailbox.put
        self._timer = DeadlineTimer(lambda deadline: post(DeadlinePassed(deadline, now())))
        self._bot_runner = BotRunner(
            thinker,
            self.id,
            self._timer,
            pace,
            lambda seat, move, seq, seconds: post(BotMoved(seat, move, seq, now(), seconds)),
        )
        self._presence = Presence(stored)
        self._broadcaster = Broadcaster(self._presence, forgetful=self._game.forgetful)
        self._permissions = SeatPermissions(self._presence)
        self._races: RaceTracker[RaceMail] = RaceTracker(
            self._presence,
            on_due=lambda freeze: post(RulingDue(freeze)),
            on_again=post,
            on_freeze=self._timer.pause,
        )
        self._chat = TableChat(store, self.id, self._presence.connections)
        self._task: asyncio.Task[None] | None = None
        self.world = (
            None
            if worlds is None
            else worlds.of(self.id, self._game, lambda entries: post(WorldReported(entries)))
        )
        self._moves = MoveIntake(self._table_game, self._presence, self._races, self._clock, self.world, rng)
        self._steps = StepCommitter(
            store,
            self._table_game,
            self._presence,
            self._broadcaster,
            bots=self._bot_runner,
            races=self._races,
            timer=self._timer,
            clock=self._clock,
            world=self.world,
            changes=changes,
        )

    async def open(self) -> None:
        """Read the log and start handling the mailbox. Call it once, before any other method.

        Raises:
            StoreError: the table cannot be read.
        """
        await self._reload()
        await self._chat.open()
        self._task = asyncio.create_task(self._run(), name=f"table {self.id}")
        self.idle_since = self._now()

    async def close(self, code: int = SERVICE_RESTART, reason: str = "the table is closing") -> None:
        """Stop at once and close all connections; everything that was acknowledged is on disk.

        Args:
            code: the WebSocket close code for everyone who is connected.
            reason: the reason sent with it.
        """
        self._timer.pause()
        self._bot_runner.stop()
        self._lift_freeze()
        if self.world is not None:
            self.world.close()
        for connection in list(self._presence.connections):
            connection.close(code, reason)
        self._presence.connections.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    @property
    def pending(self) -> bool:
        """Whether something is being handled: a command, a bot's thought, or a race."""
        return self._mailbox.busy or self._bot_runner.busy or self._races.busy or bool(self._mailbox)

    @property
    def idle(self) -> bool:
        """Whether nobody is connected and nothing is being handled."""
        return not self._presence.connections and not self.pending

    @property
    def connections(self) -> int:
        """The number of connected browsers."""
        return len(self._presence.connections)

    @property
    def races(self) -> bool:
        """Whether the game has races, so that round trips have to be measured often."""
        return type(self._game).race is not Game.race

    def admits(self, visitor: str) -> bool:
        """Whether a visitor may connect, be it as a spectator."""
        return self._presence.admits(visitor)

    def info(self) -> TableInfo:
        """Return the table as everyone may see it."""
        return self._presence.info()

    def join(self, connection: TableConnection) -> None:
        """Add a connection: it gets a ``welcome`` and the chat, the others are told of it.

        The caller has checked that the table ``admits`` its visitor.
        """
        self._presence.arrive(connection)
        self._steps.run_timer()  # the welcome says how much time is left
        self._broadcaster.welcome(connection)
        self._broadcaster.people(but=connection)
        self._chat.send_history(connection)
        seats = self._presence.stored.seats
        returns = assignment.with_visitor_back(seats, connection.visitor) != seats
        if returns and not connection.spectator_only:
            self._mailbox.put(PlayerReturned(connection.visitor))
        self._steps.await_next()

    def leave(self, connection: TableConnection) -> None:
        """Remove a connection; after the last one the table rests, and only time that is charged runs on.

        Unknown ones are ignored.
        """
        if connection not in self._presence.connections:
            return
        self._presence.depart(connection)
        self.idle_since = self._now()
        if self._presence.connections:
            self._broadcaster.people()
        else:
            self._timer.pause()
            if self.world is not None:
                self.world.rest(paused=True)

    def submit(self, connection: TableConnection, incoming: Incoming) -> None:
        """Handle or queue a message from a browser; the answer is sent to ``connection``. Does not wait.

        Args:
            connection: one that has joined.
            incoming: the decoded message.
        """
        match incoming:
            case Play() if self._mailbox.begin():
                self._play(CommandReceived(connection, incoming, self._now()), incoming)
            case Ping():
                connection.send(_PONG)
            case CatchUp(have):
                self._broadcaster.catch_up(connection, have)
            case _ if len(self._mailbox) >= MAX_QUEUED_COMMANDS:
                self._refuse(connection, incoming.command_id, Refusal("busy", "The table is overwhelmed."))
            case _:
                self._mailbox.put(CommandReceived(connection, incoming, self._now()))

    def introduce(self, visitor: str, persona: Persona) -> None:
        """Show a ``visitor`` under a new name and avatar, ``persona``, from now on."""
        for connection in self._presence.connections:
            if connection.visitor == visitor:
                connection.persona = persona
        if assignment.held_by(self._presence.stored.seats, visitor):
            self._mailbox.put(PersonaChanged(visitor, persona))

    def refresh(self) -> None:
        """Have the table read from the store again, and a ``welcome`` sent to everyone."""
        self._mailbox.put(TableChanged())

    async def _run(self) -> None:
        while True:
            mail = self._mailbox.take()
            if mail is None:
                await self._mailbox.filled()
                continue
            if isinstance(mail, CommandReceived) and isinstance(mail.command, Play):
                self._play(mail, mail.command)
                continue
            try:
                await self._handle(mail)
            except Exception:
                logger.exception("table %s could not handle %s", self.id, type(mail).__name__)
                await self._recover(mail)
            finally:
                self._done()

    def _done(self) -> None:
        self.idle_since = self._now()
        self._mailbox.done()

    async def _handle(self, mail: Mail) -> None:
        match mail:
            case CommandReceived():
                await self._answer(mail)
            case MoveFailed(received):
                await self._recover(received)
            case RulingDue(freeze):
                await self._rule(freeze)
            case BotMoved():
                await self._bot_moved(mail)
            case DeadlinePassed():
                await self._deadline_passed(mail)
            case WorldReported(entries):
                if self._presence.stored.status == "playing":
                    await self._steps.committed(self._table_game.world_report(entries))
            case PlayerReturned() | PersonaChanged() if self._presence.stored.status == "over":
                pass  # a finished game keeps the seats, and the names, it was played with
            case PlayerReturned(visitor):
                await self._set_seats(assignment.with_visitor_back(self._presence.stored.seats, visitor))
            case PersonaChanged(visitor, persona):
                await self._set_seats(assignment.with_persona(self._presence.stored.seats, visitor, persona))
            case TableChanged():
                await self._reload()
                await self._chat.open()
                self._broadcaster.welcome_all()
                self._steps.await_next()

    async def _answer(self, received: CommandReceived) -> None:
        """Carry out a command and answer it."""
        try:
            seq = await self._carry_out(received)
        except Refusal as refusal:
            self._refuse(received.connection, received.command.command_id, refusal)
            return
        if seq is not None:
            self._accept(received, seq)

    async def _carry_out(self, received: CommandReceived) -> int | None:
        """Carry out a command; the step it led to, or the present one. ``None``: it is answered later.

        Raises:
            Refusal: nothing has changed.
        """
        connection, command = received.connection, received.command
        visitor = connection.visitor
        match command:
            case Start():
                return await self._start(visitor, command)
            case Say(text=text):
                self._check_may_talk()
                await self._chat.say(connection, self._presence.seat_of(visitor), text)
            case React(reaction=reaction):
                self._chat.react(connection, self._presence.seat_of(visitor), reaction)
            case Block(number=number):
                await self._chat.block(visitor, number)
            case SetTableSettings(settings=settings):
                self._permissions.check_host(visitor)
                await self._set_settings(settings)
            case Sit() | Stand() | SetBot() | SetGuest():
                if self._races.frozen:
                    self._races.hold(received)
                    return None
                await self._set_seats(self._permissions.change(command, connection))
        return self._table_game.seq

    def _play(self, received: CommandReceived, command: Play) -> None:
        """Make a move. It waits for nothing but the disk, so it needs no task: ``_played`` does the rest."""
        try:
            made_before = self._moves.made_before(received.connection, command)
            if made_before is not None:
                self._accept(received, made_before)
            else:
                step = self._moves.decide(received, command)
                if step is not None:
                    self._steps.commit(step, partial(self._played, received, step))
                    return
        except Refusal as refusal:
            self._refuse(received.connection, command.command_id, refusal)
            if refusal.clause == TIME:
                self._steps.run_timer()  # what was too late to answer expires now
        except Exception as failure:  # noqa: BLE001 - it is logged in _move_failed
            self._move_failed(received, failure)
        self._done()

    def _played(self, received: CommandReceived, step: PendingStep, failure: Exception | None) -> None:
        """Called when a person's move is committed and broadcast, or has failed."""
        if failure is None:
            self._accept(received, step.seq)
            self._metrics.moved(self._game.name, bot=False, seconds=self._now() - received.at)
        else:
            self._move_failed(received, failure)
        self._done()

    def _move_failed(self, received: CommandReceived, failure: Exception) -> None:
        """Have the log read again before anything else happens."""
        logger.error("table %s could not make a move", self.id, exc_info=failure)
        self._mailbox.put_back([MoveFailed(received)])

    async def _bot_moved(self, answer: BotMoved) -> None:
        stored = self._presence.stored
        may_move = stored.status == "playing" and stored.seats[answer.seat].kind == "bot"
        press = self._moves.is_press(answer.seat, answer.move)
        if self._races.frozen and not press:
            self._races.hold(answer)
            return
        step = self._moves.decide_for_bot(answer) if may_move and not press else None
        if step is not None and self._moves.must_wait(answer, step):
            return
        self._bot_runner.answered(answer.seat)
        if step is not None:
            await self._steps.committed(step)
            self._metrics.moved(self._game.name, bot=True, seconds=self._now() - answer.at)
        elif not (may_move and press and self._moves.press_of_bot(answer)):
            self._steps.await_next()  # the bot thought about a state that is past

    async def _rule(self, freeze: Freeze) -> None:
        if freeze is not self._races.frozen:
            return
        self._lift_freeze()
        step, receipt = self._moves.decide_race(freeze)
        await self._steps.committed(step)
        for connection, command in freeze.pressed:
            refusal = freeze.refusal(command, receipt)
            if refusal is None:
                connection.send(_encode(CommandAccepted(command.command_id, receipt.seq)))
            else:
                self._refuse(connection, command.command_id, refusal)

    async def _deadline_passed(self, passed: DeadlinePassed) -> None:
        world_decides = self.world is not None and self.world.running
        if world_decides or self._races.frozen or passed.deadline != self._timer.deadline:
            return  # a move came first, or the world measures the time
        seats = passed.deadline.seats
        if (
            passed.deadline.keeps_running
            and self._bot_runner.plays(seats)
            and self._bot_runner.thinks_for(seats)
        ):
            return  # a bot's time is what it thinks: its answer says whether that was too long
        step = self._moves.expire()
        if self._moves.must_wait(passed, step):
            return
        await self._steps.committed(step)
        if passed.deadline == self._timer.deadline:
            self._timer.restart()

    async def _start(self, visitor: str, command: Start) -> int:
        self._permissions.check_host(visitor)
        answered = self._table_game.answered(None, command.command_id)
        if answered is not None:
            return answered
        if self._presence.stored.status != "gathering":
            raise Refusal("not_gathering", "The game has already begun.")
        self._permissions.check_level(command.level)
        seats = assignment.with_bots_on_open_seats(self._presence.stored.seats, command.level)
        step = self._table_game.opening(self._rng, command.command_id)
        await self._steps.committed(step, TableChange(status="playing", seats=seats))
        return step.seq

    def _lift_freeze(self) -> Freeze | None:
        """End a freeze; what was held meanwhile is handled next. Returns the freeze, if there was one."""
        freeze, held = self._races.lift()
        self._mailbox.put_back(held)
        return freeze

    async def _set_seats(self, seats: assignment.Seats) -> None:
        """Store and announce new seats; in a running game, with what each seat may do."""
        stored = self._presence.stored
        if seats == stored.seats:
            return
        if stored.status == "over":
            raise Refusal("not_playing", "The game is over; ask for a rematch.")
        await self._store.set_seats(self.id, seats, time.time())
        self._presence.update(replace(stored, seats=seats))
        if stored.status == "playing":
            self._bot_runner.stop()
            log = await self._store.steps(self.id)
            self._bot_runner.set_bots(self._table_game.driver, seats, log)
            self._steps.update_world()
            self._broadcaster.welcome_all()
            self._steps.await_next()
        else:
            self._broadcaster.people()
        self._changes.notify()

    async def _set_settings(self, settings: TableSettings) -> None:
        stored, options = self._presence.stored, self._table_game.driver.options
        if stored.status == "gathering" and settings.listed != stored.settings.listed:
            options = options_when_listed(self._game, options, listed=settings.listed)
        plain = msgspec.to_builtins(options)
        await self._store.set_settings(self.id, settings, plain)
        self._presence.update(replace(stored, settings=settings, options=plain))
        if options != self._table_game.driver.options:
            self._table_game.set_options(options)
        for connection in self._presence.connections:
            if not self._presence.admits(connection.visitor):
                connection.close(NOT_ADMITTED, "this table is not open to spectators")
        self._broadcaster.people()
        self._changes.notify()

    async def _reload(self) -> None:
        """Replace everything in memory by what is in the store."""
        self._bot_runner.stop()
        stored = await self._store.table(self.id)
        if stored is None:
            raise StoreError(f"table {self.id} is gone")
        log = await self._store.steps(self.id)
        self._permissions.blocked = await self._store.blocked_ids(stored.host)
        self._steps.load(stored, log)

    async def _recover(self, mail: Mail) -> None:
        """After a failure: read the log again, then answer those who are waiting."""
        lifted = self._lift_freeze()
        if self.world is not None:
            self.world.doubt()
        freeze = mail.freeze if isinstance(mail, RulingDue) else lifted
        try:
            await self._reload()
            self._broadcaster.welcome_all()
        except Exception:
            logger.exception("table %s cannot be read; closing it", self.id)
            self._on_broken(self)
            for connection in self._presence.connections:
                connection.close(INTERNAL_ERROR, "the table cannot be read")
            return
        if isinstance(mail, CommandReceived):
            self._answer_after_failure(mail.connection, mail.command)
        elif isinstance(mail, DeadlinePassed):
            self._timer.retry()
        for pressed in () if freeze is None else freeze.pressed:
            self._answer_after_failure(*pressed)
        self._steps.await_next()

    def _answer_after_failure(self, connection: TableConnection, command: Command) -> None:
        seat = command.seat if isinstance(command, Play) else None
        seq = self._table_game.answered(seat, command.command_id)
        if seq is not None:
            connection.send(_encode(CommandAccepted(command.command_id, seq)))
        else:
            message = "Something went wrong at this table; please try again."
            self._refuse(connection, command.command_id, Refusal("busy", message))

    def _accept(self, received: CommandReceived, seq: int) -> None:
        received.connection.send(_encode(CommandAccepted(received.command.command_id, seq)))

    def _refuse(self, connection: TableConnection, command_id: str | None, refusal: Refusal) -> None:
        self._metrics.refused(refusal.code)
        connection.send(_encode(CommandRefused(refusal.code, refusal.message, command_id, refusal.clause)))

    def _check_may_talk(self) -> None:
        if self._game.silent and self._presence.stored.status == "playing":
            raise Refusal("quiet", "This game is played in silence; there is time to talk afterwards.")
