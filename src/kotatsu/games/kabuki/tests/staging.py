"""Kabuki positions set up for a test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from random import Random

from kotatsu.engine.contract import Seat
from kotatsu.engine.match import Match, start
from kotatsu.engine.record import Entry
from kotatsu.games.kabuki.data import BOX, FULL_DECK
from kotatsu.games.kabuki.game import GAME
from kotatsu.games.kabuki.model import (
    KabukiFact,
    KabukiMove,
    KabukiOptions,
    KabukiState,
    Pass,
    Placed,
    PlaceMask,
    RoundStarted,
    Stop,
)

Stacks = tuple[tuple[int, ...], ...]
NO_LIMIT = KabukiOptions(turn_s=0)


def table(
    stacks: Stacks = ((), (), (), ()),
    drawn: int = 0,
    *,
    players: int = 3,
    tokens: tuple[int, ...] | None = None,
    deck: Iterable[int] | None = None,
    round_: int = 1,
    scores: tuple[tuple[int, ...], ...] = (),
    options: KabukiOptions = NO_LIMIT,
) -> KabukiState:
    """Seat 0 holds ``drawn`` and may place it; ``deck`` is what is left, by default the rest of the box."""
    used = [mask for stack in stacks for mask in stack] + [drawn]
    left = [copies - used.count(mask) for mask, copies in enumerate(FULL_DECK)]
    if deck is not None:
        masks = list(deck)
        left = [masks.count(mask) for mask in range(len(FULL_DECK))]
    return KabukiState(
        options,
        players,
        tuple(left),
        stacks,
        tokens or (5,) * players,
        scores,
        round=round_,
        rounds=BOX.rounds,
        turn=0,
        drawn=drawn,
    )


def round_started(number: int, first: Seat, tokens: tuple[int, ...]) -> RoundStarted:
    """How a round begins with all that is in the box."""
    return RoundStarted(number, first, tokens, BOX.rounds, FULL_DECK, BOX.actors)


def play(state: KabukiState, seat: Seat, move: KabukiMove) -> tuple[KabukiState, list[KabukiFact]]:
    """The position after a move, and what happened."""
    facts = GAME.decide(state, seat, move, Random(0))
    return reduce(GAME.fold, facts, state), facts


def expire(state: KabukiState) -> tuple[KabukiState, list[KabukiFact]]:
    """The position after the deadline, and what happened."""
    facts = GAME.expire(state, Random(0))
    return reduce(GAME.fold, facts, state), facts


def placed(stack: int, state: KabukiState) -> KabukiState:
    """The position after seat 0 placed its mask: the window is open."""
    return play(state, 0, PlaceMask(stack))[0]


def called(seat: Seat, state: KabukiState) -> tuple[KabukiState, list[KabukiFact]]:
    return play(state, seat, Stop())


def random_steps(match: Match, seed: int, caution: float = 0.0) -> Iterator[list[KabukiFact]]:
    """Random play to the end, step by step; with ``caution`` a call is mostly left out."""
    rng = Random(seed)
    while match.outcome is None:
        acting = sorted(match.acting)
        if match.deadline is not None and (not acting or rng.random() < 0.3):
            yield only_facts(match.expire())
            continue
        seat = rng.choice(acting)
        moves = list(match.moves(seat))
        if len(moves) > 1 and Stop() in moves and rng.random() < caution:
            moves.remove(Stop())
        yield only_facts(match.play(seat, rng.choice(moves)))


def whole_game(players: int, seed: int, caution: float = 0.9) -> Match:
    """A random game, from the first mask to the result."""
    match = start("kabuki", players=players, seed=seed)
    for _ in random_steps(match, seed, caution):
        pass
    return match


def only_facts(entries: Iterable[Entry]) -> list[KabukiFact]:
    return [entry for entry in entries if isinstance(entry, KabukiFact)]


def facts(match: Match) -> list[KabukiFact]:
    return only_facts(match.log)


def last_mask_placed(players: int = 3, **more: tuple[int, ...]) -> KabukiState:
    """Seat 0 has placed the last mask of the deck on a stack that has its like."""
    state = placed(0, table(((7, 2), (), (), ()), 7, players=players, deck=(), tokens=more.get("tokens")))
    assert state.placed == Placed(0, 7, 0, tuple(range(1, players)))
    assert state.drawn is None
    return state


def everyone_passes(state: KabukiState) -> tuple[KabukiState, list[KabukiFact]]:
    """All who may call decline, one by one."""
    happened: list[KabukiFact] = []
    for seat in sorted(GAME.acting(state)):
        state, more = play(state, seat, Pass())
        happened += more
    return state, happened
