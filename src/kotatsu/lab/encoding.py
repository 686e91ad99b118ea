"""Moves as numbers and views as vectors, for reinforcement learning.

Every game has an encoding. What its own module ``encoding`` defines is used (each part is optional):

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
"""An observation."""
Mask = NDArray[np.int8]
"""1 for every legal action."""
Observe = Callable[[Any, Seat, int, Vector], None]
"""Writes a view of a seat, for a number of players, into a zeroed vector."""

HASHED_SIZE = 1024
"""The size of an observation of a game without an encoding of its own. Chosen by hand: enough that the values
of a small view rarely share a place."""

DEFAULT_LONGEST = 20_000
"""Choices in one game at most, where the game does not say. OpenSpiel needs a bound; this is the conformance
checks'."""

DEFAULT_CHANCE = (1024, 100_000)
"""Outcomes of one chance event, and events in one game, at most, where the game does not say. Chosen by hand
as generous bounds for OpenSpiel."""

MAX_ACTIONS = 100_000
"""Most moves that are enumerated from a game's move type. Chosen by hand: a mask of more is of no use to a
learner."""


class Chances(NamedTuple):
    """Upper bounds on chance events: ``outcomes`` of one event, ``events`` in one game."""

    outcomes: int
    events: int


class Encoding:
    """One game's moves as numbers (actions) and views as vectors (observations), for one number of players.

    ``actions`` are the moves by number; the action after the last of them, ``wait``, is to wait. ``size`` is
    the length of an observation, ``layout`` the names and sizes of its blocks. ``longest`` is the most
    choices in a game. ``version`` is raised when a number or a vector changes its meaning.

    Args:
        kind: the game.
        players: the number of players.
    """

    def __init__(self, kind: AnyGame, players: int) -> None:
        own: Any = part(kind.name, "encoding")
        self.game = kind
        self.players = players
        self.actions: tuple[Move, ...] = getattr(own, "ACTIONS", None) or enumerate_moves(kind)
        self.version: int = getattr(own, "VERSION", 0)
        self.layout: dict[str, int] = (
            own.layout(players) if hasattr(own, "layout") else {"hashed": HASHED_SIZE}
        )
        self.size = sum(self.layout.values())
        self.longest: int = own.longest(players) if hasattr(own, "longest") else DEFAULT_LONGEST
        self.chances = Chances(*(own.chance(players) if hasattr(own, "chance") else DEFAULT_CHANCE))
        self._observe: Observe = getattr(own, "observe", _hash_view)
        self._number: dict[Choice, int] = {move: number for number, move in enumerate(self.actions)}
        self._number[WAIT] = self.wait = len(self.actions)

    @property
    def action_count(self) -> int:
        """The number of actions, waiting included."""
        return self.wait + 1

    def number(self, choice: Choice) -> int:
        """Return the action of a choice."""
        return self._number[choice]

    def choice(self, action: int) -> Choice:
        """Return the choice of an action: a move, or ``WAIT``."""
        return WAIT if action == self.wait else self.actions[action]

    def legal(self, asked: AskedSeat) -> list[int]:
        """Return the legal actions of the seat that is asked, in ascending order."""
        return sorted([self._number[choice] for choice in choices(self.game, asked)])

    def mask(self, actions: Sequence[int]) -> Mask:
        """Return a vector with 1 for every one of these actions and 0 elsewhere."""
        mask = np.zeros(self.action_count, np.int8)
        mask[actions] = 1
        return mask

    def observe(self, view: Any, seat: Seat) -> Vector:
        """Return a ``view`` of ``seat`` as a vector of numbers from 0 to 1."""
        vector = np.zeros(self.size, np.float32)
        self._observe(view, seat, self.players, vector)
        return vector

    def name(self, action: int) -> str:
        """Return an action as text, such as ``take row=1``; the same in every position."""
        choice = self.choice(action)
        return "wait" if choice is WAIT else in_words(choice)


class NotInTurns(ValueError):
    """The game ``name`` is a real-time one: it has no environment that is asked turn by turn."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is played in real time, in a world of its own: it has no environment to be asked turn by turn"
        )


def in_turns(name: str) -> bool:
    """Whether a game is played turn by turn; one with a module ``realtime`` is not."""
    return find_spec(f"{package(name)}.realtime") is None


def games_in_turns() -> tuple[str, ...]:
    """Return the names of all games that are played turn by turn, in alphabetical order."""
    return tuple(filter(in_turns, games()))


def usual_players(kind: AnyGame) -> int:
    """Return the default number of players: two where two can play, else the fewest."""
    return 2 if 2 in kind.seats else min(kind.seats)


@cache
def encoding(name: str, players: int) -> Encoding:
    """Return the encoding of the game ``name`` for a number of ``players``.

    Raises:
        UnknownGame: there is no such game.
        NotInTurns: it is a real-time game.
        TypeError: its moves cannot be enumerated and it defines no ``ACTIONS``.
    """
    if not in_turns(name):
        raise NotInTurns(name)
    return Encoding(game(name), players)


def rewards(outcome: Outcome) -> tuple[float, ...]:
    """Return the reward of each seat at the end of a game, from -1 to 1.

    The victory is worth 1, shared equally by the winners; the others share its loss, so that all rewards sum
    to 0. With a single player it is 1 for a victory and -1 otherwise.
    """
    players = len(outcome.scores)
    if players == 1:
        return (1.0 if outcome.winners else -1.0,)
    share = 1 / max(1, len(outcome.winners))
    won = (players * share - 1) / (players - 1)
    lost = -1 / (players - 1)
    return tuple(won if seat in outcome.winners else lost for seat in range(players))


def observation_space(of: Encoding) -> spaces.Dict:
    """Return the Gymnasium space of an encoding: an observation and the mask of legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (of.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (of.action_count,), np.int8),
        }
    )


def enumerate_moves(kind: AnyGame) -> tuple[Move, ...]:
    """Return every move that a game's move type allows, whether or not it can ever be legal.

    Raises:
        TypeError: they cannot be listed, or are too many; such a game needs ``ACTIONS`` of its own.
    """
    moves: list[Move] = []
    for plain in _values(inspect.type_info(kind.move_type), kind.name):
        if len(moves) == MAX_ACTIONS:
            raise TypeError(f"{kind.name} has more than {MAX_ACTIONS} moves; it needs ACTIONS of its own")
        moves.append(msgspec.convert(plain, kind.move_type))
    return tuple(moves)


def in_words(move: Move) -> str:
    """Return a move's name and fields as text, such as ``take row=1``."""
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
    """Each value of the view, with the path to it, sets one element of the vector."""
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
