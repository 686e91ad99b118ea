"""A game asked one seat at a time, which is how research interfaces want it.

Tables let several seats act at once and let time run out. Here

* seats are asked in a fixed order: first those the running deadline waits for, in its order (for
  Kabuki that is the order in which ties are broken), or without a deadline those who can only be first at
  something (in a race) or let it be; then the others that may move, by number;
* while a deadline runs, a seat may also *wait*, and is then not asked again before something
  starts a new wait; when everyone asked has waited, the time is up;
* without a deadline a seat may wait as long as others are still to be asked; the last has to move;
* what only time can bring on, with nobody to ask, happens at once.

Moves take no time here, so a time bank is only spent by waiting it out.
"""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any, NamedTuple

from kotatsu.engine.contract import AnyGame, Fact, Move, Options, Seat

WAIT = None
"""The choice to do nothing while a deadline runs."""
Choice = Move | None


class Asked(NamedTuple):
    """A position, the seat that is asked in it (``None`` once the game is over), and who waits already."""

    state: Any
    seat: Seat | None
    waiting: frozenset[Seat] = frozenset()


Step = tuple[Asked, list[Fact]]
"""Who is asked next, and what has happened."""


def begin(game: AnyGame, players: int, options: Options, rng: Random) -> Step:
    """Set a game up."""
    facts = game.setup(players, options, rng)
    state = reduce(game.fold, facts, game.empty(players, options))
    return _settle(game, state, frozenset(), facts, rng)


def choices(game: AnyGame, asked: Asked) -> tuple[Choice, ...]:
    """What the asked seat may do: its moves in their order, then to wait if it may."""
    if asked.seat is None:
        return ()
    moves = tuple(game.moves(asked.state, asked.seat))
    return (*moves, WAIT) if may_wait(game, asked) else moves


def may_wait(game: AnyGame, asked: Asked) -> bool:
    """Whether the asked seat may leave it to time, or to the seats after it."""
    if game.deadline(asked.state) is not None:
        return True
    acting = game.acting(asked.state)
    return len(acting) > 1 and len(acting - asked.waiting) > 1


def choose(game: AnyGame, asked: Asked, choice: Choice, rng: Random) -> Step:
    """Let the asked seat do something. Nothing is changed in place: if ``rng`` raises, nothing happened.

    Raises:
        IllegalMove: if the rules refuse the move.
        ValueError: if the game is over, or to wait is no choice.
    """
    state, seat, waiting = asked
    if seat is None:
        raise ValueError(f"{game.name} is over")
    before = game.deadline(state)
    if choice is WAIT:
        if not may_wait(game, asked):
            raise ValueError(f"nothing is being waited for: seat {seat} has to move")
        return _settle(game, state, waiting | {seat}, [], rng)
    facts = game.decide(state, seat, choice, rng)
    state = reduce(game.fold, facts, state)
    same_wait = before is not None and game.deadline(state) == before
    return _settle(game, state, waiting if same_wait else frozenset(), facts, rng)


def in_order(game: AnyGame, state: Any) -> list[Seat]:
    """The seats that may move, in the order in which they are asked."""
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


def _settle(game: AnyGame, state: Any, waiting: frozenset[Seat], facts: list[Fact], rng: Random) -> Step:
    """Let time run out until somebody is to be asked or the game is over."""
    while game.outcome(state) is None:
        for seat in in_order(game, state):
            if seat not in waiting:
                return Asked(state, seat, waiting), facts
        more = game.expire(state, rng)
        state = reduce(game.fold, more, state)
        facts = [*facts, *more]
        waiting = frozenset()
    return Asked(state, None), facts
