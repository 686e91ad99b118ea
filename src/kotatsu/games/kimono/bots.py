"""Kimono's levels: one judges by eye, two look ahead, all over the compiled rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import thread_time
from typing import Any

import msgspec
import numpy as np

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.bots.search import RandomBot, after_pause
from kotatsu.bots.situation import situation
from kotatsu.engine.match import start
from kotatsu.games.kimono.fast import kernels
from kotatsu.games.kimono.fast.records import ACTIONS, NODE, STATE, TASTE, board, encode, move_of

BOARD = board()


class Taste(msgspec.Struct, frozen=True):
    """How a player judges by eye, in points; and what a search strives for.

    ``hope`` is the share of a combination's points that counts while it still wants 1, 2 or 3 cards,
    ``others`` how much plans beside the best one count, ``whim`` how much is left to chance.
    """

    hope: tuple[float, float, float] = (0.62, 0.28, 0.09)
    others: float = 0.09
    accessory: float = 0.2
    placed: float = 0.14
    whim: float = 0.7
    exploration: float = 0.5
    margin: float = 0.2
    margin_scale: float = 15.0

    def record(self) -> Any:
        """The same, as the kernels want it."""
        record = np.zeros(1, TASTE)[0]
        for name, value in msgspec.structs.asdict(self).items():
            record[name] = (0.0, *value) if name == "hope" else value
        return record


class ByEye:
    """Takes and lays what looks best, with no thought for what others do."""

    imagines = 1
    remembers = False

    def __init__(self, taste: Taste) -> None:
        self.taste = taste.record()

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        state = encode(situation.imagined[0])
        chance = np.array([1 + rng.getrandbits(62)], np.uint64)
        action, _ = kernels.by_eye(BOARD, self.taste, state, np.empty(ACTIONS, np.int16), chance)
        return after_pause(move_of(int(action)), rng)


class TreeSearcher:
    """Monte Carlo tree search: plays the round card by card in its head, and the later ones by eye.

    The budget is a number of games in its head, ``iterations`` with two players and fewer of the longer
    games with more, so that the same seed gives the same game on every machine. Only a machine so slow
    that ``at_most_s`` seconds of its processor are spent before gets a shorter search; one that is merely
    busy does not, or simulations would depend on what else it does.
    """

    imagines = 1
    remembers = False
    between_looks_at_the_clock = 256

    def __init__(
        self, taste: Taste, iterations: int, at_most_s: float = 0.9, clock: Callable[[], float] = thread_time
    ) -> None:
        self.taste = taste.record()
        self.iterations = iterations
        self.at_most_s = at_most_s
        self.clock = clock

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        if len(situation.moves) == 1:
            return after_pause(situation.moves[0], rng)
        states = np.zeros(2, STATE)
        states[0] = encode(situation.imagined[0])
        tree = self.search(states, np.array([1 + rng.getrandbits(62)], np.uint64))
        root = tree[0]
        children = tree[root["first"] : root["first"] + root["children"]]
        return after_pause(move_of(int(children["action"][children["visits"].argmax()])), rng)

    def search(self, states: Any, chance: Any) -> Any:
        """The tree grown from ``states[0]``."""
        budget = 2 * self.iterations // int(states[0]["players"])
        tree = np.zeros(6 * budget + 2 * ACTIONS, NODE)
        used = kernels.grow(BOARD, self.taste, states, tree, 1, 0, chance)  # compiling is no thinking time
        time_is_up = self.clock() + self.at_most_s
        done = 0
        while done < budget and (done == 0 or self.clock() < time_is_up):
            more = min(self.between_looks_at_the_clock, budget - done)
            used = kernels.grow(BOARD, self.taste, states, tree, used, more, chance)
            done += more
        return tree


LEVELS: Mapping[str, Bot] = {
    "random": RandomBot(),
    "novice": ByEye(Taste(whim=0.5)),
    "adept": TreeSearcher(Taste(), iterations=48),
    "master": TreeSearcher(Taste(), iterations=8_000),
}
"""Weakest first."""


def warm_up() -> None:
    """Compile the kernels, or load them from where an earlier process left them."""
    match = start("kimono", players=2, seed=0)
    (seat,) = match.acting
    for bot in (LEVELS["novice"], TreeSearcher(Taste(), iterations=8)):
        bot.think(situation(match.game, match.state, seat, bot, players=2, options=match.options, seed=0))
