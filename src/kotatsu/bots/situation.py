"""Building a bot's ``Situation`` from the true state, which the bot itself never sees.

Whoever runs a game keeps one ``HeardFacts`` for it, adds every fact to it, and builds a ``situation``
whenever a bot may move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from kotatsu.bots.contract import Bot, Situation
from kotatsu.engine.contract import AnyGame, Fact, Options, Seat
from kotatsu.engine.driver import Driver


class HeardFacts:
    """The facts that some seats have been sent so far, redacted for each.

    Args:
        game: the rules.
        seats: those whose bots want all past facts.
    """

    def __init__(self, game: AnyGame, seats: Iterable[Seat]) -> None:
        self._game = game
        self._heard: dict[Seat, list[Fact]] = {seat: [] for seat in seats}

    @classmethod
    def of_game(cls, driver: Driver, facts: Iterable[Fact], seats: Iterable[Seat]) -> HeardFacts:
        """Return what ``seats`` were sent of all ``facts`` so far of a game that ``driver`` runs."""
        heard = cls(driver.game, seats)
        heard.add(driver.empty(), facts)
        return heard

    def add(self, state: Any, facts: Iterable[Fact]) -> None:
        """Add what each seat may know of ``facts`` that happened, in this order, in ``state``."""
        if not self._heard:
            return
        for fact in facts:
            state = self._game.fold(state, fact)
            for seat, heard in self._heard.items():
                known = self._game.redact(state, fact, seat)
                if known is not None:
                    heard.append(known)

    def to(self, seat: Seat) -> tuple[Fact, ...]:
        """Return all facts a seat was sent; empty for a seat that is not one of those followed."""
        return tuple(self._heard.get(seat, ()))


def remembering(bots: Sequence[Bot | None]) -> list[Seat]:
    """Return the seats whose ``bots`` want all past facts; ``None`` is a seat without a bot."""
    return [seat for seat, bot in enumerate(bots) if bot is not None and bot.remembers]


def situation(
    game: AnyGame,
    state: Any,
    seat: Seat,
    bot: Bot,
    *,
    players: int,
    options: Options,
    seed: int,
    heard: HeardFacts | None = None,
    waited: float = 0.0,
) -> Situation:
    """Build the situation of one seat, with the past facts and imagined states its bot asks for.

    Args:
        game: the rules.
        state: the true state.
        seat: whose situation it is.
        bot: who will be asked.
        players: the number of seats.
        options: the game's options.
        seed: of the bot's randomness; it must not come from the generator the game deals from.
        heard: the facts each seat was sent; may be ``None`` if the bot does not ask for them.
        waited: seconds of the present deadline that have passed.
    """
    imagination = Random(f"imagined {seed}") if bot.imagines else None
    return Situation(
        game=game.name,
        players=players,
        options=options,
        seat=seat,
        view=game.view(state, seat),
        moves=tuple(game.moves(state, seat)),
        seed=seed,
        told=heard.to(seat) if heard is not None and bot.remembers else (),
        imagined=()
        if imagination is None
        else tuple(game.imagine(state, seat, imagination) for _ in range(bot.imagines)),
        waited=waited,
    )
