"""What each browser is told, encoded once for all that are told the same.

The only place where a game's state becomes bytes for a browser: everything goes
through ``view``, ``redact`` and ``moves``.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from kotatsu.engine.contract import AnyGame, Seat
from kotatsu.table.clock import Clock
from kotatsu.table.progress import Prepared, Progress
from kotatsu.table.wire import SeatMoves, Waiting

_encode = msgspec.json.Encoder().encode
_STEP = b'{"type":"step","seq":%d,"facts":%b,"waiting":%b,"view":%b,"receipt":%b}'
"""``wire.Step``, spliced from parts that are JSON already; a test holds it against the struct."""

_NULL = b"null"

Eyes = Seat | None
"""Through whose eyes: a seat, or ``None`` for a spectator."""


class Told(msgspec.Struct, frozen=True, gc=False):
    """One step as each pair of eyes may know it: ``shared`` by all, or ``apart`` for each seat and then spectators."""

    seq: int
    receipt: bytes
    shared: bytes
    apart: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, game: AnyGame, players: int, step: Prepared) -> Told:
        """What a step is to everyone. Eyes that are told the same share the bytes."""
        everyone: tuple[Eyes, ...] = (*range(players), None)
        seq, receipt = step.seq, _NULL if step.receipt is None else _encode(step.receipt)
        if _hides_nothing(game, step, everyone):
            return cls(seq, receipt, step.facts_json)
        known: dict[bytes, bytes] = {}
        return cls(seq, receipt, b"", tuple([_told(game, step, eyes, known) for eyes in everyone]))

    def facts(self, eyes: Eyes) -> bytes:
        """A JSON array."""
        return self.apart[-1 if eyes is None else eyes] if self.apart else self.shared

    def past_step(self, eyes: Eyes) -> bytes:
        """The ``step`` message when later ones follow at once: nothing is waited for yet."""
        return _STEP % (self.seq, self.facts(eyes), _NULL, _NULL, self.receipt)


def _hides_nothing(game: AnyGame, step: Prepared, everyone: tuple[Eyes, ...]) -> bool:
    redact = game.redact
    for state, fact in zip(step.states, step.facts, strict=True):
        for eyes in everyone:
            if redact(state, fact, eyes) is not fact:
                return False
    return True


def _told(game: AnyGame, step: Prepared, eyes: Eyes, known: dict[bytes, bytes]) -> bytes:
    redact = game.redact
    seen = [redact(state, fact, eyes) for state, fact in zip(step.states, step.facts, strict=True)]
    encoded = _encode([fact for fact in seen if fact is not None])
    return known.setdefault(encoded, encoded)


class Moment:
    """A state as it is told: views and legal moves, each worked out at most once."""

    __slots__ = ("_clock", "_game", "_moves", "_state", "_views", "acting", "over", "receipt", "seq")

    def __init__(self, progress: Progress, clock: Clock) -> None:
        self._game = progress.game
        self._state = progress.state
        self._clock = clock
        self.seq = progress.seq
        self.receipt = progress.receipt
        self.over = progress.outcome is not None
        self.acting = tuple(sorted(progress.game.acting(progress.state)))
        self._views: dict[Eyes, msgspec.Raw] = {}
        self._moves: dict[Seat, SeatMoves] = {}

    def view(self, eyes: Eyes) -> msgspec.Raw:
        """What those eyes see, as JSON."""
        found = self._views.get(eyes)
        if found is None:
            found = self._views[eyes] = msgspec.Raw(_encode(self._game.view(self._state, eyes)))
        return found

    def waiting(self, held: tuple[Seat, ...]) -> Waiting | None:
        """Whose move it is, and what whoever holds these seats may do."""
        if self.over:
            return None
        moves = tuple([self._seat_moves(seat) for seat in held if seat in self.acting])
        return Waiting(self.acting, moves, self._clock.deadline, self._clock.left)

    def step(self, told: Told, eyes: Eyes, held: tuple[Seat, ...], views: bool) -> bytes:
        """The ``step`` message of what led to this moment."""
        view = bytes(self.view(eyes)) if views else _NULL
        return _STEP % (told.seq, told.facts(eyes), self._waiting_json(held), view, told.receipt)

    def _waiting_json(self, held: tuple[Seat, ...]) -> bytes:
        if held or self.over or self._clock.deadline is not None:
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
