"""The standings of a tournament: ratings, results of each pair of bots, time per move, victories by seat."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from openskill.models import PlackettLuce

from kotatsu.lab.arena.plan import Plan, Result
from kotatsu.lab.winrates import wilson


class ArenaRating(NamedTuple):
    """A bot's estimated strength, ``mu``, and its standard deviation, ``sigma``."""

    mu: float
    sigma: float


class WinRecord:
    """One bot's results. A victory shared by two is half a win; ``points`` is the sum of its scores."""

    def __init__(self) -> None:
        self.games = 0
        self.wins = 0.0
        self.points = 0
        self.thoughts = 0
        self.seconds = 0.0

    @property
    def win_rate(self) -> float:
        """The share of games won, from 0 to 1."""
        return self.wins / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of ``win_rate`` (Wilson)."""
        return wilson(self.win_rate, self.games)

    @property
    def mean_score(self) -> float:
        """The mean score of a game."""
        return self.points / max(1, self.games)

    @property
    def ms_a_move(self) -> float:
        """The mean time of a thought in milliseconds."""
        return 1000 * self.seconds / max(1, self.thoughts)


class Duel:
    """The games in which two bots met, from the side of one of them; equal ranks count half."""

    def __init__(self) -> None:
        self.games = 0
        self.ahead = 0.0

    @property
    def share(self) -> float | None:
        """The share of games in which this bot finished ahead of the other; ``None`` if they have not met."""
        return self.ahead / self.games if self.games else None


class Standings:
    """The standings after some results. Ratings depend on the order of the games: add them in order.

    ``records`` are the results by bot, ``duels`` by pair of bots, ``seat_wins`` the victories by seat;
    ``ratings`` are the present ratings, ``history`` those after every game.

    Args:
        plan: the tournament.
        results: games to count at once.
    """

    def __init__(self, plan: Plan, results: Iterable[Result] = ()) -> None:
        self.plan = plan
        self.games = 0
        self.moves = 0
        self.records = {bot: WinRecord() for bot in plan.bots}
        self.duels = {pair: Duel() for pair in permutations(plan.bots, 2)}
        self.seat_wins = [0.0] * plan.players
        self._model = PlackettLuce()
        fresh = self._model.rating()
        self.ratings = {bot: ArenaRating(fresh.mu, fresh.sigma) for bot in plan.bots}
        self.history: dict[str, list[ArenaRating]] = {bot: [self.ratings[bot]] for bot in plan.bots}
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count the result of one game."""
        self.games += 1
        self.moves += result.moves
        share = 1 / max(1, len(result.winners))
        ranks = result.ranks()
        for seat, bot in enumerate(result.seats):
            record = self.records[bot]
            won = share if seat in result.winners else 0.0
            record.games += 1
            record.wins += won
            record.points += result.scores[seat]
            record.thoughts += result.thoughts[seat]
            record.seconds += result.seconds[seat]
            self.seat_wins[seat] += won
        for one, other in permutations(range(len(result.seats)), 2):
            if result.seats[one] != result.seats[other]:
                duel = self.duels[result.seats[one], result.seats[other]]
                duel.games += 1
                duel.ahead += 0.5 if ranks[one] == ranks[other] else ranks[one] < ranks[other]
        self._rate(result, ranks)

    def order(self) -> list[str]:
        """Return the bots, the highest rated first."""
        return sorted(self.plan.bots, key=lambda bot: -self.ratings[bot].mu)

    def _rate(self, result: Result, ranks: list[int]) -> None:
        """A bot that had several seats gets the mean of the new ratings of those seats."""
        before = [self._model.rating(*self.ratings[bot]) for bot in result.seats]
        after = self._model.rate([[each] for each in before], ranks=[float(rank) for rank in ranks])
        for bot in set(result.seats):
            new = [team[0] for team, seated in zip(after, result.seats, strict=True) if seated == bot]
            mean = ArenaRating(
                sum(each.mu for each in new) / len(new), sum(each.sigma for each in new) / len(new)
            )
            self.ratings[bot] = mean
        for bot in self.plan.bots:
            self.history[bot].append(self.ratings[bot])
