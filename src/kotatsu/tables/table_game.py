"""A table's game so far: the state folded from its log, and the commands that were carried out.

It works out what a step would lead to and applies steps that were committed; it stores and sends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Deadline, Fact, Game, Move, Options, Outcome, Race, Seat
from kotatsu.engine.driver import Driver, Transition
from kotatsu.engine.record import LogReader, plain_entry
from kotatsu.protocol.messages import Receipt
from kotatsu.store.contract import LoggedStep

_encode = msgspec.json.Encoder().encode
_entries = msgspec.json.Decoder(list[dict[str, Any]])
_NONE: dict[str, int] = {}


class PendingStep(msgspec.Struct, frozen=True, gc=False):
    """A step that could happen next: the row of the log, its facts and the state after each of them.

    ``entries`` is what the log gets, a JSON array; ``facts_json`` the facts alone. ``states`` has the state
    after each fact, ``state`` the last one. ``receipt`` is the decision on a race by which the move counts.
    """

    seq: int
    seat: Seat | None
    command_id: str | None
    entries: bytes
    facts: Sequence[Fact]
    facts_json: bytes
    states: Sequence[Any]
    state: Any
    outcome: Outcome | None
    receipt: Receipt | None = None

    def at(self, moment: float) -> LoggedStep:
        """Return its row of the log, written at ``moment`` (seconds since 1970)."""
        return LoggedStep(self.seq, moment, self.entries, self.seat, self.command_id)


class TableGame:
    """The state of a table's game, folded from its log.

    ``seq`` is the last step, 0 before the setup. ``last_step_of`` is each seat's own last step. ``race`` is
    the present race, ``None`` if there is none, which began with step ``race_since``; ``receipt`` is the last
    decision on one. ``outcome`` is ``None`` until the game is over. ``deadline`` is what the game waits for now,
    since ``deadline_since``, the moment (seconds since 1970) at which the step that began the wait was written.

    All time is counted from such moments of the log, so it is the same for whoever reads the log again.

    Args:
        driver: runs the game.
    """

    __slots__ = (
        "_answered",
        "_may_move_since",
        "_timed",
        "deadline",
        "deadline_since",
        "driver",
        "last_step_of",
        "outcome",
        "race",
        "race_since",
        "receipt",
        "seq",
        "state",
    )

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        kind = type(driver.game)
        self._timed = kind.spend is not Game.spend or kind.deadline is not Game.deadline
        self.load(())

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.driver.game

    def set_options(self, options: Options) -> None:
        """Play with other ``options``; only before the setup."""
        assert self.seq == 0, "the game has begun"
        self.driver = Driver(self.game, self.driver.players, options)
        self.load(())

    def load(self, log: Iterable[LoggedStep]) -> None:
        """Start over and fold a table's log."""
        self.seq = 0
        self._answered: dict[Seat | None, dict[str, int]] = {}
        self.last_step_of: dict[Seat, int] = {}
        self.race: Race | None = None
        self.race_since = 0
        self.receipt: Receipt | None = None
        self.deadline: Deadline | None = None
        self.deadline_since = 0.0
        self._may_move_since: dict[Seat, float] = {}
        reader = LogReader(self.driver)
        self.state = reader.state
        for row in log:
            for entry in _entries.decode(row.entries):
                if "fact" in entry:
                    reader.fact(entry)
                elif "receipt" in entry:
                    self.receipt = msgspec.convert(entry["receipt"], Receipt)
            self.state = reader.state
            self._note(row, row.at)
        self.outcome = self.game.outcome(self.state) if self.seq else None

    def answered(self, seat: Seat | None, command_id: str) -> int | None:
        """Return the ``seq`` of the step a command led to; ``None`` if it has not been carried out.

        Args:
            seat: whose move it was; ``None`` for the start of the game.
            command_id: the id the browser gave it.
        """
        return self._answered.get(seat, _NONE).get(command_id)

    def seconds_thought(self, seat: Seat, moment: float) -> float:
        """Return for how long a seat had been thinking at a ``moment`` (seconds since 1970).

        It is counted from the step since which the seat may move, or since which the deadline that times the seat
        runs, whatever happened to connections, tables and servers meanwhile; 0 if the seat may not move.
        """
        since = self._may_move_since.get(seat)
        if since is None:
            return 0.0
        if self.deadline is not None and self.deadline.times(seat):
            since = max(since, self.deadline_since)
        return max(0.0, moment - since)

    def opening(self, rng: Random, command_id: str | None = None) -> PendingStep:
        """Return the setup of the game, step 1, drawn with ``rng`` and asked for under ``command_id``."""
        return self._pending(self.driver.setup(rng), command_id=command_id)

    def play(
        self,
        seat: Seat,
        move: Move,
        rng: Random,
        *,
        seconds: float = 0.0,
        command_id: str | None = None,
        receipt: Receipt | None = None,
    ) -> PendingStep:
        """Return the step a move would lead to.

        Args:
            seat: who makes it.
            move: the move.
            rng: the source of randomness.
            seconds: how long the seat thought.
            command_id: the id the browser gave it; ``None`` for a bot.
            receipt: the decision on a race by which it counts, if there was one.

        Raises:
            IllegalMove: the rules forbid it; nothing has changed.
        """
        step = self.driver.play(self.state, seat, move, rng, seconds)
        return self._pending(step, seat, command_id, receipt)

    def expire(self, rng: Random) -> PendingStep:
        """Return the step that follows if the present deadline passes.

        Raises:
            NothingAwaited: there is no deadline.
        """
        return self._pending(self.driver.expire(self.state, rng))

    def world_report(self, entries: bytes) -> PendingStep:
        """Return the step of what a real-time world reports: moves and facts, as a JSON array for the log."""
        facts = [
            msgspec.convert(entry, self.game.fact_type)
            for entry in _entries.decode(entries)
            if "fact" in entry
        ]
        return self._pending(self.driver.apply(self.state, facts), entries=entries)

    def apply(self, step: PendingStep, moment: float) -> None:
        """Apply a step that is on disk, written at ``moment`` (seconds since 1970)."""
        self.state = step.state
        self.outcome = step.outcome
        self.receipt = step.receipt or self.receipt
        self._note(step, moment)

    def _pending(
        self,
        step: Transition,
        seat: Seat | None = None,
        command_id: str | None = None,
        receipt: Receipt | None = None,
        entries: bytes = b"",
    ) -> PendingStep:
        facts_json = _encode(step.facts)
        if not entries:
            entries = facts_json if seat is None else _with_move(step, seat, facts_json)
        if receipt is not None:
            entries = b'%b,{"receipt":%b}]' % (entries[:-1], _encode(receipt))
        return PendingStep(
            self.seq + 1,
            seat,
            command_id,
            entries,
            step.facts,
            facts_json,
            step.states,
            step.state,
            step.outcome,
            receipt,
        )

    def _note(self, step: PendingStep | LoggedStep, moment: float) -> None:
        self.seq = step.seq
        if self._timed:
            self._note_time(step.seat, moment)
        before, self.race = self.race, self.game.race(self.state)
        if self.race is not None and (before is None or before.token != self.race.token):
            self.race_since = step.seq
        if step.seat is not None:
            self.last_step_of[step.seat] = step.seq
        if step.command_id is not None:
            self._answered.setdefault(step.seat, {})[step.command_id] = step.seq

    def _note_time(self, moved: Seat | None, moment: float) -> None:
        """Note whose time runs since when, after a step of seat ``moved``, or of nobody: a deadline that passed."""
        since = self._may_move_since
        self._may_move_since = {
            seat: moment if seat == moved else since.get(seat, moment)
            for seat in self.game.acting(self.state)
        }
        before, self.deadline = self.deadline, self.game.deadline(self.state)
        if before != self.deadline or moved is None:
            self.deadline_since = moment


