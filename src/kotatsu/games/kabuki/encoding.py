"""Kabuki for learning agents: a view as a vector of numbers. Actions are listed from the move types.

An observation shows what lies open and nothing more: remembering is left to the agent. Every mask
that is placed is shown to everybody before the next one covers it. ``kotatsu.lab.encoding`` says what
each function here is for, and ``docs/lab/kabuki.md`` lists the blocks.
"""

from __future__ import annotations

from typing import Any, get_args

from kotatsu.engine.contract import Seat
from kotatsu.games.kabuki.data import BOX, TOKENS_EACH
from kotatsu.games.kabuki.model import KabukiView, Phase

VERSION = 0
"""To be raised whenever an action or a part of the observation changes its meaning."""
MASKS = len(BOX.masks)
"""How many mask designs there are."""
DECK = MASKS * BOX.copies
"""How many masks the full deck has."""
_PHASES = get_args(Phase)


def layout(players: int) -> dict[str, int]:
    """The blocks of an observation.

    Args:
        players: How many play.

    Returns:
        The size of each block by its name, in the order of the vector.
    """
    return {
        "tops": BOX.actors * MASKS,
        "heights": BOX.actors,
        "drawn": MASKS,
        "placed_by": players,
        "placed_on": BOX.actors,
        "callers": players,
        "turn": players,
        "tokens": players,
        "points": players,
        "round": BOX.rounds,
        "phase": len(_PHASES),
        "deck": 1,
    }


def longest(players: int) -> int:
    """KB-20, KB-23: the most choices one game can have.

    For each mask, everyone but the placer is asked in the window, then everyone while it is placed.
    """
    return BOX.rounds * DECK * 2 * players


def chance(players: int) -> tuple[int, int]:
    """KB-5, KB-6, KB-23: bounds on what is left to chance.

    Returns:
        The most outcomes one chance event has, and the most such events in a game: who begins, every
        mask that is drawn, and every one that chance places.
    """
    return max(MASKS, players), 1 + 2 * BOX.rounds * DECK


def observe(view: KabukiView, seat: Seat, players: int, out: Any) -> None:
    """Write one seat's observation.

    Args:
        view: What the seat sees.
        seat: The seat it is for. Blocks with one number for each seat begin with this seat and go on
            clockwise.
        players: How many play.
        out: A float vector of zeros, as long as the sizes of ``layout`` together; filled with values from 0
            to 1.
    """
    ones = [number * MASKS + stack.top for number, stack in enumerate(view.stacks) if stack.top is not None]
    at = BOX.actors * MASKS
    for number, stack in enumerate(view.stacks):
        out[at + number] = stack.height / DECK
    at += BOX.actors
    if view.drawn is not None:
        ones.append(at + view.drawn)
    at += MASKS
    if view.placed is not None:
        ones.append(at + (view.placed.seat - seat) % players)
        ones.append(at + players + view.placed.stack)
    at += players + BOX.actors
    ones += [at + (caller - seat) % players for caller in view.callers]
    at += players
    if view.turn is not None:
        ones.append(at + (view.turn - seat) % players)
    at += players
    tokens = players * TOKENS_EACH[players]
    for other in range(players):
        step = (other - seat) % players
        out[at + step] = view.tokens[other] / tokens
        out[at + players + step] = sum(points[other] for points in view.scores) / (BOX.rounds * tokens)
    at += 2 * players
    ones.append(at + view.round - 1)
    ones.append(at + BOX.rounds + _PHASES.index(view.phase))
    out[at + BOX.rounds + len(_PHASES)] = view.deck / DECK
    out[ones] = 1.0
