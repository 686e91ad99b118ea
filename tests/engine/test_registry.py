"""Games are found, not listed: folders of the shelf, installed packages, and what each brings besides its rules."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from kotatsu.engine import registry
from kotatsu.engine.coach import coach
from kotatsu.engine.registry import UnknownGame, game, games, package, part
from tests.tools.shelf import on_the_shelf

TOY = Path(__file__).parents[1] / "tables" / "shelf"


@pytest.fixture
def with_toys() -> Iterator[None]:
    with on_the_shelf(TOY):
        yield


def test_the_shelf_is_in_alphabetical_order() -> None:
    assert list(games()) == sorted(games())
    assert {"kaboum", "kabuki", "kakuzu", "kimono"} <= set(games())


def test_a_folder_on_the_shelf_is_a_game(with_toys: None) -> None:
    assert "whisper" in games()
    assert package("whisper") == "kotatsu.games.whisper"
    assert game("whisper").name == "whisper"
    assert game("whisper") is game("whisper")


def test_a_file_on_the_shelf_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "loose.py").write_text("GAME = None")
    with on_the_shelf(tmp_path):
        assert "loose" not in games()


def test_a_name_nobody_knows_is_refused_with_those_there_are() -> None:
    for question in (game, package, coach):
        with pytest.raises(UnknownGame, match=r"no game called 'chess'.*kabuki, kakuzu, kimono"):
            question("chess")
    with pytest.raises(UnknownGame):
        part("chess", "bots")
    assert issubclass(UnknownGame, LookupError)


def test_an_installed_package_is_a_game_unless_the_shelf_has_one_of_that_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def entry_points(*, group: str) -> list[Any]:
        assert group == "kotatsu.games"
        return [EntryPoint("abalone", "elsewhere.abalone", group), EntryPoint("kimono", "a.rival", group)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    with on_the_shelf():
        assert package("abalone") == "elsewhere.abalone"
        assert package("kimono") == "kotatsu.games.kimono"
        assert games()[0] == "abalone"
    monkeypatch.undo()
    registry._packages.cache_clear()
    assert "abalone" not in games()


def test_a_game_brings_what_it_brings(with_toys: None) -> None:
    bots = part("kimono", "bots")
    assert bots is not None
    assert bots.__name__ == "kotatsu.games.kimono.bots"
    assert part("whisper", "bots") is None
    assert part("kimono", "realtime") is None


def test_a_coach_is_one_of_those_things() -> None:
    found = coach("kakuzu")
    assert found is not None
    assert callable(found.hint)
    assert coach("kabuki") is None
