"""OpenSpiel's own tests, as they come, for every game and every number of players; and the playthroughs."""

from __future__ import annotations

import io
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

from kotatsu.lab import openspiel
from kotatsu.lab.encoding import games_in_turns
from tests.adapters.tables import every_game, every_table

openspiel.register()
if not flags.FLAGS.is_parsed():
    flags.FLAGS(["pytest"])

PLAYTHROUGHS = Path(__file__).with_name("playthroughs")


def load(name: str, players: int) -> Any:
    return pyspiel.load_game(name, {"players": players})


def passes(case: type[unittest.TestCase], tests: list[str], count: int) -> None:
    suite = unittest.TestSuite(map(case, tests))
    said = io.StringIO()
    result = unittest.TextTestRunner(said).run(suite)
    assert result.testsRun == count, said.getvalue()
    assert result.wasSuccessful(), said.getvalue()


@every_table
def test_random_simulations_and_serialisation(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


@every_table
def test_api(name: str, players: int) -> None:
    case = type(
        "Table", (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name, "game": load(name, players)}
    )
    passes(case, unittest.TestLoader().getTestCaseNames(case), 5)  # type: ignore[arg-type]


@every_table
def test_simulation_with_pickles_and_clones(name: str, players: int) -> None:
    np.random.seed(players)
    game = load(name, players)

    class Table(games_sim_test.GamesSimTest):  # type: ignore[misc]
        def test_table(self) -> None:
            self.sim_game(game)

    passes(Table, ["test_table"], 1)


@every_game
def test_registered_as_one_of_openspiels_own(name: str) -> None:
    assert name in pyspiel.registered_names()
    openspiel.register()
    assert pyspiel.registered_names().count(name) == 1


@every_game
def test_playthrough(name: str) -> None:
    """Every line of a game, as OpenSpiel sees it. To write them anew: python -m tests.adapters.playthroughs"""
    path = PLAYTHROUGHS / f"{name}.txt"
    assert path.exists(), f"{path.name} is missing: python -m tests.adapters.playthroughs"
    recorded, played = generate_playthrough.replay(str(path))
    assert recorded == played


def test_no_playthrough_of_a_game_that_is_no_more() -> None:
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == set(games_in_turns())
