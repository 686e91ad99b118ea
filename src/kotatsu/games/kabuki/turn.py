"""Where a round stands: what is being waited for, and who may call."""

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


def callers_on(placer: Seat, players: int) -> tuple[Seat, ...]:
    """KB-7: everyone but the placer, from the placer's left: the order in which ties are broken (KB-21).

    Args:
        placer: the seat that placed the mask.
        players: how many play.
    """
    return tuple((placer + step) % players for step in range(1, players))


def held_after(held: tuple[int, ...], caller: Seat, placer: Seat, moved: int) -> tuple[int, ...]:
    """What every seat has after a call: ``moved`` tokens go from the placer to the caller, or -1 to the box.

    Args:
        held: the tokens of each seat before.
    """
    after = list(held)
    after[caller] += moved
    if moved > 0:
        after[placer] -= moved
    return tuple(after)


def by_round(scores: tuple[tuple[int, ...], ...]) -> tuple[dict[str, int], ...]:
    """KB-14: every seat's points by the round they come from."""
    return tuple(
        {f"round_{number}": tokens for number, tokens in enumerate(held, 1)}
        for held in zip(*scores, strict=True)
    )
