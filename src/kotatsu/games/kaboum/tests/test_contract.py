"""The conformance kit, with a referee who says everything he could say: no world is needed for that.

The kit plays at random by moves alone. Here what the referee may see is among the builder's moves, so that
random play has dice that land, towers that rise and fall, earthquakes and broken worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from kotatsu.engine.conformance import CHECKS
from kotatsu.engine.contract import IllegalMove, Move, Seat
from kotatsu.games.kaboum.data import TILES
from kotatsu.games.kaboum.game import Kaboum
from kotatsu.games.kaboum.model import (
    DieRests,
    KaboumFact,
    KaboumMove,
    KaboumState,
    Sighting,
    TowerFell,
    TowerStands,
    WorldBroke,
)


class Saw(Move, frozen=True):
    """What the referee saw, as its bytes."""

    sighting: str


def saw(sighting: Sighting) -> Saw:
    return Saw(msgspec.json.encode(sighting).decode())


def sightings(state: KaboumState) -> list[Sighting]:
    """All that may be seen now."""
    flying = [shot.die for shot in state.shots if not shot.landed]
    places: tuple[int | str | None, ...] = (0, 7, 25, None, "off")
    return [
        *(DieRests(die, place, sign) for die in flying for place in places for sign in (True, False)),  # type: ignore[arg-type]
        *(TowerStands(tile) for tile in range(TILES)),
        *(TowerFell(tile) for tile in state.standing),
        WorldBroke(),
    ]


class Refereed(Kaboum):
    """Kaboum whose builder also says what the referee saw."""

    move_type = Kaboum.move_type | Saw

    def moves(self, state: KaboumState, seat: Seat) -> Sequence[KaboumMove]:
        seen = map(saw, sightings(state)) if state.running and seat == state.builder else ()
        return (*super().moves(state, seat), *seen)

    def decide(self, state: KaboumState, seat: Seat, move: KaboumMove, rng: Random) -> list[KaboumFact]:
        if isinstance(move, Saw):
            if move not in self.moves(state, seat):
                raise IllegalMove("test", "The referee cannot have seen that.")
            return self.witness(state, msgspec.json.decode(move.sighting, type=Sighting))
        return super().decide(state, seat, move, rng)


@pytest.mark.parametrize("check", [name for name in CHECKS if name != "records_survive_json"])
def test_the_rules_keep_the_contract_whatever_the_referee_says(
    check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kotatsu.engine.conformance.POSITIONS_A_GAME", 2)
    CHECKS[check](Refereed())
