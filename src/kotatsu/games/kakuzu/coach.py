"""The coach: advice at any moment of a table that is not competitive, and a review of a game that is over.

It is given what a seat sees, never the grid, so it cannot give away what it does not know.

``GET /api/tables/{id}/hint?seat=0`` answers with a ``Hint``:

* ``wanted`` is the digit looked for now (by whoever is to move), or ``null``: in the opening, while a digit
  is to be named, and when the game is over.
* ``certain`` has every stone that is proved to cover ``wanted``, the easiest to see first, each with the
  steps that prove it: highlight ``because`` (visible cells that force a step), ``cells`` (the stones it is
  about) and ``unit``. While a digit is to be named (KZ-21) it has the certain stones of all digits.
* ``best`` has the best chances for ``wanted``, the best first, at most ``CHANCES_LISTED``, with their odds
  (0–1) and the standard error of those (0 when ``exact``); while a digit is to be named, the best stone of
  each digit. In the opening it is empty: every stone is as good as any other.
* ``remaining`` is how many grids still fit what is visible: counted if ``exact``, otherwise estimated;
  ``null`` in the opening and when the game is over.

``GET /api/tables/{id}/review`` answers with a ``Review``: each lift with its odds and the best stone there
was, and for each seat (and the house, ``-1``, when one plays alone) two series for a chart. ``actual[n]`` is
the number of stones after ``n`` lifts and ``expected[n]`` what the odds of the lifts made it on average, so
both begin with 0 and have one value more than there are lifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import msgspec
import numpy as np

from kotatsu.engine.contract import Fact, Options, Seat
from kotatsu.engine.record import read_record
from kotatsu.games.kakuzu.board import CELLS, DIGITS, Cell, Flat, flattened, place
from kotatsu.games.kakuzu.deductions import TECHNIQUES_BY_DIFFICULTY, Deduction, DeductionStep, Pencil
from kotatsu.games.kakuzu.model import HOUSE, KakuzuOptions, KakuzuView, Lifted
from kotatsu.games.kakuzu.odds import Odds, odds
from kotatsu.games.kakuzu.turn import taker_of_a_miss

CHANCES_LISTED = 5
"""How many of the best stones a hint lists. Chosen by hand, for a short list on the screen."""


class Chance(msgspec.Struct, frozen=True):
    """How likely a digit lies under a stone, 0 to 1, and the standard error of that (0 when exact)."""

    cell: Cell
    digit: int
    odds: float
    error: float


class Hint(msgspec.Struct, frozen=True):
    """What is certain, or else the best chances; ``coach.py`` describes every field."""

    wanted: int | None
    certain: tuple[Deduction, ...]
    best: tuple[Chance, ...]
    exact: bool
    remaining: float | None


class ReviewedLift(msgspec.Struct, frozen=True):
    """One lift of a game that is over.

    ``odds`` were those of ``cell``, ``best_odds`` those of ``best``, a stone with the best odds. ``missed``
    is the easiest deduction that was possible and not used; ``null`` if the lift was certain or there was
    none.
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
    """One seat's game, lift by lift.

    ``expected_hits`` are the hits its choices bring on average, and ``best_hits`` those of the best choices.
    ``actual`` and ``expected`` are the seat's stones after each lift, as they were and on average.
    """

    seat: Seat
    lifts: int
    hits: int
    expected_hits: float
    best_hits: float
    actual: tuple[int, ...]
    expected: tuple[float, ...]


class Review(msgspec.Struct, frozen=True):
    """A whole game, lift by lift and seat by seat."""

    lifts: tuple[ReviewedLift, ...]
    seats: tuple[SeatReview, ...]


def advises(options: Options) -> bool:
    """Whether hints are given while a game with these options lasts: not at competitive tables, nor on a clock."""
    return isinstance(options, KakuzuOptions) and not options.competitive and not options.clock_s


def hint(view: KakuzuView, seat: Seat) -> Hint:  # noqa: ARG001 - every coach is asked by a seat
    """Advice for the present position; it is the same for every seat, because all see the same.

    Args:
        view: What the seat sees.
        seat: Who asks; not used.
    """
    digits: Sequence[int] = (view.wanted,) if view.wanted else ()
    if not digits and view.options.announce and view.phase == "play":
        digits = [digit for digit in DIGITS if digit not in view.retired]  # KZ-21
    if not digits:
        return Hint(None, (), (), exact=False, remaining=None)
    visible = flattened(view.visible)
    found = odds(visible)
    certain = deductions(visible, found, digits)
    best = _chances(found, digits[0]) if view.wanted else [_chances(found, digit)[0] for digit in digits]
    best = sorted(best, key=lambda chance: -chance.odds)[: CHANCES_LISTED if view.wanted else len(digits)]
    return Hint(view.wanted, tuple(certain), tuple(best), found.exact, found.remaining)


