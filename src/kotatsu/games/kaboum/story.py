"""A game of Kaboum as English sentences, for ``kotatsu replay``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kotatsu.games.kaboum.data import POINTS
from kotatsu.games.kaboum.model import (
    Completed,
    Fired,
    KaboumFact,
    KaboumGameEnded,
    KaboumTurnEnded,
    Landed,
    Quake,
    QuakeGranted,
    TableLaid,
    TileBlocked,
    Toppled,
    TurnBroken,
    TurnStarted,
)
from kotatsu.games.kaboum.towers import TOWERS


def tile_words(tile: int) -> str:
    """A tower and its points in words: ``the Torii (5)``."""
    return f"the {TOWERS[tile].name} ({POINTS[tile]})"


def tell(fact: KaboumFact, names: Sequence[str]) -> str:
    """Describe one fact in one sentence.

    Args:
        fact: What happened.
        names: The players' names by seat.
    """
    match fact:
        case TableLaid(_, builder, big_die):
            return f"The tiles are laid. {names[builder]} builds first, {names[big_die]} has the large die."
        case TurnStarted(turn, builder, ammo):
            return f"Turn {turn}: {names[builder]} turns the hourglass; {max(ammo)} small dice for each saboteur."
        case Fired(seat, _, big):
            return f"{names[seat]} shoots {'the large die' if big else 'a die'}."
        case Landed():
            return _tell_landing(fact, names)
        case TileBlocked(tile):
            return f"The tile of {tile_words(tile)} is blocked."
        case Completed(tile):
            return f"The tower is up: {tile_words(tile)}."
        case Toppled(tile):
            return f"It no longer stands: {tile_words(tile)}."
        case QuakeGranted(seat):
            return f"{names[seat]} may strike the table."
        case Quake(seat):
            return f"{names[seat]} strikes the table!"
        case TurnBroken(turn):
            return f"Something went wrong on the table; turn {turn} is begun again."
        case KaboumTurnEnded(builder, scored, points):
            if not scored:
                return f"The hourglass is empty. {names[builder]} has no tower standing."
            what = " and ".join(map(tile_words, scored))
            return f"The hourglass is empty. {names[builder]} takes {what}: {points} points."
        case KaboumGameEnded(scores, winners, _, capped):
            won = " and ".join(names[seat] for seat in winners)
            board = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
            cap = "Everyone has built as often as agreed: the game ends there, by points. " if capped else ""
            return f"{cap}{won} {'wins' if len(winners) == 1 else 'share the victory'}. {board}."
        case _:
            assert_never(fact)


def _tell_landing(fact: Landed, names: Sequence[str]) -> str:
    die = f"{names[fact.seat]}'s {'large die' if fact.big else 'die'}"
    if fact.tile == "off":
        return f"{die} leaves the table."
    where = "beside the tiles" if fact.tile is None else f"on {tile_words(fact.tile)}"
    return f"{die} comes to rest {where}{', showing KABOUM' if fact.kaboum else ''}."
