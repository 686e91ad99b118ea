"""The box: cards, board and bonuses, read from ``data.json`` so that an owner of the printed game can correct a figure."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

import msgspec

Style = Literal["chidori", "sakura", "asanoha", "kacho", "setsugetsu", "kasane", "kagen", "jogen", "ju"]
Mark = Literal["first", "second", "third"]
MotifType = Literal["animal", "plant"]


class Fabric(msgspec.Struct, frozen=True):
    """KM-1: a number fixes the motif, its type and its draper's mark."""

    number: int
    motif: str
    type: MotifType
    mark: Mark


class SameMark(msgspec.Struct, frozen=True, tag_field="kind", tag="mark"):
    mark: Mark


class SameType(msgspec.Struct, frozen=True, tag_field="kind", tag="type"):
    type: MotifType


class SameNumber(msgspec.Struct, frozen=True, tag_field="kind", tag="same"):
    pass


class Run(msgspec.Struct, frozen=True, tag_field="kind", tag="run"):
    low: int
    high: int


class Sum(msgspec.Struct, frozen=True, tag_field="kind", tag="sum"):
    total: int


StyleRule = SameMark | SameType | SameNumber | Run | Sum


class Kakemono(msgspec.Struct, frozen=True):
    """One style of the board: what it asks for, and its points by size."""

    style: Style
    rule: StyleRule
    points: dict[int, int]


class KimonoTableSize(msgspec.Struct, frozen=True):
    """KM-2, KM-3, KM-7: what changes with the number of players."""

    players: int
    sets_removed: int
    accessories_removed: int
    rows: int
    row_length: int
    takes_a_round: int


class Bonus(msgspec.Struct, frozen=True):
    """KM-15, KM-16."""

    all_placed: int
    per_accessory: int
    variety_from: int
    variety: dict[int, int]


class KimonoBox(msgspec.Struct, frozen=True):
    """Everything in ``data.json``."""

    fabrics: tuple[Fabric, ...]
    copies: int
    accessories: tuple[str, ...]
    tables: tuple[KimonoTableSize, ...]
    board: tuple[Kakemono, ...]
    bonus: Bonus


BOX = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes(), type=KimonoBox)
FABRICS = {fabric.number: fabric for fabric in BOX.fabrics}
SIZES = {size.players: size for size in BOX.tables}
BOARD = {kakemono.style: kakemono for kakemono in BOX.board}
CARDS_A_PLAYER = 12
