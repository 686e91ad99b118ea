"""Pencil-mark logic: what is certain by looking, and the steps that show it."""

from __future__ import annotations

from typing import Literal

import msgspec

from kotatsu.games.kakuzu.board import Cell

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
"""From the easiest to the hardest. ``elimination``: every other digit leads to a contradiction."""
UnitKind = Literal["row", "column", "square"]


class Unit(msgspec.Struct, frozen=True):
    """A row, a column or a square; ``index`` is 0–8, squares counted row by row."""

    kind: UnitKind
    index: int


class Step(msgspec.Struct, frozen=True):
    """One thought. The last step of a deduction is a single; those before it rule digits out.

    ``cells`` are the stones it is about and ``digits`` what lies under them or is ruled out by them,
    ``unit`` where one looks (``None`` for a naked single) and ``because`` the visible cells that force it.
    ``excluded`` are the stones under which ``digits`` (for a hidden pair: all other digits, and they are
    the pair's own cells) can no longer lie.
    """

    technique: Technique
    digits: tuple[int, ...]
    cells: tuple[Cell, ...]
    unit: Unit | None = None
    because: tuple[Cell, ...] = ()
    excluded: tuple[Cell, ...] = ()


class Deduction(msgspec.Struct, frozen=True):
    """Why a digit must lie under a stone. ``technique`` is the hardest of its ``steps``, in the order of thought."""

    cell: Cell
    digit: int
    technique: Technique
    steps: tuple[Step, ...]
