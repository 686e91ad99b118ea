"""Where a round stands: what is being waited for, and who may still call."""

from __future__ import annotations

from kotatsu.engine.contract import Seat
from kotatsu.games.kabuki.model import KabukiState, Phase


def phase(state: KabukiState) -> Phase:
    """A window (KB-20), a placement, a check (KB-8), or nothing any more."""
    if state.result is not None:
        return "over"
    if state.checking:
        return "check"
    return "window" if state.window else "place"


def others(state: KabukiState) -> tuple[Seat, ...]:
    """Everyone but the placer, from the placer's left: the order in which ties are broken (KB-21)."""
    if state.placed is None:
        return ()
    return tuple((state.placed.seat + step) % state.players for step in range(1, state.players))


def callers(state: KabukiState) -> tuple[Seat, ...]:
    """KB-7: who may still call on the latest placement, from the placer's left."""
    if state.call is not None or state.ended_by is not None:
        return ()
    return tuple(seat for seat in others(state) if seat not in state.passed)
