"""Kaboum's state as the fold of its facts. No rules, no chance, nothing from the box."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome
from kotatsu.games.kaboum.model import (
    Completed,
    Fired,
    KaboumFact,
    KaboumGameEnded,
    KaboumState,
    KaboumTurnEnded,
    Landed,
    Quake,
    QuakeGranted,
    Shot,
    TableLaid,
    TileBlocked,
    Toppled,
    TurnBroken,
    TurnStarted,
)


def fold(state: KaboumState, fact: KaboumFact) -> KaboumState:
    """The state after one more fact."""
    match fact:
        case TableLaid(layout, builder, big_die, tiles, turns):
            return replace(state, layout=layout, builder=builder, big_die=big_die, tiles=tiles, turns=turns)
        case TurnStarted():
            return _cleared(
                replace(
                    state,
                    turn=fact.turn,
                    builder=fact.builder,
                    ammo=fact.ammo,
                    big_die=fact.big_die,
                    big_left=True,
                    tiles=fact.tiles,
                    running=True,
                )
            )
        case Fired(seat, die, big):
            ammo = tuple(n - (s == seat and not big) for s, n in enumerate(state.ammo))
            shots = (*state.shots, Shot(seat, die, big))
            return replace(state, ammo=ammo, big_left=state.big_left and not big, shots=shots)
        case Landed():
            shots = tuple(_landed(shot, fact) if shot.die == fact.die else shot for shot in state.shots)
            return replace(state, shots=shots)
        case TileBlocked(tile):
            return replace(state, blocked=(*state.blocked, tile))
        case Completed(tile):
            return replace(state, standing=tuple(sorted((*state.standing, tile))))
        case Toppled(tile):
            return replace(state, standing=tuple(each for each in state.standing if each != tile))
        case QuakeGranted(seat):
            return replace(state, granted=True, striker=seat)
        case Quake():
            return replace(state, striker=None)
        case TurnBroken():
            return _cleared(replace(state, running=False, turn=state.turn - 1, ammo=(), big_left=False))
        case KaboumTurnEnded(builder, scored, gained, following, big_die):
            won, points = list(state.won), list(state.points)
            won[builder] += scored
            points[builder] += gained
            return _cleared(
                replace(
                    state,
                    won=tuple(won),
                    points=tuple(points),
                    tiles=tuple(tile for tile in state.tiles if tile not in scored),
                    builder=following,
                    big_die=big_die,
                    big_left=False,
                    running=False,
                    ammo=(),
                )
            )
        case KaboumGameEnded(scores, winners, breakdown, capped):
            return replace(state, result=Outcome(scores, winners, breakdown), capped=capped)
        case _:
            assert_never(fact)


def _cleared(state: KaboumState) -> KaboumState:
    """A table without shots, blocks and towers."""
    return replace(state, shots=(), blocked=(), standing=(), granted=False, striker=None)


def _landed(shot: Shot, fact: Landed) -> Shot:
    return replace(shot, landed=True, tile=fact.tile, kaboum=fact.kaboum)
