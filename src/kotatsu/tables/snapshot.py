"""What each browser is told, encoded once for all that are told the same.

The only place where a game's state becomes bytes for a browser: everything goes
through ``view``, ``redact`` and ``moves``.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from kotatsu.engine.contract import AnyGame, Seat
from kotatsu.engine.driver import Driver
from kotatsu.protocol.messages import SeatMoves, Waiting
from kotatsu.tables.table_game import PendingStep, TableGame
from kotatsu.tables.timers import DeadlineTimer

_encode = msgspec.json.Encoder().encode
_STEP = b'{"type":"step","seq":%d,"facts":%b,"waiting":%b,"view":%b,"receipt":%b}'
"""``StepMessage``, spliced from parts that are JSON already; a test holds it against the struct."""

_NULL = b"null"

Viewpoint = Seat | None
"""Who looks: a seat, or ``None`` for a spectator."""


class RedactedStep(msgspec.Struct, frozen=True, gc=False):
    """One step as each viewpoint may know it: ``shared`` by all, or ``apart`` for each seat and then spectators."""

    seq: int
    receipt: bytes
    shared: bytes
    apart: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, driver: Driver, step: PendingStep) -> RedactedStep:
        """What a step is to everyone. Viewpoints that are told the same share the bytes."""
        game = driver.game
        everyone: tuple[Viewpoint, ...] = (*range(driver.players), None)
        seq, receipt = step.seq, _NULL if step.receipt is None else _encode(step.receipt)
        if _hides_nothing(game, step, everyone):
            return cls(seq, receipt, step.facts_json)
        known: dict[bytes, bytes] = {}
        return cls(seq, receipt, b"", tuple([_told(game, step, viewpoint, known) for viewpoint in everyone]))

    def facts(self, viewpoint: Viewpoint) -> bytes:
        """A JSON array."""
        return self.apart[-1 if viewpoint is None else viewpoint] if self.apart else self.shared

    def past_step(self, viewpoint: Viewpoint) -> bytes:
        """The ``step`` message when later ones follow at once: nothing is waited for yet."""
        return _STEP % (self.seq, self.facts(viewpoint), _NULL, _NULL, self.receipt)


def _hides_nothing(game: AnyGame, step: PendingStep, everyone: tuple[Viewpoint, ...]) -> bool:
    redact = game.redact
    for state, fact in zip(step.states, step.facts, strict=True):
        for viewpoint in everyone:
            if redact(state, fact, viewpoint) is not fact:
                return False
    return True


def _told(game: AnyGame, step: PendingStep, viewpoint: Viewpoint, known: dict[bytes, bytes]) -> bytes:
    redact = game.redact
    seen = [redact(state, fact, viewpoint) for state, fact in zip(step.states, step.facts, strict=True)]
    encoded = _encode([fact for fact in seen if fact is not None])
    return known.setdefault(encoded, encoded)


class TableSnapshot:
    """A state as it is told: views and legal moves, each worked out at most once."""

    __slots__ = ("_game", "_moves", "_state", "_timer", "_views", "acting", "over", "receipt", "seq")

    def __init__(self, progress: TableGame, timer: DeadlineTimer) -> None:
        self._game = progress.game
        self._state = progress.state
        self._timer = timer
        self.seq = progress.seq
        self.receipt = progress.receipt
        self.over = progress.outcome is not None
        self.acting = tuple(sorted(progress.game.acting(progress.state)))
        self._views: dict[Viewpoint, msgspec.Raw] = {}
        self._moves: dict[Seat, SeatMoves] = {}

    def view(self, viewpoint: Viewpoint) -> msgspec.Raw:
        """What those eyes see, as JSON."""
        found = self._views.get(viewpoint)
        if found is None:
            found = self._views[viewpoint] = msgspec.Raw(_encode(self._game.view(self._state, viewpoint)))
        return found

    def waiting(self, held: tuple[Seat, ...]) -> Waiting | None:
        """Whose move it is, and what whoever holds these seats may do."""
        if self.over:
            return None
        moves = tuple([self._seat_moves(seat) for seat in held if seat in self.acting])
        return Waiting(self.acting, moves, self._timer.deadline, self._timer.left)

    def step(self, told: RedactedStep, viewpoint: Viewpoint, held: tuple[Seat, ...], views: bool) -> bytes:
        """The ``step`` message of what led to this moment."""
        view = bytes(self.view(viewpoint)) if views else _NULL
        return _STEP % (told.seq, told.facts(viewpoint), self._waiting_json(held), view, told.receipt)

    def _waiting_json(self, held: tuple[Seat, ...]) -> bytes:
        if held or self.over or self._timer.deadline is not None:
            return _encode(self.waiting(held))
        return _only_waiting(self.acting)

    def _seat_moves(self, seat: Seat) -> SeatMoves:
        found = self._moves.get(seat)
        if found is None:
            found = self._moves[seat] = SeatMoves(seat, tuple(self._game.moves(self._state, seat)))
        return found


@lru_cache(maxsize=1_000)
def _only_waiting(acting: tuple[Seat, ...]) -> bytes:
    """What those are told who can only wait, for however long."""
    return _encode(Waiting(acting, ()))
