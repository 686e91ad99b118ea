"""A model of human memory: masks fade with age, like ones interfere, some are recalled in a wrong place.

A bot keeps nothing between two thoughts. It goes through the round again from the facts it was told, and
every random draw about a mask is seeded by all that was seen up to that moment. So a mask that is
forgotten at one thought is forgotten at the next one too, until a check shows it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from math import exp
from random import Random
from zlib import crc32

import msgspec

from kotatsu.engine.contract import Fact, Seat
from kotatsu.games.kabuki.data import BOX
from kotatsu.games.kabuki.model import Placed, RoundStarted, Stopped

CHECK = -1
"""In place of a mask's number in a ``Sight``: a whole stack was opened for a check."""
Sight = tuple[int, int]
"""A mask and the stack it was put on, or ``CHECK`` and the stack that was opened."""


class Memory(msgspec.Struct, frozen=True):
    """How well somebody remembers.

    Attributes:
        attention: The chance of noticing a mask at all when it is covered, 0 to 1.
        time_constant: The number of placements after which 1/e, about a third, of the attention is left.
        interference: The share of the strength that each later sight of the same design on another
            stack takes away, 0 to 1.
        confusion: The chance that a mask that is lost is remembered on a wrong stack instead, 0 to 1.
    """

    attention: float
    time_constant: float
    interference: float
    confusion: float

    def strength(self, age: int, disturbances: int) -> float:
        """The chance that a mask is still remembered.

        Args:
            age: How many placements ago it was last seen.
            disturbances: How often the same design has been placed on other stacks since.
        """
        return float(
            self.attention * exp(-age / self.time_constant) * (1 - self.interference) ** disturbances
        )

    def confidence(self, strength: float) -> float:
        """How sure a player who knows their own memory may be that what they remember is true.

        Args:
            strength: The chance that a true memory is kept, from ``strength``.

        Returns:
            The share of true memories among all: lost masks turn up on each wrong stack equally often.
        """
        mistaken = (1 - strength) * self.confusion / (BOX.actors - 1)
        return strength / (strength + mistaken)


class Trace(msgspec.Struct, frozen=True):
    """A covered mask as it is remembered, rightly or not.

    Attributes:
        mask: The number of the mask.
        stack: Where it is remembered.
        confidence: The chance that it really lies there, as the player sees it.
        age: Placements since it was last seen.
        disturbances: Placements of the same design on other stacks since then.
    """

    mask: int
    stack: int
    confidence: float
    age: int
    disturbances: int


class _Covered:
    """A mask under others: when it was seen, and the draws that decide whether it is kept or misplaced."""

    __slots__ = ("confused_draw", "displaced", "mask", "seen", "stack")

    def __init__(self, mask: int, stack: int, now: int, seed: int) -> None:
        kept_draw, self.confused_draw, elsewhere = _three_draws(seed)
        self.mask = mask
        self.stack = stack
        self.seen = [(now, kept_draw)]
        self.displaced = (stack + 1 + int(elsewhere * (BOX.actors - 1))) % BOX.actors


def sights(told: Sequence[Fact]) -> tuple[Sight, ...]:
    """What there was to see in the present round, in order.

    Args:
        told: All facts a seat has been told, oldest first.

    Returns:
        A sight for every placement and every check since the round started.
    """
    seen: list[Sight] = []
    for fact in reversed(told):
        if isinstance(fact, Placed):
            seen.append((fact.mask, fact.stack))
        elif isinstance(fact, Stopped):
            seen.append((CHECK, fact.stack))
        elif isinstance(fact, RoundStarted):
            break
    return tuple(reversed(seen))


def rng_after(seen: Sequence[Sight], seat: Seat, about: str) -> Random:
    """A random generator that depends on these arguments alone: a repeated thought gives the same answer.

    Args:
        seen: Everything seen in the round so far.
        seat: Whose thought it is.
        about: What is decided; another word gives an independent generator.
    """
    return Random(reduce(_seed_after, seen, _first_seed(seat, about)))


@lru_cache(maxsize=256)  # chosen by hand: the seats of some tables, each asked several times a placement
def recollect(seen: tuple[Sight, ...], seat: Seat, memory: Memory) -> tuple[Trace, ...]:
    """What a seat remembers of the masks that lie covered.

    Args:
        seen: Everything seen in the round so far.
        seat: Whose memory it is; each seat forgets other masks.
        memory: How well it remembers.

    Returns:
        A trace for every covered mask that is remembered, truly or on a wrong stack, oldest first.
    """
    tops: dict[int, int] = {}
    covered: list[_Covered] = []
    copies: dict[int, list[tuple[int, int]]] = {mask: [] for mask in range(len(BOX.masks))}
    now, seed = 0, _first_seed(seat, "memory")
    for sight in seen:
        mask, stack = sight
        seed = _seed_after(seed, sight)
        if mask == CHECK:
            rng = Random(seed)
            for each in covered:
                if each.stack == stack:
                    each.seen.append((now, rng.random()))
            continue
        if stack in tops:
            covered.append(_Covered(tops[stack], stack, now, seed))
        tops[stack] = mask
        copies[mask].append((now, stack))
        now += 1
    traces = (_trace(each, copies[each.mask], now, memory) for each in covered)
    return tuple(trace for trace in traces if trace is not None)


def _trace(each: _Covered, copies: list[tuple[int, int]], now: int, memory: Memory) -> Trace | None:
    """What is left of one covered mask: its strongest memory, a misplaced one, or ``None``."""
    kept: list[tuple[float, int, int]] = []
    strongest = 0.0
    for time, rng in each.seen:
        disturbances = sum(when >= time and stack != each.stack for when, stack in copies)
        strength = memory.strength(now - time, disturbances)
        strongest = max(strongest, strength)
        if rng < strength:
            kept.append((strength, now - time, disturbances))
    if kept:
        strength, age, disturbances = max(kept)
        return Trace(each.mask, each.stack, memory.confidence(strength), age, disturbances)
    if each.confused_draw < memory.confusion:
        return Trace(each.mask, each.displaced, memory.confidence(strongest), now, 0)
    return None


def _first_seed(seat: Seat, about: str) -> int:
    return crc32(f"{about} {seat}".encode())


def _seed_after(seed: int, sight: Sight) -> int:
    mask, stack = sight
    return crc32(bytes((mask + 1, stack)), seed)


@lru_cache(maxsize=4096)  # chosen by hand: some 80 rounds, each gone through again at every thought
def _three_draws(seed: int) -> tuple[float, float, float]:
    rng = Random(seed)
    return rng.random(), rng.random(), rng.random()
