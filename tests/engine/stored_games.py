"""Games kept in files, with what every seat and a spectator saw after each step.

``records/today/`` has games in today's format. Whoever changes what facts or views say, or adds a game, writes them anew::

    python -m tests.engine.stored_games

``records/format_1/`` was written by this module with the code of commit 3d0f4a5, before facts said all that a fold
needs. No code of today can write those again, so they stay as they are::

    PYTHONPATH=<a checkout of 3d0f4a5>/src:. python -m tests.engine.stored_games --folder format_1
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

import kotatsu
from kotatsu.engine.contract import Fact, IllegalMove, Move
from kotatsu.engine.match import Match
from kotatsu.engine.registry import game

FOLDER = Path(__file__).with_name("records")
TODAY, FORMAT_1 = "today", "format_1"
STEPS_AT_MOST = 5_000


class StoredGame(msgspec.Struct, frozen=True):
    """A record, how many entries of its log belong to each step, and the views after each step.

    The views of a step are those of every seat and then a spectator's; if all are the same it is there once.
    """

    record: dict[str, Any]
    steps: list[int]
    views: list[list[msgspec.Raw]]

    def view(self, step: int, viewpoint: int | None) -> bytes:
        """What somebody saw after a step, as JSON."""
        views = self.views[step]
        return bytes(views[0] if len(views) == 1 else views[-1 if viewpoint is None else viewpoint])

    @property
    def viewpoints(self) -> tuple[int | None, ...]:
        """Every seat and a spectator."""
        return (*range(self.record["players"]), None)

    def entries(self) -> Iterator[list[dict[str, Any]]]:
        """The log, step by step."""
        at = 0
        for count in self.steps:
            yield self.record["log"][at : at + count]
            at += count


class ChosenTable(NamedTuple):
    """A table to be played at random.

    A move of the kind it ``avoids`` is made rarely; ``late`` is how often the time is let run out.
    """

    players: int
    options: dict[str, Any]
    avoids: str = ""
    late: float = 0.15


TABLES: dict[str, tuple[ChosenTable, ...]] = {
    "kaboum": (
        ChosenTable(2, {"rounds": 2}),
        ChosenTable(3, {"rounds": 3, "assist": "none"}),
        ChosenTable(4, {"rounds": 1, "physics": "real", "hourglass_s": 30}),
        ChosenTable(5, {}),
    ),
    "kabuki": (
        ChosenTable(2, {}),
        ChosenTable(3, {"turn_s": 0.0}, avoids="stop"),
        ChosenTable(4, {"window_s": 1.0, "check_s": 2.0, "turn_s": 30.0}),
        ChosenTable(6, {}),
    ),
    "kakuzu": (
        ChosenTable(1, {}),
        ChosenTable(1, {"clock_s": 200}, late=0.02),
        ChosenTable(2, {"same_digit": True}),
        ChosenTable(2, {"announce": True, "clock_s": 400}, late=0.02),
        ChosenTable(3, {"announce": True, "same_digit": True, "competitive": True}),
        ChosenTable(4, {"clock_s": 100}, late=0.02),
    ),
    "kimono": (
        ChosenTable(2, {}),
        ChosenTable(3, {"accessory_combo": True}),
        ChosenTable(4, {}),
        ChosenTable(4, {"accessory_combo": True}, avoids="combine"),
    ),
}
"""Chosen so that every kind of fact and every option occurs; a game that is not here is played by every number."""


def read(folder: str, name: str) -> list[StoredGame]:
    """The stored games of one kind.

    Raises:
        FileNotFoundError: there are none.
    """
    return msgspec.json.decode(
        gzip.decompress(_file(FOLDER / folder, name).read_bytes()), type=list[StoredGame]
    )


def played(name: str) -> list[StoredGame]:
    """Games of one kind, played at random by the rules of today; always the same ones."""
    tables = TABLES.get(name) or [ChosenTable(players, {}) for players in game(name).seats]
    return [_played(name, table, seed) for seed, table in enumerate(tables)]


def write(folder: Path) -> None:
    """Write the games of every kind into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in kotatsu.games():
        content = msgspec.json.encode(played(name))
        _file(folder, name).write_bytes(gzip.compress(content, mtime=0))


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.json.gz"


def _played(name: str, table: ChosenTable, seed: int) -> StoredGame:
    match = kotatsu.start(name, table.players, seed=seed, **table.options)
    rng = Random(seed)
    steps, views, known = [len(match.log)], [_views(match)], len(match.log)
    while match.outcome is None:
        if len(steps) == STEPS_AT_MOST:
            raise RuntimeError(f"{name} does not come to an end")
        _step(match, table, rng)
        steps.append(len(match.log) - known)
        views.append(_views(match))
        known = len(match.log)
    return StoredGame(msgspec.json.decode(msgspec.json.encode(match.record())), steps, views)


def _views(match: Match) -> list[msgspec.Raw]:
    views = [msgspec.json.encode(match.view(seat)) for seat in (*range(match.players), None)]
    return [msgspec.Raw(view) for view in (views[:1] if len(set(views)) == 1 else views)]


def _step(match: Match, table: ChosenTable, rng: Random) -> None:
    """One thing that can happen: somebody sees something or moves, or the time is up."""
    sighted = _sighted(match, rng)
    if sighted:
        match.log += sighted
        match.state = reduce(match.game.fold, sighted, match.state)
        return
    acting = sorted(match.acting)
    if match.deadline is not None and (not acting or rng.random() < table.late):
        match.expire()
        return
    seat = rng.choice(acting)
    moves = _tempting(match, list(match.moves(seat)), rng)
    kinds = [msgspec.to_builtins(move)["move"] for move in moves]
    if table.avoids in kinds and rng.random() < 0.9:
        moves = [move for move, kind in zip(moves, kinds, strict=True) if kind != table.avoids] or moves
    move, seconds = rng.choice(moves), rng.choice((0.0, 2.5, 11.0))
    try:
        match.play(seat, move, seconds)
    except IllegalMove:
        match.expire()  # it would have taken longer than there was time


def _tempting(match: Match, moves: list[Move], rng: Random) -> list[Move]:
    """Half of the time in Kakuzu, the stones that hide what is looked for: so turns of every length occur."""
    state = match.state
    if match.game.name != "kakuzu" or rng.random() < 0.5:
        return moves
    hits = [move for move in moves if _hides(state, msgspec.to_builtins(move))]
    return hits or moves


def _hides(state: Any, move: dict[str, Any]) -> bool:
    if move["move"] != "lift":
        return False
    row, column = move["cell"]
    return bool(state.grid[9 * row + column] == state.wanted)


def _sighted(match: Match, rng: Random) -> list[Fact]:
    """What a referee would have seen by now, in a game that has one; mostly nothing."""
    if match.game.name != "kaboum" or rng.random() < 0.5:
        return []
    from kotatsu.games.kaboum.game import GAME
    from kotatsu.games.kaboum.model import DieRests, Sighting, TowerFell, TowerStands, WorldBroke

    state = match.state
    seen: list[Sighting] = [
        DieRests(shot.die, rng.choice((None, "off", rng.randrange(26))), kaboum=rng.random() < 0.4)
        for shot in state.shots
    ]
    seen += [TowerStands(rng.randrange(26)), *map(TowerFell, state.standing)]
    seen += [WorldBroke()] if rng.random() < 0.1 else []
    return [*GAME.witness(state, rng.choice(seen))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.stored_games", description=__doc__)
    parser.add_argument("--folder", default=TODAY, help="the folder of `records` to write (default: today)")
    write(FOLDER / parser.parse_args().folder)


if __name__ == "__main__":
    main()
