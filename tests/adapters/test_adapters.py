"""Our own checks of the adapters, for every game and every number of players."""

from __future__ import annotations

import pytest

from tests.adapters.checks import CHECKS
from tests.adapters.tables import every_table


@every_table
@pytest.mark.parametrize("check", CHECKS)
def test_adapters_play_the_rules(name: str, players: int, check: str) -> None:
    CHECKS[check](name, players)
