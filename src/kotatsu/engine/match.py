"""A game in progress, in memory: the facade other programs use (``kotatsu.start``, ``kotatsu.replay``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Deadline, Fact, Move, Options, Outcome, Seat
from kotatsu.engine.driver import BadFact, Driver, Transition
from kotatsu.engine.record import BadRecord, Entry, Played, plain_record, read_record
from kotatsu.engine.registry import game


class BadTable(ValueError):
    """A number of players or an option the game does not have."""


class Match:
    """One table's game: its log, the state folded from it, and the randomness it draws from.

    Args:
        kind: the game.
        players: how many play.
        options: the table's choices.
        rng: where chance is drawn from.
        names: the players' names, one for each seat, or none.
        log: what has happened so far.

    Raises:
        BadFact: the log's facts do not follow on each other.
    """

    __slots__ = ("_rng", "driver", "game", "log", "names", "options", "players", "state")

    def __init__(
        self,
        kind: AnyGame,
        players: int,
        options: Options,
        rng: Random,
        names: Sequence[str] = (),
        log: Iterable[Entry] = (),
    ) -> None:
        self.driver = Driver(kind, players, options)
        self.game = kind
        self.players = players
        self.options = options
        self.names = tuple(names) or tuple(f"seat {seat}" for seat in range(players))
        self._rng = rng
        self.log = list(log)
        self.state = self.driver.replay(entry for entry in self.log if isinstance(entry, Fact))

    @property
    def acting(self) -> frozenset[Seat]:
        """The seats that may move now."""
        return self.game.acting(self.state)

    @property
    def deadline(self) -> Deadline | None:
        """What is being waited for, and how long."""
        return self.game.deadline(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the game is over."""
        return self.game.outcome(self.state)

    def moves(self, seat: Seat) -> Sequence[Move]:
        """Every legal move of a seat, in a fixed order.

        Raises:
            UnknownSeat: the table has no such seat.
        """
        self.driver.check_seat(seat)
        return self.game.moves(self.state, seat)

    def view(self, seat: Seat | None = None) -> Any:
        """What a seat may see; without a seat, what a spectator may see.

        Raises:
            UnknownSeat: the table has no such seat.
        """
        self.driver.check_seat(seat)
        return self.game.view(self.state, seat)

    def play(self, seat: Seat, move: Move | Mapping[str, Any], seconds: float = 0.0) -> list[Fact]:
        """Make a move, given as its struct or as its JSON object, and return what happened.

        ``seconds`` is how long the seat took over it, which matters to a game with a time bank.

        Raises:
            IllegalMove: and nothing has changed.
        """
        step = self.driver.play(self.state, seat, move, self._rng, seconds)
        return self.take(step, seat)

    def expire(self) -> list[Fact]:
        """Let the deadline pass and return what happened.

        Raises:
            NothingAwaited: no deadline is running.
        """
        return self.take(self.driver.expire(self.state, self._rng))

    def take(self, step: Transition, seat: Seat | None = None) -> list[Fact]:
        """Make true what the driver worked out from the present state, a move of ``seat`` or not; its facts.

        Args:
            step: worked out from the present state.
            seat: who moved, if it was a move.
        """
        facts = list(step.facts)
        self.log += facts[: step.spent]
        if step.move is not None and seat is not None:
            self.log.append(Played(seat, step.move))
        self.log += facts[step.spent :]
        self.state = step.state
        return facts

    def copy(self) -> Match:
        """An independent match in the same position, with the same randomness ahead of it."""
        twin = object.__new__(Match)
        twin.driver, twin.game = self.driver, self.game
        twin.players, twin.options, twin.names = self.players, self.options, self.names
        twin.state = self.state
        twin.log = list(self.log)
        twin._rng = Random()
        twin._rng.setstate(self._rng.getstate())
        return twin

    def record(self) -> dict[str, Any]:
        """Everything that happened, as JSON values."""
        return plain_record(self.game, self.players, self.options, self.names, self.log)


def read_options(kind: AnyGame, options: Mapping[str, Any], *, listed: bool = False) -> Options:
    """A game's options from plain values.

    Args:
        kind: the game.
        options: those that are chosen; the others have their defaults.
        listed: whether the defaults are those of a table listed in the lobby.

    Raises:
        BadTable: with one sentence that says what is wrong.
    """
    chosen = {**kind.listed_defaults, **options} if listed else dict(options)
    try:
        return msgspec.convert(chosen, kind.options_type)
    except msgspec.ValidationError as error:
        raise BadTable(f"{kind.name}: {error}") from None


def options_when_listed(kind: AnyGame, options: Options, *, listed: bool) -> Options:
    """The options of a table that is listed in the lobby from now on, or no longer.

    What had its default before has the default of now; what differs from it was chosen, and stays.

    Args:
        kind: the game.
        options: the table's until now.
        listed: whether it is in the lobby from now on.
    """
    usual = kind.options_type()
    defaults = {
        name: (getattr(usual, name), value) if listed else (value, getattr(usual, name))
        for name, value in kind.listed_defaults.items()
    }
    changes = {name: after for name, (before, after) in defaults.items() if getattr(options, name) == before}
    return msgspec.structs.replace(options, **changes)


def check_players(kind: AnyGame, players: int) -> None:
    """Refuse a number of players the game is not for.

    Args:
        kind: the game.
        players: how many would play.

    Raises:
        BadTable: with one sentence that says which numbers it is for.
    """
    if players not in kind.seats:
        low, high = min(kind.seats), max(kind.seats)
        raise BadTable(f"{kind.name} is for {low} to {high} players, not {players}")


def start(
    name: str, players: int, seed: int | None = None, names: Sequence[str] = (), **options: Any
) -> Match:
    """Start a game; the same seed and the same moves give the same record.

    Args:
        name: the game's, ``kimono`` say.
        players: how many play.
        seed: of the match's randomness; ``None`` for one nobody knows.
        names: of the players, one for each seat, or none.
        options: the game's own, ``accessory_combo=True`` say.

    Raises:
        UnknownGame: if no such game is on the shelf.
        BadTable: if it is not for that many players or has no such option.
    """
    kind = game(name)
    check_players(kind, players)
    chosen = read_options(kind, options)
    rng = Random(seed)
    return opened(kind, players, chosen, rng, names)


def opened(kind: AnyGame, players: int, options: Options, rng: Random, names: Sequence[str] = ()) -> Match:
    """A match of checked options, set up from ``rng``.

    Args:
        kind: the game.
        players: how many play; one of ``kind.seats``.
        options: of the game's ``options_type``.
        rng: where chance is drawn from, now and later.
        names: one for each seat, or none.
    """
    match = Match(kind, players, options, rng, names)
    match.take(match.driver.setup(rng))
    return match


def replay(record: Any, seed: int | None = None) -> Match:
    """The match at the end of a record, over or not, ready to go on.

    Args:
        record: JSON values, as ``Match.record`` gives them.
        seed: of the randomness it goes on with.

    Raises:
        BadRecord: with one sentence that says what is wrong.
    """
    kind, players, options, names, log = read_record(record)
    try:
        return Match(kind, players, options, Random(seed), names, log)
    except BadFact as bad:
        raise BadRecord(str(bad)) from None
