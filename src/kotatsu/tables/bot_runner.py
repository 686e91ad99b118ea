"""The bots of one table: when one may move it is asked, elsewhere, and its answer comes in by the table's door.

A bot that fails or answers nonsense is stood in for by a random legal move; a game never stops for it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from typing import Protocol

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.bots.levels import UnknownLevel, bot
from kotatsu.bots.situation import HeardFacts, situation
from kotatsu.engine.contract import AnyGame, Move, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.record import LogReader
from kotatsu.seats.assignment import Seats
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.table_game import PendingStep, TableGame, facts_of
from kotatsu.tables.timers import DeadlineTimer

logger = logging.getLogger(__name__)


class BotThinker(Protocol):
    """Where bots think: ``kotatsu.bots.pool.BotPool``."""

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        """What the bot of that level does in that situation."""


Answer = Callable[[Seat, Move, int], None]
"""Take a bot's move, thought of at that ``seq``."""


def any_move(game: TableGame, seat: Seat) -> Move | None:
    """A random legal move of a seat; ``None`` if it has none."""
    moves = game.game.moves(game.state, seat)
    return secrets.choice(moves) if moves else None


class _PendingThought:
    """One seat's open question. ``waiting``: the bot has decided to let some time pass first."""

    __slots__ = ("task", "waiting")

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.waiting = False


class BotRunner:
    """Asks the bots of one table, one question per seat at a time."""

    __slots__ = (
        "_answer",
        "_asked",
        "_bots",
        "_moved_at",
        "_now",
        "_pace",
        "_table",
        "_thinker",
        "_timer",
        "_told",
    )

    def __init__(
        self, thinker: BotThinker, table: str, timer: DeadlineTimer, pace: float, answer: Answer
    ) -> None:
        self._thinker = thinker
        self._table = table
        self._timer = timer
        self._pace = pace
        self._answer = answer
        self._bots: dict[Seat, tuple[str, Bot]] = {}
        self._told: HeardFacts | None = None
        self._asked: dict[Seat, _PendingThought] = {}
        self._moved_at = 0.0
        self._now = asyncio.get_running_loop().time

    def set_bots(self, driver: Driver, seats: Seats, log: Iterable[LoggedStep]) -> None:
        """Learn which seats are bots', and tell those with a memory what has happened so far."""
        game = driver.game
        self._bots = {
            number: (seat.level, found)
            for number, seat in enumerate(seats)
            if seat.kind == "bot" and seat.level and (found := self._find(game, seat.level)) is not None
        }
        self._told = None
        remembering = [seat for seat, (_, found) in self._bots.items() if found.remembers]
        if remembering:
            reader = LogReader(driver)
            facts = (fact for row in log for fact in facts_of(reader, row))
            self._told = HeardFacts.so_far(driver, facts, remembering)

    def observe(self, before: object, step: PendingStep) -> None:
        """A step happened to the state ``before``."""
        self._moved_at = self._now()
        if self._told is not None:
            self._told.hear(before, step.facts)

    def ask(self, game: TableGame, acting: Iterable[Seat]) -> None:
        """Ask every bot that may move and is not thinking yet; one that was biding its time thinks again."""
        for seat in acting:
            if seat not in self._bots:
                continue
            asked = self._asked.get(seat)
            if asked is not None:
                if not asked.waiting:
                    continue
                self._drop(seat)
            asked = self._asked[seat] = _PendingThought()
            asked.task = asyncio.create_task(self._consult(game, seat, asked))

    def answered(self, seat: Seat) -> None:
        """The table has dealt with this seat's answer: it may be asked again."""
        self._asked.pop(seat, None)

    @property
    def busy(self) -> bool:
        """Whether a bot is thinking or its answer is on its way."""
        return bool(self._asked)

    def stop(self) -> None:
        """Ask nobody any more and want no answers."""
        for seat in list(self._asked):
            self._drop(seat)

    async def _consult(self, game: TableGame, seat: Seat, asked: _PendingThought) -> None:
        thought, seq = await self._settled_thought(game, seat)
        if thought.move is None:
            self.answered(seat)
            return
        asked.waiting = thought.after > 0
        await asyncio.sleep(max(thought.after, self._moved_at + self._pace - self._now()))
        asked.waiting = False
        self._answer(seat, thought.move, seq)

    async def _settled_thought(self, game: TableGame, seat: Seat) -> tuple[Thought, int]:
        """A thought; one about timing must be about the present."""
        while True:
            seq = game.seq
            thought = await self._think(game, seat)
            if seq == game.seq or (thought.move is not None and thought.after == 0):
                return thought, seq
            if seat not in game.game.acting(game.state):
                return Thought(None), seq

    async def _think(self, game: TableGame, seat: Seat) -> Thought:
        level, asked_bot = self._bots[seat]
        try:
            seen = await self._situation(game, seat, asked_bot)
            return await self._thinker.think(game.game.name, level, seen)
        except Exception:
            logger.exception(
                "table %s: the bot %s of seat %d failed and moves at random", self._table, level, seat
            )
            return Thought(any_move(game, seat))

    async def _situation(self, game: TableGame, seat: Seat, asked_bot: Bot) -> Situation:
        seed, state, told, waited = secrets.randbits(63), game.state, self._told, self._timer.waited

        def gather() -> Situation:
            return situation(
                game.game,
                state,
                seat,
                asked_bot,
                players=game.driver.players,
                options=game.driver.options,
                seed=seed,
                told=told,
                waited=waited,
            )

        return await asyncio.to_thread(gather) if asked_bot.imagines else gather()

    def _find(self, game: AnyGame, level: str) -> Bot | None:
        try:
            return bot(game.name, level)
        except UnknownLevel:
            logger.warning(
                "table %s: %s has no level %s any more; random plays", self._table, game.name, level
            )
            return bot(game.name, "random")

    def _drop(self, seat: Seat) -> None:
        asked = self._asked.pop(seat)
        if asked.task is not None:
            asked.task.cancel()
