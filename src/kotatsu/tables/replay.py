"""A finished game step by step, through the eyes of a seat or of a spectator."""

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
    """One step as those eyes saw it: the facts they were told and the view that followed.

    ``at`` counts seconds from the first step; ``seat`` made the move, if it was one.
    """

    seq: int
    at: float
    seat: Seat | None
    facts: tuple[Any, ...]
    view: Any


def replay_steps(
    game: AnyGame, players: int, options: Options, log: Iterable[LoggedStep], viewpoint: Seat | None
) -> list[ReplayStep]:
    """Fold a log again and look after each step."""
    reader, steps, begun = LogReader(Driver(game, players, options)), [], None
    for row in log:
        begun = row.at if begun is None else begun
        told = []
        for fact in facts_of(reader, row):
            seen = game.redact(reader.state, fact, viewpoint)
            if seen is not None:
                told.append(seen)
        view = game.view(reader.state, viewpoint)
        steps.append(ReplayStep(row.seq, round(row.at - begun, 3), row.seat, tuple(told), view))
    return steps
