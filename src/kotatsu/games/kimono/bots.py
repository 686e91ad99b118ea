"""Kimono's bots over the compiled rules: a greedy one for ``novice``, Monte Carlo tree search above it."""

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
"""The board's figures as the record that the kernels take."""


class Taste(msgspec.Struct, frozen=True):
    """The weights of the greedy evaluation, in points, and of the search that plays games out with it.

    All values were chosen by hand; why these and no others was not recorded. What is checked is the result:
    each level wins at least seven games of ten against the one below (``tests/lab/test_kimono_levels.py``).

    Attributes:
        completion_share: The share of a combination's points that counts while 1, 2 or 3 of its cards are
            missing.
        other_plans: The share of the value of all plans besides the best one that counts.
        accessory_value: Added for taking an accessory, which scores 1 point (KM-15) but allows no
            combination.
        placed_value: Added for each card laid, which counts towards the bonuses for placed cards (KM-15).
        noise: The largest random amount added to each take; it makes one playout differ from the next.
        exploration: The exploration constant of UCB1; values are between 0 and 1.
        margin_weight: The share of the reward that depends on the lead in points; the rest is for winning.
        margin_scale: The lead in points at which that share is as large as it gets.
    """

    completion_share: tuple[float, float, float] = (0.62, 0.28, 0.09)
    other_plans: float = 0.09
    accessory_value: float = 0.2
    placed_value: float = 0.14
    noise: float = 0.7
    exploration: float = 0.5
    margin_weight: float = 0.2
    margin_scale: float = 15.0

    def record(self) -> Any:
        """The same weights as one record of dtype ``records.TASTE``, which is what the kernels take."""
        record = np.zeros(1, TASTE)[0]
        for name, value in msgspec.structs.asdict(self).items():
            record[name] = (0.0, *value) if name == "completion_share" else value
        return record


class ByEye:
    """The greedy bot: takes and lays what evaluates best, ignoring the other players.

    It wants one imagined state (``imagines``) because the kernels play on states, not on views; the parts of
    it that were made up are not used.
    """

    imagines = 1
    remembers = False

    def __init__(self, taste: Taste) -> None:
        self.taste = taste.record()

    def think(self, situation: Situation) -> Thought:
        """The action with the best evaluation, after a natural pause."""
        rng = situation.rng()
        state = encode(situation.imagined[0])
        rng_state = np.array([1 + rng.getrandbits(62)], np.uint64)
        action, _ = kernels.greedy_action(BOARD, self.taste, state, np.empty(ACTIONS, np.int16), rng_state)
        return after_pause(move_of(int(action)), rng)


class TreeSearcher:
    """Monte Carlo tree search of the present round, card by card; later rounds are played out greedily.

    The budget is a number of playouts, so that the same seed gives the same game on every machine. Only a
    machine so slow that ``max_cpu_s`` is spent earlier gets a shorter search; one that is merely busy with
    something else does not, because processor time is what counts.

    Args:
        taste: The weights of the playouts and of the reward.
        iterations: Playouts for one move with two players; with more players there are fewer, because
            games are longer.
        max_cpu_s: The limit on processor time for one move, in seconds. Chosen by hand, within a bot's
            natural pause (0.4 to 1.2 s); 8,000 playouts take 0.2 to 0.3 s, as ``kotatsu simulate`` shows.
        clock: Returns the processor time used so far, in seconds.
    """

    imagines = 1
    remembers = False
    iterations_per_clock_check = 256
    """Chosen by hand: some 8 ms of search, so that the limit is overrun by no more than that."""

    def __init__(
        self, taste: Taste, iterations: int, max_cpu_s: float = 0.9, clock: Callable[[], float] = thread_time
    ) -> None:
        self.taste = taste.record()
        self.iterations = iterations
        self.max_cpu_s = max_cpu_s
        self.clock = clock

    def think(self, situation: Situation) -> Thought:
        """The move that was searched most, after a natural pause; a single legal move is not searched."""
        rng = situation.rng()
        if len(situation.moves) == 1:
            return after_pause(situation.moves[0], rng)
        states = np.zeros(2, STATE)
        states[0] = encode(situation.imagined[0])
        tree = self.search(states, np.array([1 + rng.getrandbits(62)], np.uint64))
        root = tree[0]
        children = tree[root["first"] : root["first"] + root["children"]]
        return after_pause(move_of(int(children["action"][children["visits"].argmax()])), rng)

    def search(self, states: Any, rng_state: Any) -> Any:
        """Search from one state.

        Args:
            states: An array of two records of dtype ``records.STATE``: the state to search from, and scratch
                space.
            rng_state: The state of the kernels' random generator, one uint64 that is not 0; it is changed.

        Returns:
            The tree, an array of dtype ``records.NODE`` with the root first.
        """
        budget = 2 * self.iterations // int(states[0]["players"])
        # A playout adds the children of one node: up to four rows, seldom more than six actions. Chosen by
        # hand: a tree that is full all the same is searched on without growing.
        tree = np.zeros(6 * budget + 2 * ACTIONS, NODE)
        used = kernels.grow(
            BOARD, self.taste, states, tree, 1, 0, rng_state
        )  # compiling does not count as search
        deadline = self.clock() + self.max_cpu_s
        done = 0
        while done < budget and (done == 0 or self.clock() < deadline):
            more = min(self.iterations_per_clock_check, budget - done)
            used = kernels.grow(BOARD, self.taste, states, tree, used, more, rng_state)
            done += more
        return tree


LEVELS: Mapping[str, Bot] = {
    "random": RandomBot(),
    "novice": ByEye(Taste(noise=0.5)),
    "adept": TreeSearcher(Taste(), iterations=48),
    "master": TreeSearcher(Taste(), iterations=8_000),
}
"""The levels by name, weakest first.

The numbers of playouts were chosen by hand: with 48 ``adept`` is above ``novice`` and below ``master``
(``tests/lab/test_kimono_levels.py``), and the 8,000 of ``master`` fit into a bot's natural pause.
"""


def warm_up() -> None:
    """Compile the kernels, or load them from the cache that an earlier process left on disk."""
    match = start("kimono", players=2, seed=0)
    (seat,) = match.acting
    for bot in (LEVELS["novice"], TreeSearcher(Taste(), iterations=8)):
        bot.think(situation(match.game, match.state, seat, bot, players=2, options=match.options, seed=0))