def facts_of(reader: LogReader, row: LoggedStep) -> Iterator[Fact]:
    """Yield the facts of the next ``row`` of a log; ``reader.state`` is then the state after the latest."""
    return (reader.fact(entry) for entry in _entries.decode(row.entries) if "fact" in entry)


def record_entries(driver: Driver, log: Iterable[LoggedStep]) -> list[dict[str, Any]]:
    """Return what a record keeps of a log: moves, and facts as they are written today, without decisions on races.

    Args:
        driver: runs the game.
        log: the table's log in order.
    """
    reader = LogReader(driver)
    return [
        plain_entry(reader.fact(entry)) if "fact" in entry else entry
        for row in log
        for entry in _entries.decode(row.entries)
        if "receipt" not in entry
    ]


def _with_move(step: Transition, seat: Seat, facts_json: bytes) -> bytes:
    """``[{"seat": 0, "move": …}, {"fact": …}]``: a record's entries, the move after the facts on time spent.

    Without such facts it is assembled from JSON that is encoded already.
    """
    if step.spent:
        spent, rest = step.facts[: step.spent], step.facts[step.spent :]
        return _encode([*spent, {"seat": seat, **msgspec.to_builtins(step.move)}, *rest])
    played = b'[{"seat":%d,%b' % (seat, _encode(step.move)[1:])
    return played + b"]" if facts_json == b"[]" else played + b"," + facts_json[1:]
