"""One game between bots in simulated time: nothing waits for a clock, yet the quicker bot moves first."""

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

MAX_STEPS = 100_000
"""Steps after which a game counts as endless. Chosen by hand, far above the longest game of ours between
bots."""


class Stuck(RuntimeError):
    """A game between bots does not end: all of them wait for each other, or there are too many steps."""


class Effort(msgspec.Struct):
    """What one seat's bot spent: the number of thoughts, their seconds in total, and the longest of them."""

    thoughts: int = 0
    seconds: float = 0.0
    longest: float = 0.0


class VirtualTable:
    """Plays a match between bots to its end.

    After every step each seat that may move is asked; the earliest answer counts, and with equal times the
    lowest seat's. Deadlines run in the same simulated time and come after moves at the same moment. A move takes
    the simulated time since its seat may move, or since the deadline that times the seat began: in a game with a
    time bank it costs that much.

    ``efforts`` is the thinking time of each seat, ``moves`` the number of moves so far.

    Args:
        match: the match; it is played on in place.
        bots: one for each seat.
        rng: the source of the bots' seeds.
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
        self._may_move_since: dict[Seat, float] = {}
        self._heard = HeardFacts.of_game(
            match.driver,
            (entry for entry in match.log if isinstance(entry, Fact)),
            remembering(bots),
        )

    def play(self) -> None:
        """Play to the end.

        Raises:
            Stuck: every bot waits and there is no deadline, or there are too many steps.
        """
        for _ in range(MAX_STEPS):
            if self.match.outcome is not None:
                return
            self._step()
        raise Stuck(f"{self.match.game.name} does not end in {MAX_STEPS} steps")

    def _step(self) -> None:
        match = self.match
        if match.deadline != self._deadline:
            self._deadline = match.deadline
            self._waiting_since = self._now
            self._time_is_up = inf if self._deadline is None else self._now + self._deadline.seconds
        self._may_move_since = {seat: self._may_move_since.get(seat, self._now) for seat in match.acting}
        at, seat, move = self._earliest()
        before = match.state
        if move is not None and at <= self._time_is_up:
            self._now = at
            self.moves += 1
            facts = match.play(seat, move, self._seconds(seat))
            del self._may_move_since[seat]
        elif self._deadline is not None:
            self._now = self._time_is_up
            self._deadline, self._time_is_up = None, inf
            facts = match.expire()
        else:
            raise Stuck(f"{match.game.name} is stuck: every bot waits, and there is no deadline")
        self._heard.add(before, facts)

    def _seconds(self, seat: Seat) -> float:
        """How long a seat that moves now thought."""
        since = self._may_move_since[seat]
        if self._deadline is None or not self._deadline.times(seat):
            return self._now - since
        # sums of seconds are rounded: a move at the last moment must not come out later than that
        return min(self._now - max(since, self._waiting_since), self._deadline.seconds)

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
