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
        searcher = _TimedSearch(
            table,
            EXPLORATION,
            sys.maxsize if self.simulations is None else self.simulations,
            mcts.RandomRolloutEvaluator(1, luck),
            random_state=luck,
        )
        searcher.until = process_time() + self.seconds
        return searcher.best(state)


class _TimedSearch(mcts.MCTSBot):  # type: ignore[misc]
    """The search, which can also be stopped by the clock (the processor's: a busy machine weakens nobody)."""

    until = inf
    root: Any = None

    def best(self, state: Any) -> int:
        with suppress(SearchTimeUp):
            self.root = self.mcts_search(state)
        return int(self.root.best_child().action)

    def _apply_tree_policy(self, root: Any, state: Any) -> Any:
        self.root = root
        if root.children and process_time() > self.until:
            raise SearchTimeUp
        return super()._apply_tree_policy(root, state)


@cache
def _table(name: str, players: int, options: bytes) -> KotatsuGame:
    register()
    table: KotatsuGame = pyspiel.load_game(name, {"players": players, **msgspec.json.decode(options)})
    return table
