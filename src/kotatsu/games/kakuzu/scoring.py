"""KZ-9, KZ-23: whose stones are whose, and who wins."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kakuzu.board import CELLS, SIZE

IN_PLAY = CELLS - SIZE
"""KZ-2: the stones that can be won."""


def winners_of(stones: tuple[int, ...]) -> tuple[Seat, ...]:
    """KZ-9: most stones win and a tie is shared; KZ-23: alone, one wins with more than the house."""
    to_beat = IN_PLAY // 2 + 1 if len(stones) == 1 else max(stones)
    return tuple(seat for seat, count in enumerate(stones) if count >= to_beat)


def breakdown(stones: tuple[int, ...]) -> tuple[dict[str, int], ...]:
    """Every seat's stones; KZ-23: alone, the others are the house's."""
    if len(stones) == 1:
        return ({"stones": stones[0], "house": IN_PLAY - stones[0]},)
    return tuple({"stones": count} for count in stones)
