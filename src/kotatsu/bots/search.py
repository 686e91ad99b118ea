"""Bots for any game, by the engine's contract alone: random moves, and flat Monte Carlo search.

The search tries each legal move in imagined states, plays on at random to the end, and chooses what to try
next by UCB1. Its budget is a number of steps, never a time, so the same situation gives the same move on
every machine.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from kotatsu.bots.contract import Situation, Thought
from kotatsu.engine.contract import AnyGame, Move, Outcome, Seat
from kotatsu.engine.registry import game as game_named

PAUSE_S = (0.4, 1.2)
"""Shortest and longest pause before a bot's move, in seconds. Chosen by hand: about as long as a person who
knows what to do; it also decides the order of bots that may move at the same time."""

MAX_PLAYOUT_STEPS = 2_000
"""Steps after which a random playout is given up as worth nothing. Chosen by hand: random games of ours end
well before; it guards against games that need not end under random play."""


def after_pause(move: Move | None, rng: Random) -> Thought:
    """Return the thought to make ``move`` after a natural pause drawn with ``rng``."""
    return Thought(move, rng.uniform(*PAUSE_S))


class RandomBot:
    """Makes any legal move with equal probability."""

    imagines = 0
    remembers = False

    def think(self, situation: Situation) -> Thought:
        """Return a random legal move, as ``Bot.think`` describes."""
        rng = situation.rng()
        return after_pause(rng.choice(situation.moves), rng)


class MonteCarloBot:
    """Tries each move in imagined states and plays on at random, more often where it goes well.

    Args:
        steps: the number of moves it simulates for one decision.
        imagines: over how many imagined states.
        exploration: the constant of UCB1. 0.7 is chosen by hand, near 1/√2, the usual value for results
            between 0 and 1.
    """

    remembers = False

    def __init__(self, steps: int, imagines: int, exploration: float = 0.7) -> None:
        self.steps = steps
        self.imagines = imagines
        self.exploration = exploration

    def think(self, situation: Situation) -> Thought:
        """Return the move that was tried most often, as ``Bot.think`` describes."""
        rng = situation.rng()
        game = game_named(situation.game)
        choices: list[Move | None] = list(situation.moves)
        if game.deadline(situation.imagined[0]) is not None:
            choices.append(None)
        if len(choices) == 1:
            return after_pause(choices[0], rng)
        return after_pause(choices[self._best(game, situation, choices, rng)], rng)

    def _best(self, game: AnyGame, situation: Situation, choices: list[Move | None], rng: Random) -> int:
        tries = [0] * len(choices)
        gains = [0.0] * len(choices)
        steps = total = 0
        while steps < self.steps or total < len(choices):
            arm = total if total < len(choices) else self._next_arm(tries, gains, total)
            world = situation.imagined[total % len(situation.imagined)]
            gain, taken = play_out(game, world, situation.seat, choices[arm], rng)
            tries[arm] += 1
            gains[arm] += gain
            steps += taken
            total += 1
        return max(range(len(choices)), key=lambda arm: (tries[arm], gains[arm] / tries[arm]))

    def _next_arm(self, tries: list[int], gains: list[float], total: int) -> int:
        spread = self.exploration * math.sqrt(math.log(total))
        return max(
            range(len(tries)), key=lambda arm: gains[arm] / tries[arm] + spread / math.sqrt(tries[arm])
        )


def play_out(game: AnyGame, state: Any, seat: Seat, move: Move | None, rng: Random) -> tuple[float, int]:
    """Play a game to its end at random after one given move.

    Args:
        game: the rules.
        state: where to begin; it is not changed.
        seat: whose move and whose result it is.
        move: the move; ``None`` to wait for another seat or the deadline.
        rng: decides everything that follows.

    Returns:
        The result for ``seat`` (``worth``), and the number of steps it took.
    """
    if move is not None:
        state = _after(game, state, game.decide(state, seat, move, rng))
    elif game.deadline(state) is not None:
        others = sorted(game.acting(state) - {seat})
        state = _random_step(game, state, others, rng) or state
    for step in range(MAX_PLAYOUT_STEPS):
        outcome = game.outcome(state)
        if outcome is not None:
            return worth(outcome, seat), step + 1
        following = _random_step(game, state, sorted(game.acting(state)), rng)
        if following is None:
            break
        state = following
    return 0.0, MAX_PLAYOUT_STEPS


def worth(outcome: Outcome, seat: Seat) -> float:
    """Return what an ``outcome`` is worth to ``seat``, from 0 to 1: 0.9 for winning, 0.1 for points.

    The weights are chosen by hand: to win is what counts, and points tell lost or won positions apart.
    """
    won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    lowest = min(outcome.scores)
    spread = sum(score - lowest for score in outcome.scores)
    share = (outcome.scores[seat] - lowest) / spread if spread else 1 / len(outcome.scores)
    return 0.9 * won + 0.1 * share


def _random_step(game: AnyGame, state: Any, seats: list[Seat], rng: Random) -> Any:
    """One random next step: a move of a seat or an expired deadline. ``None`` if nothing can happen."""
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
