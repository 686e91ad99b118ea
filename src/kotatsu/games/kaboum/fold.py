"""Kaboum's state, fact by fact. Dumb: no rules, no chance."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from kotatsu.engine.contract import Outcome
from kotatsu.games.kaboum.data import POINTS
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
        case TableLaid(layout, builder, big_die):
            return replace(state, layout=layout, builder=builder, big_die=big_die)
        case TurnStarted():
            return _cleared(
                replace(
                    state,
                    turn=fact.turn,
                    builder=fact.builder,
                    ammo=fact.ammo,
                    big_die=fact.big_die,
                    tiles=fact.tiles,
                    running=True,
                )
            )
        case Fired(seat, die, big):
            ammo = tuple(n - (s == seat and not big) for s, n in enumerate(state.ammo))
            return replace(state, ammo=ammo, shots=(*state.shots, Shot(seat, die, big)))
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
            return _cleared(replace(state, running=False, turn=state.turn - 1, ammo=()))
        case KaboumTurnEnded(builder, scored):
            won = tuple(
                (*tiles, *scored) if seat == builder else tiles for seat, tiles in enumerate(state.won)
            )
            next_builder = (builder + 1) % state.players
            return _cleared(
                replace(
                    state,
                    won=won,
                    tiles=tuple(tile for tile in state.tiles if tile not in scored),
                    builder=next_builder,
                    big_die=_passed_on(state, next_builder),
                    running=False,
                    ammo=(),
                )
            )
        case KaboumGameEnded(scores, winners):
            breakdown = tuple({str(tile): POINTS[tile] for tile in tiles} for tiles in state.won)
            return replace(state, result=Outcome(scores, winners, breakdown))
        case _:
            assert_never(fact)


def _cleared(state: KaboumState) -> KaboumState:
    """A table without shots, blocks and towers."""
    return replace(state, shots=(), blocked=(), standing=(), granted=False, striker=None)


def _landed(shot: Shot, fact: Landed) -> Shot:
    return replace(shot, landed=True, tile=fact.tile, kaboum=fact.kaboum)


def _passed_on(state: KaboumState, builder: int) -> int:
    """KA-5: clockwise, past the builder."""
    holder = (state.big_die + 1) % state.players
    return (holder + 1) % state.players if holder == builder else holder
