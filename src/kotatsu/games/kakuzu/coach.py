"""The coach: advice at any moment of a table that is not competitive, and a review of a game that is over.

It is given what a seat sees, never the grid, so it cannot give away what it does not know.

``GET /api/tables/{id}/hint?seat=0`` answers with a ``Hint``:

* ``wanted`` is the digit looked for now (by whoever is to move), or ``null``: in the opening, while a digit is
  to be named, and when the game is over.
* ``certain`` has every stone that is proved to cover ``wanted``, the easiest to see first, each with the steps
  that prove it: highlight ``because`` (visible cells that force a step), ``cells`` (the stones it is about) and
  ``unit``. While a digit is to be named (KZ-21) it has the certain stones of all digits.
* ``best`` has the best chances for ``wanted``, the best first, at most ``CHANCES`` of them, with their odds
  (0–1) and the standard error of those (0 when ``exact``); while a digit is to be named, the best stone of each
  digit. In the opening it is empty: every stone is as good as any other.
* ``remaining`` is how many grids still fit what is visible: counted if ``exact``, otherwise estimated.

``GET /api/tables/{id}/review`` answers with a ``Review``: each lift with its odds and the best stone there was,
and for each seat (and the house, ``-1``, when one plays alone) two series for a chart. ``actual[n]`` is the
number of stones after ``n`` lifts and ``expected[n]`` what the odds of the lifts made it on average, so both
begin with 0 and have one value more than there are lifts.
"""

from __future__ import annotations

import msgspec

from kotatsu.engine.contract import Seat
from kotatsu.games.kakuzu.board import Cell
from kotatsu.games.kakuzu.deductions import Deduction

CHANCES = 5


class Chance(msgspec.Struct, frozen=True):
    """How likely a digit lies under a stone."""

    cell: Cell
    digit: int
    odds: float
    error: float


class Hint(msgspec.Struct, frozen=True):
    """What is certain, or else the best chance."""

    wanted: int | None
    certain: tuple[Deduction, ...]
    best: tuple[Chance, ...]
    exact: bool
    remaining: float


class ReviewedLift(msgspec.Struct, frozen=True):
    """One lift. ``odds`` were those of ``cell``, ``best_odds`` those of ``best``, a stone with the best.

    ``missed`` is the easiest deduction that was there and not used; ``null`` if the lift was certain or nothing was.
    """

    seat: Seat
    wanted: int
    cell: Cell
    digit: int
    to: Seat
    odds: float
    best: Cell
    best_odds: float
    missed: Deduction | None


class SeatReview(msgspec.Struct, frozen=True):
    """One seat's game; ``hits`` against what its choices and the best choices would bring on average."""

    seat: Seat
    lifts: int
    hits: int
    expected_hits: float
    best_hits: float
    actual: tuple[int, ...]
    expected: tuple[float, ...]


class Review(msgspec.Struct, frozen=True):
    """A whole game, lift by lift."""

    lifts: tuple[ReviewedLift, ...]
    seats: tuple[SeatReview, ...]
