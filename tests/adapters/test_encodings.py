"""Observations read back by other code: what a view says is all there, at its place, seen from one's own seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import kotatsu
from kotatsu.engine.match import Match
from kotatsu.games.kabuki import encoding as kabuki_encoding
from kotatsu.games.kakuzu import encoding as kakuzu_encoding
from kotatsu.games.kimono import encoding as kimono_encoding
from kotatsu.lab.encoding import encoding
from tests.adapters.checks import Rules
from tests.adapters.tables import TABLES

Blocks = dict[str, Any]
PHASES = ("window", "place", "check", "over")


def positions(name: str, players: int) -> Iterator[Match]:
    """A random game, up to its end."""
    rules, luck = Rules(kotatsu.start(name, players, seed=players)), Random(players)
    while rules.asked is not None:
        yield rules.match
        rules.do(luck.choice(rules.choices()))
    yield rules.match


def blocks_of(name: str, players: int, view: Any, seat: int) -> Blocks:
    of = encoding(name, players)
    vector = of.observe(view, seat)
    assert vector.dtype == np.float32
    assert vector.min() >= 0
    assert vector.max() <= 1
    return dict(zip(of.layout, np.split(vector, np.cumsum(list(of.layout.values()))[:-1]), strict=True))


def one(block: Any) -> int | None:
    """Which of the places of a block is set; at most one is."""
    assert set(block.tolist()) <= {0.0, 1.0}
    assert block.sum() <= 1
    return int(block.argmax()) if block.any() else None


def scaled(block: Any, scale: float) -> list[int]:
    return [round(value * scale) for value in block.tolist()]


def check_kimono(view: Any, seat: int, players: int, blocks: Blocks) -> None:
    rows = blocks["market"].reshape(3 if players == 3 else 4, -1, 10)
    for row, cards in zip(rows, view.rows or [()] * len(rows), strict=True):
        found = [one(card) for card in row]
        front_first = [9 if card.fabric is None else card.fabric - 1 for card in reversed(cards)]
        assert found == front_first + [None] * (len(found) - len(front_first))
    for step in range(players):
        place = view.places[(seat + step) % players]
        hand = [one(card) for card in blocks[f"hand_{step}"].reshape(12, 9)]
        assert [card + 1 for card in hand if card is not None] == list(reversed(place.hand))
        assert one(blocks[f"last_{step}"]) == (place.kimono[-1] - 1 if place.kimono else None)
        assert scaled(blocks[f"kimono_{step}"], 5) == [place.kimono.count(number) for number in range(1, 10)]
        accessories, placed, points = blocks[f"counts_{step}"]
        assert round(accessories * 7) == len(place.accessories)
        assert round(placed * 12) == place.placed
        assert round(points * 100) == place.points
    assert one(blocks["round"]) == view.round - 1
    assert one(blocks["first"]) == (view.first - seat) % players
    assert one(blocks["turn"]) == (None if view.turn is None else (view.turn - seat) % players)
    assert bool(blocks["combining"][0]) == bool(view.combining)
    assert scaled(blocks["piles"], 52) == [view.deck, view.discards]


def check_kabuki(view: Any, seat: int, players: int, blocks: Blocks) -> None:
    def own(seats: Any) -> list[int]:
        return [(other - seat) % players for other in seats]

    assert [one(top) for top in blocks["tops"].reshape(4, 10)] == [stack.top for stack in view.stacks]
    assert scaled(blocks["heights"], 50) == [stack.height for stack in view.stacks]
    assert one(blocks["drawn"]) == view.drawn
    assert one(blocks["placed_by"]) == (None if view.placed is None else own([view.placed.seat])[0])
    assert one(blocks["placed_on"]) == (None if view.placed is None else view.placed.stack)
    assert np.flatnonzero(blocks["callers"]).tolist() == sorted(own(view.callers))
    assert one(blocks["turn"]) == (None if view.turn is None else own([view.turn])[0])
    each = {2: 5, 3: 5, 4: 5, 5: 4, 6: 4}[players]
    turned = [(seat + step) % players for step in range(players)]
    assert scaled(blocks["tokens"], players * each) == [view.tokens[other] for other in turned]
    points = [sum(round_[other] for round_ in view.scores) for other in turned]
    assert scaled(blocks["points"], 3 * players * each) == points
    assert one(blocks["round"]) == view.round - 1
    assert one(blocks["phase"]) == PHASES.index(view.phase)
    assert scaled(blocks["deck"], 50) == [view.deck]


def check_kakuzu(view: Any, seat: int, players: int, blocks: Blocks) -> None:
    digits = [0 if place is None else place + 1 for place in map(one, blocks["visible"].reshape(81, 9))]
    assert digits == [digit for row in view.visible for digit in row]
    assert one(blocks["wanted"]) == (view.wanted - 1 if view.wanted else None)
    assert tuple(np.flatnonzero(blocks["bag"])) == tuple(sorted(view.bag))
    assert tuple(np.flatnonzero(blocks["retired"]) + 1) == tuple(sorted(view.retired))
    turned = [(seat + step) % players for step in range(players)]
    assert scaled(blocks["stones"], 72) == [view.stones[other] for other in turned]
    assert scaled(blocks["house"], 72) == [view.house]
    assert scaled(blocks["kept"], 72) == [view.kept]
    assert one(blocks["turn"]) == (None if view.turn is None else (view.turn - seat) % players)
    assert one(blocks["phase"]) == ("opening", "play", "over").index(view.phase)
    assert not blocks["out_of_time"].any()


READERS: dict[str, Callable[[Any, int, int, Blocks], None]] = {
    "kabuki": check_kabuki,
    "kakuzu": check_kakuzu,
    "kimono": check_kimono,
}


def read_back(name: str, players: int) -> None:
    for match in positions(name, players):
        for seat in range(players):
            view = match.view(seat)
            READERS[name](view, seat, players, blocks_of(name, players, view, seat))


@pytest.mark.parametrize(("name", "players"), TABLES, ids=[f"{name}-{players}" for name, players in TABLES])
def test_observations_can_be_read_back(name: str, players: int) -> None:
    assert name in READERS, f"nobody reads the observations of {name} back"
    read_back(name, players)


@pytest.mark.parametrize("name", READERS)
def test_a_block_that_is_missing_or_out_of_place_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {"kabuki": kabuki_encoding, "kakuzu": kakuzu_encoding, "kimono": kimono_encoding}[name]
    players = 1 if name == "kakuzu" else 2  # alone, for the house has stones only then
    of = encoding(name, players)
    starts = np.cumsum([0, *of.layout.values()])
    unnoticed = []
    for block, start, size in zip(of.layout, starts, of.layout.values(), strict=False):

        def spoilt(
            view: Any, seat: int, players: int, out: Any, start: int = start, size: int = size
        ) -> None:
            own.observe(view, seat, players, out)
            out[start : start + size] = np.roll(out[start : start + size], 1) if size > 2 else 0

        monkeypatch.setattr(of, "_observe", spoilt)
        if not notices(name, players):
            unnoticed.append(block)
    assert unnoticed in ([], ["out_of_time"])  # without a clock it is nobody's time that is up


def notices(name: str, players: int) -> bool:
    try:
        read_back(name, players)
    except AssertionError:
        return True
    return False
