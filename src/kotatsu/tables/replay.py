"""A finished game step by step, as a seat or a spectator saw it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Options, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.record import LogReader
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.table_game import facts_of


class ReplayStep(msgspec.Struct, frozen=True):
    """One step as a seat or a spectator saw it: the facts they were sent and the view after them.

    ``at`` is the number of seconds since the first step; ``seat`` made the move, ``null`` if it was none.
    """

    seq: int
    at: float
    seat: Seat | None
    facts: tuple[Any, ...]
    view: Any


def replay_steps(
    game: AnyGame, players: int, options: Options, log: Iterable[LoggedStep], viewpoint: Seat | None
) -> list[ReplayStep]:
    """Fold a log again and return what was seen of each step. Slow for long games; blocks.

    Args:
        game: the rules.
        players: the number of seats.
        options: the game's options.
        log: the table's log in order.
        viewpoint: the seat through which to look; ``None`` for a spectator.
    """
    reader, steps, begun = LogReader(Driver(game, players, options)), [], None
    for row in log:
        begun = row.at if begun is None else begun
        facts = []
        for fact in facts_of(reader, row):
            seen = game.redact(reader.state, fact, viewpoint)
            if seen is not None:
                facts.append(seen)
        view = game.view(reader.state, viewpoint)
        steps.append(ReplayStep(row.seq, round(row.at - begun, 3), row.seat, tuple(facts), view))
    return steps
