"""What a game's coach is, if it brings one: the functions of its module ``coach``.

A coach is given what a seat may see, or the record of a game that is over; so whatever it says, a player
could have known.
"""

from __future__ import annotations

from typing import Any, Protocol, cast

from msgspec import Struct

from kotatsu.engine.contract import Options, Seat
from kotatsu.engine.registry import part


class Coach(Protocol):
    """Slow: it is asked in a worker process."""

    def advises(self, options: Options) -> bool:
        """Whether it gives hints while a game with these options lasts."""

    def hint(self, view: Any, seat: Seat) -> Struct:
        """Advice to a seat that sees ``view``."""

    def review(self, record: Any) -> Struct:
        """What could have been done better in a game that is over, from its record as JSON values."""


def coach(name: str) -> Coach | None:
    """The coach of a game.

    Raises:
        UnknownGame: if no such game is on the shelf.
    """
    return cast("Coach | None", part(name, "coach"))
