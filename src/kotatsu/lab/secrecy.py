"""What a game hides from its players, and whether its draws can be listed, found out by random play."""

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
"""What a game hides: nothing, something that no seat knows, or something that one seat knows and another does
not."""

MAX_EVENTS = 64
"""Random draws of one step at most, if they are to be listed. Chosen by hand: a deal of a card game of ours
draws fewer, and a tree with more levels for one step is of no use."""

MAX_CHOICES = 2_000
"""Choices of the random game at most. Chosen by hand: more than a random game of ours has, for a game need
not end."""


class Profile(NamedTuple):
    """What a game hides, and whether all its draws have outcomes that can be listed."""

    secret: Secret
    listable: bool


@cache
def profile(name: str) -> Profile:
    """Return what a game hides and whether its draws can be listed. Plays it; cached.

    Raises:
        UnknownGame: there is no game of this name.
    """
    kind = game(name)
    secret = _secret(kind)
    return Profile(secret, secret != "unknown" and _listable(kind))


def _secret(kind: AnyGame) -> Secret:
    """A game in which facts are told once and not again hides nothing from those who remember."""
    rng, players = Random(0), max(kind.seats)
    driver = Driver(kind, players, kind.options_type())
    asked, facts = begin(driver, rng)
    state = driver.empty()
    secret: Secret = "nothing"
    for _ in range(MAX_CHOICES):
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
    rng = Random(0)
    driver = Driver(kind, max(kind.seats), kind.options_type())
    try:
        asked, _ = _decided(partial(begin, driver), rng)
        for _ in range(MAX_CHOICES):
            if asked.seat is None:
                break
            asked, _ = _decided(partial(choose, driver, asked, rng.choice(choices(kind, asked))), rng)
    except NotListable:
        return False
    return True


def _decided(step: Callable[[Random], TurnResult], rng: Random) -> TurnResult:
    """Run a step with all its chance events decided by ``rng``."""
    scripted = ScriptedRandom()
    script: tuple[int, ...] = ()
    while len(script) <= MAX_EVENTS:
        try:
            return step(scripted.follow(script))
        except Undecided as event:
            script += (rng.choices(range(len(event.weights)), event.weights)[0],)
    raise NotListable(f"more than {MAX_EVENTS} draws in one step")
