"""One game between bots in virtual time: nobody waits for a clock, yet the quicker bot is first."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import perf_counter

import msgspec

from kotatsu.bots.contract import Bot, Thought
from kotatsu.bots.situation import HeardFacts, remembering, situation
from kotatsu.engine.contract import Deadline, Fact, Move, Seat
from kotatsu.engine.match import Match

STEPS_AT_MOST = 100_000


class Stuck(RuntimeError):
    """A game between bots that cannot go on."""


class Effort(msgspec.Struct):
    """What one seat spent: thoughts and the seconds they took."""

    thoughts: int = 0
    seconds: float = 0.0
    longest: float = 0.0


class VirtualTable:
    """Runs a match to its end.

    Whenever something changes, every seat that may move is asked; the earliest answer happens, and
    with equal times the lowest seat's. Deadlines run in the same time and lose ties against moves.
    """

    def __init__(self, match: Match, bots: Sequence[Bot], rng: Random) -> None:
        self.match = match
        self.bots = bots
        self.efforts = [Effort() for _ in bots]
        self.moves = 0
        self._rng = rng
        self._now = 0.0
        self._deadline: Deadline | None = None
        self._time_is_up = inf
        self._waiting_since = 0.0
        self._heard = HeardFacts.of_game(
            match.driver,
            (entry for entry in match.log if isinstance(entry, Fact)),
            remembering(bots),
        )

    def play(self) -> None:
        """Play to the end.

        Raises:
            Stuck: if nobody wants to move and nothing is waited for, or there is no end.
        """
        for _ in range(STEPS_AT_MOST):
            if self.match.outcome is not None:
                return
            self._step()
        raise Stuck(f"{self.match.game.name} does not end in {STEPS_AT_MOST} steps")

    def _step(self) -> None:
        match = self.match
        if match.deadline != self._deadline:
            self._deadline = match.deadline
            self._waiting_since = self._now
            self._time_is_up = inf if self._deadline is None else self._now + self._deadline.seconds
        at, seat, move = self._earliest()
        before = match.state
        if move is not None and at <= self._time_is_up:
            self._now = at
            self.moves += 1
            facts = match.play(seat, move)
        elif self._deadline is not None:
            self._now = self._time_is_up
            self._deadline = None
            facts = match.expire()
        else:
            raise Stuck(f"at {match.game.name} every bot waits, and for nothing")
        self._heard.add(before, facts)

    def _earliest(self) -> tuple[float, Seat, Move | None]:
        best: tuple[float, Seat, Move | None] = (inf, -1, None)
        for seat in sorted(self.match.acting):
            thought = self._ask(seat)
            if thought.move is not None and self._now + thought.after < best[0]:
                best = (self._now + thought.after, seat, thought.move)
        return best

    def _ask(self, seat: Seat) -> Thought:
        match, bot, effort = self.match, self.bots[seat], self.efforts[seat]
        asked = situation(
            match.game,
            match.state,
            seat,
            bot,
            players=match.players,
            options=match.options,
            seed=self._rng.getrandbits(62),
            heard=self._heard,
            waited=self._now - self._waiting_since if self._deadline is not None else 0.0,
        )
        started = perf_counter()
        thought = bot.think(asked)
        seconds = perf_counter() - started
        effort.thoughts += 1
        effort.seconds += seconds
        effort.longest = max(effort.longest, seconds)
        return thought
