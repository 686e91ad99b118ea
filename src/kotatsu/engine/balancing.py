"""Helpers for figures on games: finished games from files, intervals of shares, Markdown tables by players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from kotatsu.engine.match import Match, replay
from kotatsu.engine.record import BadRecord

Z_95 = 1.959964  # the 97.5th percentile of the normal distribution, for 95 % confidence


class Column(Protocol):
    """The figures of all games with one number of ``players``; a column of a table."""

    players: int


C = TypeVar("C", bound=Column)


def finished_games(name: str, files: Iterable[Path]) -> Iterator[Match]:
    """Yield every finished game called ``name`` from ``files`` with one record a line.

    Raises:
        BadRecord: a line is not a record; the message says which.
        OSError: a file cannot be read.
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
    """Yield the lines of a Markdown table.

    Args:
        corner: the heading of the first column.
        columns: one for each number of players.
        rows: for each row its label and the function that gives the text of a cell.
    """
    yield f"| {corner} | " + " | ".join(f"{column.players} players" for column in columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for label, cell in rows:
        yield f"| {label} | " + " | ".join(map(cell, columns)) + " |"


def wilson(rate: float, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval for a share of successes.

    Args:
        rate: the share, from 0 to 1.
        trials: out of how many; with 0 the interval is all of it.
        z: the quantile of the normal distribution for the confidence wanted, 95 % by default.
    """
    if trials == 0:
        return 0.0, 1.0
    middle = rate + z * z / (2 * trials)
    half = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
