"""The page about balance says what the records say."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kotatsu.engine.balancing import finished_games
from kotatsu.engine.record import BadRecord
from kotatsu.games.kimono import balance
from kotatsu.games.kimono.balance import STYLES, KimonoTally, report
from kotatsu.games.kimono.model import Combined
from kotatsu.games.kimono.tests.staging import whole_game

GAMES = 12


def tally_of(players: int) -> KimonoTally:
    tally = KimonoTally(players)
    for seed in range(GAMES):
        tally.add(whole_game(players, seed))
    return tally


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_adds_up(players: int) -> None:
    tally = tally_of(players)
    assert sum(tally.wins) == pytest.approx(GAMES)
    assert tally.points.total() == sum(tally.scores)
    assert sum(map(tally.share, STYLES)) == pytest.approx(1)
    assert sum(map(len, tally.results.values())) == len(tally.scores) == players * GAMES
    assert sum(won for results in tally.results.values() for _, won in results) == pytest.approx(GAMES)


def test_combinations_are_counted_one_by_one() -> None:
    tally = tally_of(2)
    combined = [
        entry for seed in range(GAMES) for entry in whole_game(2, seed).log if isinstance(entry, Combined)
    ]
    assert tally.made.total() == len(combined)
    assert tally.led == sum(entry.lead for entry in combined) > 0
    for style in STYLES:
        assert tally.points[style] == sum(entry.points for entry in combined if entry.style == style)
        assert tally.laid[style] == sum(len(entry.cards) for entry in combined if entry.style == style)


def test_who_begins_is_the_first_player_of_round_one() -> None:
    match = whole_game(3, 4)
    tally = KimonoTally(3)
    tally.add(match)
    assert match.outcome is not None
    first = match.record()["log"][0]["first"]
    for place in range(3):
        assert bool(tally.wins[place]) == ((first + place) % 3 in match.outcome.winners)


def write(file: Path, *records: object) -> Path:
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return file


def test_a_page_has_a_column_for_each_number_of_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = write(tmp_path / "two.jsonl", *(whole_game(2, seed).record() for seed in range(3)))
    three = write(tmp_path / "three.jsonl", *(whole_game(3, seed).record() for seed in range(2)))
    page = tmp_path / "page.md"
    monkeypatch.setattr(sys, "argv", ["balance", str(two), str(three), "-o", str(page)])
    balance.main()
    written = page.read_text(encoding="utf-8")
    assert "(3 with 2, 2 with 3 players)" in written
    assert "| style | 2 players | 3 players |" in written
    assert all(f"| `{style}` |" in written for style in STYLES)
    assert written == report(finished_games("kimono", [two, three]))


def test_games_that_are_not_over_do_not_count(tmp_path: Path) -> None:
    record = whole_game(2, 1).record()
    unfinished = {**record, "log": record["log"][:9]}
    file = write(tmp_path / "records.jsonl", unfinished, record)
    assert len(list(finished_games("kimono", [file]))) == 1
    with pytest.raises(BadRecord, match="no finished game"):
        report(finished_games("kimono", [write(tmp_path / "other.jsonl", unfinished)]))


@pytest.mark.parametrize(
    "line", ["no record", "{}", '{"kotatsu": 1, "game": "chess", "players": 2, "log": []}']
)
def test_a_bad_line_is_named_in_one_sentence(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(line + "\n")
    monkeypatch.setattr(sys, "argv", ["balance", str(file)])
    with pytest.raises(SystemExit) as end:
        balance.main()
    assert end.value.code == 2
    assert f"{file}, line 1: " in capsys.readouterr().err
