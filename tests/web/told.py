"""Random games as browsers are told them, for every game on the shelf: what a screen's fold is held against."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.conformance import tables
from kotatsu.engine.contract import AnyGame, Options, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game, games
from kotatsu.tables.snapshot import RedactedStep
from kotatsu.tables.table_game import PendingStep, TableGame

STEPS_AT_MOST = 400


def told_games() -> dict[str, list[dict[str, Any]]]:
    """Each game: the first view of several pairs of eyes, then each step with the view it leads to."""
    return {
        name: [
            told
            for seed, (players, options) in enumerate(tables(game(name)))
            for told in _told(game(name), players, options, seed)
        ]
        for name in games()
    }


def _told(kind: AnyGame, players: int, options: Options, seed: int) -> Iterator[dict[str, Any]]:
    eyes = (0, players - 1, None) if players > 1 else (0, None)
    told: list[dict[str, Any]] = []
    for progress, step in _steps(kind, players, options, Random(seed)):
        for number, seat in enumerate(eyes):
            view = msgspec.to_builtins(kind.view(progress.state, seat))
            if step.seq == 1:
                told.append({"game": kind.name, "players": players, "seat": seat, "view": view, "steps": []})
                continue
            facts = msgspec.json.decode(RedactedStep.of(progress.driver, step).facts(seat))
            waiting = None if progress.outcome else _waiting(progress, seat)
            told[number]["steps"].append({"facts": facts, "waiting": waiting, "view": view})
    yield from told


def _steps(
    kind: AnyGame, players: int, options: Options, rng: Random
) -> Iterator[tuple[TableGame, PendingStep]]:
    progress = TableGame(Driver(kind, players, options))
    step = progress.opening(rng)
    for _ in range(STEPS_AT_MOST):
        progress.apply(step, 0.0)
        yield progress, step
        acting = sorted(kind.acting(progress.state))
        if progress.outcome is not None:
            return
        if not acting or (kind.deadline(progress.state) is not None and rng.random() < 0.2):
            step = progress.expire(rng)
        else:
            seat = rng.choice(acting)
            step = progress.play(seat, rng.choice(list(kind.moves(progress.state, seat))), rng)


def _waiting(progress: TableGame, seat: Seat | None) -> dict[str, Any]:
    kind, state = progress.game, progress.state
    acting, deadline = sorted(kind.acting(state)), kind.deadline(state)
    moves = (
        [{"seat": seat, "moves": list(kind.moves(state, seat))}]
        if seat in acting and seat is not None
        else []
    )
    left = deadline.seconds if deadline else None
    plain: dict[str, Any] = msgspec.to_builtins(
        {"acting": acting, "moves": moves, "deadline": deadline, "left": left}
    )
    return plain
