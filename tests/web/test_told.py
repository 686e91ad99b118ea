"""What screens' folds are held against has every kind of fact in it, or a screen could get one wrong unseen."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from kotatsu.engine.conformance import tables
from kotatsu.engine.driver import Driver
from kotatsu.engine.registry import game, games
from tests.web.told import told_games

ToldGames = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def told() -> ToldGames:
    return told_games()


def kinds_of_facts(name: str) -> set[str]:
    """The names of a game's facts on the wire."""
    info = inspect.type_info(game(name).fact_type)
    members = info.types if isinstance(info, inspect.UnionType) else (info,)
    return {str(member.tag) for member in members if isinstance(member, inspect.StructType)}


def kinds_in(told: ToldGames, name: str) -> set[str]:
    steps = [step for each in told[name] for step in each["steps"]]
    return {fact["fact"] for step in steps for fact in step["facts"]}


@pytest.mark.parametrize("name", games())
def test_every_kind_of_fact_is_told(name: str, told: ToldGames) -> None:
    """But the opening's: browsers begin with the view after it."""
    players, options = next(tables(game(name)))
    opening = msgspec.to_builtins(Driver(game(name), players, options).setup(Random(1)).facts)
    missing = kinds_of_facts(name) - kinds_in(told, name)
    assert missing <= {fact["fact"] for fact in opening}


def test_kaboums_turns_have_every_kind_of_fact_the_opening_included(told: ToldGames) -> None:
    played = [each for each in told["kaboum"] if each["steps"][0]["facts"][0]["fact"] == "table_laid"]
    assert {each["players"] for each in played} == {2, 3, 5}
    assert kinds_in({"kaboum": played}, "kaboum") == kinds_of_facts("kaboum")
    assert kinds_in({"kaboum": told["kaboum"][:1]}, "kaboum") == kinds_of_facts("kaboum"), (
        "the one put in words"
    )
