"""Every game of the shelf with every number of players, for tests to be repeated over."""

from __future__ import annotations

import pytest

from kotatsu.engine.registry import game, games

TABLES = [(name, players) for name in games() for players in game(name).seats]

every_game = pytest.mark.parametrize("name", games())
every_table = pytest.mark.parametrize(
    ("name", "players"), TABLES, ids=[f"{name}-{players}" for name, players in TABLES]
)
