"""What a game keeps from its players, and whether its draws can be listed: found by playing it at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Literal, NamedTuple

from kotatsu.engine.contract import AnyGame
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game
from kotatsu.lab.chance import NotListable, ScriptedRandom, Undecided
from kotatsu.lab.turns import TurnResult, begin, choices, choose

Secret = Literal["nothing", "unknown", "private"]
EVENTS_AT_MOST = 64
"""A step that draws more often than this is not worth listing."""
CHOICES_AT_MOST = 2_000


class Profile(NamedTuple):
    """``unknown``: hidden from every seat alike. ``private``: one seat is told what another is not."""

    secret: Secret
    listable: bool


@cache
def profile(name: str) -> Profile:
    """How a game deals with secrets and chance."""
    kind = game(name)
    secret = _secret(kind)
    return Profile(secret, secret != "unknown" and _listable(kind))


def _secret(kind: AnyGame) -> Secret:
    """A game that only forgets (told once, and not again) keeps nothing from those who remember."""
    rng, players = Random(0), max(kind.seats)
    driver = Driver(kind, players, kind.options_type())
    asked, facts = begin(driver, rng)
    state = driver.empty()
    secret: Secret = "nothing"
    for _ in range(CHOICES_AT_MOST):
        for fact in facts:
            state = kind.fold(state, fact)
            heard = [kind.redact(state, fact, seat) for seat in range(players)]
            if any(each != heard[0] for each in heard):
                return "private"
        if secret == "nothing" and not kind.forgetful and kind.imagine(state, None, rng) != state:
            secret = "unknown"
        if asked.seat is None:
            break
        asked, facts = choose(driver, asked, rng.choice(choices(kind, asked)), rng)
    return secret


def _listable(kind: AnyGame) -> bool:
    """Whether every draw of a game has outcomes that can be listed, and no step has too many."""
    luck = Random(0)
    driver = Driver(kind, max(kind.seats), kind.options_type())
    try:
        asked, _ = _decided(partial(begin, driver), luck)
        for _ in range(CHOICES_AT_MOST):
            if asked.seat is None:
                break
            asked, _ = _decided(partial(choose, driver, asked, luck.choice(choices(kind, asked))), luck)
    except NotListable:
        return False
    return True


def _decided(step: Callable[[Random], TurnResult], luck: Random) -> TurnResult:
    """A step with all its events decided."""
    rng = ScriptedRandom()
    script: tuple[int, ...] = ()
    while len(script) <= EVENTS_AT_MOST:
        try:
            return step(rng.follow(script))
        except Undecided as event:
            script += (luck.choices(range(len(event.weights)), event.weights)[0],)
    raise NotListable(f"more than {EVENTS_AT_MOST} draws in one step")
