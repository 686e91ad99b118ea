"""Who meets whom, on which luck; and the playing of one such game."""

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
    """A tournament that cannot be held."""


class Plan(msgspec.Struct, frozen=True):
    """A round robin: every lineup of the bots plays ``games`` games.

    In its games a lineup goes round the seats, and until it has been all the way round, the luck of
    the setup is the same. What happens in a game depends on the plan and the game's number alone.
    """

    game: str
    bots: tuple[str, ...]
    players: int = 2
    games: int = 100
    seed: int = 0
    options: dict[str, Any] = {}

    def lineups(self) -> list[tuple[str, ...]]:
        """Every choice of different bots, or, if there are too few, every mixture of them."""
        if len(self.bots) >= self.players:
            return list(combinations(self.bots, self.players))
        mixtures = combinations_with_replacement(self.bots, self.players)
        return [lineup for lineup in mixtures if len(set(lineup)) > 1]

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.games * len(self.lineups())

    def seated(self, number: int) -> tuple[str, ...]:
        """Who sits where in one of the games."""
        lineups = self.lineups()
        lineup = lineups[number % len(lineups)]
        turn = number // len(lineups) % self.players
        return lineup[turn:] + lineup[:turn]

    def luck(self, number: int) -> int:
        """The seed of one of the games."""
        deal = number // len(self.lineups()) // self.players
        digest = blake2b(f"arena {self.seed} {deal}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")


class Result(msgspec.Struct, frozen=True):
    """One game that was played, seat by seat."""

    number: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    moves: int
    thoughts: tuple[int, ...]
    seconds: tuple[float, ...]

    def ranks(self) -> list[int]:
        """Each seat's place from 0: winners first, the others by their scores."""
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
    """A checked tournament.

    Raises:
        UnknownGame, BadTable, UnknownLevel, BadPlan: each with one sentence.
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


def play(held: Plan, number: int) -> Result:
    """Play one of the games; one that is played in a world of its own brings the way to (its module ``play``)."""
    seats = held.seated(number)
    match = start(
        held.game, held.players, held.luck(number), [f"bot:{each}" for each in seats], **held.options
    )
    luck = f"arena {held.seed} {number}"
    world = part(held.game, "play")
    if world is not None:
        moves, efforts = world.play(match, seats, luck), [Effort() for _ in seats]
    else:
        table = VirtualTable(match, [player(held.game, each) for each in seats], Random(luck))
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
