"""The box, read from ``data.json`` so that an owner of the printed game can correct a figure."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class KabukiTableSize(msgspec.Struct, frozen=True):
    """KB-3: what changes with the number of players."""

    players: int
    tokens_each: int


class KabukiBox(msgspec.Struct, frozen=True):
    """KB-1, KB-2, and the pace of a table in seconds (KB-20, KB-22, KB-23)."""

    masks: tuple[str, ...]
    copies: int
    actors: int
    tokens: int
    rounds: int
    tables: tuple[KabukiTableSize, ...]
    window_s: float
    check_s: float
    turn_s: float


BOX = msgspec.json.decode(files(__package__).joinpath("data.json").read_bytes(), type=KabukiBox)
TOKENS_EACH = {size.players: size.tokens_each for size in BOX.tables}
FULL_DECK = (BOX.copies,) * len(BOX.masks)
"""KB-1: how many of each mask; a deck is such a count, for its order does not exist."""
