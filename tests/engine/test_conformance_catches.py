"""The conformance kit fails when it should: each fault injected into a sound game is caught by its check."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kotatsu.engine.conformance import CHECKS, ContractBroken
from kotatsu.engine.contract import IllegalMove, Outcome, Seat
from kotatsu.games.kimono.game import Kimono
from kotatsu.games.kimono.model import KimonoFact, KimonoMove, KimonoState, Take


class NeverEnds(Kimono):
    def outcome(self, state: KimonoState) -> Outcome | None:
        return None


class NeverSaysItEnds(Kimono):
    def always_ends(self, options: Any) -> bool:
        return False


class ListsTooFew(Kimono):
    def moves(self, state: KimonoState, seat: Seat) -> Sequence[KimonoMove]:
        return super().moves(state, seat)[:1]


class ListsTooMany(Kimono):
    def moves(self, state: KimonoState, seat: Seat) -> Sequence[KimonoMove]:
        moves = super().moves(state, seat)
        return [*moves, Take(3)] if moves and Take(3) not in moves else moves


class ForgetsWhoActs(Kimono):
    def acting(self, state: KimonoState) -> frozenset[Seat]:
        return frozenset(range(state.players)) if state.result is None else frozenset()


class DrawsBeforeRefusing(Kimono):
    def decide(self, state: KimonoState, seat: Seat, move: KimonoMove, rng: Random) -> list[KimonoFact]:
        rng.random()
        return super().decide(state, seat, move, rng)


class RefusesWithoutReason(Kimono):
    def decide(self, state: KimonoState, seat: Seat, move: KimonoMove, rng: Random) -> list[KimonoFact]:
        try:
            return super().decide(state, seat, move, rng)
        except IllegalMove:
            raise IllegalMove("", "") from None


class KeepsSomethingBeside(Kimono):
    def __init__(self) -> None:
        self._folds = 0

    def fold(self, state: KimonoState, fact: KimonoFact) -> KimonoState:
        self._folds += 1
        return replace(super().fold(state, fact), deck=(self._folds, *state.deck[1:]))


class HasItsOwnLuck(Kimono):
    _luck = Random(99)

    def setup(self, players: int, options: Any, rng: Random) -> list[KimonoFact]:
        return super().setup(players, options, self._luck)


class ImaginesTheVisible(Kimono):
    def imagine(self, state: KimonoState, seat: Seat | None, rng: Random) -> KimonoState:
        return replace(state, round=state.round + 1)


class HidesButCannotImagine(Kimono):
    def redact(self, state: KimonoState, fact: KimonoFact, seat: Seat | None) -> Any:
        return None


class HidesAPlayersOwnCards(Kimono):
    def view(self, state: KimonoState, seat: Seat | None) -> Any:
        view = super().view(state, seat)
        places = (place for other, place in enumerate(view.places) if other != seat)
        return replace(view, places=tuple(places))


class ClaimsToHaveSecrets(Kimono):
    secretive = True


@pytest.mark.parametrize(
    ("mutant", "check"),
    [
        (NeverEnds, "random_play_ends"),
        (NeverSaysItEnds, "random_play_ends"),
        (ListsTooFew, "legal_means_accepted"),
        (ListsTooMany, "legal_means_accepted"),
        (ForgetsWhoActs, "someone_can_always_go_on"),
        (DrawsBeforeRefusing, "refusal_changes_nothing"),
        (RefusesWithoutReason, "refusal_changes_nothing"),
        (KeepsSomethingBeside, "refolding_gives_the_live_state"),
        (HasItsOwnLuck, "same_seed_same_record"),
        (ImaginesTheVisible, "imagination_keeps_the_view"),
        (HidesButCannotImagine, "imagination_keeps_the_view"),
        (HidesAPlayersOwnCards, "seats_see_alike_unless_secretive"),
        (ClaimsToHaveSecrets, "seats_see_alike_unless_secretive"),
    ],
)
def test_fault_is_caught(mutant: type[Kimono], check: str) -> None:
    with pytest.raises(ContractBroken):
        CHECKS[check](mutant())
