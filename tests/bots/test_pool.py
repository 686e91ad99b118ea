"""Thinking elsewhere: the same thoughts, and no worker's fate can stop the house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from kotatsu.bots.contract import Situation
from kotatsu.bots.levels import bot
from kotatsu.bots.pool import BotPool, ThinkingFailed
from kotatsu.bots.situation import situation
from kotatsu.engine.match import start

SHELF = Path(__file__).with_name("shelf")


@pytest.fixture(autouse=True)
def marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Workers find the fragile game, and leave their marks in a folder of the test."""
    monkeypatch.setenv("KOTATSU_GAMES", str(SHELF))
    monkeypatch.setenv("KOTATSU_TEST_MARKS", str(tmp_path))
    return tmp_path


@pytest_asyncio.fixture
async def pool() -> AsyncIterator[BotPool]:
    made = BotPool(workers=1)
    yield made
    made.close()


def asked(level: str, seed: int = 5) -> Situation:
    """The first move of a game of Kimono, put to that level."""
    match = start("kimono", players=2, seed=1)
    (seat,) = match.acting
    return situation(
        match.game, match.state, seat, bot("kimono", level), players=2, options=match.options, seed=seed
    )


async def test_a_worker_thinks_what_the_bot_would_think_here(pool: BotPool) -> None:
    for level in ("random", "novice", "adept"):
        question = asked(level)
        assert await pool.think("kimono", level, question) == bot("kimono", level).think(question)
    assert pool.thoughts == 3
    assert 0 < pool.longest <= pool.seconds


async def test_a_worker_that_dies_is_replaced_and_its_question_asked_again(
    pool: BotPool, marks: Path
) -> None:
    question = asked("random")
    thoughts = await asyncio.gather(*(pool.think("fragile", "mortal", question) for _ in range(5)))
    assert {thought.move for thought in thoughts} <= set(question.moves)
    assert (marks / "deaths").read_text() == "x"
    assert pool.deaths == 1


async def test_a_bot_that_always_kills_its_worker_is_given_up_and_others_go_on_thinking(
    pool: BotPool, marks: Path
) -> None:
    question = asked("random")
    with pytest.raises(ThinkingFailed):
        await pool.think("fragile", "cursed", question)
    assert (marks / "deaths").read_text() == "xx"
    assert (await pool.think("kimono", "random", question)).move in question.moves


async def test_a_bot_that_never_answers_is_given_up() -> None:
    pool = BotPool(workers=1, timeout_s=0.1)
    with pytest.raises(ThinkingFailed):
        await pool.think("fragile", "dreamer", asked("random"))
    pool.close()


async def test_a_bot_that_fails_costs_no_worker(pool: BotPool) -> None:
    question = asked("random")
    with pytest.raises(ZeroDivisionError):
        await pool.think("fragile", "clumsy", question)
    assert pool.deaths == 0
    assert (await pool.think("kimono", "random", question)).move in question.moves


async def test_a_warm_up_that_fails_is_left_at_that(pool: BotPool, marks: Path) -> None:
    await pool.warm_up(["fragile"])
    assert (marks / "tried").exists()
    question = asked("random")
    assert (await pool.think("kimono", "random", question)).move in question.moves
