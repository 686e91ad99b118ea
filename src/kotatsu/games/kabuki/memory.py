"""How a bot remembers: masks fade with age, are disturbed by their like, and come back in the wrong place.

A bot keeps nothing between two thoughts. It lives through the round again from what it was told, and
the luck of each sight comes from a stream of its own, seeded by all that was seen up to then: so it
forgets the same mask at each thought, and what is forgotten stays forgotten until a check shows it again.
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
Sight = tuple[int, int]
"""A mask and the stack it was put on, or ``CHECK`` and the stack that was opened."""


class Memory(msgspec.Struct, frozen=True):
    """How well somebody remembers.

    ``attention`` is the chance to take a mask in at all; ``lasts`` the placements after which about a third
    of that is left; ``interference`` what each later sight of the same design elsewhere takes away;
    ``confusion`` the chance that a lost mask is remembered on another stack.
    """

    attention: float
    lasts: float
    interference: float
    confusion: float

    def strength(self, age: int, disturbances: int) -> float:
        """The chance that a mask covered ``age`` placements ago is still remembered."""
        return float(self.attention * exp(-age / self.lasts) * (1 - self.interference) ** disturbances)

    def confidence(self, strength: float) -> float:
        """How sure one may be that what one remembers is so, knowing one's own memory."""
        mistaken = (1 - strength) * self.confusion / (BOX.actors - 1)
        return strength / (strength + mistaken)


class Trace(msgspec.Struct, frozen=True):
    """A covered mask as it is remembered, rightly or not."""

    mask: int
    stack: int
    confidence: float
    age: int
    disturbances: int


class _Covered:
    """A mask under others: when it was seen, with what luck, and where it is misremembered."""

    __slots__ = ("confused_luck", "displaced", "mask", "seen", "stack")

    def __init__(self, mask: int, stack: int, now: int, seed: int) -> None:
        kept_luck, self.confused_luck, elsewhere = _three_draws(seed)
        self.mask = mask
        self.stack = stack
        self.seen = [(now, kept_luck)]
        self.displaced = (stack + 1 + int(elsewhere * (BOX.actors - 1))) % BOX.actors


def sights(told: Sequence[Fact]) -> tuple[Sight, ...]:
    """What there was to see in the present round."""
    seen: list[Sight] = []
    for fact in reversed(told):
        if isinstance(fact, Placed):
            seen.append((fact.mask, fact.stack))
        elif isinstance(fact, Stopped):
            seen.append((CHECK, fact.stack))
        elif isinstance(fact, RoundStarted):
            break
    return tuple(reversed(seen))


def luck_after(seen: Sequence[Sight], seat: Seat, about: str) -> Random:
    """A stream that depends on the seat, what it is about and everything seen so far, and on nothing else."""
    return Random(reduce(_seed_after, seen, _first_seed(seat, about)))


@lru_cache(maxsize=256)
def recollect(seen: tuple[Sight, ...], seat: Seat, memory: Memory) -> tuple[Trace, ...]:
    """What a seat remembers of the masks that lie covered."""
    tops: dict[int, int] = {}
    covered: list[_Covered] = []
    copies: dict[int, list[tuple[int, int]]] = {mask: [] for mask in range(len(BOX.masks))}
    now, seed = 0, _first_seed(seat, "memory")
    for sight in seen:
        mask, stack = sight
        seed = _seed_after(seed, sight)
        if mask == CHECK:
            luck = Random(seed)
            for each in covered:
                if each.stack == stack:
                    each.seen.append((now, luck.random()))
            continue
        if stack in tops:
            covered.append(_Covered(tops[stack], stack, now, seed))
        tops[stack] = mask
        copies[mask].append((now, stack))
        now += 1
    traces = (_trace(each, copies[each.mask], now, memory) for each in covered)
    return tuple(trace for trace in traces if trace is not None)


def _trace(each: _Covered, copies: list[tuple[int, int]], now: int, memory: Memory) -> Trace | None:
    kept: list[tuple[float, int, int]] = []
    strongest = 0.0
    for time, luck in each.seen:
        disturbances = sum(when >= time and stack != each.stack for when, stack in copies)
        strength = memory.strength(now - time, disturbances)
        strongest = max(strongest, strength)
        if luck < strength:
            kept.append((strength, now - time, disturbances))
    if kept:
        strength, age, disturbances = max(kept)
        return Trace(each.mask, each.stack, memory.confidence(strength), age, disturbances)
    if each.confused_luck < memory.confusion:
        return Trace(each.mask, each.displaced, memory.confidence(strongest), now, 0)
    return None


def _first_seed(seat: Seat, about: str) -> int:
    return crc32(f"{about} {seat}".encode())


def _seed_after(seed: int, sight: Sight) -> int:
    mask, stack = sight
    return crc32(bytes((mask + 1, stack)), seed)


@lru_cache(maxsize=4096)
def _three_draws(seed: int) -> tuple[float, float, float]:
    luck = Random(seed)
    return luck.random(), luck.random(), luck.random()
