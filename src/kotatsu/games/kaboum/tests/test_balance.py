"""The page on balance says what the records say."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from kotatsu.engine.balancing import finished_games
from kotatsu.engine.match import Match, start
from kotatsu.engine.record import BadRecord
from kotatsu.games.kaboum.balance import KaboumTally, level_against_level, page
from kotatsu.games.kaboum.model import Fired, KaboumTurnEnded, Landed
from kotatsu.games.kaboum.play import play


@pytest.fixture(scope="module")
def match() -> Match:
    played = start("kaboum", 2, 4, ["bot:random"] * 2, hourglass_s=30, rounds=1)
    play(played, ["random", "random"], 4)
    return played


def test_a_tally_counts_what_is_in_the_record(match: Match, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(msgspec.json.encode(match.record()) + b"\n" + msgspec.json.encode(match.record()))
    tally = KaboumTally(2)
    for each in finished_games("kaboum", [file]):
        tally.add(each)
    kinds = [type(entry) for entry in match.log]
    assert tally.games == 2
    assert tally.turns == [kinds.count(KaboumTurnEnded)] * 2
    assert tally.facts["fired"] == 2 * kinds.count(Fired) > 0
    assert tally.rests.total() == tally.facts["landed"] == 2 * kinds.count(Landed)
    assert sum(tally.wins) == pytest.approx(2)
    text = page([tally], {"bot:random"}, {})
    assert "(2 with 2 players) by bot:random" in text
    assert f"| `fired` | {tally.facts['fired']} |" in text
    assert "| games ended by the cap on turns (KA-24) | 2 of 2 |" in text
    assert "Levels" not in text


def test_every_pair_of_levels_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    strength = {"novice": 1, "adept": 3, "master": 5}
    monkeypatch.setattr(
        "kotatsu.games.kaboum.balance.points_of_a_turn",
        lambda builder, saboteur, _seed: max(0, strength[builder] - strength[saboteur]),
    )
    text = page([], (), level_against_level(3))
    all_three, none = "3 of 3 (44%–100%)", "0 of 3 (0%–56%)"
    assert f"| adept | {all_three} · 2.0 | {none} · 0.0 | {none} · 0.0 |" in text
    assert f"| master | {all_three} · 4.0 | {all_three} · 2.0 | {none} · 0.0 |" in text
    assert "±" not in text


def test_what_is_no_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("no record\n")
    with pytest.raises(BadRecord, match=r"games.jsonl, line 1"):
        list(finished_games("kaboum", [file]))
