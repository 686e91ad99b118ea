"""Kakuzu's levels: by eye, with a pencil, and by the odds.

All of them see the same as everyone; they differ in how well they guess what lies under a stone.
"""

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
from kotatsu.games.kakuzu.lookahead import worths
from kotatsu.games.kakuzu.model import Announce, KakuzuView, Lift, OpenCell
from kotatsu.games.kakuzu.odds import odds

Chances = NDArray[np.float64]
"""How good each digit is under each stone: 81 by 9."""
EFFORT = 2_500
"""Descents for one judgement; more precise odds win no more games."""
EQUAL = 1e-9
Judgement = Callable[[KakuzuView, int], Chances]
"""What a player thinks of a view at a table of so many players."""


def by_eye(view: KakuzuView, players: int) -> Chances:  # noqa: ARG001 - a judgement
    """A digit that is not visible in a stone's row, column or square is as likely as any other such digit."""
    visible = flattened(view.visible)
    chances = np.zeros((CELLS, SIZE))
    for cell in range(CELLS):
        if not visible[cell]:
            seen = {visible[peer] for peer in PEERS[cell]}
            free = [digit - 1 for digit in DIGITS if digit not in seen]
            chances[cell, free] = 1 / len(free)
    return chances


def by_pencil(view: KakuzuView, players: int) -> Chances:  # noqa: ARG001 - a judgement
    """After all that pencil marks can prove: one of a stone's marks, or of a digit's places in the square, if fewer."""
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
    """The true chances."""
    return odds(flattened(view.visible), EFFORT).probabilities.reshape(CELLS, SIZE)


def by_odds_ahead(view: KakuzuView, players: int) -> Chances:
    """The true chances; where digits are named (KZ-21), what they are worth, with what a miss gives away."""
    if not view.options.announce or players == 1:
        return by_odds(view, players)
    ahead = _ahead(flattened(view.visible), view.kept, players)
    if view.wanted and not np.isfinite(ahead[:, view.wanted - 1]).any():
        return by_odds(view, players)  # a digit it would not have named itself
    return ahead


@lru_cache(4)
def _ahead(visible: Flat, kept: int, players: int) -> Chances:
    """Kept for a moment: having named a digit one lifts the stone one named it for."""
    return worths(odds(visible, EFFORT), kept, players)


class Judge(msgspec.Struct, frozen=True):
    """Lifts the stone, and where digits are named names the digit, that it judges best; any of equals.

    It ``overlooks`` a share of the stones, as people do, and judges those by eye.
    """

    judgement: Judgement
    overlooks: float = 0.0
    imagines: int = 0
    remembers: bool = False

    def think(self, situation: Situation) -> Thought:
        rng = situation.rng()
        if len(situation.moves) == 1 or isinstance(situation.moves[0], OpenCell):
            return after_pause(rng.choice(situation.moves), rng)
        view: KakuzuView = situation.view
        judged = self.judgement(view, situation.players)
        if self.overlooks:
            overlooked = [rng.random() < self.overlooks for _ in range(CELLS)]
            judged[overlooked] = by_eye(view, situation.players)[overlooked]
        moves = [(_worth(judged, view, move), move) for move in situation.moves]
        best = max(worth for worth, _ in moves)
        return after_pause(rng.choice([move for worth, move in moves if worth >= best - EQUAL]), rng)


def _worth(judged: Chances, view: KakuzuView, move: Move) -> float:
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
    "novice": Judge(by_eye),
    "adept": Judge(by_pencil, overlooks=0.4),
    "master": Judge(by_odds_ahead),
}
"""Weakest first."""


def warm_up() -> None:
    """Compile what the odds and the look ahead need."""
    row = tuple(range(1, SIZE + 1))
    found = odds((*row, *(0,) * (CELLS - SIZE)), effort=100)
    worths(found, 0, 2)
    odds((*row, *row[3:], *row[:3], *row[6:], *row[:6], *(0,) * (CELLS - 3 * SIZE)), effort=100)
