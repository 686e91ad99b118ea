"""A table's game so far: the state folded from its log, and which commands it has answered.

Pure: it works out what a step would bring and takes in the steps that were written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Fact, Move, Outcome, Race, Seat
from kotatsu.engine.driver import Driver, Transition
from kotatsu.engine.record import LogReader, plain_entry
from kotatsu.protocol.messages import Receipt
from kotatsu.store.contract import LoggedStep

_encode = msgspec.json.Encoder().encode
_entries = msgspec.json.Decoder(list[dict[str, Any]])
_NONE: dict[str, int] = {}


class PendingStep(msgspec.Struct, frozen=True, gc=False):
    """A step that could happen next: its row of the log, its facts and the state after each of them."""

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
        """Its row in the log, written down at a moment."""
        return LoggedStep(self.seq, moment, self.entries, self.seat, self.command_id)


class TableGame:
    """The fold of a table's log, ready to go on.

    ``last_step_of`` is each seat's own last step. ``race`` is on since step ``race_since``; ``receipt`` is the
    latest ruling on one.

    Args:
        driver: runs the game.
    """

    __slots__ = (
        "_answered",
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
        self.load(())

    @property
    def game(self) -> AnyGame:
        """The rules it is played by."""
        return self.driver.game

    def load(self, log: Iterable[LoggedStep]) -> None:
        """Forget everything and read a log."""
        self.seq = 0
        self._answered: dict[Seat | None, dict[str, int]] = {}
        self.last_step_of: dict[Seat, int] = {}
        self.race: Race | None = None
        self.race_since = 0
        self.receipt: Receipt | None = None
        reader = LogReader(self.driver)
        self.state = reader.state
        for row in log:
            for entry in _entries.decode(row.entries):
                if "fact" in entry:
                    reader.fact(entry)
                elif "receipt" in entry:
                    self.receipt = msgspec.convert(entry["receipt"], Receipt)
            self.state = reader.state
            self._note(row)
        self.outcome = self.game.outcome(self.state) if self.seq else None

    def answered(self, seat: Seat | None, command_id: str) -> int | None:
        """The step a command of a seat, or of the host, led to; ``None`` if it has not been carried out."""
        return self._answered.get(seat, _NONE).get(command_id)

    def opening(self, rng: Random, command_id: str | None = None) -> PendingStep:
        """The setup: step 1."""
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
        """What a move would bring about.

        Args:
            seat: who makes it.
            move: the move.
            rng: where chance is drawn from.
            seconds: how long the seat thought.
            command_id: under which id it was asked for, if a person did.
            receipt: the ruling by which it counts, if there was one.

        Raises:
            IllegalMove: and nothing has changed.
        """
        step = self.driver.play(self.state, seat, move, rng, seconds)
        return self._pending(step, seat, command_id, receipt)

    def expire(self, rng: Random) -> PendingStep:
        """What follows if the deadline passes.

        Raises:
            NothingAwaited: none is running.
        """
        return self._pending(self.driver.expire(self.state, rng))

    def world_report(self, entries: bytes) -> PendingStep:
        """What the world of a real-time game reports: moves and facts, a JSON array as it belongs into the log."""
        facts = [
            msgspec.convert(entry, self.game.fact_type)
            for entry in _entries.decode(entries)
            if "fact" in entry
        ]
        return self._pending(self.driver.apply(self.state, facts), entries=entries)

    def apply(self, step: PendingStep) -> None:
        """The step is on disk: it has happened."""
        self.state = step.state
        self.outcome = step.outcome
        self.receipt = step.receipt or self.receipt
        self._note(step)

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

    def _note(self, step: PendingStep | LoggedStep) -> None:
        self.seq = step.seq
        before, self.race = self.race, self.game.race(self.state)
        if self.race is not None and (before is None or before.token != self.race.token):
            self.race_since = step.seq
        if step.seat is not None:
            self.last_step_of[step.seat] = step.seq
        if step.command_id is not None:
            self._answered.setdefault(step.seat, {})[step.command_id] = step.seq


def facts_of(reader: LogReader, row: LoggedStep) -> Iterator[Fact]:
    """The facts of the next row of a log, read one by one: ``reader.state`` is the state after the latest."""
    return (reader.fact(entry) for entry in _entries.decode(row.entries) if "fact" in entry)


def record_entries(driver: Driver, log: Iterable[LoggedStep]) -> list[dict[str, Any]]:
    """What a record keeps of a log: moves, and facts as they are written today, not the rulings between them."""
    reader = LogReader(driver)
    return [
        plain_entry(reader.fact(entry)) if "fact" in entry else entry
        for row in log
        for entry in _entries.decode(row.entries)
        if "receipt" not in entry
    ]


def _with_move(step: Transition, seat: Seat, facts_json: bytes) -> bytes:
    """``[{"seat": 0, "move": …}, {"fact": …}]``: a record's entries, the move after the facts on time spent.

    Without such facts it is spliced from JSON that is there already.
    """
    if step.spent:
        spent, rest = step.facts[: step.spent], step.facts[step.spent :]
        return _encode([*spent, {"seat": seat, **msgspec.to_builtins(step.move)}, *rest])
    played = b'[{"seat":%d,%b' % (seat, _encode(step.move)[1:])
    return played + b"]" if facts_json == b"[]" else played + b"," + facts_json[1:]
