"""The record of a table: one JSON object with every move and every fact in the order they happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Fact, Move, Options, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import UnknownGame, game

FORMAT = 2
"""What is written today: facts say all that a fold needs."""
OLD_FORMAT = 1
"""Facts lack some fields of today; ``Game.upgrade`` adds them."""


class BadRecord(ValueError):
    """Not a record, or one of a game or format we do not know."""


class Played(msgspec.Struct, frozen=True):
    """A move in a log, with the seat that made it."""

    seat: Seat
    move: Move


Entry = Fact | Played


class GameRecord(msgspec.Struct, frozen=True):
    """The outer shape of a record, its log still plain JSON values."""

    kotatsu: int
    game: str
    players: int
    log: list[dict[str, Any]]
    options: dict[str, Any] = {}
    names: list[str] = []


def plain_entry(entry: Entry) -> dict[str, Any]:
    """A log entry as JSON values: a fact as it is, a move with its seat first."""
    if isinstance(entry, Played):
        return {"seat": entry.seat, **msgspec.to_builtins(entry.move)}
    plain: dict[str, Any] = msgspec.to_builtins(entry)
    return plain


class LogReader:
    """Reads the facts of one log in their order, also those that were written when facts said less.

    What such a fact lacks depends on the state it happened in, so reading folds: ``state`` is the state after
    everything read so far.

    Args:
        driver: runs the game of the log.
    """

    __slots__ = ("_game", "state")

    def __init__(self, driver: Driver) -> None:
        self._game = driver.game
        self.state = driver.empty()

    def fact(self, plain: dict[str, Any]) -> Fact:
        """The next fact, from its JSON values.

        Raises:
            msgspec.ValidationError: it is no fact of this game.
        """
        game = self._game
        fact: Fact = msgspec.convert(game.upgrade(self.state, plain), game.fact_type)
        self.state = game.fold(self.state, fact)
        return fact


def read_entry(kind: AnyGame, plain: dict[str, Any]) -> Entry:
    """The inverse of ``plain_entry``.

    Args:
        kind: the game.
        plain: JSON values of one entry.
    """
    if "fact" in plain:
        fact: Fact = msgspec.convert(plain, kind.fact_type)
        return fact
    rest = dict(plain)
    seat = msgspec.convert(rest.pop("seat", None), int)
    return Played(seat, msgspec.convert(rest, kind.move_type))


def plain_record(
    kind: AnyGame, players: int, options: Options, names: Sequence[str], log: Iterable[Entry]
) -> dict[str, Any]:
    """A record as JSON values.

    Args:
        kind: the game.
        players: how many play.
        options: the table's choices.
        names: one for each seat.
        log: moves and facts in their order.
    """
    return {
        "kotatsu": FORMAT,
        "game": kind.name,
        "players": players,
        "options": msgspec.to_builtins(options),
        "names": list(names),
        "log": [plain_entry(entry) for entry in log],
    }


def read_record(plain: Any) -> tuple[AnyGame, int, Options, list[str], list[Entry]]:
    """Take a record apart.

    Raises:
        BadRecord: with one sentence that says what is wrong.
    """
    try:
        record = msgspec.convert(plain, GameRecord)
        if record.kotatsu not in (OLD_FORMAT, FORMAT):
            raise BadRecord(
                f"this is a record of format {record.kotatsu}; known are {OLD_FORMAT} and {FORMAT}"
            )
        kind = game(record.game)
        if record.players not in kind.seats:
            raise BadRecord(f"{record.game} is not played by {record.players}")
        if record.names and len(record.names) != record.players:
            raise BadRecord(f"{len(record.names)} names for {record.players} players")
        options = msgspec.convert(record.options, kind.options_type)
        old = LogReader(Driver(kind, record.players, options)) if record.kotatsu == OLD_FORMAT else None
        log = []
        for number, entry in enumerate(record.log):
            try:
                read = old.fact(entry) if old is not None and "fact" in entry else read_entry(kind, entry)
            except msgspec.ValidationError as error:
                raise BadRecord(f"entry {number} of the log: {error}") from None
            except Exception as error:  # what completes an old fact trusts it, as a fold does
                raise BadRecord(f"entry {number} of the log cannot follow: {error!r}") from error
            if isinstance(read, Played) and read.seat not in range(record.players):
                raise BadRecord(f"entry {number} of the log: there is no seat {read.seat}")
            log.append(read)
    except (msgspec.ValidationError, UnknownGame) as error:
        raise BadRecord(str(error)) from None
    return kind, record.players, options, record.names, log
