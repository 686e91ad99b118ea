"""What each browser may see of a step and of the present state, encoded once for all that see the same.

The only place where a game's state becomes bytes for a browser: everything goes through the game's ``view``,
``redact`` and ``moves``.
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
"""``StepMessage`` assembled from parts that are JSON already; a test compares it with the struct."""

_NULL = b"null"

Viewpoint = Seat | None
"""Who sees: a seat, or ``None`` for a spectator."""


class RedactedStep(msgspec.Struct, frozen=True, gc=False):
    """One step as each viewpoint may know it, as JSON.

    Its facts are ``shared`` if all may know all of them; else they are in ``separate``, one array for each
    seat and a last one for spectators.
    """

    seq: int
    receipt: bytes
    shared: bytes
    separate: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, driver: Driver, step: PendingStep) -> RedactedStep:
        """Redact a ``step`` for all viewpoints of a ``driver``'s game; equal results share the bytes."""
        game = driver.game
        everyone: tuple[Viewpoint, ...] = (*range(driver.players), None)
        seq, receipt = step.seq, _NULL if step.receipt is None else _encode(step.receipt)
        if _hides_nothing(game, step, everyone):
            return cls(seq, receipt, step.facts_json)
        known: dict[bytes, bytes] = {}
        return cls(
            seq, receipt, b"", tuple([_facts_for(game, step, viewpoint, known) for viewpoint in everyone])
        )

    def facts(self, viewpoint: Viewpoint) -> bytes:
        """Return the facts this viewpoint may know, as a JSON array."""
        return self.separate[-1 if viewpoint is None else viewpoint] if self.separate else self.shared

    def past_step(self, viewpoint: Viewpoint) -> bytes:
        """Return the ``step`` message for a step that later ones follow at once: without ``waiting``."""
        return _STEP % (self.seq, self.facts(viewpoint), _NULL, _NULL, self.receipt)


def _hides_nothing(game: AnyGame, step: PendingStep, everyone: tuple[Viewpoint, ...]) -> bool:
    redact = game.redact
    for state, fact in zip(step.states, step.facts, strict=True):
        for viewpoint in everyone:
            if redact(state, fact, viewpoint) is not fact:
                return False
    return True


def _facts_for(game: AnyGame, step: PendingStep, viewpoint: Viewpoint, known: dict[bytes, bytes]) -> bytes:
    redact = game.redact
    seen = [redact(state, fact, viewpoint) for state, fact in zip(step.states, step.facts, strict=True)]
    encoded = _encode([fact for fact in seen if fact is not None])
    return known.setdefault(encoded, encoded)


class TableSnapshot:
    """The present state as it is sent to browsers: views and legal moves, each worked out at most once.

    ``acting`` are the seats that may move, ``over`` is whether the game has ended.

    Args:
        progress: the table's game; the snapshot keeps its state of this moment.
        timer: the table's timer, for deadline and time left.
    """

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
        """Return what this viewpoint sees, as JSON."""
        found = self._views.get(viewpoint)
        if found is None:
            found = self._views[viewpoint] = msgspec.Raw(_encode(self._game.view(self._state, viewpoint)))
        return found

    def waiting(self, held: tuple[Seat, ...]) -> Waiting | None:
        """Return whose turn it is and what the seats ``held`` may do; ``None`` if the game is over."""
        if self.over:
            return None
        moves = tuple([self._seat_moves(seat) for seat in held if seat in self.acting])
        return Waiting(self.acting, moves, self._timer.deadline, self._timer.left)

    def step(self, last: RedactedStep, viewpoint: Viewpoint, held: tuple[Seat, ...], views: bool) -> bytes:
        """Return the ``step`` message for the step that led to this state.

        Args:
            last: that step.
            viewpoint: who sees it.
            held: the seats the receiver holds.
            views: whether to add the view.
        """
        view = bytes(self.view(viewpoint)) if views else _NULL
        return _STEP % (last.seq, last.facts(viewpoint), self._waiting_json(held), view, last.receipt)

    def _waiting_json(self, held: tuple[Seat, ...]) -> bytes:
        if held or self.over or self._timer.deadline is not None:
            return _encode(self.waiting(held))
        return _waiting_without_moves(self.acting)

    def _seat_moves(self, seat: Seat) -> SeatMoves:
        found = self._moves.get(seat)
        if found is None:
            found = self._moves[seat] = SeatMoves(seat, tuple(self._game.moves(self._state, seat)))
        return found


@lru_cache(maxsize=1_000)  # chosen by hand: more than the sets of seats that act at the tables of one server
def _waiting_without_moves(acting: tuple[Seat, ...]) -> bytes:
    """``waiting`` for those who have no move, while nothing is timed."""
    return _encode(Waiting(acting, ()))
