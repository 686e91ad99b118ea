"""The interface of a bot: what it is given (``Situation``) and what it answers (``Thought``).

A bot never sees the true state. It gets what its seat may see and, if it asks for them, all facts its seat
has been sent so far and imagined states, consistent with what it may know, to search in.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

import msgspec

from kotatsu.engine.contract import Fact, Move, Options, Seat


class Situation(msgspec.Struct, frozen=True):
    """What one seat knows when it may move. Picklable: it is sent to a worker process.

    ``view`` is what the seat sees, ``moves`` its legal moves, ``told`` the facts it was sent so far (empty
    unless the bot ``remembers``), ``imagined`` as many states as it asked for. ``seed`` makes its randomness
    reproducible. ``waited`` is how many seconds of the present deadline have passed, so that a bot that is
    asked again, because something else happened, does not start its pause from the beginning.
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
        """Return a new random generator for this thought, seeded with ``seed``."""
        return Random(self.seed)


class Thought(msgspec.Struct, frozen=True):
    """A bot's answer: a move to make ``after`` so many seconds, or ``None`` to wait for a change."""

    move: Move | None
    after: float = 0.0


class Bot(Protocol):
    """One level of play at one game. Stateless: everything it knows is in the situation."""

    @property
    def imagines(self) -> int:
        """How many imagined states it wants in ``Situation.imagined``."""

    @property
    def remembers(self) -> bool:
        """Whether it wants all facts its seat was sent in ``Situation.told``."""

    def think(self, situation: Situation) -> Thought:
        """Return one of ``situation.moves``, or to wait. May be slow: it blocks a worker process."""
