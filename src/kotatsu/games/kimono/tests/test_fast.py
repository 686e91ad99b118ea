"""The compiled path and the rules, side by side, move for move."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from kotatsu.engine.match import Match, start
from kotatsu.games.kimono.fast import kernels
from kotatsu.games.kimono.fast.records import STATE, action_of, board, code, encode, move_of
from kotatsu.games.kimono.model import CARDS, KimonoState, MarketDealt

BOARD = board()
GAMES = 400


def legal_actions(record: Any) -> list[int]:
    out = np.empty(64, np.int16)
    return [int(action) for action in out[: kernels.legal(BOARD, record, out)]]


def same(first: Any, second: Any, *but: str) -> bool:
    return all(np.array_equal(first[name], second[name]) for name in STATE.names or () if name not in but)


def deck_for_next_market(state: KimonoState) -> list[int]:
    """What the coming market is drawn from, by kind of card, as the rules see it after dealing it."""
    counts = [0] * len(encode(state)["deck"])
    for card, count in zip(CARDS, state.deck, strict=True):
        counts[code(card)] += count
    for row in state.rows:
        for card in row:
            counts[code(card)] += 1
    return counts


def follow(match: Match, rng: Random) -> None:
    record = encode(match.state)
    chance = np.array([1 + rng.getrandbits(60)], np.uint64)
    scratch = np.empty(64, np.int16)
    while match.outcome is None:
        seat = min(match.acting)
        moves = match.moves(seat)
        assert record["turn"] == seat
        assert [move_of(action) for action in legal_actions(record)] == list(moves)
        move: Any = rng.choice(moves)
        facts = match.play(seat, move)
        to_deal = kernels.apply(BOARD, record, action_of(move), scratch)
        truth = encode(match.state)
        assert to_deal == any(isinstance(fact, MarketDealt) for fact in facts)
        if to_deal:
            kernels.deal(record, chance)
            assert same(record, truth, "rows", "deck")
            dealt = np.bincount(
                record["rows"][: truth["rows_dealt"], : truth["row_dealt"]].ravel(), minlength=10
            )
            assert (record["deck"] + dealt).tolist() == deck_for_next_market(match.state)
            record = truth
        assert record.tobytes() == truth.tobytes()
    scores = tuple(kernels.score(BOARD, record, seat) for seat in range(match.players))
    assert scores == match.outcome.scores
    assert not legal_actions(record)


@pytest.mark.parametrize("accessory_combo", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_thousands_of_random_games_are_the_same_move_for_move(players: int, accessory_combo: bool) -> None:
    for seed in range(GAMES):
        match = start("kimono", players, seed=seed, accessory_combo=accessory_combo)
        follow(match, Random(seed))


def test_an_action_and_its_move_stand_for_each_other() -> None:
    moves = {move_of(action) for action in range(65)}
    assert len(moves) == 65
    assert all(move_of(action_of(move)) == move for move in moves)


def test_markets_are_drawn_evenly_from_what_is_left() -> None:
    match = start("kimono", 2, seed=1)
    drawn = np.zeros(10)
    rounds = 4_000
    chance = np.array([99], np.uint64)
    deck = np.array(deck_for_next_market(match.state))
    for _ in range(rounds):
        record = encode(match.state)
        record["deck"][:] = deck
        kernels.deal(record, chance)
        drawn += np.bincount(record["rows"][:, :4].ravel(), minlength=10)
    expected = deck / deck.sum() * 16 * rounds
    assert np.abs(drawn / expected - 1).max() < 0.05


def test_random_play_counts_its_moves_and_ends() -> None:
    states = np.zeros(2, STATE)
    states[0] = encode(start("kimono", 4, seed=3).state)
    moves = kernels.play_randomly(BOARD, states, 10, np.array([7], np.uint64))
    assert states["over"].tolist() == [0, 1]
    assert 10 * 48 <= moves <= 10 * 96
