"""Random values of msgspec types, for tests: well-formed moves, and the extremes of a game's options."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from kotatsu.engine.contract import AnyGame, Move, Options


def random_move(kind: AnyGame, rng: Random) -> Move:
    """Return a random well-formed move of the game ``kind``, legal or not, drawn with ``rng``.

    Raises:
        TypeError: the move type has a field this module cannot make up.
    """
    move: Move = msgspec.convert(_sample(inspect.type_info(kind.move_type), rng), kind.move_type)
    return move


def option_corners(kind: AnyGame) -> Iterator[Options]:
    """Yield a game's default options, then each option at its extremes, the others at their defaults."""
    yield kind.options_type()
    info = inspect.type_info(kind.options_type)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{kind.name}: options are a struct")
    for field in info.fields:
        for value in _corners(field.type):
            if value != field.default:
                yield msgspec.convert({field.encode_name: value}, kind.options_type)


def _corners(info: inspect.Type) -> list[Any]:
    match info:
        case inspect.BoolType():
            return [False, True]
        case inspect.IntType() | inspect.FloatType():
            return [bound for bound in (info.ge, info.le) if bound is not None]
        case inspect.LiteralType():
            return list(info.values)
        case inspect.NoneType():
            return [None]
        case inspect.UnionType():
            return [value for member in info.types for value in _corners(member)]
        case _:
            return []


def _sample(info: inspect.Type, rng: Random) -> Any:
    match info:
        case inspect.UnionType():
            return _sample(rng.choice(info.types), rng)
        case inspect.StructType():
            fields = {field.encode_name: _sample(field.type, rng) for field in info.fields}
            return {info.tag_field: info.tag, **fields} if info.tag_field else fields
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType():
            low = info.ge if info.ge is not None else 0
            return rng.randint(low, info.le if info.le is not None else low + 12)
        case inspect.FloatType():
            return rng.uniform(-1.0, 1.0)
        case inspect.LiteralType():
            return rng.choice(info.values)
        case inspect.NoneType():
            return None
        case inspect.StrType():
            return "".join(rng.choices("abcdefgh", k=rng.randint(1, 4)))
        case inspect.TupleType():
            return [_sample(item, rng) for item in info.item_types]
        case inspect.VarTupleType() | inspect.ListType():
            return [_sample(info.item_type, rng) for _ in range(rng.randint(0, 3))]
        case _:
            raise TypeError(f"moves of type {info} cannot be made up yet")
