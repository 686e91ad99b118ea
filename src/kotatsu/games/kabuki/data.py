"""The contents of the box, read from ``data.json``, where an owner of the game can correct a figure."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class KabukiTableSize(msgspec.Struct, frozen=True):
    """KB-3: how many tokens each player has at the start of a round, by the number of players."""

    players: int
    tokens_each: int


class KabukiBox(msgspec.Struct, frozen=True):
    """The figures of ``data.json``: KB-1, KB-2, and the usual times of a table (KB-20, KB-22, KB-23).

    Attributes:
        masks: The names of the mask designs; a mask is an index into them.
        copies: How many cards of each design there are.
        actors: How many stacks there are.
        tokens: How many tokens the box holds.
        rounds: How many rounds a game has.
        tables: What depends on the number of players.
        window_s: Seconds to call before the next mask may be placed. The times are ours, not the box's.
        check_s: Seconds a checked stack lies open.
        turn_s: Seconds to place a mask at a table listed in the lobby; at any other there is no limit.
    """

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
"""The box as it is decoded from ``data.json``."""
TOKENS_EACH = {size.players: size.tokens_each for size in BOX.tables}
"""KB-3: tokens for each player, by the number of players."""
FULL_DECK = (BOX.copies,) * len(BOX.masks)
"""KB-1: how many copies of each mask. A deck is such a tuple of counts; it has no order."""
