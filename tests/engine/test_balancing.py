"""Whole games from files of records, and a table with a column for each number of players."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kotatsu.engine.balancing import finished_games, table, wilson
from kotatsu.engine.match import Match, start
from kotatsu.engine.record import BadRecord


def played(name: str, seed: int, *, whole: bool = True) -> Match:
    match = start(name, players=2, seed=seed)
    while whole and match.outcome is None:
        seat = min(match.acting)
        match.play(seat, match.moves(seat)[0])
    return match


def lines(*matches: Match) -> bytes:
    return b"".join(msgspec.json.encode(match.record()) + b"\n" for match in matches)


def test_games_of_a_name_that_are_over_come_in_order(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    games = [played("kimono", seed) for seed in (1, 2, 3)]
    first.write_bytes(
        lines(games[0], played("kimono", 9, whole=False), played("kakuzu", 1, whole=False), games[1])
    )
    second.write_bytes(lines(games[2]))
    found = list(finished_games("kimono", [first, second]))
    assert [match.record() for match in found] == [match.record() for match in games]
    assert list(finished_games("kabuki", [first, second])) == []
    assert list(finished_games("kimono", [])) == []


@pytest.mark.parametrize("bad", [b"{", b"nonsense", b"{}", b'{"kotatsu":1}'])
def test_a_bad_line_is_told_with_its_file_and_number(tmp_path: Path, bad: bytes) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(lines(played("kimono", 1), played("kimono", 2)) + bad + b"\n")
    with pytest.raises(BadRecord, match=r"games\.jsonl, line 3: ."):
        list(finished_games("kimono", [file]))


class Column(msgspec.Struct):
    players: int
    wins: int


def test_a_table_has_a_column_for_each_number_of_players() -> None:
    columns = [Column(2, 10), Column(4, 7)]
    rows = [("wins", lambda column: f"{column.wins}"), ("half", lambda column: f"{column.wins / 2}")]
    assert list(table("Kimono", columns, rows)) == [
        "| Kimono | 2 players | 4 players |",
        "|---|---|---|",
        "| wins | 10 | 7 |",
        "| half | 5.0 | 3.5 |",
    ]


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (90, 100, 0.8256, 0.9448),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_wilsons_interval_is_the_known_one(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes / trials, trials) == pytest.approx((low, high), abs=1e-4)


def test_without_trials_any_share_is_possible() -> None:
    assert wilson(0.0, 0) == (0.0, 1.0)


def test_an_interval_is_a_share_and_wider_for_more_confidence() -> None:
    for successes in range(6):
        low, high = wilson(successes / 5, 5)
        assert 0.0 <= low <= successes / 5 <= high <= 1.0
        assert wilson(successes / 5, 5, z=3.0) != (low, high)
    assert wilson(0.5, 10, z=3.0)[0] < wilson(0.5, 10)[0] < wilson(0.5, 10, z=1.0)[0] < 0.5
