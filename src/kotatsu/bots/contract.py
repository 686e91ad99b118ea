"""What a bot is given and what it answers.

A bot never sees the true state. It gets what its seat may see, and, if it asks
for them, what its seat has been told so far and imagined states to search in.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Seat


class Situation(msgspec.Struct, frozen=True):
    """One seat's situation when it may move. Picklable: it travels to a worker process.

    ``waited`` is how many seconds of the present deadline are gone, so that a bot which is asked
    again because something else happened does not begin its pause anew.
    """

    game: str
    players: int
    options: Options
    seat: Seat
    view: Any
    moves: tuple[Move, ...]
    seed: int
    told: tuple[Fact, ...] = ()
    imagined: tuple[Any, ...] = ()
    waited: float = 0.0

    def rng(self) -> Random:
        """The bot's own randomness for this thought."""
        return Random(self.seed)


class Thought(msgspec.Struct, frozen=True):
    """A move to make ``after`` so many seconds, or ``None``: nothing until something changes."""

    move: Move | None
    after: float = 0.0


class Bot(Protocol):
    """One level of play at one game. Stateless: everything it knows is in the situation."""

    @property
    def imagines(self) -> int:
        """How many imagined states it wants."""

    @property
    def remembers(self) -> bool:
        """Whether it wants to be given all its seat has been told."""

    def think(self, situation: Situation) -> Thought:
        """What to do; always one of ``situation.moves``, or to wait."""
