"""The bots of one table: asked in worker processes when they may move; moves go to the mailbox.

If a bot fails or answers an illegal move, a random legal move is made instead; a game never stops for it.
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
    """Runs bots without blocking the event loop: ``kotatsu.bots.pool.BotPool``."""

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        """Return what the bot of ``level`` of a ``game`` does in a ``situation``.

        Raises:
            Exception: any; the table then makes a random move.
        """


BotAnswer = Callable[[Seat, Move, int, float], None]
"""Called with a bot's seat, its move, the ``seq`` of the last step it knew, and the seconds it thought."""


def random_legal_move(game: TableGame, seat: Seat) -> Move | None:
    """Return a random legal move of ``seat`` in the present state of ``game``; ``None`` if it has none."""
    moves = game.game.moves(game.state, seat)
    return secrets.choice(moves) if moves else None


class _PendingThought:
    """A thought of one seat's bot. ``waiting``: it has decided, and lets some time pass before it moves."""

    __slots__ = ("task", "waiting")

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.waiting = False


class BotRunner:
    """Asks the bots of one table for moves, one thought per seat at a time.

    Args:
        thinker: where bots think.
        table: the table's id, for log messages.
        timer: the table's timer; bots are told for how many seconds it has run.
        pace: least seconds between a step and the next move of a bot.
        answer: called with each move.
    """

    __slots__ = (
        "_answer",
        "_asked",
        "_bots",
        "_heard",
        "_moved_at",
        "_now",
        "_pace",
        "_table",
        "_thinker",
        "_timer",
    )

    def __init__(
        self, thinker: BotThinker, table: str, timer: DeadlineTimer, pace: float, answer: BotAnswer
    ) -> None:
        self._thinker = thinker
        self._table = table
        self._timer = timer
        self._pace = pace
        self._answer = answer
        self._bots: dict[Seat, tuple[str, Bot]] = {}
        self._heard: HeardFacts | None = None
        self._asked: dict[Seat, _PendingThought] = {}
        self._moved_at = 0.0
        self._now = asyncio.get_running_loop().time

    def set_bots(self, driver: Driver, seats: Seats, log: Iterable[LoggedStep]) -> None:
        """Set which seats are played by bots, and collect past facts for the bots that want them.

        Args:
            driver: runs the table's game.
            seats: who sits where now.
            log: the game so far; an empty one if it is just beginning.
        """
        game = driver.game
        self._bots = {
            number: (seat.level, found)
            for number, seat in enumerate(seats)
            if seat.kind == "bot" and seat.level and (found := self._find(game, seat.level)) is not None
        }
        self._heard = None
        remembering = [seat for seat, (_, found) in self._bots.items() if found.remembers]
        if remembering:
            reader = LogReader(driver)
            facts = (fact for row in log for fact in facts_of(reader, row))
            self._heard = HeardFacts.of_game(driver, facts, remembering)

    def observe(self, before: object, step: PendingStep) -> None:
        """Take note of a ``step`` that was applied to the state ``before``."""
        self._moved_at = self._now()
        if self._heard is not None:
            self._heard.add(before, step.facts)

    def ask(self, game: TableGame, acting: Iterable[Seat]) -> None:
        """Start a thought for every bot that may move and is not thinking; one that only waits thinks again.

        Args:
            game: the table's game in its present state.
            acting: the seats that may move.
        """
        for seat in acting:
            if seat not in self._bots:
                continue
            asked = self._asked.get(seat)
            if asked is not None:
                if not asked.waiting:
                    continue
                self._drop(seat)
            asked = self._asked[seat] = _PendingThought()
            asked.task = asyncio.create_task(self._think_then_answer(game, seat, asked))

    def answered(self, seat: Seat) -> None:
        """Note that the table has handled this seat's move: its bot may be asked again."""
        self._asked.pop(seat, None)

    def plays(self, seats: Iterable[Seat]) -> bool:
        """Whether there are ``seats`` and bots play all of them."""
        seats = tuple(seats)
        return bool(seats) and all(seat in self._bots for seat in seats)

    def thinks_for(self, seats: Iterable[Seat]) -> bool:
        """Whether a bot is thinking for one of ``seats``, or its move is not handled yet."""
        return any(seat in self._asked for seat in seats)

    @property
    def busy(self) -> bool:
        """Whether a bot is thinking, or its move is not handled yet."""
        return bool(self._asked)

    def stop(self) -> None:
        """Cancel all thoughts; no answer comes from them any more."""
        for seat in list(self._asked):
            self._drop(seat)

    async def _think_then_answer(self, game: TableGame, seat: Seat, asked: _PendingThought) -> None:
        thought, seq = await self._current_thought(game, seat)
        if thought.move is None:
            self.answered(seat)
            self._timer.expire_if_overdue()
            return
        asked.waiting = thought.after > 0
        await asyncio.sleep(max(thought.after, self._moved_at + self._pace - self._now()))
        asked.waiting = False
        # what it thinks, and neither the queue for a worker nor the pace at which people can follow
        self._answer(seat, thought.move, seq, thought.after)

    async def _current_thought(self, game: TableGame, seat: Seat) -> tuple[Thought, int]:
        """Think again while steps happened meanwhile, unless it is a move to make at once."""
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
                "table %s: the %s bot in seat %d failed; making a random move", self._table, level, seat
            )
            return Thought(random_legal_move(game, seat))

    async def _situation(self, game: TableGame, seat: Seat, asked_bot: Bot) -> Situation:
        seed, state, heard, waited = secrets.randbits(63), game.state, self._heard, self._timer.waited

        def build() -> Situation:
            return situation(
                game.game,
                state,
                seat,
                asked_bot,
                players=game.driver.players,
                options=game.driver.options,
                seed=seed,
                heard=heard,
                waited=waited,
            )

        return await asyncio.to_thread(build) if asked_bot.imagines else build()

    def _find(self, game: AnyGame, level: str) -> Bot | None:
        try:
            return bot(game.name, level)
        except UnknownLevel:
            logger.warning(
                "table %s: %s has no level %s any more; using a random bot", self._table, game.name, level
            )
            return bot(game.name, "random")

    def _drop(self, seat: Seat) -> None:
        asked = self._asked.pop(seat)
        if asked.task is not None:
            asked.task.cancel()
