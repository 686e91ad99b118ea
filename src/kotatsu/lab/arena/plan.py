"""The plan of a tournament: who meets whom in which seats with which seed; and playing its games."""

from __future__ import annotations

from hashlib import blake2b
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.match import check_players, read_options, start
from kotatsu.engine.registry import game, part
from kotatsu.lab.arena.players import player
from kotatsu.lab.virtual_table import Effort, VirtualTable


class BadPlan(ValueError):
    """The tournament is not possible as described; the message says why."""


class Plan(msgspec.Struct, frozen=True):
    """A round robin: every lineup of the ``bots`` plays ``games`` games.

    From game to game a lineup moves on by one seat; until every bot has had every seat, the random seed of
    the setup is the same. What happens in a game depends on the plan and the game's number, from 0, alone.
    """

    game: str
    bots: tuple[str, ...]
    players: int = 2
    games: int = 100
    seed: int = 0
    options: dict[str, Any] = {}

    def lineups(self) -> list[tuple[str, ...]]:
        """Return every combination of different bots or, if there are too few, with repetition."""
        if len(self.bots) >= self.players:
            return list(combinations(self.bots, self.players))
        mixtures = combinations_with_replacement(self.bots, self.players)
        return [lineup for lineup in mixtures if len(set(lineup)) > 1]

    @property
    def total(self) -> int:
        """The number of games of all lineups."""
        return self.games * len(self.lineups())

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the bot of each seat in game ``number``."""
        lineups = self.lineups()
        lineup = lineups[number % len(lineups)]
        turn = number // len(lineups) % self.players
        return lineup[turn:] + lineup[:turn]

    def setup_seed(self, number: int) -> int:
        """Return the random seed of game ``number``, the same until the lineup has had all seats."""
        deal = number // len(self.lineups()) // self.players
        digest = blake2b(f"arena {self.seed} {deal}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")


class Result(msgspec.Struct, frozen=True):
    """The result of one game, its tuples by seat: bots, scores, thoughts and their ``seconds``.

    ``moves`` is the number of moves of all seats. ``thoughts`` are 0 for a real-time game.
    """

    number: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    moves: int
    thoughts: tuple[int, ...]
    seconds: tuple[float, ...]

    def ranks(self) -> list[int]:
        """Return each seat's rank from 0: winners first, the others by their scores."""
        keys = [(seat not in self.winners, -score) for seat, score in enumerate(self.scores)]
        return [sum(other < mine for other in keys) for mine in keys]


def plan(
    name: str,
    bots: tuple[str, ...],
    players: int,
    games: int = 100,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Plan:
    """Check and return the plan of a tournament.

    Args:
        name: the game's name.
        bots: names of bots, as ``kotatsu.lab.arena.players`` knows them.
        players: players in a game.
        games: how many games every lineup plays.
        seed: of the tournament.
        options: the game's options; ``None`` for the defaults.

    Raises:
        UnknownGame, BadTable, UnknownLevel, BadPlan: each with one sentence.
        ModuleNotFoundError: a bot needs a package that is not installed.
    """
    kind = game(name)
    check_players(kind, players)
    read_options(kind, options or {})
    if players < 2:
        raise BadPlan("a tournament needs tables of at least two players")
    if len(set(bots)) != len(bots):
        raise BadPlan("a bot is named twice")
    if len(bots) < 2:
        raise BadPlan("a tournament needs at least two bots: --bots a,b,…")
    for each in bots:
        player(name, each)
    return Plan(name, bots, players, games, seed, options or {})


def play(tournament: Plan, number: int) -> Result:
    """Play game ``number`` of a ``tournament``. A real-time game is played by its own module ``play``.

    Raises:
        Stuck: the game does not end.
    """
    seats = tournament.seats(number)
    names = [f"bot:{each}" for each in seats]
    seed = tournament.setup_seed(number)
    match = start(tournament.game, tournament.players, seed, names, **tournament.options)
    bot_seed = f"arena {tournament.seed} {number}"
    world = part(tournament.game, "play")
    if world is not None:
        moves, efforts = world.play(match, seats, bot_seed), [Effort() for _ in seats]
    else:
        table = VirtualTable(match, [player(tournament.game, each) for each in seats], Random(bot_seed))
        table.play()
        moves, efforts = table.moves, table.efforts
    outcome = match.outcome
    assert outcome is not None
    return Result(
        number,
        seats,
        outcome.scores,
        outcome.winners,
        moves,
        tuple(effort.thoughts for effort in efforts),
        tuple(round(effort.seconds, 6) for effort in efforts),
    )
