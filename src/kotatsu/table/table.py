"""One live table with its mailbox. People, bots and the clock all come in by the same door, one at a time.

A step is decided, written down, and only then told. Whatever goes wrong in one
table stays there: it is logged, the sender gets a refusal, and the table reads its log anew.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from functools import cache, partial
from random import Random

import msgspec
from msgspec import to_builtins
from msgspec.structs import replace

from kotatsu.engine.contract import AnyGame, Game, IllegalMove, Move, Seat
from kotatsu.engine.registry import game
from kotatsu.store.contract import Change, Manners, Persona, Store, StoredTable, StoreError
from kotatsu.table import roster
from kotatsu.table.audience import Audience
from kotatsu.table.clock import Clock, Pondering
from kotatsu.table.connection import BROKEN, GOING_AWAY, NOT_ADMITTED, Connection
from kotatsu.table.doorbell import Doorbell
from kotatsu.table.figures import Figures
from kotatsu.table.freeze import Freeze
from kotatsu.table.keeper import Keeper, Minds
from kotatsu.table.letters import (
    Asked,
    BotMoves,
    Changed,
    Failed,
    Introduced,
    Letter,
    Returned,
    RulingIsDue,
    Stated,
    TimeIsUp,
)
from kotatsu.table.mailbox import Mailbox
from kotatsu.table.progress import Prepared, Progress
from kotatsu.table.racing import Racing
from kotatsu.table.refusal import Refusal
from kotatsu.table.seating import Seating
from kotatsu.table.stage import Stages
from kotatsu.table.talk import Talk
from kotatsu.table.telling import Moment, Told
from kotatsu.table.wire import (
    Accepted,
    Block,
    CatchUp,
    Command,
    Incoming,
    Ping,
    Play,
    Pong,
    React,
    Refused,
    Say,
    SetBot,
    SetGuest,
    SetManners,
    Sit,
    Stand,
    Start,
    TableInfo,
)

logger = logging.getLogger(__name__)

MAILBOX = 1_000
"""Commands that may wait at one table before it says it is busy."""

_encode = msgspec.json.Encoder().encode
_PONG = _encode(Pong())


@cache
def _reader(kind: AnyGame) -> Callable[[msgspec.Raw], Move]:
    """Reads the moves of a game, at all its tables."""
    return msgspec.json.Decoder(kind.move_type).decode


def _change(step: Prepared) -> Change | None:
    """What becomes true of the table with a step."""
    return None if step.outcome is None else Change(status="over", result=to_builtins(step.outcome))


def _raise(failure: Exception | None) -> None:
    if failure is not None:
        raise failure


class Table:
    """Fulfils what ``docs/protocol.md`` promises of a table."""

    __slots__ = (
        "__weakref__",
        "_audience",
        "_clock",
        "_doorbell",
        "_figures",
        "_game",
        "_keeper",
        "_mailbox",
        "_now",
        "_on_broken",
        "_options",
        "_pondering",
        "_progress",
        "_racing",
        "_read_move",
        "_rng",
        "_seating",
        "_store",
        "_stored",
        "_talk",
        "_task",
        "id",
        "idle_since",
        "stage",
    )

    def __init__(
        self,
        stored: StoredTable,
        store: Store,
        minds: Minds,
        *,
        rng: Random,
        pace: float,
        on_broken: Callable[[Table], None],
        doorbell: Doorbell,
        figures: Figures,
        stages: Stages | None = None,
    ) -> None:
        self.id = stored.id
        self._now = asyncio.get_running_loop().time
        self.idle_since = self._now()
        self._stored = stored
        self._store = store
        self._rng = rng
        self._on_broken = on_broken
        self._doorbell = doorbell
        self._figures = figures
        self._game = game(stored.game)
        self._options = msgspec.convert(stored.options, self._game.options_type)
        self._read_move = _reader(self._game)
        self._progress = Progress(self._game, stored.players, self._options)
        self._mailbox = Mailbox()
        # Its parts know the mailbox, not the table: a table that was let go is gone, without a search for cycles.
        now, post = self._now, self._mailbox.put
        self._clock = Clock(lambda deadline: post(TimeIsUp(deadline, now())))
        self._pondering = Pondering(matters=type(self._game).spend is not Game.spend)
        self._keeper = Keeper(
            minds, self.id, self._clock, pace, lambda seat, move, seq: post(BotMoves(seat, move, seq, now()))
        )
        self._audience = Audience(stored, forgetful=self._game.forgetful)
        self._seating = Seating(self._audience)
        self._racing = Racing(self._audience, self._clock, self._mailbox)
        self._talk = Talk(store, self.id, self._audience.connections)
        self._task: asyncio.Task[None] | None = None
        self.stage = (
            None if stages is None else stages.of(self.id, self._game, lambda entries: post(Stated(entries)))
        )

    async def open(self) -> None:
        """Read the log and begin to work."""
        await self._reload()
        await self._talk.open()
        self._task = asyncio.create_task(self._run(), name=f"table {self.id}")
        self.idle_since = self._now()

    async def close(self, code: int = GOING_AWAY, reason: str = "the table is closing") -> None:
        """Stop at once; what was told is on disk, and what is on disk is enough."""
        self._clock.pause()
        self._keeper.stop()
        self._racing.lift()
        if self.stage is not None:
            self.stage.close()
        for connection in list(self._audience.connections):
            connection.close(code, reason)
        self._audience.connections.clear()
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    @property
    def pending(self) -> bool:
        """Whether something is under way: a letter, a bot's thought, or a ruling."""
        return self._mailbox.busy or self._keeper.busy or self._racing.busy or bool(self._mailbox)

    @property
    def idle(self) -> bool:
        """Nobody is here and nothing is under way."""
        return not self._audience.connections and not self.pending

    @property
    def connections(self) -> int:
        """How many browsers are here."""
        return len(self._audience.connections)

    @property
    def races(self) -> bool:
        """Whether it can matter here who is first."""
        return type(self._game).race is not Game.race

    def admits(self, visitor: str) -> bool:
        """Whether somebody may come in."""
        return self._audience.admits(visitor)

    def info(self) -> TableInfo:
        """The table as everyone may know it."""
        return self._audience.info()

    def join(self, connection: Connection) -> None:
        """A browser arrives: it is told where the table stands, the others that it is here."""
        if not self._audience.connections:
            self._pondering.afresh()
        self._audience.arrive(connection)
        self._audience.welcome(connection)
        self._audience.people(but=connection)
        self._talk.tell_past(connection)
        returns = roster.returned(self._stored.seats, connection.visitor) != self._stored.seats
        if returns and not connection.bystander:
            self._mailbox.put(Returned(connection.visitor))
        self._wait_for_what_is_next()

    def leave(self, connection: Connection) -> None:
        """A browser goes. A table nobody watches rests: its bots and its clock stop."""
        if connection not in self._audience.connections:
            return
        self._audience.depart(connection)
        self.idle_since = self._now()
        if self._audience.connections:
            self._audience.people()
        else:
            self._clock.pause()
            if self.stage is not None:
                self.stage.rest(paused=True)

    def submit(self, connection: Connection, incoming: Incoming) -> None:
        """Whatever a browser sends comes in here and is answered."""
        match incoming:
            case Play() if self._mailbox.begin():
                self._play(Asked(connection, incoming, self._now()), incoming)
            case Ping():
                connection.send(_PONG)
            case CatchUp(have):
                self._audience.catch_up(connection, have)
            case _ if len(self._mailbox) >= MAILBOX:
                self._refuse(connection, incoming.command_id, Refusal("busy", "The table is overwhelmed."))
            case _:
                self._mailbox.put(Asked(connection, incoming, self._now()))

    def introduce(self, visitor: str, persona: Persona) -> None:
        """Somebody goes by another name or picture now."""
        for connection in self._audience.connections:
            if connection.visitor == visitor:
                connection.persona = persona
        if roster.held_by(self._stored.seats, visitor):
            self._mailbox.put(Introduced(visitor, persona))

    def refresh(self) -> None:
        """The table was changed in the store: read it anew, and tell everyone."""
        self._mailbox.put(Changed())

    async def _run(self) -> None:
        while True:
            letter = self._mailbox.take()
            if letter is None:
                await self._mailbox.filled()
                continue
            if isinstance(letter, Asked) and isinstance(letter.command, Play):
                self._play(letter, letter.command)
                continue
            try:
                await self._handle(letter)
            except Exception:
                logger.exception("table %s could not handle %s", self.id, type(letter).__name__)
                await self._recover(letter)
            finally:
                self._done()

    def _done(self) -> None:
        self.idle_since = self._now()
        self._mailbox.done()

    async def _handle(self, letter: Letter) -> None:
        match letter:
            case Asked():
                await self._answer(letter)
            case Failed(asked):
                await self._recover(asked)
            case RulingIsDue(freeze):
                await self._rule(freeze)
            case BotMoves():
                await self._bot_moves(letter)
            case TimeIsUp():
                if not self._in_its_world:
                    await self._time_is_up(letter)
            case Stated(entries):
                if self._stored.status == "playing":
                    await self._happen(self._progress.stated(entries))
            case Returned() | Introduced() if self._stored.status == "over":
                pass  # a finished game keeps the seats, and the names, it was played with
            case Returned(visitor):
                await self._reseat(roster.returned(self._stored.seats, visitor))
            case Introduced(visitor, persona):
                await self._reseat(roster.introduced(self._stored.seats, visitor, persona))
            case Changed():
                await self._reload()
                await self._talk.open()
                self._audience.welcome(*self._audience.connections)
                self._wait_for_what_is_next()

    async def _answer(self, asked: Asked) -> None:
        """Do what a browser asks, and say whether it was done."""
        try:
            seq = await self._carry_out(asked)
        except Refusal as refusal:
            self._refuse(asked.connection, asked.command.command_id, refusal)
            return
        if seq is not None:
            self._accept(asked, seq)

    async def _carry_out(self, asked: Asked) -> int | None:
        """Do what a browser asks; the step it led to, or the present one. ``None``: it is answered later.

        Raises:
            Refusal: and nothing has changed.
        """
        connection, command = asked.connection, asked.command
        visitor = connection.visitor
        match command:
            case Start():
                return await self._start(visitor, command)
            case Say(text=text):
                self._check_may_talk()
                await self._talk.say(connection, self._audience.seat_of(visitor), text)
            case React(reaction=reaction):
                self._talk.react(connection, self._audience.seat_of(visitor), reaction)
            case Block(number=number):
                await self._talk.block(visitor, number)
            case SetManners(manners=manners):
                self._seating.check_host(visitor)
                await self._set_manners(manners)
            case Sit() | Stand() | SetBot() | SetGuest():
                if self._racing.frozen:
                    self._racing.hold(asked)
                    return None
                await self._reseat(self._seating.change(command, connection))
        return self._progress.seq

    def _play(self, asked: Asked, command: Play) -> None:
        """Make a move. It waits for nothing but the disk, so it needs no task: what is left to do is done from there."""
        try:
            step = self._decide(asked, command)
            if step is not None:
                then = partial(self._played, asked, step)
                self._store.append_then(self.id, step.at(time.time()), _change(step), then)
                return
        except Refusal as refusal:
            self._refuse(asked.connection, command.command_id, refusal)
        except Exception:
            logger.exception("table %s could not make a move", self.id)
            self._mailbox.put_back([Failed(asked)])
        self._done()

    def _played(self, asked: Asked, step: Prepared, failure: Exception | None) -> None:
        """A move is on disk, unless it could not be written."""
        try:
            _raise(failure)
            self._tell(step)
            self._accept(asked, step.seq)
            self._figures.moved(self._game.name, bot=False, seconds=self._now() - asked.at)
        except Exception:
            logger.exception("table %s could not make a move", self.id)
            self._mailbox.put_back([Failed(asked)])
        self._done()

    def _decide(self, asked: Asked, command: Play) -> Prepared | None:
        """What a move brings about. ``None``: it was made before, or has to wait and is answered later.

        Raises:
            Refusal: and nothing has changed.
        """
        seat, progress = command.seat, self._progress
        self._check_may_play(asked.connection, seat)
        answered = progress.answered(seat, command.command_id)
        if answered is not None:
            self._accept(asked, answered)
            return None
        if self._stored.status != "playing":
            raise Refusal("not_playing", "There is no game going on at this table.")
        if not progress.moved.get(seat, 0) <= command.seen <= progress.seq:
            raise Refusal("stale", "The table has moved on since; look again.")
        try:
            move = self._read_move(command.move)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal("malformed", f"{self._game.name} has no such move: {error}") from None
        if self._in_its_world:
            raise Refusal("illegal", "While this turn runs, hands move in its world.", "world")
        racing = None if progress.race is None else self._racing
        if racing is not None and racing.is_press(progress, seat, move):
            if command.seen < progress.race_since:
                raise Refusal("stale", "The table has moved on since; look again.")
            racing.press(progress, seat, asked.at).asked.append((asked.connection, command))
            return None
        if racing is not None and racing.frozen:
            racing.hold(asked)
            return None
        try:
            seconds = self._pondering.seconds(seat)
            step = progress.play(seat, move, self._rng, seconds=seconds, command_id=command.command_id)
        except IllegalMove as illegal:
            raise Refusal("illegal", illegal.message, illegal.clause) from None
        return None if racing is not None and racing.waits(progress, asked, step) else step

    async def _bot_moves(self, answer: BotMoves) -> None:
        may_move = self._stored.status == "playing" and self._stored.seats[answer.seat].kind == "bot"
        press = self._racing.is_press(self._progress, answer.seat, answer.move)
        if self._racing.frozen and not press:
            self._racing.hold(answer)
            return
        step = self._bot_step(answer) if may_move and not press else None
        if step is not None and self._racing.waits(self._progress, answer, step):
            return
        self._keeper.answered(answer.seat)
        if step is not None:
            await self._happen(step)
            self._figures.moved(self._game.name, bot=True, seconds=self._now() - answer.at)
        elif may_move and press and answer.seq >= self._progress.race_since:
            self._racing.press(self._progress, answer.seat, answer.at)
        else:  # it thought of a table that is no more
            self._wait_for_what_is_next()

    def _bot_step(self, answer: BotMoves) -> Prepared | None:
        """What a bot's answer brings about; ``None`` if the table has moved on and it has to think again."""
        progress, seconds = self._progress, self._pondering.seconds(answer.seat)
        try:
            return progress.play(answer.seat, answer.move, self._rng, seconds=seconds)
        except IllegalMove as illegal:
            if answer.seq != progress.seq:
                return None
            logger.warning(
                "table %s: the bot of seat %d moved against %s", self.id, answer.seat, illegal.clause
            )
        instead = self._keeper.any_move(progress, answer.seat)
        return None if instead is None else progress.play(answer.seat, instead, self._rng, seconds=seconds)

    async def _rule(self, freeze: Freeze) -> None:
        if freeze is not self._racing.frozen:
            return
        self._racing.lift()
        progress = self._progress
        receipt = freeze.rule(progress.seq + 1)
        seconds = self._pondering.seconds(receipt.seat)
        step = progress.play(
            receipt.seat,
            freeze.race.move,
            self._rng,
            seconds=seconds,
            command_id=freeze.command_of(receipt.seat),
            receipt=receipt,
        )
        await self._happen(step)
        for connection, command in freeze.asked:
            refusal = freeze.refusal(command, receipt)
            if refusal is None:
                connection.send(_encode(Accepted(command.command_id, receipt.seq)))
            else:
                self._refuse(connection, command.command_id, refusal)

    async def _time_is_up(self, letter: TimeIsUp) -> None:
        if self._racing.frozen or letter.deadline != self._clock.deadline:
            return  # a move was quicker
        step = self._progress.expire(self._rng)
        if self._racing.waits(self._progress, letter, step):
            return
        await self._happen(step)
        if letter.deadline == self._clock.deadline:
            self._clock.restart()

    async def _start(self, visitor: str, command: Start) -> int:
        self._seating.check_host(visitor)
        answered = self._progress.answered(None, command.command_id)
        if answered is not None:
            return answered
        self._check_gathering()
        self._seating.check_level(command.level)
        seats = roster.filled(self._stored.seats, command.level)
        step = self._progress.opening(self._rng, command.command_id)
        await self._store.append(self.id, step.at(time.time()), Change(status="playing", seats=seats))
        self._stored = replace(self._stored, status="playing", seats=seats)
        self._keeper.meet(self._game, self._options, seats, ())
        self._take_in(step)
        self._audience.welcome(*self._audience.connections)
        self._doorbell.ring()
        self._wait_for_what_is_next()
        return step.seq

    async def _happen(self, step: Prepared) -> None:
        """Commit, then broadcast."""
        await self._store.append(self.id, step.at(time.time()), _change(step))
        self._tell(step)

    def _tell(self, step: Prepared) -> None:
        """A step is on disk: it has happened."""
        over = step.outcome is not None
        if over:
            self._stored = replace(self._stored, status="over", result=to_builtins(step.outcome))
            logger.info(
                "a game is over", extra={"table": self.id, "game": self._game.name, "steps": step.seq}
            )
        moment = self._take_in(step)
        self._audience.step(moment, Told.of(self._game, self._stored.players, step))
        if over:
            self._audience.people()
        self._wait_for_what_is_next()

    def _take_in(self, step: Prepared) -> Moment:
        before = self._progress.state
        self._progress.take_in(step)
        if step.seat is not None:
            self._pondering.done(step.seat)
        self._keeper.hear(before, step)
        return self._look_again()

    def _look_again(self) -> Moment:
        """Work out what the state now means for clock and audience."""
        progress = self._progress
        moment = Moment(progress, self._clock)
        deadline = None if moment.over or not progress.seq else self._game.deadline(progress.state)
        self._pondering.these(moment.acting)
        self._racing.look(progress)
        self._clock.wait_for(deadline, running=bool(self._audience.connections) and not self._racing.frozen)
        self._audience.now(self._stored, moment if progress.seq else None)
        self._follow()
        return moment

    def _follow(self) -> None:
        """The world, if the game has one, hears how the table stands and who sits at it."""
        if self.stage is not None and self._progress.seq:
            anyone = bool(self._audience.connections)
            self.stage.follow(self._progress.state, self._stored.seats, anyone=anyone)

    @property
    def _in_its_world(self) -> bool:
        """Whether a turn is under way that the world decides about, and times."""
        return self.stage is not None and self.stage.running

    def _wait_for_what_is_next(self) -> None:
        """Somebody is here: let the clock run and the bots think."""
        moment = self._audience.moment
        if self._audience.connections and moment is not None and not moment.over and not self._racing.frozen:
            self._clock.resume()
            if self.stage is not None:
                self.stage.rest(paused=False)
            if not self._in_its_world:
                self._keeper.prompt(self._progress, moment.acting)

    async def _reseat(self, seats: roster.Seats) -> None:
        """Others sit here from now on; in the middle of a game they are told what they may do."""
        if seats == self._stored.seats:
            return
        if self._stored.status == "over":
            raise Refusal("not_playing", "The game is over; ask for a rematch.")
        await self._store.seat(self.id, seats, time.time())
        self._stored = replace(self._stored, seats=seats)
        self._audience.now(self._stored, self._audience.moment)
        if self._stored.status == "playing":
            self._keeper.stop()
            self._keeper.meet(self._game, self._options, seats, await self._store.steps(self.id))
            self._follow()
            self._audience.welcome(*self._audience.connections)
            self._wait_for_what_is_next()
        else:
            self._audience.people()
        self._doorbell.ring()

    async def _set_manners(self, manners: Manners) -> None:
        await self._store.manners(self.id, manners)
        self._stored = replace(self._stored, manners=manners)
        self._audience.now(self._stored, self._audience.moment)
        for connection in self._audience.connections:
            if not self._audience.admits(connection.visitor):
                connection.close(NOT_ADMITTED, "this table is not open to spectators")
        self._audience.people()
        self._doorbell.ring()

    async def _reload(self) -> None:
        """Read the table as it is written down and forget everything else."""
        self._keeper.stop()
        stored = await self._store.table(self.id)
        if stored is None:
            raise StoreError(f"table {self.id} is gone")
        log = await self._store.steps(self.id)
        self._stored = stored
        self._seating.blocked = await self._store.blocked(stored.host)
        self._progress = Progress.of(self._game, stored.players, self._options, log)
        self._keeper.meet(self._game, self._options, stored.seats, log)
        self._audience.forget_steps()
        self._look_again()

    async def _recover(self, letter: Letter) -> None:
        """After a failure: read the log anew, then answer whoever asked."""
        lifted = self._racing.lift()
        if self.stage is not None:
            self.stage.doubt()
        freeze = letter.freeze if isinstance(letter, RulingIsDue) else lifted
        try:
            await self._reload()
            self._audience.welcome(*self._audience.connections)
        except Exception:
            logger.exception("table %s cannot be read and is closed", self.id)
            self._on_broken(self)
            for connection in self._audience.connections:
                connection.close(BROKEN, "the table cannot be read")
            return
        if isinstance(letter, Asked):
            self._answer_after_failure(letter.connection, letter.command)
        elif isinstance(letter, TimeIsUp):
            self._clock.restart()
        for pressed in () if freeze is None else freeze.asked:
            self._answer_after_failure(*pressed)
        self._wait_for_what_is_next()

    def _answer_after_failure(self, connection: Connection, command: Command) -> None:
        seat = command.seat if isinstance(command, Play) else None
        seq = self._progress.answered(seat, command.command_id)
        if seq is not None:
            connection.send(_encode(Accepted(command.command_id, seq)))
        else:
            message = "Something went wrong at this table; please try again."
            self._refuse(connection, command.command_id, Refusal("busy", message))

    def _accept(self, asked: Asked, seq: int) -> None:
        asked.connection.send(_encode(Accepted(asked.command.command_id, seq)))

    def _refuse(self, connection: Connection, command_id: str | None, refusal: Refusal) -> None:
        self._figures.refused(refusal.code)
        connection.send(_encode(Refused(refusal.code, refusal.message, command_id, refusal.clause)))

    def _check_may_play(self, connection: Connection, seat: Seat) -> None:
        if seat in connection.held:
            return
        if connection.bystander:
            raise Refusal("not_your_seat", "Whoever looks on does not play.")
        roster.check_holds(self._stored.seats, seat, connection.visitor)

    def _check_may_talk(self) -> None:
        if self._game.silent and self._stored.status == "playing":
            raise Refusal("quiet", "This game is played in silence; there is time to talk afterwards.")

    def _check_gathering(self) -> None:
        if self._stored.status != "gathering":
            raise Refusal("not_gathering", "The game has already begun.")
