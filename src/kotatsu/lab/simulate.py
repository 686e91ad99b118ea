"""Many games between bots, in one process or several, with the same records either way."""

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
from kotatsu.lab.virtual_table import Effort, Stuck, VirtualTable

GAMES_PER_BATCH = 32
"""Games a process is given at once, at most. Chosen by hand: games between quick bots take milliseconds, as
does starting a batch."""

BATCHES_PER_WORKER = 8
"""Batches for each process, at least: with fewer games they get smaller. Chosen by hand, so that all
processes are busy to the end."""

PROGRESS_INTERVAL_S = 0.2
"""Seconds between two reports of progress. Chosen by hand: a bar that moves visibly."""

ProgressCallback = Callable[[float], None]
"""Called with how much has been played: of one game from 0 to 1, of an experiment the number of games, with a
fraction for games under way. Only real-time games report a fraction."""

_shares: MutableSequence[float] = []
"""In a worker: how much has been played of each game, in memory shared with the process that started it."""


class BadLineup(ValueError):
    """The number of bots does not fit the number of seats."""


class SimulatedGame(msgspec.Struct, frozen=True):
    """A finished game: its number, the level of each seat, the result, and the record as a ``line`` of JSON.

    ``moves`` is the number of moves of all seats, ``efforts`` the thinking time of each. ``cut_short``: an option that
    caps the game ended it, not its own end.
    """

    number: int
    levels: tuple[str, ...]
    outcome: Outcome
    moves: int
    efforts: tuple[Effort, ...]
    line: bytes
    cut_short: bool = False

    @property
    def record(self) -> dict[str, Any]:
        """The record as JSON values."""
        plain: dict[str, Any] = msgspec.json.decode(self.line)
        return plain


class Experiment(msgspec.Struct, frozen=True):
    """A number of games between bots.

    ``levels`` have the seats in this order and move on by one seat a game.
    """

    game: str
    levels: tuple[str, ...]
    games: int = 1
    seed: int = 0
    options: dict[str, Any] = {}

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.levels)

    def lineup(self, number: int) -> tuple[str, ...]:
        """Return the level of each seat in game ``number``, from 0."""
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
    """Check and return an experiment.

    Args:
        name: the game's name.
        players: the number of players.
        levels: one level for all seats, or one for each.
        games: how many games.
        seed: of the experiment.
        options: the game's options; ``None`` for the defaults.

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
    """Play all games of an experiment and yield them in order.

    Args:
        plan: the experiment.
        workers: the number of processes; 1 to play in this one.
        watch: called from time to time with the number of games played.

    Raises:
        Stuck: a game does not end.
    """
    if workers == 1:
        return (play(plan, number, _counted_from(number, watch)) for number in range(plan.games))
    return _in_parallel(plan, workers, watch)


def play(plan: Experiment, number: int, watch: ProgressCallback | None = None) -> SimulatedGame:
    """Play game ``number`` of an experiment, ``plan``; what happens depends on these two alone.

    ``watch`` is called, in real-time games, with the share of the game that was played.

    Raises:
        Stuck: the game does not end.
    """
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
        moves, efforts = _play_in_real_time(world, match, lineup, f"{plan.seed} {number}", watch)
    else:
        table = VirtualTable(
            match, [bot(plan.game, level) for level in lineup], Random(f"bots {plan.seed} {number}")
        )
        table.play()
        moves, efforts = table.moves, tuple(table.efforts)
    outcome = match.outcome
    if outcome is None:
        capped = "" if match.game.always_ends(match.options) else "; an option may cap it"
        raise Stuck(f"{plan.game} does not end between these bots: given up after {moves} moves{capped}")
    line = msgspec.json.encode(match.record())
    cut_short = match.game.cut_short(match.state)
    return SimulatedGame(number, lineup, outcome, moves, efforts, line, cut_short)


def _play_in_real_time(
    world: ModuleType, match: Match, lineup: Sequence[str], seed: str, watch: ProgressCallback | None
) -> tuple[int, tuple[Effort, ...]]:
    """A real-time game runs the match itself, in its module ``play``; its bots act tick by tick."""
    moves: int = world.play(match, lineup, seed, watch)
    return moves, tuple(Effort() for _ in lineup)


def _seed(plan: Experiment, number: int) -> int:
    digest = blake2b(f"table {plan.seed} {number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _counted_from(number: int, watch: ProgressCallback | None) -> ProgressCallback | None:
    return None if watch is None else lambda share: watch(number + share)


def _in_parallel(plan: Experiment, workers: int, watch: ProgressCallback | None) -> Iterator[SimulatedGame]:
    size = max(1, min(GAMES_PER_BATCH, plan.games // (BATCHES_PER_WORKER * workers)))
    batches = [range(first, min(first + size, plan.games)) for first in range(0, plan.games, size)]
    context = get_context("spawn")
    shares = context.Array("d", plan.games, lock=False)
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_init_worker, initargs=(shares,))
    try:
        for future in [executor.submit(_play_batch, plan, batch) for batch in batches]:
            while watch is not None and not wait([future], PROGRESS_INTERVAL_S).done:
                watch(sum(shares))
            yield from future.result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _play_batch(plan: Experiment, batch: range) -> list[SimulatedGame]:
    return [play(plan, number, partial(_shares.__setitem__, number)) for number in batch]


def _init_worker(shares: MutableSequence[float]) -> None:
    global _shares
    _shares = shares
    signal.signal(signal.SIGINT, signal.SIG_IGN)
