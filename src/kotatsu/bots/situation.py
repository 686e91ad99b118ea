"""What a bot's seat may know, gathered from a true state the bot never sees.

Whoever runs a table keeps one ``HeardFacts`` for it, lets it hear every fact, and asks for a
``situation`` whenever a bot may move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from kotatsu.bots.contract import Bot, Situation
from kotatsu.engine.contract import AnyGame, Fact, Options, Seat
from kotatsu.engine.driver import Driver


class HeardFacts:
    """What the seats of bots with a memory have been told so far, fact by fact."""

    def __init__(self, game: AnyGame, seats: Iterable[Seat]) -> None:
        self._game = game
        self._heard: dict[Seat, list[Fact]] = {seat: [] for seat in seats}

    @classmethod
    def so_far(cls, driver: Driver, facts: Iterable[Fact], seats: Iterable[Seat]) -> HeardFacts:
        """What those seats know of a game already under way."""
        told = cls(driver.game, seats)
        told.hear(driver.empty(), facts)
        return told

    def hear(self, state: Any, facts: Iterable[Fact]) -> None:
        """Tell every seat what it may learn of ``facts`` that happened, in this order, to ``state``."""
        if not self._heard:
            return
        for fact in facts:
            state = self._game.fold(state, fact)
            for seat, heard in self._heard.items():
                known = self._game.redact(state, fact, seat)
                if known is not None:
                    heard.append(known)

    def to(self, seat: Seat) -> tuple[Fact, ...]:
        """All that one seat has been told; nothing for a seat that is not listened for."""
        return tuple(self._heard.get(seat, ()))


def remembering(bots: Sequence[Bot | None]) -> list[Seat]:
    """The seats whose bots want a memory; ``None`` is a seat without a bot."""
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
    told: HeardFacts | None = None,
    waited: float = 0.0,
) -> Situation:
    """One seat's situation, with as much memory and imagination as its bot asks for.

    ``seed`` must not come from the randomness the table deals from.
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
        told=told.to(seat) if told is not None and bot.remembers else (),
        imagined=()
        if imagination is None
        else tuple(game.imagine(state, seat, imagination) for _ in range(bot.imagines)),
        waited=waited,
    )
