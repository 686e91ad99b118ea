"""Kabuki's bots: imperfect memory, Bayesian inference about forgotten masks, and human reaction times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from random import Random

import msgspec

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.bots.search import RandomBot
from kotatsu.engine.contract import Move
from kotatsu.games.kabuki.beliefs import chances, expected_matches, mistake_chance
from kotatsu.games.kabuki.memory import Memory, Sight, Trace, recollect, rng_after, sights
from kotatsu.games.kabuki.model import KabukiOptions, KabukiView, Pass, PlaceMask, Stop

GOOD_MEMORY = Memory(attention=0.93, time_constant=28, interference=0.1, confusion=0.06)
"""The memory of ``adept``, and what ``master`` expects of a good opponent when it bluffs.

Chosen by hand between ``novice`` and ``master``; see ``LEVELS``.
"""


class ReactionPause(msgspec.Struct, frozen=True):
    """A random reaction time with a lognormal distribution, a common model of human reaction times.

    Attributes:
        median: The median in seconds.
        spread: The standard deviation of the logarithm. 0.3 was chosen by hand: nine times out of ten
            the pause is between 0.6 and 1.6 times the median.
    """

    median: float
    spread: float = 0.3

    def seconds(self, rng: Random) -> float:
        """Draw one reaction time, in seconds."""
        return rng.lognormvariate(log(self.median), self.spread)


class Rememberer(msgspec.Struct, frozen=True):
    """A bot that plays by what its ``Memory`` retains.

    Attributes:
        memory: How well it remembers covered masks.
        reaction: How long it takes to call, to pass or to place.
        mistake_ratio: How often it believes others make an avoidable mistake; see ``beliefs.mistake_chance``.
        bluffs: Whether it puts a mask where opponents are least likely to remember a copy, instead of
            where a copy is least likely to lie.
        imagines: It wants no imagined states (``Bot.imagines``).
        remembers: It wants all facts its seat has been told (``Bot.remembers``).
    """

    memory: Memory
    reaction: ReactionPause
    mistake_ratio: float
    bluffs: bool = False
    imagines: int = 0
    remembers: bool = True

    def think(self, situation: Situation) -> Thought:
        """Call, pass, or place the drawn mask; ``Thought(None)`` where there is nothing to do yet."""
        view: KabukiView = situation.view
        seen = sights(situation.told)
        traces = recollect(seen, situation.seat, self.memory)
        if Stop() in situation.moves:
            if self._would_call(view, traces, situation.players):
                return self._after_reaction(Stop(), situation, seen)
            if Pass() in situation.moves:
                return self._after_reaction(Pass(), situation, seen)
        if PlaceMask(0) not in situation.moves:
            return Thought(None)
        rng = rng_after(seen, situation.seat, "place")
        stack = self._choose(view, traces, rng)
        return Thought(PlaceMask(stack), max(0.0, self.reaction.seconds(rng) - situation.waited))

    def _would_call(self, view: KabukiView, traces: Sequence[Trace], players: int) -> bool:
        """Whether a call gains on the average opponent: a right one also costs one of them what it brings."""
        assert view.placed is not None
        mask, stack = view.placed.mask, view.placed.stack
        stack_chances = chances(mask, view, traces, called_on=stack)
        right = mistake_chance(stack_chances, stack, self.mistake_ratio)
        gain = expected_matches(mask, stack, traces) * players / (players - 1)
        return right * gain > 1 - right

    def _choose(self, view: KabukiView, traces: Sequence[Trace], rng: Random) -> int:
        """The stack on which the drawn mask is expected to cost least; ties are broken at random."""
        assert view.drawn is not None
        stack_chances = chances(view.drawn, view, traces)
        costs = [
            chance * (self._expected_loss(view, view.drawn, stack, traces) if self.bluffs else 1.0)
            for stack, chance in enumerate(stack_chances)
        ]
        return min(range(len(costs)), key=lambda stack: (costs[stack], rng.random()))

    def _expected_loss(self, view: KabukiView, mask: int, stack: int, traces: Sequence[Trace]) -> float:
        """The tokens a duplicate on a stack would cost, times the chance that a good player remembers it."""
        if view.stacks[stack].top == mask:
            # chosen by hand: everybody sees this one, so it is worse than one covered copy (1 at most)
            return 2.0
        copies = [trace for trace in traces if (trace.mask, trace.stack) == (mask, stack)]
        forgotten = 1.0
        for trace in copies:
            forgotten *= 1 - GOOD_MEMORY.strength(trace.age, trace.disturbances)
        # 0.5 is chosen by hand: an even chance that others remember a copy this bot knows nothing of
        return max(1, len(copies)) * (1 - forgotten if copies else 0.5)

    def _after_reaction(self, move: Move, situation: Situation, seen: tuple[Sight, ...]) -> Thought:
        """Make a move one reaction time after the placement, however often the bot is asked meanwhile."""
        view: KabukiView = situation.view
        options = situation.options
        assert isinstance(options, KabukiOptions)
        elapsed = situation.waited + (0.0 if view.phase == "window" else options.window_s)
        pause = self.reaction.seconds(rng_after(seen, situation.seat, "react"))
        return Thought(move, max(0.0, pause - elapsed))


LEVELS: Mapping[str, Bot] = {
    "random": RandomBot(),
    "novice": Rememberer(
        Memory(attention=0.8, time_constant=10, interference=0.2, confusion=0.15),
        ReactionPause(1.5, 0.4),
        mistake_ratio=0.5,
    ),
    "adept": Rememberer(GOOD_MEMORY, ReactionPause(0.9), mistake_ratio=0.3),
    "master": Rememberer(
        Memory(attention=0.998, time_constant=2_000, interference=0.002, confusion=0.0),
        ReactionPause(0.6, 0.25),
        mistake_ratio=0.1,
        bluffs=True,
    ),
}
"""The levels by name, weakest first.

All figures were chosen by hand and are not fitted to people; each level wins at least seven games of ten
against the one below it (``tests/lab/test_kabuki_levels.py``). A ``novice`` remembers a third of the masks
covered ten placements ago, an ``adept`` of those covered 28 placements ago (a round has 50), and a
``master`` nearly everything. The median reactions of 1.5, 0.9 and 0.6 s lie within the usual window of
3 s (``window_s``), and the stronger of two bots usually calls first.
"""
