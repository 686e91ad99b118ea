"""Players for any game, by the contract alone: one that plays at random, one that plays games out in its head.

The search is flat Monte Carlo with UCB1 over imagined states. Its budget is a number of steps,
never a time, so the same situation gives the same move on every machine.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from kotatsu.bots.contract import Situation, Thought
from kotatsu.engine.contract import AnyGame, Move, Outcome, Seat
from kotatsu.engine.registry import game as game_named

PACE_S = (0.4, 1.2)
"""A bot takes about as long as a person who knows what to do; also what orders bots that act at once."""
LONGEST_PLAYOUT = 2_000


def unhurried(move: Move | None, rng: Random) -> Thought:
    """A thought after a natural pause."""
    return Thought(move, rng.uniform(*PACE_S))


class RandomBot:
    """Any legal move, each as likely as the next."""

    imagines = 0
    remembers = False

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        return unhurried(rng.choice(situation.moves), rng)


class MonteCarloBot:
    """Tries each move in imagined states and plays on at random, more often where it goes well.

    ``steps`` is how many moves it plays in its head, ``imagines`` over how many worlds.
    """

    remembers = False

    def __init__(self, steps: int, imagines: int, exploration: float = 0.7) -> None:
        self.steps = steps
        self.imagines = imagines
        self.exploration = exploration

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        game = game_named(situation.game)
        choices: list[Move | None] = list(situation.moves)
        if game.deadline(situation.imagined[0]) is not None:
            choices.append(None)
        if len(choices) == 1:
            return unhurried(choices[0], rng)
        return unhurried(choices[self._best(game, situation, choices, rng)], rng)

    def _best(self, game: AnyGame, situation: Situation, choices: list[Move | None], rng: Random) -> int:
        tries = [0] * len(choices)
        gains = [0.0] * len(choices)
        steps = total = 0
        while steps < self.steps or total < len(choices):
            arm = total if total < len(choices) else self._promising(tries, gains, total)
            world = situation.imagined[total % len(situation.imagined)]
            gain, taken = play_out(game, world, situation.seat, choices[arm], rng)
            tries[arm] += 1
            gains[arm] += gain
            steps += taken
            total += 1
        return max(range(len(choices)), key=lambda arm: (tries[arm], gains[arm] / tries[arm]))

    def _promising(self, tries: list[int], gains: list[float], total: int) -> int:
        spread = self.exploration * math.sqrt(math.log(total))
        return max(
            range(len(tries)), key=lambda arm: gains[arm] / tries[arm] + spread / math.sqrt(tries[arm])
        )


def play_out(game: AnyGame, state: Any, seat: Seat, move: Move | None, rng: Random) -> tuple[float, int]:
    """What ``move`` (``None``: to wait) is worth to ``seat`` if all goes on at random, and the steps it took."""
    if move is not None:
        state = _after(game, state, game.decide(state, seat, move, rng))
    elif game.deadline(state) is not None:
        others = sorted(game.acting(state) - {seat})
        state = _random_step(game, state, others, rng) or state
    for step in range(LONGEST_PLAYOUT):
        outcome = game.outcome(state)
        if outcome is not None:
            return worth(outcome, seat), step + 1
        following = _random_step(game, state, sorted(game.acting(state)), rng)
        if following is None:
            break
        state = following
    return 0.0, LONGEST_PLAYOUT


def worth(outcome: Outcome, seat: Seat) -> float:
    """Between 0 and 1: nearly all for winning, a little for the share of the points."""
    won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    lowest = min(outcome.scores)
    spread = sum(score - lowest for score in outcome.scores)
    share = (outcome.scores[seat] - lowest) / spread if spread else 1 / len(outcome.scores)
    return 0.9 * won + 0.1 * share


def _random_step(game: AnyGame, state: Any, seats: list[Seat], rng: Random) -> Any:
    """One random thing that can happen next: a seat moves or the time is up. ``None`` if nothing can."""
    waiting = game.deadline(state) is not None
    pick = rng.randrange(len(seats) + waiting) if seats or waiting else -1
    if pick == -1:
        return None
    if pick == len(seats):
        return _after(game, state, game.expire(state, rng))
    moves = game.moves(state, seats[pick])
    return _after(game, state, game.decide(state, seats[pick], rng.choice(moves), rng))


def _after(game: AnyGame, state: Any, facts: list[Any]) -> Any:
    for fact in facts:
        state = game.fold(state, fact)
    return state
