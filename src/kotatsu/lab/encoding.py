"""Moves as numbers and views as vectors, for learners.

Every game has an encoding. What its own module ``encoding`` brings is used (each part is optional):

* ``ACTIONS``: every move there can be, in a fixed order;
* ``layout(players)``: the names and sizes of the blocks of an observation, in order;
* ``observe(view, seat, players, out)``: writes an observation into a zeroed vector, all in [0, 1];
* ``longest(players)``: how many choices a game has at most;
* ``chance(players)``: how many outcomes a chance event has at most, and how many events a game;
* ``VERSION``: raised whenever a number or a vector changes its meaning.

A game without one has its moves enumerated from their type and its view hashed into a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import product
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
import numpy as np
from gymnasium import spaces
from msgspec import inspect
from numpy.typing import NDArray

from kotatsu.engine.contract import AnyGame, Move, Outcome, Seat
from kotatsu.engine.registry import game, games, package, part
from kotatsu.lab.turns import WAIT, AskedSeat, Choice, choices

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]
Observe = Callable[[Any, Seat, int, Vector], None]

HASHED = 1024
"""The size of an observation of a game without an encoding of its own."""
LONGEST = 20_000
CHANCE = (1024, 100_000)
ACTIONS_AT_MOST = 100_000


class Chances(NamedTuple):
    """Bounds on chance: outcomes of one event, events in one game."""

    outcomes: int
    events: int


class Encoding:
    """One game's moves as numbers and views as vectors, for one number of players.

    The last action is always to wait.
    """

    def __init__(self, kind: AnyGame, players: int) -> None:
        own: Any = part(kind.name, "encoding")
        self.game = kind
        self.players = players
        self.actions: tuple[Move, ...] = getattr(own, "ACTIONS", None) or enumerate_moves(kind)
        self.version: int = getattr(own, "VERSION", 0)
        self.layout: dict[str, int] = own.layout(players) if hasattr(own, "layout") else {"hashed": HASHED}
        self.size = sum(self.layout.values())
        self.longest: int = own.longest(players) if hasattr(own, "longest") else LONGEST
        self.chances = Chances(*(own.chance(players) if hasattr(own, "chance") else CHANCE))
        self._observe: Observe = getattr(own, "observe", _hash_view)
        self._number: dict[Choice, int] = {move: number for number, move in enumerate(self.actions)}
        self._number[WAIT] = self.wait = len(self.actions)

    @property
    def action_count(self) -> int:
        """How many actions there are, waiting included."""
        return self.wait + 1

    def number(self, choice: Choice) -> int:
        """The action that stands for a choice."""
        return self._number[choice]

    def choice(self, action: int) -> Choice:
        """The choice an action stands for."""
        return WAIT if action == self.wait else self.actions[action]

    def legal(self, asked: AskedSeat) -> list[int]:
        """The actions open to the seat that is asked, in ascending order."""
        return sorted([self._number[choice] for choice in choices(self.game, asked)])

    def mask(self, actions: Sequence[int]) -> Mask:
        """1 for every one of the actions."""
        mask = np.zeros(self.action_count, np.int8)
        mask[actions] = 1
        return mask

    def observe(self, view: Any, seat: Seat) -> Vector:
        """What a seat sees, as numbers from 0 to 1."""
        vector = np.zeros(self.size, np.float32)
        self._observe(view, seat, self.players, vector)
        return vector

    def name(self, action: int) -> str:
        """An action in words, the same in every position."""
        choice = self.choice(action)
        return "wait" if choice is WAIT else in_words(choice)


class NotInTurns(ValueError):
    """A game that is not played choice by choice."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is played in real time, in a world of its own: it has no environment to be asked turn by turn"
        )


def in_turns(name: str) -> bool:
    """Whether a game is played choice by choice; one with a module ``realtime`` is not."""
    return find_spec(f"{package(name)}.realtime") is None


def games_in_turns() -> tuple[str, ...]:
    """The names of all games that have environments, in alphabetical order."""
    return tuple(filter(in_turns, games()))


def usual_players(kind: AnyGame) -> int:
    """Two where two can play, else the fewest."""
    return 2 if 2 in kind.seats else min(kind.seats)


@cache
def encoding(name: str, players: int) -> Encoding:
    """The encoding of a game for a number of players.

    Raises:
        NotInTurns: if it is not played choice by choice.
    """
    if not in_turns(name):
        raise NotInTurns(name)
    return Encoding(game(name), players)


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """What each seat gets at the end, between -1 and 1 and together 0; alone, 1 for a victory and else -1.

    The victory is 1, shared equally by the winners; the others share its loss.
    """
    players = len(outcome.scores)
    if players == 1:
        return (1.0 if outcome.winners else -1.0,)
    share = 1 / max(1, len(outcome.winners))
    won = (players * share - 1) / (players - 1)
    lost = -1 / (players - 1)
    return tuple(won if seat in outcome.winners else lost for seat in range(players))


def observation_space(of: Encoding) -> spaces.Dict:
    """An observation and the mask of the actions that are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (of.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (of.action_count,), np.int8),
        }
    )


def enumerate_moves(kind: AnyGame) -> tuple[Move, ...]:
    """Every move the type of a game's moves allows, whether or not it can ever be legal.

    Raises:
        TypeError: if they cannot be listed; such a game needs an encoding of its own.
    """
    moves: list[Move] = []
    for plain in _values(inspect.type_info(kind.move_type), kind.name):
        if len(moves) == ACTIONS_AT_MOST:
            raise TypeError(f"{kind.name} has more than {ACTIONS_AT_MOST} moves; it needs ACTIONS of its own")
        moves.append(msgspec.convert(plain, kind.move_type))
    return tuple(moves)


def in_words(move: Move) -> str:
    """``take row=1``: a move's name and fields."""
    fields = msgspec.to_builtins(move)
    return " ".join([fields.pop("move"), *(f"{name}={_plain(value)}" for name, value in fields.items())])


def _plain(value: Any) -> str:
    return str(value) if not isinstance(value, (list, tuple)) else ",".join(map(str, value))


def _values(info: inspect.Type, owner: str) -> Iterator[Any]:
    match info:
        case inspect.UnionType():
            for member in info.types:
                yield from _values(member, owner)
        case inspect.StructType():
            names = [field.encode_name for field in info.fields]
            tag = {info.tag_field: info.tag} if info.tag_field else {}
            for values in product(*(tuple(_values(field.type, owner)) for field in info.fields)):
                yield {**tag, **dict(zip(names, values, strict=True))}
        case inspect.TupleType():
            yield from product(*(tuple(_values(item, owner)) for item in info.item_types))
        case inspect.Metadata():
            yield from _values(info.type, owner)
        case inspect.BoolType():
            yield from (False, True)
        case inspect.LiteralType():
            yield from info.values
        case inspect.NoneType():
            yield None
        case inspect.IntType(ge=int(low), le=int(high)):
            yield from range(low, high + 1)
        case _:
            raise TypeError(f"the moves of {owner} cannot be listed; it needs ACTIONS of its own")


def _hash_view(view: Any, seat: Seat, _: int, out: Vector) -> None:
    """Each value of the view, with the way to it, sets one place."""
    for path in _leaves(msgspec.to_builtins(view), f"seat {seat}"):
        out[crc32(path.encode()) % len(out)] = 1.0


def _leaves(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        yield f"{path}#{len(value)}"
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{number}")
    else:
        yield f"{path}={value}"
