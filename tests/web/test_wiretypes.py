"""The TypeScript that is generated from Python is what Python says now."""

from __future__ import annotations

from pathlib import Path

import pytest

from kotatsu.games.kaboum import rail
from kotatsu.games.kaboum.web_constants import CONSTANTS
from kotatsu.server import wiretypes
from kotatsu.server.typescript import constants

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src/kotatsu/games"


def test_no_generated_file_is_stale() -> None:
    wanted = wiretypes.files(ROOT)
    assert ROOT / "web/src/protocol/wire.ts" in wanted
    assert {path.parent.parent.name for path in wanted if path.name == "wire.ts"} >= {"kaboum", "kimono"}
    assert [str(path) for path in wiretypes.stale(wanted)] == [], "run `make types`"


def test_a_games_constants_are_written_beside_its_types() -> None:
    wanted = wiretypes.files(ROOT)
    written = {path: text for path, text in wanted.items() if path.name == "constants.ts"}
    brings = {path.parent for path in GAMES.glob("*/web_constants.py")}
    assert {path.parent.parent for path in written} == brings
    text = written[GAMES / "kaboum/web/constants.ts"]
    assert text.count("export const ") == len(CONSTANTS)
    assert f"export const MAX_SPEED = {rail.MAX_SPEED};\n" in text


def test_constants_are_plain_values_under_names_of_constants() -> None:
    values = {"MOST": 3, "SIGN": "K", "AT": {"x": -0.5, "y": 2}, "PARTS": [1, {"z": 0.25}]}
    assert constants(values) == (
        "export const MOST = 3;\n"
        'export const SIGN = "K";\n'
        "export const AT = { x: -0.5, y: 2 };\n"
        "export const PARTS = [\n  1,\n  { z: 0.25 },\n];\n"
    )
    for name, value in (("most", 3), ("MOST; x", 3), ("MOST", float("nan"))):
        with pytest.raises(ValueError):
            constants({name: value})
    with pytest.raises(TypeError):
        constants({"MOST": object()})


def test_check_names_stale_files_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "web/constants.ts"
    monkeypatch.setattr(wiretypes, "files", lambda _: {path: "export const MAX_SPEED = 4.6;\n"})
    assert wiretypes.main(["--check"]) == 1
    assert str(path) in capsys.readouterr().err
    assert not path.exists()
    assert wiretypes.main([]) == 0
    assert wiretypes.main(["--check"]) == 0
    path.write_text("export const MAX_SPEED = 5.3;\n")
    assert wiretypes.main(["--check"]) == 1