def deductions(visible: Flat, found: Odds, digits: Sequence[int]) -> list[Deduction]:
    """Why some cells are certain to hold one of ``digits``, the easiest to see first.

    Args:
        visible: The board.
        found: The odds of the same board.
        digits: The digits that are looked for.

    Returns:
        One deduction for each such cell. What pencil marks cannot show has the technique ``elimination``.
    """
    pencil = Pencil(visible)
    proved = found.certain.reshape(CELLS)
    seen = [pencil.why(cell) for cell, digit in pencil.certain.items() if digit in digits]
    hard = [
        _by_elimination(cell, int(proved[cell]))
        for cell in map(int, np.flatnonzero(proved))
        if proved[cell] in digits and cell not in pencil.certain
    ]
    return sorted(
        seen + hard, key=lambda why: (TECHNIQUES_BY_DIFFICULTY.index(why.technique), len(why.steps), why.cell)
    )


def review(record: Any) -> Review:
    """Review a game that is over: the odds of each lift, and what each seat gained against the average.

    Args:
        record: The record of the game as JSON values.

    Raises:
        BadRecord: The record is not one of Kakuzu; its message says what is wrong in one sentence.
    """
    kind, players, options, _, log = read_record(record)
    state = kind.empty(players, options)
    lifts: list[ReviewedLift] = []
    takers: list[Seat] = []
    for fact in (entry for entry in log if isinstance(entry, Fact)):
        if isinstance(fact, Lifted):
            lifts.append(_reviewed(state.visible, fact))
            missed = fact.to != fact.seat
            takers.append(fact.to if missed else taker_of_a_miss(state, fact.seat))
        state = kind.fold(state, fact)
    seats = (*range(players), HOUSE) if players == 1 else range(players)
    return Review(tuple(lifts), tuple(_of_seat(seat, lifts, takers) for seat in seats))


def _chances(found: Odds, digit: int) -> list[Chance]:
    """The best stones for a digit, the best first, ``CHANCES_LISTED`` at most."""
    chances = found.probabilities[:, :, digit - 1].reshape(CELLS)
    errors = found.errors[:, :, digit - 1].reshape(CELLS)
    order = np.argsort(-chances, kind="stable")[:CHANCES_LISTED]
    return [
        Chance(place(int(cell)), digit, float(chances[cell]), float(errors[cell]))
        for cell in order
        if chances[cell] > 0
    ]


def _by_elimination(cell: int, digit: int) -> Deduction:
    step = DeductionStep("elimination", (digit,), (place(cell),))
    return Deduction(place(cell), digit, "elimination", (step,))


def _reviewed(visible: Flat, lift: Lifted) -> ReviewedLift:
    found = odds(visible)
    chance = float(found.probabilities[lift.cell][lift.wanted - 1])
    best = _chances(found, lift.wanted)[0]
    sure = found.certain[lift.cell] == lift.wanted
    why = [] if sure else deductions(visible, found, (lift.wanted,))
    return ReviewedLift(
        seat=lift.seat,
        wanted=lift.wanted,
        cell=lift.cell,
        digit=lift.digit,
        to=lift.to,
        odds=chance,
        best=lift.cell if chance >= best.odds else best.cell,
        best_odds=best.odds,
        missed=why[0] if why else None,
    )


def _of_seat(seat: Seat, lifts: Sequence[ReviewedLift], takers: Sequence[Seat]) -> SeatReview:
    """The review of one seat; ``takers`` say of each lift whose stone a miss is."""
    own = [lift for lift in lifts if lift.seat == seat]
    expected = [
        lift.odds if lift.seat == seat else 1 - lift.odds if taker == seat else 0.0
        for lift, taker in zip(lifts, takers, strict=True)
    ]
    return SeatReview(
        seat=seat,
        lifts=len(own),
        hits=sum(lift.digit == lift.wanted for lift in own),
        expected_hits=sum(lift.odds for lift in own),
        best_hits=sum(lift.best_odds for lift in own),
        actual=tuple(accumulate((int(lift.to == seat) for lift in lifts), initial=0)),
        expected=tuple(accumulate(expected, initial=0.0)),
    )
