"""Deductions are right, and what they show is enough to follow them."""

from collections import Counter

import pytest

from kotatsu.games.kakuzu.board import CELLS, COLUMNS, DIGITS, PEERS, ROWS, SQUARES, Flat, at
from kotatsu.games.kakuzu.deductions import TECHNIQUES_BY_DIFFICULTY, Deduction, DeductionStep, Pencil, Unit
from kotatsu.games.kakuzu.tests.play import position

POSITIONS = [(seed, visible) for seed in range(6) for visible in (18, 22, 26, 30, 40)]
POSITIONS += [(15, 24), (19, 24), (31, 28), (116, 24)]
UNITS_BY_KIND = {"row": ROWS, "column": COLUMNS, "square": SQUARES}
Mark = tuple[int, int]


def board(*rows: str) -> Flat:
    text = "".join(rows).replace(".", "0")
    return tuple(map(int, text.ljust(CELLS, "0")))


def follow(deduction: Deduction, visible: Flat) -> None:
    """Check each step with nothing but the cells it points at and the steps before it."""
    out: set[Mark] = set()
    for step in deduction.steps:
        because = [at(cell) for cell in step.because]
        assert all(visible[cell] for cell in because)
        seen = {(peer, visible[cell]) for cell in because for peer in PEERS[cell]}
        out |= concluded(step, visible, out | seen)
    last = deduction.steps[-1]
    assert (last.cells, last.digits) == ((deduction.cell,), (deduction.digit,))
    assert last.technique in ("hidden_single", "naked_single")
    assert deduction.technique == max(
        (step.technique for step in deduction.steps), key=TECHNIQUES_BY_DIFFICULTY.index
    )


def concluded(step: DeductionStep, visible: Flat, out: set[Mark]) -> set[Mark]:
    cells = [at(cell) for cell in step.cells]
    excluded = [at(cell) for cell in step.excluded]
    unit = UNITS_BY_KIND[step.unit.kind][step.unit.index] if step.unit else ()
    rest = [cell for cell in unit if not visible[cell] and cell not in cells]
    assert set(cells) <= set(unit or cells)
    match step.technique:
        case "hidden_single" | "naked_single":
            (cell,), (digit,) = cells, step.digits
            others = {(cell, other) for other in DIGITS if other != digit}
            needed = {(x, digit) for x in rest} if step.unit else others
            assert needed <= out
            return others | {(peer, digit) for peer in PEERS[cell]}
        case "pointing" | "claiming":
            (digit,) = step.digits
            crossing = [x for x in rest if all(x in PEERS[gone] for gone in excluded)]
            assert {(x, digit) for x in rest if x not in crossing} <= out
            assert all(cell in PEERS[gone] for cell in cells for gone in excluded)
            return {(gone, digit) for gone in excluded}
        case "naked_pair" | "naked_triple":
            assert len(cells) == len(step.digits) == (2 if step.technique == "naked_pair" else 3)
            assert {(cell, d) for cell in cells for d in DIGITS if d not in step.digits} <= out
            assert set(excluded) <= set(rest)
            return {(gone, digit) for gone in excluded for digit in step.digits}
        case "hidden_pair":
            assert {(x, digit) for x in rest for digit in step.digits} <= out
            assert set(excluded) <= set(cells)
            return {(cell, d) for cell in cells for d in DIGITS if d not in step.digits}
        case "elimination":
            raise AssertionError("a pencil proves nothing by elimination")


@pytest.mark.parametrize(("seed", "visible"), POSITIONS)
def test_every_deduction_is_right_and_can_be_followed(seed: int, visible: int) -> None:
    grid, shown = position(seed, visible)
    pencil = Pencil(shown)
    for cell, digit in pencil.certain.items():
        assert grid[cell] == digit
        follow(pencil.why(cell), shown)
    for cell in pencil.hidden:
        assert grid[cell] in pencil.marks[cell], "nothing true is ruled out"


def test_every_technique_comes_up() -> None:
    used: Counter[str] = Counter()
    for seed, visible in POSITIONS:
        pencil = Pencil(position(seed, visible)[1])
        used.update(step.technique for cell in pencil.certain for step in pencil.why(cell).steps)
    assert set(used) == set(TECHNIQUES_BY_DIFFICULTY) - {"elimination"}


def test_a_hidden_single_names_what_forces_it() -> None:
    shown = board("..2......", "......1..", "...1.....", ".1.......", ".........", ".........", "..1......")
    why = Pencil(shown).why(0)
    assert why == Deduction(
        (0, 0),
        1,
        "hidden_single",
        (DeductionStep("hidden_single", (1,), ((0, 0),), Unit("square", 0), ((1, 6), (2, 3), (3, 1))),),
    )


def test_a_naked_single_needs_eight_others() -> None:
    shown = board("1234.....", "....5....", "....6....", "....7....", "....8....")
    why = Pencil(shown).why(4)
    assert why.digit == 9
    assert why.steps == (
        DeductionStep(
            "naked_single",
            (9,),
            ((0, 4),),
            None,
            ((0, 0), (0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4), (4, 4)),
        ),
    )


def test_a_unit_is_counted_from_zero() -> None:
    shown = board("12345678.")
    (step,) = Pencil(shown).why(8).steps
    assert step.unit == Unit("row", 0)
    assert step.because == ()
