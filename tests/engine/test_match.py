"""The facade other programs use: start, play, copy, record, replay."""

from __future__ import annotations

import json
from random import Random

import pytest

import kotatsu
from kotatsu.engine.record import Played


def random_game(seed: int, players: int = 3) -> kotatsu.Match:
    match = kotatsu.start("kimono", players=players, seed=seed, names=[f"p{n}" for n in range(players)])
    rng = Random(seed)
    while match.outcome is None:
        seat = min(match.acting)
        match.play(seat, rng.choice(match.moves(seat)))
    return match


def test_games_are_found() -> None:
    assert "kimono" in kotatsu.games()


def test_a_move_may_be_a_struct_or_its_json() -> None:
    by_struct, by_json = (kotatsu.start("kimono", players=2, seed=1) for _ in range(2))
    seat = min(by_struct.acting)
    by_struct.play(seat, by_struct.moves(seat)[0])
    by_json.play(seat, {"move": "take", "row": 0})
    assert by_struct.record() == by_json.record()


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"move": "fly"},
        {"move": "take"},
        {"move": "take", "row": "x"},
        {"move": "take", "row": 0, "more": 1},
    ],
)
def test_a_move_of_no_known_form_is_refused(move: dict[str, object]) -> None:
    match = kotatsu.start("kimono", players=2, seed=1)
    with pytest.raises(kotatsu.IllegalMove) as refusal:
        match.play(min(match.acting), move)
    assert refusal.value.clause == "form"
    assert len(match.log) == 1


def test_a_copy_goes_its_own_way_with_the_same_luck() -> None:
    match = kotatsu.start("kimono", players=2, seed=5)
    twin = match.copy()
    rng, twin_rng = Random(0), Random(0)
    while match.outcome is None:
        seat = min(match.acting)
        match.play(seat, rng.choice(match.moves(seat)))
    assert len(twin.log) == 1
    while twin.outcome is None:
        seat = min(twin.acting)
        twin.play(seat, twin_rng.choice(twin.moves(seat)))
    assert twin.record() == match.record()


def test_a_record_has_the_documented_form() -> None:
    record = json.loads(json.dumps(random_game(3).record()))
    assert set(record) == {"kotatsu", "game", "players", "options", "names", "log"}
    assert (record["kotatsu"], record["game"], record["players"]) == (2, "kimono", 3)
    assert record["options"] == {"accessory_combo": False}
    assert record["names"] == ["p0", "p1", "p2"]
    assert record["log"][0]["fact"] == "market_dealt"
    for entry in record["log"]:
        assert ("fact" in entry) != ("move" in entry)
        if "move" in entry:
            assert list(entry)[:2] == ["seat", "move"]


def test_a_record_that_is_not_over_goes_on_from_there() -> None:
    whole = random_game(4)
    record = whole.record()
    moves = [number for number, entry in enumerate(whole.log) if isinstance(entry, Played)]
    middle = moves[len(moves) // 2]
    match = kotatsu.replay({**record, "log": record["log"][:middle]})
    assert match.outcome is None
    played = whole.log[middle]
    assert isinstance(played, Played)
    match.play(played.seat, played.move)
    assert match.record()["log"][: middle + 2] == record["log"][: middle + 2]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kotatsu": 3}, "format 3"),
        ({"game": "chess"}, "no game called 'chess'"),
        ({"players": 9}, "not played by 9"),
        ({"options": {"speed": 3}}, "speed"),
        ({"names": ["one"]}, "1 names for 3"),
        ({"log": [{"fact": "market_dealt"}]}, "entry 0"),
        ({"log": [{"fact": "exploded"}]}, "exploded"),
        ({"log": [{"move": "take", "row": 1}]}, "entry 0"),
        ({"log": "none"}, "array"),
    ],
)
def test_a_bad_record_says_what_is_wrong(change: dict[str, object], says: str) -> None:
    with pytest.raises(kotatsu.BadRecord, match=says):
        kotatsu.replay({**random_game(2).record(), **change})


def test_a_record_may_be_of_anything_but_a_record() -> None:
    values: list[object] = [None, 7, "x", [], {}, {"kotatsu": 1}, {"kotatsu": 2}]
    for junk in values:
        with pytest.raises(kotatsu.BadRecord):
            kotatsu.replay(junk)


def test_a_table_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(kotatsu.UnknownGame, match="kimono"):
        kotatsu.start("chess", players=2)
    with pytest.raises(kotatsu.BadTable, match="2 to 4 players, not 7"):
        kotatsu.start("kimono", players=7)
    with pytest.raises(kotatsu.BadTable, match="speed"):
        kotatsu.start("kimono", players=2, speed=9)
