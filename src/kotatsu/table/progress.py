"""A table's game so far: the state folded from its log, and which commands it has answered.

Pure: it decides what a step would bring and takes in the steps that were written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Fact, Move, Options, Outcome, Race, Seat
from kotatsu.store.contract import LoggedStep
from kotatsu.table.arbiter import Receipt

_encode = msgspec.json.Encoder().encode
_entries = msgspec.json.Decoder(list[dict[str, Any]])
_NONE: dict[str, int] = {}


class Prepared(msgspec.Struct, frozen=True, gc=False):
    """A step that could happen next, and the state after each of its facts."""

    seq: int
    seat: Seat | None
    command_id: str | None
    entries: bytes
    facts: Sequence[Fact]
    facts_json: bytes
    states: Sequence[Any]
    outcome: Outcome | None
    receipt: Receipt | None = None

    def at(self, moment: float) -> LoggedStep:
        """Its row in the log, written down at a moment."""
        return LoggedStep(self.seq, moment, self.entries, self.seat, self.command_id)


class Progress:
    """The fold of a log, ready to go on.

    ``moved`` is each seat's own last step. ``race`` is on since step ``race_since``; ``receipt`` is the
    latest ruling on one.
    """

    __slots__ = (
        "_answered",
        "game",
        "moved",
        "options",
        "outcome",
        "players",
        "race",
        "race_since",
        "receipt",
        "seq",
        "state",
    )

    def __init__(self, game: AnyGame, players: int, options: Options) -> None:
        self.game = game
        self.players = players
        self.options = options
        self.state: Any = game.empty(players, options)
        self.seq = 0
        self.outcome: Outcome | None = None
        self._answered: dict[Seat | None, dict[str, int]] = {}
        self.moved: dict[Seat, int] = {}
        self.race: Race | None = None
        self.race_since = 0
        self.receipt: Receipt | None = None

    @classmethod
    def of(cls, game: AnyGame, players: int, options: Options, log: Iterable[LoggedStep]) -> Progress:
        """The game a log tells of."""
        progress = cls(game, players, options)
        for row in log:
            for entry in _entries.decode(row.entries):
                if "fact" in entry:
                    progress.state = game.fold(progress.state, msgspec.convert(entry, game.fact_type))
                elif "receipt" in entry:
                    progress.receipt = msgspec.convert(entry["receipt"], Receipt)
            progress._note(row)
        progress.outcome = game.outcome(progress.state) if progress.seq else None
        return progress

    def answered(self, seat: Seat | None, command_id: str) -> int | None:
        """The step a command of a seat, or of the host, led to; ``None`` if it has not been carried out."""
        return self._answered.get(seat, _NONE).get(command_id)

    def opening(self, rng: Random, command_id: str | None = None) -> Prepared:
        """The setup: step 1."""
        facts = self.game.setup(self.players, self.options, rng)
        return self._prepare(facts, command_id=command_id)

    def play(
        self,
        seat: Seat,
        move: Move,
        rng: Random,
        *,
        seconds: float = 0.0,
        command_id: str | None = None,
        receipt: Receipt | None = None,
    ) -> Prepared:
        """What a move would bring about that a seat took so many ``seconds`` over, by a ruling if there was one.

        Raises:
            IllegalMove: and nothing has changed.
        """
        spent = self.game.spend(self.state, seat, seconds)
        if not spent:
            facts = self.game.decide(self.state, seat, move, rng)
            return self._prepare(facts, seat, move, command_id, b"", receipt)
        facts = self.game.decide(reduce(self.game.fold, spent, self.state), seat, move, rng)
        entries = _encode([*spent, {"seat": seat, **msgspec.to_builtins(move)}, *facts])
        return self._prepare([*spent, *facts], seat, move, command_id, entries, receipt)

    def expire(self, rng: Random) -> Prepared:
        """What follows if the deadline passes."""
        return self._prepare(self.game.expire(self.state, rng))

    def stated(self, entries: bytes) -> Prepared:
        """What the world of a real-time game reports: moves and facts, a JSON array as it belongs into the log."""
        return self._prepare(_facts_in(self.game, entries), entries=entries)

    def take_in(self, prepared: Prepared) -> None:
        """The step is on disk: it has happened."""
        if prepared.states:
            self.state = prepared.states[-1]
        self.outcome = prepared.outcome
        self.receipt = prepared.receipt or self.receipt
        self._note(prepared)

    def _prepare(
        self,
        facts: Sequence[Fact],
        seat: Seat | None = None,
        move: Move | None = None,
        command_id: str | None = None,
        entries: bytes = b"",
        receipt: Receipt | None = None,
    ) -> Prepared:
        state, states = self.state, []
        for fact in facts:
            state = self.game.fold(state, fact)
            states.append(state)
        facts_json = _encode(facts)
        if not entries:
            entries = facts_json if seat is None or move is None else _with_move(seat, move, facts_json)
        if receipt is not None:
            entries = b'%b,{"receipt":%b}]' % (entries[:-1], _encode(receipt))
        return Prepared(
            self.seq + 1,
            seat,
            command_id,
            entries,
            facts,
            facts_json,
            states,
            self.game.outcome(state),
            receipt,
        )

    def _note(self, step: Prepared | LoggedStep) -> None:
        self.seq = step.seq
        before, self.race = self.race, self.game.race(self.state)
        if self.race is not None and (before is None or before.token != self.race.token):
            self.race_since = step.seq
        if step.seat is not None:
            self.moved[step.seat] = step.seq
        if step.command_id is not None:
            self._answered.setdefault(step.seat, {})[step.command_id] = step.seq


def facts_of(game: AnyGame, row: LoggedStep) -> list[Fact]:
    """The facts of one row of a log."""
    return _facts_in(game, row.entries)


def recorded(row: LoggedStep) -> list[dict[str, Any]]:
    """What a record keeps of one row: moves and facts, not the rulings between them."""
    return [entry for entry in _entries.decode(row.entries) if "receipt" not in entry]


def _facts_in(game: AnyGame, entries: bytes) -> list[Fact]:
    return [msgspec.convert(entry, game.fact_type) for entry in _entries.decode(entries) if "fact" in entry]


def _with_move(seat: Seat, move: Move, facts_json: bytes) -> bytes:
    """``[{"seat": 0, "move": …}, {"fact": …}]``: a record's entries, spliced from JSON already made."""
    played = b'[{"seat":%d,%b' % (seat, _encode(move)[1:])
    return played + b"]" if facts_json == b"[]" else played + b"," + facts_json[1:]
