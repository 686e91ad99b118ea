"""``kotatsu games``: a description of every game."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import msgspec
from msgspec import inspect

from kotatsu.bots.levels import levels
from kotatsu.engine.registry import game, games, package


def describe_games() -> Iterator[str]:
    """Yield a paragraph for each game: its name, players, bots and options."""
    for name in games():
        kind = game(name)
        low, high = min(kind.seats), max(kind.seats)
        lines = [
            name,
            *_about(name),
            f"  players   {low}" if low == high else f"  players   {low} to {high}",
            f"  bots      {', '.join(levels(name))}",
        ]
        options = list(_options(kind.options_type))
        lines += [f"  {'options' if first else '':9} {line}" for first, line in _numbered(options)]
        yield "\n".join(lines)


def _about(name: str) -> Iterator[str]:
    text = (import_module(package(name)).__doc__ or "").strip()
    if text:
        yield f"  {text.splitlines()[0]}"


def _options(options_type: type[msgspec.Struct]) -> Iterator[str]:
    info = inspect.type_info(options_type)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        values, meaning = _describe(field.type)
        default = msgspec.json.encode(field.default).decode().strip('"')
        yield (
            f"{field.encode_name}={default}"
            + (f" ({values})" if values else "")
            + (f": {meaning}" if meaning else "")
        )


def _describe(info: inspect.Type) -> tuple[str, str]:
    """The values an option may have, and what it means."""
    match info:
        case inspect.Metadata(type=inner, extra_json_schema=schema):
            return _describe(inner)[0], str((schema or {}).get("description", ""))
        case inspect.BoolType():
            return "true or false", ""
        case inspect.LiteralType(values=values):
            return ", ".join(map(str, values)), ""
        case inspect.IntType(ge=low, le=high) | inspect.FloatType(ge=low, le=high):
            return (f"{low:g} to {high:g}" if low is not None and high is not None else "a number"), ""
        case inspect.NoneType():
            return "null", ""
        case inspect.UnionType(types=types):
            parts = [_describe(member) for member in types]
            return " or ".join(part[0] for part in parts if part[0]), next((p[1] for p in parts if p[1]), "")
        case _:
            return "", ""


def _numbered(lines: list[str]) -> Iterator[tuple[bool, str]]:
    for number, line in enumerate(lines):
        yield number == 0, line
