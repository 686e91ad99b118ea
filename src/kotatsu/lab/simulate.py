"""Many games between bots, on one core or several, with the same records either way."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from functools import partial
from hashlib import blake2b
from multiprocessing import get_context
from random import Random
from types import ModuleType
from typing import Any

import msgspec

from kotatsu.bots.levels import bot
from kotatsu.engine.contract import Outcome
from kotatsu.engine.match import Match, check_players, read_options, start
from kotatsu.engine.registry import game, part
from kotatsu.lab.virtual_table import Effort, VirtualTable

GAMES_A_PARCEL = 32
LOOKS_EVERY_S = 0.2

ProgressCallback = Callable[[float], None]
"""Hears how much has been played: of one game from 0 to 1, of an experiment in games. Only a game with a world says it midway."""

_shares: MutableSequence[float] = []
"""In a worker: what has been played of each game, where the process that started it can see it."""


class BadLineup(ValueError):
    """Bots that do not fit the seats."""


class SimulatedGame(msgspec.Struct, frozen=True):
    """One game that was played: its record as a line of JSON, and what happened in short."""

    number: int
    levels: tuple[str, ...]
    outcome: Outcome
    moves: int
    efforts: tuple[Effort, ...]
    line: bytes

    @property
    def record(self) -> dict[str, Any]:
        """The record as JSON values."""
        plain: dict[str, Any] = msgspec.json.decode(self.line)
        return plain


class Experiment(msgspec.Struct, frozen=True):
    """Which game, by whom, how often. ``levels`` sit down in this order and move on by one seat a game."""

    game: str
    levels: tuple[str, ...]
    games: int = 1
    seed: int = 0
    options: dict[str, Any] = {}

    @property
    def players(self) -> int:
        return len(self.levels)

    def lineup(self, number: int) -> tuple[str, ...]:
        """Who sits where in one of the games."""
        turn = number % self.players
        return self.levels[turn:] + self.levels[:turn]


def experiment(
    name: str,
    players: int,
    levels: Sequence[str],
    games: int = 1,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Experiment:
    """A checked experiment; one level stands for all seats.

    Raises:
        UnknownGame, BadTable, UnknownLevel, BadLineup: each with one sentence.
    """
    kind = game(name)
    check_players(kind, players)
    read_options(kind, options or {})
    if len(levels) not in (1, players):
        raise BadLineup(f"{len(levels)} bots for {players} players: name one for all seats, or one for each")
    for level in levels:
        bot(name, level)
    seated = tuple(levels) * (players if len(levels) == 1 else 1)
    return Experiment(name, seated, games, seed, dict(options or {}))


def simulate(
    plan: Experiment, workers: int = 1, watch: ProgressCallback | None = None
) -> Iterator[SimulatedGame]:
    """Play all games of an experiment, in order."""
    if workers == 1:
        return (play(plan, number, _counted_from(number, watch)) for number in range(plan.games))
    return _in_parallel(plan, workers, watch)


def play(plan: Experiment, number: int, watch: ProgressCallback | None = None) -> SimulatedGame:
    """Play one game of an experiment; its luck depends on the seed and its number alone."""
    lineup = plan.lineup(number)
    match = start(
        plan.game,
        plan.players,
        _seed(plan, number),
        [f"bot:{level}" for level in lineup],
        **plan.options,
    )
    world = part(plan.game, "play")
    if world is not None:
        moves, efforts = _play_in_its_world(world, match, lineup, f"{plan.seed} {number}", watch)
    else:
        table = VirtualTable(
            match, [bot(plan.game, level) for level in lineup], Random(f"bots {plan.seed} {number}")
        )
        table.play()
        moves, efforts = table.moves, tuple(table.efforts)
    outcome = match.outcome
    assert outcome is not None
    line = msgspec.json.encode(match.record())
    return SimulatedGame(number, lineup, outcome, moves, efforts, line)


def _play_in_its_world(
    world: ModuleType, match: Match, lineup: Sequence[str], seed: str, watch: ProgressCallback | None
) -> tuple[int, tuple[Effort, ...]]:
    """A game played in real time brings its own way to run a match; its bots act in the world, tick by tick."""
    moves: int = world.play(match, lineup, seed, watch)
    return moves, tuple(Effort() for _ in lineup)


def _seed(plan: Experiment, number: int) -> int:
    digest = blake2b(f"table {plan.seed} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _counted_from(number: int, watch: ProgressCallback | None) -> ProgressCallback | None:
    return None if watch is None else lambda share: watch(number + share)


def _in_parallel(plan: Experiment, workers: int, watch: ProgressCallback | None) -> Iterator[SimulatedGame]:
    size = max(1, min(GAMES_A_PARCEL, plan.games // (8 * workers)))
    parcels = [range(first, min(first + size, plan.games)) for first in range(0, plan.games, size)]
    context = get_context("spawn")
    shares = context.Array("d", plan.games, lock=False)
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(shares,))
    try:
        for parcel in [executor.submit(_play_parcel, plan, parcel) for parcel in parcels]:
            while watch is not None and not wait([parcel], LOOKS_EVERY_S).done:
                watch(sum(shares))
            yield from parcel.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _play_parcel(plan: Experiment, parcel: range) -> list[SimulatedGame]:
    return [play(plan, number, partial(_shares.__setitem__, number)) for number in parcel]


def _begin(shares: MutableSequence[float]) -> None:
    global _shares
    _shares = shares
    signal.signal(signal.SIGINT, signal.SIG_IGN)
