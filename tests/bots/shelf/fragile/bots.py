"""Bots that die, hang, fail. They leave a mark in the folder named by ``KOTATSU_TEST_MARKS`` when they die."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import sleep

from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.search import RandomBot


def marks() -> Path:
    return Path(os.environ["KOTATSU_TEST_MARKS"])


class Doing:
    """Does something first, and then plays at random."""

    imagines = 0
    remembers = False

    def __init__(self, something: Callable[[], object]) -> None:
        self.something = something

    def think(self, situation: Situation) -> Thought:
        self.something()
        return RandomBot().think(situation)


def die() -> None:
    with (marks() / "deaths").open("a") as deaths:
        deaths.write("x")
    os._exit(1)


def die_the_first_time() -> None:
    if not (marks() / "deaths").exists():
        die()


def fail() -> None:
    raise ZeroDivisionError("no good")


LEVELS = {
    "mortal": Doing(die_the_first_time),
    "cursed": Doing(die),
    "dreamer": Doing(lambda: sleep(3600)),
    "clumsy": Doing(fail),
}


def warm_up() -> None:
    (marks() / "tried").touch()
    raise ZeroDivisionError("no good")
