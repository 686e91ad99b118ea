"""Kakuzu's bots. All see the same; they differ in how well they estimate what lies under a stone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from kotatsu.bots.contract import Bot, Situation, Thought
from kotatsu.bots.search import RandomBot, after_pause
from kotatsu.engine.contract import Move
from kotatsu.games.kakuzu.board import CELLS, DIGITS, PEERS, SIZE, SQUARES, Flat, at, flattened
from kotatsu.games.kakuzu.deductions import Pencil
from kotatsu.games.kakuzu.lookahead import expected_gains
from kotatsu.games.kakuzu.model import Announce, KakuzuView, Lift, OpenCell
from kotatsu.games.kakuzu.odds import odds

Chances = NDArray[np.float64]
"""How good each digit is under each stone: float64 of shape (81, 9), 0 for visible cells."""
DESCENTS = 2_500
"""Random descents for one estimate of the odds, where they cannot be exact.

Chosen for speed: more precise odds win no more games. In the study before the first version, ten times the
computing time was worth 0.9 ± 0.6 stones a game (400 games).
"""
TIE_TOLERANCE = 1e-9
"""Values closer than this are equal, so that rounding does not decide between two stones."""
Judgement = Callable[[KakuzuView, int], Chances]
"""A function that estimates ``Chances`` from a view and the number of players."""


def by_candidates(view: KakuzuView, players: int) -> Chances:  # noqa: ARG001 - a judgement
    """Every digit that is not visible in a stone's row, column or square is equally likely.

    Args:
        view: What everyone sees.
        players: Not used.

    Returns:
        Probabilities, as ``Chances``.
    """
    visible = flattened(view.visible)
    chances = np.zeros((CELLS, SIZE))
    for cell in range(CELLS):
        if not visible[cell]:
            seen = {visible[peer] for peer in PEERS[cell]}
            free = [digit - 1 for digit in DIGITS if digit not in seen]
            chances[cell, free] = 1 / len(free)
    return chances


def by_deduction(view: KakuzuView, players: int) -> Chances:  # noqa: ARG001 - a judgement
    """Probabilities after everything that pencil marks can prove.

    A digit's chance under a stone is one in the number of digits possible there, or one in the number of
    places the digit has left in the square, whichever is better.

    Args:
        view: What everyone sees.
        players: Not used.

    Returns:
        Estimates, as ``Chances``; 1 for what is proved.
    """
    pencil = Pencil(flattened(view.visible))
    marks = np.zeros((CELLS, SIZE))
    for cell in pencil.hidden:
        marks[cell, [digit - 1 for digit in pencil.marks[cell]]] = 1
    fewest = np.repeat(marks.sum(1, keepdims=True), SIZE, axis=1)
    for square in map(list, SQUARES):
        fewest[square] = np.minimum(fewest[square], marks[square].sum(0))
    chances: Chances = marks / np.maximum(fewest, 1)
    return chances


def by_odds(view: KakuzuView, players: int) -> Chances:  # noqa: ARG001 - a judgement
    """The true probabilities, exact or sampled; see ``kotatsu.games.kakuzu.odds``.

    Args:
        view: What everyone sees.
        players: Not used.

    Returns:
        Probabilities, as ``Chances``.
    """
    return odds(flattened(view.visible), DESCENTS).probabilities.reshape(CELLS, SIZE)


def by_lookahead(view: KakuzuView, players: int) -> Chances:
    """The true probabilities; where digits are named (KZ-21), the expected gain instead.

    Args:
        view: What everyone sees.
        players: How many play.

    Returns:
        Probabilities as ``by_odds`` returns them, or gains as ``lookahead.expected_gains`` returns them.
    """
    if not view.options.announce or players == 1:
        return by_odds(view, players)
    ahead = _cached_gains(flattened(view.visible), view.kept, players)
    if view.wanted and not np.isfinite(ahead[:, view.wanted - 1]).any():
        return by_odds(view, players)  # a digit it would not have named itself
    return ahead


@lru_cache(4)  # the present position of a few tables
def _cached_gains(visible: Flat, kept: int, players: int) -> Chances:
    """Cached because a bot that has named a digit then lifts the stone it named it for."""
    return expected_gains(odds(visible, DESCENTS), kept, players)


class Judge(msgspec.Struct, frozen=True):
    """A bot that names the digit and lifts the stone with the best estimate; any of equals.

    Attributes:
        judgement: How it estimates.
        overlooked_share: The share of the stones it overlooks at each move, as people do, 0 to 1; those are
            estimated by ``by_candidates``.
        imagines: It wants no imagined states (``Bot.imagines``).
        remembers: It does not want the facts told so far (``Bot.remembers``).
    """

    judgement: Judgement
    overlooked_share: float = 0.0
    imagines: int = 0
    remembers: bool = False

    def think(self, situation: Situation) -> Thought:
        """The best move after a natural pause; in the opening, where all stones are alike, any."""
        rng = situation.rng()
        if len(situation.moves) == 1 or isinstance(situation.moves[0], OpenCell):
            return after_pause(rng.choice(situation.moves), rng)
        view: KakuzuView = situation.view
        judged = self.judgement(view, situation.players)
        if self.overlooked_share:
            overlooked = [rng.random() < self.overlooked_share for _ in range(CELLS)]
            judged[overlooked] = by_candidates(view, situation.players)[overlooked]
        moves = [(_value_of(judged, view, move), move) for move in situation.moves]
        best = max(worth for worth, _ in moves)
        return after_pause(rng.choice([move for worth, move in moves if worth >= best - TIE_TOLERANCE]), rng)


def _value_of(judged: Chances, view: KakuzuView, move: Move) -> float:
    """The estimate for lifting a stone, or for naming a digit: that of its best stone."""
    match move:
        case Lift(cell):
            assert view.wanted is not None
            return float(judged[at(cell), view.wanted - 1])
        case Announce(digit):
            hidden = [cell for cell in range(CELLS) if not view.visible[cell // SIZE][cell % SIZE]]
            return float(judged[hidden, digit - 1].max())
        case _:
            raise TypeError(f"{move} is not judged")


LEVELS: Mapping[str, Bot] = {
    "random": RandomBot(),
    "novice": Judge(by_candidates),
    "adept": Judge(by_deduction, overlooked_share=0.4),
    "master": Judge(by_lookahead),
}
"""The levels by name, weakest first.

``adept`` overlooks 40 % of the stones: chosen by hand, because without it pencil marks played nearly as well
as the true odds. ``tests/lab/test_kakuzu_levels.py`` checks the order of the levels.
"""


def warm_up() -> None:
    """Compile the kernels of the odds and of the look ahead, or load them from numba's cache on disk."""
    row = tuple(range(1, SIZE + 1))
    found = odds((*row, *(0,) * (CELLS - SIZE)), descents=100)
    expected_gains(found, 0, 2)
    odds((*row, *row[3:], *row[:3], *row[6:], *row[:6], *(0,) * (CELLS - 3 * SIZE)), descents=100)
