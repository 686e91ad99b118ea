"""Records read from outside: each kind of bad entry is told with its number, and a good one gives the same match."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

import kotatsu
from kotatsu.engine.match import Match, check_players, opened, read_options, start
from kotatsu.engine.record import (
    FORMAT,
    BadRecord,
    Played,
    plain_entry,
    plain_record,
    read_entry,
    read_record,
)
from kotatsu.engine.registry import game
from kotatsu.games.kimono.model import KimonoOptions, Skipped, Take

KIMONO = game("kimono")


def some_moves(moves: int = 5) -> Match:
    match = start("kimono", players=2, seed=6, names=("Ana", "Ben"), accessory_combo=True)
    for _ in range(moves):
        seat = min(match.acting)
        match.play(seat, match.moves(seat)[0])
    return match


def record(**changes: Any) -> dict[str, Any]:
    return {**some_moves().record(), **changes}


def with_entry(number: int, entry: Any) -> dict[str, Any]:
    log = some_moves().record()["log"]
    return record(log=[*log[:number], entry, *log[number + 1 :]])


def test_a_record_gives_the_same_match() -> None:
    match = some_moves()
    again = kotatsu.replay(match.record(), seed=1)
    assert again.state == match.state
    assert again.log == match.log
    assert again.names == ("Ana", "Ben")
    assert again.options == KimonoOptions(accessory_combo=True)
    assert again.players == 2
    assert again.record() == match.record()


def test_a_record_without_names_and_options_has_those_of_the_game() -> None:
    plain = record()
    del plain["names"], plain["options"]
    again = kotatsu.replay(plain)
    assert again.names == ("seat 0", "seat 1")
    assert again.options == KimonoOptions()


def test_a_record_that_goes_on_draws_from_the_seed_it_is_given() -> None:
    def drawn(seed: int | None) -> list[Any]:
        match = kotatsu.replay(some_moves(0).record(), seed=seed)
        return [match._rng.random() for _ in range(4)]

    assert drawn(1) == drawn(1) == [Random(1).random(), *drawn(1)[1:]]
    assert drawn(1) != drawn(2)
    assert drawn(None) != drawn(None)


def test_the_parts_of_a_record() -> None:
    match = some_moves()
    kind, players, options, names, log = read_record(match.record())
    assert (kind, players, options, names) == (KIMONO, 2, KimonoOptions(accessory_combo=True), ["Ana", "Ben"])
    assert log == match.log
    assert plain_record(kind, players, options, names, log) == match.record()
    assert match.record()["kotatsu"] == FORMAT


@pytest.mark.parametrize("number", [0, 1, 5])
@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"fact": "took"},
        {"fact": "unheard_of", "seat": 0},
        {"fact": "took", "seat": 0, "row": 0, "card": {"fabric": 99}},
        {"fact": "skipped", "seat": 0, "more": 1},
        {"fact": None},
        {"seat": 0},
        {"move": "take", "row": 0},
        {"seat": 0, "move": "take"},
        {"seat": 0, "move": "take", "row": 9},
        {"seat": 0, "move": "fly"},
        {"seat": "0", "move": "take", "row": 0},
        {"seat": None, "move": "take", "row": 0},
        {"seat": 2, "move": "take", "row": 0},
        {"seat": -1, "move": "take", "row": 0},
        {"seat": 10**30, "move": "take", "row": 0},
    ],
)
def test_a_bad_entry_is_told_with_its_number(number: int, entry: dict[str, Any]) -> None:
    with pytest.raises(BadRecord, match=f"^entry {number} of the log: ."):
        kotatsu.replay(with_entry(number, entry))


@pytest.mark.parametrize("entry", [None, 7, "took", [], ["fact", "took"]])
def test_an_entry_that_is_no_object_is_told(entry: Any) -> None:
    with pytest.raises(BadRecord, match=r"log"):
        kotatsu.replay(with_entry(1, entry))


def test_a_seat_that_is_not_there_is_named() -> None:
    with pytest.raises(BadRecord, match="entry 1 of the log: there is no seat 2"):
        kotatsu.replay(with_entry(1, {"seat": 2, "move": "take", "row": 0}))
    with pytest.raises(BadRecord, match="Skipped: there is no seat 7"):
        kotatsu.replay(with_entry(1, {"fact": "skipped", "seat": 7, "next": 0}))


def test_a_fact_that_belongs_to_another_position_is_told() -> None:
    log = some_moves().record()["log"]
    with pytest.raises(BadRecord, match=r"fact 0, Took, cannot follow"):
        kotatsu.replay(record(log=log[1:]))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kotatsu": 0}, "format 0; known are 1 and 2"),
        ({"kotatsu": 3}, "format 3; known are 1 and 2"),
        ({"kotatsu": "1"}, "kotatsu"),
        ({"game": "chess"}, "no game called 'chess'"),
        ({"game": None}, "game"),
        ({"players": 1}, "kimono is not played by 1"),
        ({"players": 5}, "kimono is not played by 5"),
        ({"players": -2}, "not played by -2"),
        ({"players": "2"}, "players"),
        ({"players": 3}, "2 names for 3 players"),
        ({"names": ["Ana"]}, "1 names for 2 players"),
        ({"names": ["Ana", "Ben", "Cleo"]}, "3 names for 2 players"),
        ({"names": [1, 2]}, "names"),
        ({"options": {"accessory_combo": 1}}, "accessory_combo"),
        ({"options": {"speed": 1}}, "speed"),
        ({"options": []}, "options"),
        ({"log": None}, "log"),
        ({"log": {}}, "log"),
    ],
)
def test_a_bad_frame_says_what_is_wrong(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        kotatsu.replay(record(**change))
    assert issubclass(BadRecord, ValueError)


@pytest.mark.parametrize("missing", ["kotatsu", "game", "players", "log"])
def test_a_record_without_a_part_it_needs_is_none(missing: str) -> None:
    plain = record()
    del plain[missing]
    with pytest.raises(BadRecord, match=missing):
        kotatsu.replay(plain)


def test_an_entry_is_the_same_after_there_and_back() -> None:
    for entry in (Skipped(1, 0), Played(0, Take(3))):
        assert read_entry(KIMONO, plain_entry(entry)) == entry
    assert plain_entry(Played(0, Take(3))) == {"seat": 0, "move": "take", "row": 3}
    assert list(plain_entry(Played(0, Take(3)))) == ["seat", "move", "row"], "who, then what"
    plain = {"seat": 0, "move": "take", "row": 3}
    read_entry(KIMONO, plain)
    assert plain == {"seat": 0, "move": "take", "row": 3}, "what is read stays as it was"
    with pytest.raises(msgspec.ValidationError):
        read_entry(KIMONO, {"move": "take", "row": 3})


def test_options_and_numbers_of_players_are_checked_with_a_sentence() -> None:
    assert read_options(KIMONO, {"accessory_combo": True}) == KimonoOptions(accessory_combo=True)
    assert read_options(KIMONO, {}) == KimonoOptions()
    with pytest.raises(kotatsu.BadTable, match=r"^kimono: .*accessory_combo"):
        read_options(KIMONO, {"accessory_combo": "yes"})
    with pytest.raises(kotatsu.BadTable, match=r"^kimono: .*speed"):
        read_options(KIMONO, {"speed": 1})
    for players in KIMONO.seats:
        check_players(KIMONO, players)
    for players in (-1, 0, 1, 5, 99):
        with pytest.raises(kotatsu.BadTable, match=f"kimono is for 2 to 4 players, not {players}"):
            check_players(KIMONO, players)


def test_a_match_has_a_name_for_every_seat() -> None:
    assert start("kimono", players=3, seed=1).names == ("seat 0", "seat 1", "seat 2")
    named = opened(KIMONO, 2, KimonoOptions(), Random(1), ["Ana", "Ben"])
    assert named.names == ("Ana", "Ben")
    assert named.copy().names == ("Ana", "Ben")


def test_a_seed_is_all_the_luck_there_is() -> None:
    first, same, other = (start("kimono", players=2, seed=seed).record() for seed in (4, 4, 5))
    assert first == same != other
    assert start("kimono", players=2).record() != start("kimono", players=2).record()


def test_a_copy_shares_nothing_that_changes() -> None:
    match = some_moves(2)
    twin = match.copy()
    assert (twin.state, twin.log, twin.record()) == (match.state, match.log, match.record())
    assert (twin.players, twin.options, twin.driver, twin.game) == (
        match.players,
        match.options,
        match.driver,
        match.game,
    )
    before = match.record()
    while twin.outcome is None:
        seat = min(twin.acting)
        twin.play(seat, twin.moves(seat)[0])
    assert match.record() == before
    while match.outcome is None:
        seat = min(match.acting)
        match.play(seat, match.moves(seat)[0])
    assert match.record() == twin.record(), "the same luck lies ahead of both"
