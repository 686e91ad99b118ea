"""What passes from one turn to the next, and what tiles are worth."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kaboum.data import BOX, POINTS
from kotatsu.games.kaboum.model import KaboumOptions, KaboumState


def next_builder(state: KaboumState) -> Seat:
    """KA-14: clockwise."""
    return (state.builder + 1) % state.players


def next_big_die(state: KaboumState) -> Seat:
    """KA-5: clockwise, past the next builder."""
    holder = (state.big_die + 1) % state.players
    return (holder + 1) % state.players if holder == next_builder(state) else holder


def turns_at_most(players: int, options: KaboumOptions) -> int | None:
    """KA-24: everyone is master builder ``rounds`` times; ``None`` if there is no cap.

    Args:
        players: how many play.
        options: the table's.
    """
    return options.rounds * players or None


def is_last_turn(state: KaboumState) -> bool:
    """KA-24: whether no turn may follow this one."""
    return state.turns is not None and state.turn >= state.turns


def ended_by_cap(state: KaboumState) -> bool:
    """KA-24: whether, after a turn, nothing but the cap ends the game.

    Neither has anybody enough points nor have the tiles run out (KA-15).
    """
    return is_last_turn(state) and bool(state.tiles) and max(state.points) < BOX.win_points


def worth(tiles: tuple[int, ...]) -> int:
    """KA-20: the points of some tiles."""
    return sum(POINTS[tile] for tile in tiles)


def breakdown(won: tuple[tuple[int, ...], ...]) -> tuple[dict[str, int], ...]:
    """KA-20: the tiles of each seat, and what each is worth."""
    return tuple({str(tile): POINTS[tile] for tile in tiles} for tiles in won)
