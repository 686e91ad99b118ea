"""Win rates: the results of an experiment, counted by level or by seat."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from kotatsu.engine.balancing import wilson as wilson
from kotatsu.lab.simulate import SimulatedGame


class LevelTally(msgspec.Struct):
    """The results of one level, or of one seat.

    ``won`` are victories alone, ``shared`` those with others, ``wins`` both, a victory shared by two as a
    half. ``points`` is the sum of its scores; ``thoughts`` and ``seconds`` are those of its bot.
    """

    games: int = 0
    won: int = 0
    shared: int = 0
    wins: float = 0.0
    points: int = 0
    thoughts: int = 0
    seconds: float = 0.0

    @property
    def win_rate(self) -> float:
        """The share of games won, from 0 to 1."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of ``win_rate`` (Wilson)."""
        return wilson(self.win_rate, self.games)

    @property
    def mean_score(self) -> float:
        """The mean score of a game."""
        return self.points / self.games

    @property
    def ms_a_thought(self) -> float:
        """The mean time of a thought in milliseconds."""
        return 1000 * self.seconds / max(1, self.thoughts)

    def add(self, game: SimulatedGame, seat: int) -> None:
        """Count a ``game`` of this level, or seat, which had ``seat`` in it."""
        outcome, effort = game.outcome, game.efforts[seat]
        winner = seat in outcome.winners
        self.games += 1
        self.won += winner and len(outcome.winners) == 1
        self.shared += winner and len(outcome.winners) > 1
        self.wins += winner / max(1, len(outcome.winners))
        self.points += outcome.scores[seat]
        self.thoughts += effort.thoughts
        self.seconds += effort.seconds


class WinTable:
    """The results of an experiment by level or, when all seats are of one level, by seat (``by_seat``).

    ``rows`` has a tally for each level or seat; ``cut_short`` is how many games an option ended, not their own end.

    Args:
        levels: the levels of the experiment, one for each seat.
    """

    def __init__(self, levels: tuple[str, ...]) -> None:
        self.by_seat = len(set(levels)) == 1
        names = range(len(levels)) if self.by_seat else dict.fromkeys(levels)
        self.rows: Mapping[str | int, LevelTally] = {name: LevelTally() for name in names}
        self.games = 0
        self.moves = 0
        self.cut_short = 0

    def add(self, game: SimulatedGame) -> None:
        """Count one game."""
        self.games += 1
        self.cut_short += game.cut_short
        self.moves += game.moves
        for seat, level in enumerate(game.levels):
            self.rows[seat if self.by_seat else level].add(game, seat)
