"""Every game of the shelf with every number of players, for tests to be repeated over."""

from __future__ import annotations

import pytest

from kotatsu.engine.registry import game
from kotatsu.lab.encoding import games_in_turns

TABLES = [(name, players) for name in games_in_turns() for players in game(name).seats]

every_game = pytest.mark.parametrize("name", games_in_turns())
every_table = pytest.mark.parametrize(
    ("name", "players"), TABLES, ids=[f"{name}-{players}" for name, players in TABLES]
)
