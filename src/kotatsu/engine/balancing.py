"""What the pages on how games are balanced have in common: whole games from records, and tables by players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from kotatsu.engine.match import Match, replay
from kotatsu.engine.record import BadRecord


class Column(Protocol):
    """What is known of all games with one number of players."""

    players: int


C = TypeVar("C", bound=Column)


def finished_games(name: str, files: Iterable[Path]) -> Iterator[Match]:
    """Every finished game of a name in files of records, one a line.

    Raises:
        BadRecord: with one sentence that says where.
    """
    for file in files:
        for number, line in enumerate(file.read_bytes().splitlines(), 1):
            try:
                match = replay(msgspec.json.decode(line))
            except (BadRecord, msgspec.DecodeError) as error:
                raise BadRecord(f"{file}, line {number}: {error}") from None
            if match.game.name == name and match.outcome is not None:
                yield match


def table(corner: str, columns: Sequence[C], rows: Iterable[tuple[str, Callable[[C], str]]]) -> Iterator[str]:
    """Lines of Markdown: a column for each number of players, a row for each label and what it says of a column."""
    yield f"| {corner} | " + " | ".join(f"{column.players} players" for column in columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for label, cell in rows:
        yield f"| {label} | " + " | ".join(map(cell, columns)) + " |"
