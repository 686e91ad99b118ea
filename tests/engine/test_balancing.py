"""Whole games from files of records, and a table with a column for each number of players."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kotatsu.engine.balancing import finished_games, table
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
