"""What passes from one turn to the next, and what tiles are worth."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kaboum.data import POINTS
from kotatsu.games.kaboum.model import KaboumOptions, KaboumState


def next_builder(state: KaboumState) -> Seat:
    """KA-14: clockwise."""
    return (state.builder + 1) % state.players


def next_big_die(state: KaboumState) -> Seat:
    """KA-5: clockwise, past the next builder."""
    holder = (state.big_die + 1) % state.players
    return (holder + 1) % state.players if holder == next_builder(state) else holder


def turns_at_most(players: int, options: KaboumOptions) -> int:
    """KA-24: everyone is master builder ``rounds`` times.

    Args:
        players: how many play.
        options: the table's.
    """
    return options.rounds * players


def worth(tiles: tuple[int, ...]) -> int:
    """KA-20: the points of some tiles."""
    return sum(POINTS[tile] for tile in tiles)


def breakdown(won: tuple[tuple[int, ...], ...]) -> tuple[dict[str, int], ...]:
    """KA-20: the tiles of each seat, and what each is worth."""
    return tuple({str(tile): POINTS[tile] for tile in tiles} for tiles in won)
