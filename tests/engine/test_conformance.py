"""Every game on the shelf, through every property of the contract."""

import pytest

from kotatsu.engine.conformance import CHECKS
from kotatsu.engine.registry import game, games


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", games())
def test_game_keeps_the_contract(name: str, check: str) -> None:
    CHECKS[check](game(name))
