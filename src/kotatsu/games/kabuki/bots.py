"""Kabuki's levels. They remember like people, reason about what they forgot, and press after a human pause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from random import Random

import msgspec

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.bots.search import RandomBot
from kotatsu.engine.contract import Move
from kotatsu.games.kabuki.beliefs import chances, expected_matches, given_the_placement
from kotatsu.games.kabuki.memory import Memory, Sight, Trace, luck_after, recollect, sights
from kotatsu.games.kabuki.model import KabukiOptions, KabukiView, Pass, PlaceMask, Stop

GOOD_MEMORY = Memory(attention=0.93, lasts=28, interference=0.1, confusion=0.06)
"""What a player who plays well is expected to remember."""


class ReactionPause(msgspec.Struct, frozen=True):
    """A lognormal time: its median in seconds, and how much it spreads."""

    median: float
    spread: float = 0.3

    def seconds(self, luck: Random) -> float:
        return luck.lognormvariate(log(self.median), self.spread)


class Rememberer(msgspec.Struct, frozen=True):
    """Plays by a memory.

    ``slips`` is how often it thinks others make avoidable mistakes; ``bluffs`` whether a duplicate it
    cannot avoid goes where it is least remembered.
    """

    memory: Memory
    reaction: ReactionPause
    slips: float
    bluffs: bool = False
    imagines: int = 0
    remembers: bool = True

    def think(self, situation: Situation) -> Thought:
        view: KabukiView = situation.view
        seen = sights(situation.told)
        traces = recollect(seen, situation.seat, self.memory)
        if Stop() in situation.moves:
            if self._would_call(view, traces, situation.players):
                return self._in_time(Stop(), situation, seen)
            if Pass() in situation.moves:
                return self._in_time(Pass(), situation, seen)
        if PlaceMask(0) not in situation.moves:
            return Thought(None)
        luck = luck_after(seen, situation.seat, "place")
        stack = self._choose(view, traces, luck)
        return Thought(PlaceMask(stack), max(0.0, self.reaction.seconds(luck) - situation.waited))

    def _would_call(self, view: KabukiView, traces: Sequence[Trace], players: int) -> bool:
        """Call when it gains on the average opponent: a right call also costs one of them what it brings."""
        assert view.placed is not None
        mask, stack = view.placed.mask, view.placed.stack
        found = chances(mask, view, traces, called_on=stack)
        right = given_the_placement(found, stack, self.slips)
        gain = expected_matches(mask, stack, traces) * players / (players - 1)
        return right * gain > 1 - right

    def _choose(self, view: KabukiView, traces: Sequence[Trace], luck: Random) -> int:
        """The stack on which the mask costs least, on average."""
        assert view.drawn is not None
        found = chances(view.drawn, view, traces)
        costs = [
            chance * (self._noticed(view, view.drawn, stack, traces) if self.bluffs else 1.0)
            for stack, chance in enumerate(found)
        ]
        return min(range(len(costs)), key=lambda stack: (costs[stack], luck.random()))

    def _noticed(self, view: KabukiView, mask: int, stack: int, traces: Sequence[Trace]) -> float:
        """What a call would cost, times the chance that a good player remembers the mask there."""
        if view.stacks[stack].top == mask:
            return 2.0
        copies = [trace for trace in traces if (trace.mask, trace.stack) == (mask, stack)]
        forgotten = 1.0
        for trace in copies:
            forgotten *= 1 - GOOD_MEMORY.strength(trace.age, trace.disturbances)
        return max(1, len(copies)) * (1 - forgotten if copies else 0.5)

    def _in_time(self, move: Move, situation: Situation, seen: tuple[Sight, ...]) -> Thought:
        """After a reaction time counted from the placement, however often it is asked meanwhile."""
        view: KabukiView = situation.view
        options = situation.options
        assert isinstance(options, KabukiOptions)
        gone = situation.waited + (0.0 if view.phase == "window" else options.window_s)
        pause = self.reaction.seconds(luck_after(seen, situation.seat, "react"))
        return Thought(move, max(0.0, pause - gone))


LEVELS: Mapping[str, Bot] = {
    "random": RandomBot(),
    "novice": Rememberer(
        Memory(attention=0.8, lasts=10, interference=0.2, confusion=0.15), ReactionPause(1.5, 0.4), slips=0.5
    ),
    "adept": Rememberer(GOOD_MEMORY, ReactionPause(0.9), slips=0.3),
    "master": Rememberer(
        Memory(attention=0.998, lasts=2_000, interference=0.002, confusion=0.0),
        ReactionPause(0.6, 0.25),
        slips=0.1,
        bluffs=True,
    ),
}
"""Weakest first."""
