"""Shared by Kaboum's rules tests: turns in which only the referee speaks."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

from kotatsu.games.kaboum.fold import fold
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.model import (
    DieRests,
    Fire,
    Flip,
    KaboumFact,
    KaboumMove,
    KaboumOptions,
    KaboumState,
    Sighting,
    TowerStands,
)


class Table:
    """A game without a world: the test makes moves and says what the referee saw."""

    def __init__(self, players: int = 3, seed: int = 1, **options: Any) -> None:
        chosen = KaboumOptions(**options)
        self.rng = Random(seed)
        self.facts: list[KaboumFact] = []
        self.state: KaboumState = GAME.empty(players, chosen)
        self._happen(GAME.setup(players, chosen, self.rng))

    def play(self, seat: int, move: KaboumMove) -> list[KaboumFact]:
        return self._happen(GAME.decide(self.state, seat, move, self.rng))

    def flip(self) -> list[KaboumFact]:
        return self.play(self.state.builder, Flip())

    def see(self, sighting: Sighting) -> list[KaboumFact]:
        return self._happen(GAME.witness(self.state, sighting))

    def end_turn(self) -> list[KaboumFact]:
        return self._happen(GAME.expire(self.state, self.rng))

    def turn(self, *tiles: int) -> list[KaboumFact]:
        """A whole turn in which these towers are built."""
        self.flip()
        for tile in tiles:
            self.see(TowerStands(tile))
        return self.end_turn()

    def shot(
        self, seat: int, tile: Any = None, *, kaboum: bool = False, big: bool = False
    ) -> list[KaboumFact]:
        """A die is shot and comes to rest."""
        if big:
            self._happen(GAME.fire(self.state, seat, big=True))
        else:
            self.play(seat, Fire())
        return self.see(DieRests(self.state.shots[-1].die, tile, kaboum))

    @property
    def saboteurs(self) -> list[int]:
        builder, players = self.state.builder, self.state.players
        return [(builder + step) % players for step in range(1, players)]

    def _happen(self, facts: list[KaboumFact]) -> list[KaboumFact]:
        self.facts += facts
        self.state = reduce(fold, facts, self.state)
        return facts
