"""The motion of every turn in a file of its own, whole or not at all, and nothing outside the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from kotatsu.worlds.motions import MotionFiles


def test_motions_are_kept_by_table_and_turn(tmp_path: Path) -> None:
    motions = MotionFiles(tmp_path / "motions")
    motions.keep("table", 3, b"three")
    motions.keep("table", 0, b"none")
    motions.keep("other", 3, b"elsewhere")
    assert motions.read("table", 3) == b"three"
    assert motions.read("table", 0) == b"none"
    assert motions.read("other", 3) == b"elsewhere"
    assert motions.read("table", 4) is None
    assert motions.read("nowhere", 3) is None


def test_a_motion_that_is_kept_again_replaces_the_last(tmp_path: Path) -> None:
    motions = MotionFiles(tmp_path)
    motions.keep("table", 3, b"first")
    motions.keep("table", 3, b"second")
    assert motions.read("table", 3) == b"second"
    assert [path.name for path in (tmp_path / "table").iterdir()] == ["3.motion"], (
        "nothing unfinished is left"
    )


def test_a_folder_in_the_way_of_a_motion_is_no_motion(tmp_path: Path) -> None:
    (tmp_path / "table" / "3.motion").mkdir(parents=True)
    assert MotionFiles(tmp_path).read("table", 3) is None


@pytest.mark.parametrize("table", ["..", "../other", "a/b", "a\\b", "", ".", "x" * 65, "a b", "é", "a\0"])
def test_a_name_that_leads_elsewhere_is_kept_nowhere(tmp_path: Path, table: str) -> None:
    inside = tmp_path / "motions"
    motions = MotionFiles(inside)
    motions.keep(table, 1, b"x")
    assert motions.read(table, 1) is None
    assert list(tmp_path.iterdir()) == []


def test_ids_of_tables_are_names(tmp_path: Path) -> None:
    motions = MotionFiles(tmp_path)
    for table in ("aZ09_-", "x" * 64):
        motions.keep(table, 1, b"x")
        assert motions.read(table, 1) == b"x"


def test_there_is_no_turn_before_the_first(tmp_path: Path) -> None:
    motions = MotionFiles(tmp_path)
    motions.keep("table", -1, b"x")
    assert motions.read("table", -1) is None
    assert list(tmp_path.iterdir()) == []


def test_a_house_without_a_folder_keeps_nothing() -> None:
    motions = MotionFiles(None)
    motions.keep("table", 1, b"x")
    assert motions.read("table", 1) is None
