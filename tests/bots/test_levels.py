"""Every game has its levels, and every level answers with a legal move, always the same from the same seed."""

from __future__ import annotations

from random import Random

import pytest

from kotatsu.bots.contract import Bot, Situation
from kotatsu.bots.levels import GENERIC, UnknownLevel, bot, levels, warm_up
from kotatsu.bots.situation import HeardFacts, situation
from kotatsu.engine.contract import Fact, Move, Outcome, Seat
from kotatsu.engine.match import Match, start
from kotatsu.engine.registry import UnknownGame, game, games

THE_FOUR = ["random", "novice", "adept", "master"]


def asked(match: Match, thinker: Bot, seed: int) -> Situation:
    """What the first seat that may move is asked."""
    facts = [entry for entry in match.log if isinstance(entry, Fact)]
    seat = min(match.acting)
    return situation(
        match.game,
        match.state,
        seat,
        thinker,
        players=match.players,
        options=match.options,
        seed=seed,
        heard=HeardFacts.of_game(match.driver, facts, [seat]),
    )


@pytest.mark.parametrize("name", games())
def test_every_game_has_the_four_levels_weakest_first(name: str) -> None:
    assert [level for level in levels(name) if level in THE_FOUR] == THE_FOUR


@pytest.mark.parametrize("level", ["random", "novice", "adept"])
@pytest.mark.parametrize("name", games())
def test_a_level_answers_with_a_legal_move_and_always_the_same(name: str, level: str) -> None:
    match = start(name, players=min(game(name).seats), seed=3)
    thinker = bot(name, level)
    question = asked(match, thinker, seed=4)
    thought = thinker.think(question)
    assert thought.move is None or thought.move in question.moves
    assert thought.after >= 0
    assert thinker.think(question) == thought


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownLevel, match=r"kimono has no bot called 'wizard'; it has random, novice"):
        bot("kimono", "wizard")
    with pytest.raises(UnknownGame):
        bot("chess", "master")


def test_warming_up_a_game_that_has_nothing_to_warm_is_no_trouble() -> None:
    warm_up("kabuki")
    with pytest.raises(UnknownGame):
        warm_up("chess")


def test_the_generic_search_wins_where_the_last_move_decides() -> None:
    """Kimono by the contract alone: where every move ends the game, it makes one that wins."""
    searcher = GENERIC["novice"]
    decisive = 0
    for seed in range(100):
        match = start("kimono", players=2, seed=seed)
        rng = Random(seed)
        while match.outcome is None:
            (seat,) = match.acting
            ends = {move: outcome_after(match, seat, move) for move in match.moves(seat)}
            winning = {move for move, outcome in ends.items() if outcome and outcome.winners == (seat,)}
            if None not in ends.values() and 0 < len(winning) < len(ends):
                decisive += 1
                assert searcher.think(asked(match, searcher, seed)).move in winning
            match.play(seat, rng.choice(match.moves(seat)))
    assert decisive >= 5


def outcome_after(match: Match, seat: Seat, move: Move) -> Outcome | None:
    """How the game ends if that move ends it."""
    after = match.copy()
    after.play(seat, move)
    return after.outcome
