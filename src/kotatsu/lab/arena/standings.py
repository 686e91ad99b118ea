"""What a tournament shows: ratings with their uncertainty, who beats whom, time for a move, luck of the seat."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from openskill.models import PlackettLuce

from kotatsu.lab.arena.plan import Plan, Result
from kotatsu.lab.winrates import wilson


class ArenaRating(NamedTuple):
    """A strength and how sure it is: the true one lies within two ``sigma`` of ``mu`` most of the time."""

    mu: float
    sigma: float


class WinRecord:
    """One bot's results. A victory shared by two is half a win."""

    def __init__(self) -> None:
        self.games = 0
        self.wins = 0.0
        self.points = 0
        self.thoughts = 0
        self.seconds = 0.0

    @property
    def win_rate(self) -> float:
        return self.wins / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.win_rate, self.games)

    @property
    def mean_score(self) -> float:
        return self.points / max(1, self.games)

    @property
    def ms_a_move(self) -> float:
        return 1000 * self.seconds / max(1, self.thoughts)


class Duel:
    """Games in which two bots met, seen by one of them; finishing level is half."""

    def __init__(self) -> None:
        self.games = 0
        self.ahead = 0.0

    @property
    def share(self) -> float | None:
        return self.ahead / self.games if self.games else None


class Standings:
    """Everything counted so far. Ratings depend on the order of the games, so they are added in order."""

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
        """Count one game."""
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
        """The bots, the highest rated first."""
        return sorted(self.plan.bots, key=lambda bot: -self.ratings[bot].mu)

    def _rate(self, result: Result, ranks: list[int]) -> None:
        """A bot that sat in several seats gets the mean of what each of them would have got."""
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
