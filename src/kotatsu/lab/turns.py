"""A game in which one seat at a time is asked, as research interfaces need it.

At a live table several seats may act at once, and deadlines pass. Here

* seats are asked in a fixed order: first those the running deadline waits for, in its order (for
  Kabuki that is the order in which ties are broken), or without a deadline those who can only be first at
  something (in a race) or let it be; then the others that may move, by number;
* while a deadline runs, a seat may also *wait*, and is then not asked again before something
  starts a new wait; when everyone asked has waited, the deadline passes;
* without a deadline a seat may wait as long as others are still to be asked; the last has to move;
* a deadline with nobody to ask passes at once.

Moves take no time here: every move is made with 0 seconds of thought, so no move is ever overdue and nothing is
charged for one. A time bank is only spent by waiting, and then all of it: to wait is to let the deadline pass.
Research interfaces have no clock of their own to charge; ``lab/virtual_table.py`` has one and charges each move.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from kotatsu.engine.contract import AnyGame, Fact, Move, Seat
from kotatsu.engine.driver import Driver

WAIT = None
"""The choice to do nothing for now."""
Choice = Move | None
"""A move, or ``WAIT``."""


class AskedSeat(NamedTuple):
    """A position: its ``state``, the ``seat`` that is asked (``None`` at the end), and who waits already."""

    state: Any
    seat: Seat | None
    waiting: frozenset[Seat] = frozenset()


TurnResult = tuple[AskedSeat, list[Fact]]
"""The next position, and the facts that led to it."""


def begin(driver: Driver, rng: Random) -> TurnResult:
    """Set up the game of a ``driver``, drawing from ``rng``, up to the first seat that is asked."""
    opening = driver.setup(rng)
    return _expire_until_asked(driver, opening.state, frozenset(), opening.facts, rng)


def choices(game: AnyGame, asked: AskedSeat) -> tuple[Choice, ...]:
    """Return the choices of the seat that is ``asked`` in ``game``: its moves, then ``WAIT`` if it may."""
    if asked.seat is None:
        return ()
    moves = tuple(game.moves(asked.state, asked.seat))
    return (*moves, WAIT) if may_wait(game, asked) else moves


def may_wait(game: AnyGame, asked: AskedSeat) -> bool:
    """Whether the seat that is ``asked`` may wait in ``game``: for a deadline, or for the seats after it."""
    if game.deadline(asked.state) is not None:
        return True
    acting = game.acting(asked.state)
    return len(acting) > 1 and len(acting - asked.waiting) > 1


def choose(driver: Driver, asked: AskedSeat, choice: Choice, rng: Random) -> TurnResult:
    """Carry out a choice of the seat that is asked.

    Nothing is changed in place: if ``rng`` raises, nothing happened.

    Args:
        driver: runs the game.
        asked: the present position.
        choice: one of ``choices``: a move the game offers, or ``WAIT``.
        rng: the source of randomness.

    Raises:
        IllegalMove: the rules forbid the move.
        ValueError: the game is over, or the seat may not wait.
    """
    state, seat, waiting = asked
    game = driver.game
    if seat is None:
        raise ValueError(f"{game.name} is over")
    before = game.deadline(state)
    if choice is WAIT:
        if not may_wait(game, asked):
            raise ValueError(f"nothing is being waited for: seat {seat} has to move")
        return _expire_until_asked(driver, state, waiting | {seat}, [], rng)
    step = driver.decide(state, seat, choice, rng)
    same_wait = before is not None and game.deadline(step.state) == before
    still_waiting = waiting if same_wait else frozenset[Seat]()
    return _expire_until_asked(driver, step.state, still_waiting, step.facts, rng)


def in_order(game: AnyGame, state: Any) -> list[Seat]:
    """Return the seats that may move in ``state`` of ``game``, in the order in which they are asked."""
    acting = game.acting(state)
    if len(acting) < 2:
        return list(acting)
    first = [seat for seat in _foremost(game, state) if seat in acting]
    return first + sorted(acting.difference(first))


def _foremost(game: AnyGame, state: Any) -> tuple[Seat, ...]:
    deadline = game.deadline(state)
    if deadline is not None:
        return deadline.seats
    race = game.race(state)
    if race is None:
        return ()
    return tuple(seat for seat in race.seats if tuple(game.moves(state, seat)) == (race.move,))


def _expire_until_asked(
    driver: Driver, state: Any, waiting: frozenset[Seat], facts: Sequence[Fact], rng: Random
) -> TurnResult:
    """Let deadlines pass until a seat is to be asked or the game is over."""
    happened = list(facts)
    while driver.game.outcome(state) is None:
        for seat in in_order(driver.game, state):
            if seat not in waiting:
                return AskedSeat(state, seat, waiting), happened
        passed = driver.expire(state, rng)
        state, waiting = passed.state, frozenset()
        happened += passed.facts
    return AskedSeat(state, None), happened
