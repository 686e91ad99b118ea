"""Games as browsers are told them, for every game on the shelf: what a screen's fold is held against.

They are played at random. At random nothing happens in a world, so Kaboum has turns besides that were really played.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.conformance import tables
from kotatsu.engine.contract import AnyGame, Options, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.record import Played, plain_entry
from kotatsu.engine.registry import game, games
from kotatsu.games.kaboum.model import Flip
from kotatsu.games.kaboum.tests import turns
from kotatsu.tables.snapshot import RedactedStep
from kotatsu.tables.table_game import PendingStep, TableGame

STEPS_AT_MOST = 400


def told_games() -> dict[str, list[dict[str, Any]]]:
    """Each game: the first view of several pairs of eyes, then each step with the view it leads to."""
    told = {
        name: [
            told
            for seed, (players, options) in enumerate(tables(game(name)))
            for told in _told(_random_steps(game(name), players, options, Random(seed)))
        ]
        for name in games()
    }
    played = [told for each in turns.corpus() for told in _told(_world_steps(each), opening=True)]
    told["kaboum"] = played + told["kaboum"]
    return told


def _told(
    steps: Iterator[tuple[TableGame, PendingStep]], *, opening: bool = False
) -> Iterator[dict[str, Any]]:
    """What each pair of eyes is told, from the view after the opening on; or from before it."""
    told: list[dict[str, Any]] = []
    for progress, step in steps:
        kind, players = progress.game, progress.driver.players
        eyes = (0, players - 1, None) if kind.secretive and players > 1 else (0, None)
        for number, seat in enumerate(eyes):
            view = msgspec.to_builtins(kind.view(progress.state, seat))
            if step.seq == 1:
                first = msgspec.to_builtins(kind.view(progress.driver.empty(), seat)) if opening else view
                told.append({"game": kind.name, "players": players, "seat": seat, "view": first, "steps": []})
                if not opening:
                    continue
            facts = msgspec.json.decode(RedactedStep.of(progress.driver, step).facts(seat))
            waiting = None if progress.outcome else _waiting(progress, seat)
            told[number]["steps"].append({"facts": facts, "waiting": waiting, "view": view})
    yield from told


def _random_steps(
    kind: AnyGame, players: int, options: Options, rng: Random
) -> Iterator[tuple[TableGame, PendingStep]]:
    progress = TableGame(Driver(kind, players, options))
    step = progress.opening(rng)
    for _ in range(STEPS_AT_MOST if kind.always_ends(options) else STEPS_AT_MOST // 4):
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


def _world_steps(played: turns.PlayedGame) -> Iterator[tuple[TableGame, PendingStep]]:
    """A game of Kaboum as its table wrote it down: who turns the hourglass moves, the rest the world reports."""
    progress = TableGame(Driver(game("kaboum"), played.players, played.options))
    step = progress.opening(Random(played.seed))
    progress.apply(step, 0.0)
    yield progress, step
    for entries in turns.steps(played):
        match entries:
            case [Played(seat, Flip() as move), *_]:
                step = progress.play(seat, move, Random(0))
            case _:
                step = progress.world_report(msgspec.json.encode([plain_entry(entry) for entry in entries]))
        progress.apply(step, 0.0)
        yield progress, step


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
