"""Chance made explicit: the draws a game makes from its ``rng``, one event after the other.

Rules draw from a ``random.Random``. Here they are handed one that follows a script of outcomes and,
at the end of the script, stops them with the event that comes next. Running the same step again with
one more outcome in the script gets one event further, and the rules notice nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Any, NoReturn, TypeVar

import msgspec

T = TypeVar("T")
Weights = tuple[float, ...]


class Undecided(Exception):
    """A chance event: the weights of its outcomes, and a name for each.

    ``more`` events of the same kind follow, each without what was drawn before.
    """

    def __init__(self, weights: Weights, names: tuple[str, ...], more: int = 0) -> None:
        super().__init__(weights, names, more)
        self.weights = weights
        self.names = names
        self.more = more

    def odds(self) -> list[tuple[int, float]]:
        """The outcomes that can happen, with their probabilities."""
        total = sum(self.weights)
        return [(outcome, weight / total) for outcome, weight in enumerate(self.weights) if weight]

    def then(self, outcome: int) -> Undecided | None:
        """The event that follows an outcome, where that can be told without asking the rules."""
        if not self.more:
            return None
        left = list(self.weights)
        left[outcome] -= 1
        weights = tuple(left)
        return Undecided(weights, self.names, self.more - 1) if weights.count(0) < len(weights) - 1 else None


class NotListable(TypeError):
    """A draw whose outcomes cannot be listed, such as a real number."""


class ScriptedRandom(Random):
    """Draws what a script says. What can have one outcome only is no event."""

    def __init__(self) -> None:
        super().__init__(0)
        self._script: tuple[int, ...] = ()
        self._next = 0

    def follow(self, script: tuple[int, ...]) -> ScriptedRandom:
        """Start over, with this script."""
        self._script = script
        self._next = 0
        return self

    def sample(self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None) -> list[T]:
        left = [1] * len(population) if counts is None else list(counts)
        names = _names(population)
        drawn = []
        for more in reversed(range(k)):
            index = self._draw(tuple(left), names, more)
            left[index] -= 1
            drawn.append(population[index])
        return drawn

    def choices(  # type: ignore[override]
        self,
        population: Sequence[T],
        weights: Sequence[Any] | None = None,
        *,
        cum_weights: Sequence[Any] | None = None,
        k: int = 1,
    ) -> list[T]:
        if cum_weights is not None:
            weights = [upper - lower for lower, upper in zip([0, *cum_weights], cum_weights, strict=False)]
        even = (1.0,) * len(population)
        names = _names(population)
        return [population[self._draw(tuple(weights or even), names)] for _ in range(k)]

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        if not seq:
            raise IndexError("nothing to choose from")
        return seq[self._draw((1.0,) * len(seq), _names(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        x[:] = self.sample(list(x), len(x))

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        numbers = range(start) if stop is None else range(start, stop, step)
        if not numbers:
            raise ValueError(f"{numbers} is empty")
        return numbers[self._below(len(numbers))]

    def randint(self, a: int, b: int) -> int:
        return self.randrange(a, b + 1)

    def getrandbits(self, k: int, /) -> int:
        return self._below(1 << k) if k <= 16 else self._refuse()

    def random(self) -> float:
        return self._refuse()

    def _below(self, n: int) -> int:
        """One of the first ``n`` numbers; each is named after where it stands."""
        return self._draw((1.0,) * n, tuple(map(str, range(n))))

    def _draw(self, weights: Weights, names: tuple[str, ...], more: int = 0) -> int:
        if weights.count(0) == len(weights) - 1:
            return next(index for index, weight in enumerate(weights) if weight)
        if self._next == len(self._script):
            raise Undecided(weights, names, more)
        self._next += 1
        return self._script[self._next - 1]

    def _refuse(self) -> NoReturn:
        raise NotListable("this draw has too many outcomes to list")


BYTE = 256
SEED_BYTES = 2


def seeded(script: tuple[int, ...], salt: int) -> Random:
    """For games whose draws are too many to list: the events are the bytes of a seed for all of them.

    Raises:
        Undecided: as long as bytes are missing.
    """
    if len(script) < SEED_BYTES:
        raise Undecided((1.0,) * BYTE, tuple(map(str, range(BYTE))))
    number = list(accumulate(script, lambda high, low: high * BYTE + low))[-1]
    return Random(salt * BYTE**SEED_BYTES + number)


def _names(population: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(_name, population))


@lru_cache(maxsize=1 << 12)
def _name(value: Any) -> str:
    if isinstance(value, msgspec.Struct):
        fields = msgspec.to_builtins(value)
        return " ".join(f"{name} {inner}" for name, inner in fields.items())
    return str(value)
