"""Our own checks of the adapters, for every game and every number of players."""

from __future__ import annotations

from random import Random

import pytest

from kotatsu.lab import pettingzoo
from tests.adapters.checks import CHECKS
from tests.adapters.tables import every_table


@every_table
@pytest.mark.parametrize("check", CHECKS)
def test_adapters_play_the_rules(name: str, players: int, check: str) -> None:
    CHECKS[check](name, players)


def test_nobody_is_forced_to_call_where_nothing_hurries() -> None:
    """Kabuki without a limit for placing: those who may only call are asked before the placer, and may wait."""
    env, luck = pettingzoo.raw_env("kabuki", players=3, turn_s=0), Random(1)
    env.reset(seed=1)
    unhurried = 0
    while env.table.asked.seat is not None:
        moves = env.table.game.moves(env.table.asked.state, env.table.asked.seat)
        if env.table.game.deadline(env.table.asked.state) is None and len(moves) == 1:
            assert env.table.encoding.wait in env._legal
            unhurried += 1
        env.step(luck.choice(env._legal))
    assert unhurried
