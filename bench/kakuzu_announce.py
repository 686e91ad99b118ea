"""What looking ahead is worth in Kakuzu's ``announce``: masters against the same bot without it.

    python bench/kakuzu_announce.py --games 400                 # two players, seats change every game
    python bench/kakuzu_announce.py --players 4 --games 200     # two of each at a table, every way round

A bot without the look ahead names the digit and lifts the stone with the best odds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev

from kotatsu.engine.match import start
from kotatsu.games.kakuzu.bots import LEVELS, Judge, by_odds
from kotatsu.lab.virtual_table import VirtualTable
from kotatsu.lab.winrates import wilson

AHEAD = LEVELS["master"]
"""The bot that looks ahead."""
GREEDY = Judge(by_odds)
"""The bot that does not."""


def play(number: int, players: int) -> tuple[float, float]:
    """Play one game.

    Args:
        number: The number of the game, which decides its seed and who sits where.
        players: How many play; half of them are masters.

    Returns:
        The share of the victory that went to the masters, and their stones a seat beyond a fair share.
    """
    seatings = list(combinations(range(players), players // 2))
    masters = seatings[number % len(seatings)]
    match = start("kakuzu", players, seed=number // len(seatings) + 1_000_000, announce=True)
    bots = [AHEAD if seat in masters else GREEDY for seat in range(players)]
    VirtualTable(match, bots, Random(f"announce {number}")).play()
    outcome = match.outcome
    assert outcome is not None
    share = sum(seat in masters for seat in outcome.winners) / len(outcome.winners)
    fair = sum(outcome.scores) / players
    return share, fmean(outcome.scores[seat] for seat in masters) - fair


def main() -> None:
    """Play the games that are asked for and print the result every 20 games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--players", type=int, default=2, choices=(2, 4))
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    shares, gains = [], []
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(play, number, args.players) for number in range(args.games)]
        for done, future in enumerate(waiting, start=1):
            share, gain = future.result()
            shares.append(share)
            gains.append(gain)
            if done == args.games or done % 20 == 0:
                _print(shares, gains)


def _print(shares: list[float], gains: list[float]) -> None:
    games = len(shares)
    low, high = wilson(fmean(shares), games)
    error = stdev(gains) / games**0.5
    print(
        f"{games:4} games: with look ahead {100 * fmean(shares):.1f} % won (95 %: {100 * low:.1f}–{100 * high:.1f}), "
        f"{fmean(gains):+.2f} ± {error:.2f} stones a seat beyond a fair share",
        flush=True,
    )


if __name__ == "__main__":
    main()
