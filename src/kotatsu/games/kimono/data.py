"""The contents of the box, read from ``data.json``, where an owner of the game can correct a figure."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

import msgspec

Style = Literal["chidori", "sakura", "asanoha", "kacho", "setsugetsu", "kasane", "kagen", "jogen", "ju"]
"""The names of the nine styles of combinations (KM-20 … KM-28)."""
Mark = Literal["first", "second", "third"]
"""The draper's marks; which number has which is in ``data.json``."""
MotifType = Literal["animal", "plant"]


class Fabric(msgspec.Struct, frozen=True):
    """KM-1: one number of the fabric cards, which decides the motif, its type and its draper's mark."""

    number: int
    motif: str
    type: MotifType
    mark: Mark


class SameMark(msgspec.Struct, frozen=True, tag_field="kind", tag="mark"):
    """Different numbers that all have this mark, in any order."""

    mark: Mark


class SameType(msgspec.Struct, frozen=True, tag_field="kind", tag="type"):
    """Numbers whose motifs all have this type; numbers may repeat."""

    type: MotifType


class SameNumber(msgspec.Struct, frozen=True, tag_field="kind", tag="same"):
    """One number, repeated."""


class Run(msgspec.Struct, frozen=True, tag_field="kind", tag="run"):
    """Numbers from ``low`` to ``high``, strictly rising or strictly falling; gaps are allowed."""

    low: int
    high: int


class Sum(msgspec.Struct, frozen=True, tag_field="kind", tag="sum"):
    """Numbers that add up to ``total``."""

    total: int


StyleRule = SameMark | SameType | SameNumber | Run | Sum


class Kakemono(msgspec.Struct, frozen=True):
    """One style of the board.

    Attributes:
        style: Its name.
        rule: What its cards must have in common.
        points: Its points by the number of cards. They are ours, because the picture of the printed board is
            lost; they were chosen by simulation (``BALANCE.md``).
    """

    style: Style
    rule: StyleRule
    points: dict[int, int]


class KimonoTableSize(msgspec.Struct, frozen=True):
    """KM-2, KM-3, KM-7: what changes with the number of players.

    Attributes:
        players: How many play.
        sets_removed: Complete sets of 1–9 that stay in the box.
        accessories_removed: Accessories that stay in the box.
        rows: Rows of the market.
        row_length: Cards in each row.
        takes_a_round: Cards each player takes in a round.
    """

    players: int
    sets_removed: int
    accessories_removed: int
    rows: int
    row_length: int
    takes_a_round: int


class Bonus(msgspec.Struct, frozen=True):
    """KM-15, KM-16: the points at the end of the game.

    Attributes:
        all_placed: For placing all 12 cards.
        per_accessory: For each accessory.
        variety_from: How many cards must be placed for the variety bonus.
        variety: The variety bonus by the number of different fabrics.
    """

    all_placed: int
    per_accessory: int
    variety_from: int
    variety: dict[int, int]


class KimonoBox(msgspec.Struct, frozen=True):
    """Everything in ``data.json``; ``copies`` is how many cards of each number there are."""

    fabrics: tuple[Fabric, ...]
    copies: int
    accessories: tuple[str, ...]
    tables: tuple[KimonoTableSize, ...]
    board: tuple[Kakemono, ...]
    bonus: Bonus


BOX = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes(), type=KimonoBox)
"""The box as it is decoded from ``data.json``."""
FABRICS = {fabric.number: fabric for fabric in BOX.fabrics}
"""The fabrics by their number."""
SIZES = {size.players: size for size in BOX.tables}
"""What changes with the number of players, by that number."""
BOARD = {kakemono.style: kakemono for kakemono in BOX.board}
"""The board's styles by their name."""
CARDS_A_PLAYER = 12
"""KM-7: how many cards a player takes in a whole game, with any number of players."""
