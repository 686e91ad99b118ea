"""``kotatsu replay``: one record of a file as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from kotatsu.engine.contract import AnyGame, Fact, Options
from kotatsu.engine.record import BadRecord, read_record


def sentences(file: Path, table: int) -> list[str]:
    """Return a title, the options if there are any, and a sentence for each fact of a record.

    Args:
        file: one record a line, or a single record.
        table: which record, from 1.

    Raises:
        click.ClickException: with one line that says what is wrong with the file or the number.
    """
    try:
        plain = _record(file, table)
        kind, players, options, names, log = read_record(plain)
        facts = [entry for entry in log if isinstance(entry, Fact)]
        names = _unique_names(names, players)
        title = f"{kind.name.capitalize()}, table {table}: {', '.join(names)}"
        return [title, *_options(options), *_sentences(kind, facts, names)]
    except OSError as error:
        raise click.ClickException(f"cannot read {file}: {error.strerror or error}") from None
    except BadRecord as error:
        raise click.ClickException(f"{file}, table {table}: {error}") from None


def _sentences(kind: AnyGame, facts: list[Fact], names: list[str]) -> Iterator[str]:
    for number, fact in enumerate(facts):
        try:
            yield kind.tell(fact, names)
        except (LookupError, TypeError, ValueError) as error:
            raise BadRecord(f"fact {number} makes no sense ({error})") from None
    if not facts:
        yield "Nothing has happened yet."


def _options(options: Options) -> Iterator[str]:
    plain = msgspec.to_builtins(options)
    if plain:
        yield "Options: " + ", ".join(f"{name} {value}" for name, value in plain.items())


def _unique_names(names: list[str], players: int) -> list[str]:
    """Names as they are, numbered by seat where several are the same."""
    if not names:
        return [f"seat {seat + 1}" for seat in range(players)]
    return [name if names.count(name) == 1 else f"{name} ({seat + 1})" for seat, name in enumerate(names)]


def _record(file: Path, table: int) -> Any:
    """The ``table``-th record, counted from 1, of a file with one a line or one in all."""
    found = 0
    with file.open("rb") as lines:
        for line in lines:
            if not line.strip():
                continue
            found += 1
            if found == table:
                return _decode(line, file)
    raise click.ClickException(f"{file} has {_tables(found)}; there is no table {table}")


def _decode(line: bytes, file: Path) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        return msgspec.json.decode(file.read_bytes())
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadRecord("this is not a record: it is no JSON") from None


def _tables(count: int) -> str:
    return {0: "no table in it", 1: "one table"}.get(count, f"{count} tables")
