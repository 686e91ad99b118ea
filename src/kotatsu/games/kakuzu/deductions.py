"""Sudoku deduction by pencil marks: what is certain, and the steps that prove it.

``Pencil`` notes for each stone the digits that could lie under it. It looks for singles; where there are none
left it looks for what a pointing digit or a pair rules out, and goes back to singles. Every digit ruled out
keeps the reason for it, so that a certain cell can be traced back to what is visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from kotatsu.games.kakuzu.board import (
    CELLS,
    DIGITS,
    PEERS,
    SIZE,
    SQUARES,
    UNITS,
    Cell,
    Flat,
    place,
)

Technique = Literal[
    "hidden_single",
    "naked_single",
    "pointing",
    "claiming",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "elimination",
]
"""The names of the techniques; with ``elimination`` every other digit leads to a contradiction."""
UnitKind = Literal["row", "column", "square"]
"""The kinds of units of a board."""


class Unit(msgspec.Struct, frozen=True):
    """A row, a column or a square; ``index`` is 0–8, squares are counted row by row."""

    kind: UnitKind
    index: int


class DeductionStep(msgspec.Struct, frozen=True):
    """One step of a proof. The last step of a deduction is a single; those before it rule digits out.

    ``cells`` are the stones it is about and ``digits`` what lies under them or is ruled out by them; ``unit``
    is where to look (``null`` for a naked single) and ``because`` are the visible cells that force it.
    ``excluded`` are the stones under which ``digits`` can no longer lie (for a hidden pair: all other digits,
    and they are the pair's own cells).
    """

    technique: Technique
    digits: tuple[int, ...]
    cells: tuple[Cell, ...]
    unit: Unit | None = None
    because: tuple[Cell, ...] = ()
    excluded: tuple[Cell, ...] = ()


class Deduction(msgspec.Struct, frozen=True):
    """A proof that a digit lies under a stone.

    ``steps`` are in logical order, and ``technique`` is the hardest among them.
    """

    cell: Cell
    digit: int
    technique: Technique
    steps: tuple[DeductionStep, ...]


TECHNIQUES_BY_DIFFICULTY: tuple[Technique, ...] = (
    "hidden_single",
    "naked_single",
    "pointing",
    "claiming",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "elimination",
)
"""The techniques from the easiest to the hardest: the order in which books on Sudoku teach them."""
_KINDS: tuple[UnitKind, ...] = ("row", "column", "square")
_CROSSINGS = tuple(
    (18 + square, line, frozenset(SQUARES[square]) & frozenset(UNITS[line]))
    for square in range(SIZE)
    for line in range(2 * SIZE)
    if not set(SQUARES[square]).isdisjoint(UNITS[line])
)
"""Every square with a line that crosses it, as unit numbers, and the three cells they share."""

Mark = tuple[int, int]
"""A cell and a digit that could lie there."""


class _Found(msgspec.Struct):
    """A step, and the marks that had to be ruled out before it."""

    step: DeductionStep
    needs: tuple[Mark, ...]


class Pencil:
    """All that pencil marks can prove about a board.

    Attributes:
        visible: The board it was made for.
        hidden: The cells under stones.
        marks: For each cell the digits that could still lie there; empty for visible cells.
        certain: The digit of every cell that is proved.
    """

    def __init__(self, visible: Flat) -> None:
        self.visible = visible
        self.hidden = [cell for cell in range(CELLS) if not visible[cell]]
        self.marks: list[set[int]] = [set() for _ in range(CELLS)]
        for cell in self.hidden:
            self.marks[cell] = set(DIGITS) - {visible[peer] for peer in PEERS[cell]}
        self.certain: dict[int, int] = {}
        self._concluded: dict[int, _Found] = {}
        self._ruled_out: dict[Mark, _Found] = {}
        while self._think():
            pass

    def why(self, cell: int) -> Deduction:
        """The steps that prove a certain cell.

        Args:
            cell: The number of a cell in ``certain``.

        Raises:
            KeyError: The cell is not certain.
        """
        steps: list[DeductionStep] = []
        self._trace(self._concluded[cell], steps, set())
        hardest = max((step.technique for step in steps), key=TECHNIQUES_BY_DIFFICULTY.index)
        return Deduction(place(cell), self.certain[cell], hardest, tuple(steps))

    def _trace(self, found: _Found, steps: list[DeductionStep], told: set[int]) -> None:
        if id(found) in told:
            return
        told.add(id(found))
        unseen = [need for need in found.needs if not self._blockers(need)]
        for need in unseen:
            self._trace(self._ruled_out[need], steps, told)
        because = self._forcing(need for need in found.needs if need not in unseen)
        steps.append(msgspec.structs.replace(found.step, because=tuple(map(place, because))))

    def _blockers(self, mark: Mark) -> list[int]:
        """The visible cells that rule a mark out directly."""
        cell, digit = mark
        return [peer for peer in PEERS[cell] if self.visible[peer] == digit]

    def _forcing(self, needs: Iterable[Mark]) -> list[int]:
        """A small set of visible cells that rules out all of ``needs``, chosen greedily."""
        open_needs = {need: self._blockers(need) for need in needs}
        chosen: list[int] = []
        while open_needs:
            votes = Counter(blocker for blockers in open_needs.values() for blocker in blockers)
            best = max(sorted(votes), key=votes.__getitem__)
            chosen.append(best)
            open_needs = {need: blockers for need, blockers in open_needs.items() if best not in blockers}
        return sorted(chosen)

    def _think(self) -> bool:
        """Apply the easiest technique that finds anything, everywhere; whether something new was found."""
        singles = list(self._singles())
        for cell, digit, found in singles:
            if cell not in self.certain:
                self._conclude(cell, digit, found)
        if singles:
            return True
        for technique in (self._crossings, self._pairs, self._triples):
            exclusions = list(technique())
            for found, marks in exclusions:
                self._rule_out(found, marks)
            if exclusions:
                return True
        return False

    def _conclude(self, cell: int, digit: int, found: _Found) -> None:
        self.certain[cell] = digit
        self._concluded[cell] = found
        others = [(cell, other) for other in self.marks[cell] if other != digit]
        self._rule_out(found, others + [(peer, digit) for peer in PEERS[cell] if digit in self.marks[peer]])

    def _rule_out(self, found: _Found, marks: Iterable[Mark]) -> None:
        for cell, digit in marks:
            if digit in self.marks[cell]:
                self.marks[cell].remove(digit)
                self._ruled_out[cell, digit] = found

    def _singles(self) -> Iterator[tuple[int, int, _Found]]:
        for number in (*range(18, 27), *range(18)):  # squares first: there singles are easiest to see
            for digit, cells in self._places(number).items():
                if len(cells) == 1 and cells[0] not in self.certain:
                    (cell,) = cells
                    needs = tuple((x, digit) for x in UNITS[number] if not self.visible[x] and x != cell)
                    yield cell, digit, _found("hidden_single", (digit,), cells, number, needs)
        for cell in self.hidden:
            if len(self.marks[cell]) == 1 and cell not in self.certain:
                (digit,) = self.marks[cell]
                needs = tuple((cell, other) for other in DIGITS if other != digit)
                yield cell, digit, _found("naked_single", (digit,), (cell,), None, needs)

    def _crossings(self) -> Iterator[tuple[_Found, list[Mark]]]:
        """A digit of a square that lies in one line is nowhere else in that line, and the other way round."""
        places = [self._places(number) for number in range(27)]
        for square, line, both in _CROSSINGS:
            for one, other in ((square, line), (line, square)):
                for digit, cells in places[one].items():
                    if not 1 < len(cells) < 4 or not both.issuperset(cells):
                        continue
                    gone = [(x, digit) for x in places[other].get(digit, ()) if x not in both]
                    if gone:
                        needs = tuple((x, digit) for x in UNITS[one] if not self.visible[x] and x not in both)
                        technique: Technique = "pointing" if one == square else "claiming"
                        yield _found(technique, (digit,), cells, one, needs, gone), gone

    def _pairs(self) -> Iterator[tuple[_Found, list[Mark]]]:
        for number in range(27):
            yield from self._naked(number, 2, "naked_pair")
            yield from self._hidden_pairs(number)

    def _triples(self) -> Iterator[tuple[_Found, list[Mark]]]:
        for number in range(27):
            yield from self._naked(number, 3, "naked_triple")

    def _naked(self, number: int, size: int, technique: Technique) -> Iterator[tuple[_Found, list[Mark]]]:
        few = [cell for cell in UNITS[number] if 1 < len(self.marks[cell]) <= size]
        for cells in combinations(few, size):
            digits = set().union(*(self.marks[cell] for cell in cells))
            if len(digits) != size:
                continue
            gone = [(x, d) for x in UNITS[number] if x not in cells for d in sorted(digits & self.marks[x])]
            if gone:
                needs = tuple((cell, d) for cell in cells for d in DIGITS if d not in self.marks[cell])
                yield _found(technique, sorted(digits), cells, number, needs, gone), gone

    def _hidden_pairs(self, number: int) -> Iterator[tuple[_Found, list[Mark]]]:
        twice = {digit: cells for digit, cells in self._places(number).items() if len(cells) == 2}
        for one, other in combinations(sorted(twice), 2):
            if twice[one] != twice[other]:
                continue
            cells = twice[one]
            gone = [(x, d) for x in cells for d in sorted(self.marks[x] - {one, other})]
            if gone:
                rest = [x for x in UNITS[number] if not self.visible[x] and x not in cells]
                needs = tuple((x, d) for x in rest for d in (one, other))
                yield _found("hidden_pair", (one, other), cells, number, needs, gone), gone

    def _places(self, number: int) -> dict[int, tuple[int, ...]]:
        """The cells of a unit where each digit could lie; a digit that is visible there has no entry."""
        places: dict[int, list[int]] = {}
        for cell in UNITS[number]:
            for digit in self.marks[cell]:
                places.setdefault(digit, []).append(cell)
        return {digit: tuple(places[digit]) for digit in sorted(places)}


def _found(
    technique: Technique,
    digits: Sequence[int],
    cells: Sequence[int],
    number: int | None,
    needs: tuple[Mark, ...],
    gone: Iterable[Mark] = (),
) -> _Found:
    unit = None if number is None else Unit(_KINDS[number // SIZE], number % SIZE)
    excluded = tuple(place(cell) for cell in sorted({cell for cell, _ in gone}))
    return _Found(
        DeductionStep(technique, tuple(digits), tuple(map(place, cells)), unit, (), excluded), needs
    )
