"""The load: tables of two, at which each player moves as soon as it is their turn, or at a given pace."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from time import perf_counter

from bench.server.frames import Wire

MOVES = 24
"""Moves a table makes in a round: no game of Kimono for two is shorter."""


class Round:
    """Tables that play at the same time. ``every``: seconds between two moves of a table; 0 for full speed."""

    def __init__(self, tables: int, moves: int, every: float) -> None:
        self.moves = moves
        self.every = every
        self.latencies: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playing = tables

    def one_less(self) -> None:
        self._playing -= 1
        if not self._playing and not self.done.done():
            self.done.set_result(None)

    def fail(self, why: str) -> None:
        if not self.done.done():
            self.done.set_exception(ConnectionError(why))


class Player(ABC):
    """One connection with one seat. Servers differ in how it reads and what it sends."""

    wire: Wire

    def __init__(self, seat: int, seed: int) -> None:
        self.seat = seat
        self.rng = Random(seed * 2 + seat)
        self.table: Table | None = None
        self.is_my_turn = False
        self.seq = -1
        self._sent = 0.0

    def told(self, seq: int, is_my_turn: bool) -> None:
        """The table has moved on."""
        self.seq = seq
        self.is_my_turn = is_my_turn
        table = self.table
        if table is None:
            return
        if self._sent:
            table.answered(perf_counter() - self._sent)
            self._sent = 0.0
        if is_my_turn:
            table.next_move(self)

    def lost(self, why: str) -> None:
        if self.table is not None:
            self.table.round.fail(why)

    def move(self) -> None:
        if self.table is None or self.table.round.done.done():
            return
        self._sent = perf_counter()
        self.send_move()

    @abstractmethod
    def send_move(self) -> None:
        """Send any legal move."""


class Table:
    """Two players, and how many moves they have left in this round."""

    def __init__(self, players: Sequence[Player], a_round: Round, starts_after: float) -> None:
        self.round = a_round
        self._players = players
        self._to_make = self._to_hear = a_round.moves
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + starts_after
        for player in players:
            player.table = self

    def begin(self) -> None:
        self.next_move(next(player for player in self._players if player.is_my_turn))

    def next_move(self, player: Player) -> None:
        if not self._to_make:
            return
        self._to_make -= 1
        if self.round.every:
            self._loop.call_at(self._due, player.move)
            self._due += self.round.every
        else:
            player.move()

    def answered(self, seconds: float) -> None:
        self.round.latencies.append(seconds)
        self._to_hear -= 1
        if not self._to_hear:
            for player in self._players:
                player.table = None
            self.round.one_less()


class Server(ABC):
    """A server under load, in a process of its own."""

    name: str
    pid: int

    @abstractmethod
    async def start(self) -> None: ...

    @abstractmethod
    async def stop(self) -> None: ...

    @abstractmethod
    async def set_table(self, number: int) -> Sequence[Player]:
        """Two connected players at a new table whose game has begun."""


async def play(tables: Sequence[Sequence[Player]], moves: int, every: float) -> Round:
    """One round at tables that are set."""
    a_round = Round(len(tables), moves, every)
    spread = every / len(tables)
    for table in [Table(players, a_round, number * spread) for number, players in enumerate(tables)]:
        table.begin()
    await a_round.done
    return a_round
