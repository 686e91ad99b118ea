"""The interface of a game's coach, if it has one: the functions of its module ``coach``.

A coach is given what a seat may see, or the record of a game that is over, so it cannot reveal anything a
player may not know.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

from msgspec import Struct

from kotatsu.engine.contract import Options, Seat
from kotatsu.engine.registry import part


class Coach(Protocol):
    """Gives hints and reviews. ``hint`` and ``review`` may be slow: they run in a worker process."""

    def advises(self, options: Options) -> bool:
        """Whether it gives hints during a game with these options."""

    def hint(self, view: Any, seat: Seat) -> Struct:
        """Return advice, in the game's own form, for a ``seat`` that sees ``view``."""

    def review(self, record: Any) -> Struct:
        """Return what could have been done better in a finished game, from its record as JSON values."""


def coach(name: str) -> Coach | None:
    """Return the coach of a game; ``None`` if it has none.

    Raises:
        UnknownGame: there is no game of this name.
    """
    return cast("Coach | None", part(name, "coach"))
