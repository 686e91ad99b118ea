"""OpenSpiel's Monte-Carlo tree search as one of our bots."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from math import inf
from time import process_time
from typing import Any

import msgspec
import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.search import after_pause
from kotatsu.lab.openspiel import KotatsuGame, register

EXPLORATION = 2.0


class SearchTimeUp(Exception):
    """The search has used its seconds."""


class OpenSpielBot:
    """Searches an imagined state for so many simulations, or for so many seconds of a processor.

    It is OpenSpiel's Python search: the compiled one crashes on games that are written in Python.
    It has no memory, so in a game of memory it knows only what lies open.
    """

    imagines = 1
    remembers = False

    def __init__(self, simulations: int | None = None, seconds: float = inf) -> None:
        self.simulations = simulations
        self.seconds = seconds

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        table = _table(situation.game, situation.players, msgspec.json.encode(situation.options))
        state = table.state_at(situation.imagined[0], situation.seat)
        legal = state.legal_actions()
        action = legal[0] if len(legal) == 1 else self._search(table, state, rng.getrandbits(32))
        return after_pause(table.encoding.choice(action), rng)

    def _search(self, table: KotatsuGame, state: Any, seed: int) -> int:
        luck = np.random.RandomState(seed)
        selection = _TimedSelection(len(state.legal_actions()), process_time() + self.seconds)
        searcher = mcts.MCTSBot(
            table,
            EXPLORATION,
            sys.maxsize if self.simulations is None else self.simulations,
            mcts.RandomRolloutEvaluator(1, luck),
            random_state=luck,
            child_selection_fn=selection,
        )
        with suppress(SearchTimeUp):
            searcher.mcts_search(state)
        return int(max(selection.children, key=mcts.SearchNode.sort_key).action)


class _TimedSelection:
    """How the search chooses its way down the tree, and is stopped by the clock before it begins another.

    The clock is the processor's: a busy machine weakens nobody. ``children`` are the root's, which are the
    first the search has to choose from; from the second simulation on, every way down begins with them.

    Args:
        choices: how many actions the root has, at least two.
        until: the processor time at which the search ends, once one child was explored.
    """

    def __init__(self, choices: int, until: float) -> None:
        self.children: list[mcts.SearchNode] = []
        self._choices = choices
        self._until = until

    def __call__(self, child: mcts.SearchNode, parent_explore_count: int, uct_c: float) -> float:
        if len(self.children) < self._choices:
            self.children.append(child)
        elif child is self.children[0] and process_time() > self._until:
            raise SearchTimeUp
        return float(child.uct_value(parent_explore_count, uct_c))


@cache
def _table(name: str, players: int, options: bytes) -> KotatsuGame:
    register()
    table: KotatsuGame = pyspiel.load_game(name, {"players": players, **msgspec.json.decode(options)})
    return table
