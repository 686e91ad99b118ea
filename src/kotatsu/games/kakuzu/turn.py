"""Where a game stands: the opening, the naming of a digit, the bag, and whose turn comes next."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kakuzu.board import CELLS, SIZE, SQUARE_OF
from kotatsu.games.kakuzu.model import HOUSE, KakuzuOptions, KakuzuState

TO_OPEN = SIZE
"""KZ-2: one stone of each square."""


def opening(state: KakuzuState) -> bool:
    """KZ-2: whether squares are still to be opened."""
    return state.to_open > 0


def opened_squares(state: KakuzuState) -> frozenset[int]:
    """The squares the setup has opened; nothing else is visible before it is over."""
    return frozenset(SQUARE_OF[cell] for cell in range(CELLS) if state.visible[cell])


def naming(state: KakuzuState) -> bool:
    """KZ-21: whether a digit is to be named before a stone is lifted."""
    return state.options.announce and not opening(state) and state.wanted is None


def left_of(seat: Seat, players: int) -> Seat:
    """KZ-3: play is clockwise, so the player on the left is the next.

    Args:
        seat: whose neighbour.
        players: how many play.
    """
    return (seat + 1) % players


def next_to_open(state: KakuzuState, seat: Seat) -> Seat:
    """KZ-2, KZ-3: whose turn it is when a seat has lifted one stone of the opening; the play begins with the first.

    Args:
        state: after the opening of a square.
    """
    return left_of(seat, state.players) if state.to_open > 1 else state.first


def wanted_after_lift(state: KakuzuState) -> int | None:
    """KZ-20: the search goes on for the same digit, or else another is drawn or named."""
    return state.wanted if state.options.same_digit else None


def full_bag(options: KakuzuOptions, retired: tuple[int, ...] = ()) -> tuple[int, ...]:
    """KZ-7, KZ-8: 0 and the digits with hidden places; KZ-21: there is no bag where digits are named.

    Args:
        options: the table's.
        retired: digits that have left the bag for good.
    """
    return () if options.announce else tuple([digit for digit in range(SIZE + 1) if digit not in retired])


def full_clocks(players: int, options: KakuzuOptions) -> tuple[int, ...]:
    """KZ-22: every seat's time in ms, or no clocks.

    Args:
        players: how many play.
        options: the table's.
    """
    return (options.clock_s * 1000,) * players if options.clock_s else ()


def out_of_time(state: KakuzuState, seat: Seat) -> bool:
    """KZ-22.

    Args:
        state: the position.
        seat: whose time.
    """
    return bool(state.clocks) and state.clocks[seat] == 0


def taker_of_a_miss(state: KakuzuState, seat: Seat) -> Seat:
    """KZ-6: who gets a stone that ``seat`` misses in ``state``: the player on the left; alone the house (KZ-23).

    KZ-22: nobody gains anything without time left, so it is the first on the left who has some; ``HOUSE`` if no
    other player has.
    """
    others = ((seat + step) % state.players for step in range(1, state.players))
    return next((other for other in others if not out_of_time(state, other)), HOUSE)
