"""Moves a second of Kimono on one core: the compiled rules beside the plain ones, random play in both.

Each is measured several times in turn, and the best counts: whatever else the machine does only makes a
measurement slower.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

import numpy as np

from kotatsu.games.kimono.fast import kernels
from kotatsu.games.kimono.fast.records import STATE, board, encode
from kotatsu.games.kimono.game import GAME
from kotatsu.games.kimono.model import KimonoOptions, KimonoState

TURNS = 5
"""How often each is measured. Chosen by hand."""
PLAIN_GAMES = 100
"""Games of a measurement by the plain rules. Chosen by hand."""
FAST_GAMES = 20_000
"""Games of a measurement by the compiled rules. Chosen likewise."""
GOAL = 1_000_000
"""The project's goal for the compiled rules, in moves a second."""


def opening(players: int, rng: Random) -> KimonoState:
    """A state in which the first market has just been dealt."""
    state = GAME.empty(players, KimonoOptions())
    for fact in GAME.setup(players, KimonoOptions(), rng):
        state = GAME.fold(state, fact)
    return state


def plain(players: int) -> int:
    """Play random games by the plain rules; returns how many moves they took."""
    rng = Random(1)
    moves = 0
    for _ in range(PLAIN_GAMES):
        state = opening(players, rng)
        while GAME.outcome(state) is None:
            (seat,) = GAME.acting(state)
            for fact in GAME.decide(state, seat, rng.choice(GAME.moves(state, seat)), rng):
                state = GAME.fold(state, fact)
            moves += 1
    return moves


def fast(players: int) -> int:
    """Play random games by the compiled rules; returns how many moves they took."""
    states = np.zeros(2, STATE)
    states[0] = encode(opening(players, Random(1)))
    return kernels.play_randomly(board(), states, FAST_GAMES, np.array([1], np.uint64))


def moves_a_second(play: Callable[[int], int], players: int) -> float:
    """Time one call of ``play`` with this number of players; returns moves a second."""
    started = perf_counter()
    moves = play(players)
    return moves / (perf_counter() - started)


def main() -> None:
    """Measure both for every number of players and print a table."""
    fast(2)  # compiles, or loads what was compiled before
    print(f"{'players':>7} {'plain moves/s':>14} {'fast moves/s':>14} {'ratio':>7}")
    slowest = float("inf")
    for players in GAME.seats:
        turns = [(moves_a_second(plain, players), moves_a_second(fast, players)) for _ in range(TURNS)]
        by_rules, compiled = (max(column) for column in zip(*turns, strict=True))
        slowest = min(slowest, compiled)
        print(f"{players:>7} {by_rules:>14,.0f} {compiled:>14,.0f} {compiled / by_rules:>6.0f}×")
    print(f"goal {GOAL:,} moves/s on one core: {'reached' if slowest >= GOAL else 'missed'}")


if __name__ == "__main__":
    main()
