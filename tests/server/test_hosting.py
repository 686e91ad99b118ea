"""What whoever runs a house relies on: settings, figures, logs, and a page that says so."""

from __future__ import annotations

import json
import logging
import re
from functools import partial
from pathlib import Path

import pytest
from litestar.testing import AsyncTestClient

from kotatsu.server.app import create_app
from kotatsu.server.logs import JsonLine
from kotatsu.server.metrics import Metrics
from kotatsu.server.settings import BadSetting, ServerSettings, read_settings
from tests.server.visitor import Visitor

PAGE = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")


def test_every_setting_is_explained_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `KOTATSU_(\w+)` \|([^|]*)\|", PAGE, re.MULTILINE))
    rows.pop("GAMES")
    assert {name.lower() for name in rows} == set(ServerSettings.__struct_fields__)
    told = {name.lower(): default.strip().strip("`") for name, default in rows.items()}
    assert read_settings(told) == ServerSettings()


def test_flags_win_over_the_environment() -> None:
    settings = read_settings({"pace": "1.5"}, {"KOTATSU_PACE": "9", "KOTATSU_LINGER": "5", "OTHER": "x"})
    assert (settings.pace, settings.linger) == (1.5, 5.0)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"pace": "quick"}, "pace"),
        ({"colour": "red"}, "colour"),
        ({"port": "99999"}, "port"),
        ({"wire": "quick"}, "the setting wire is fast or plain, not 'quick'"),
        ({"log_form": "xml"}, "the setting log_form is text or json, not 'xml'"),
    ],
)
def test_a_wrong_setting_is_named(flags: dict[str, str], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        read_settings(flags, {})


async def test_figures_are_counted(ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "random")
    line = await ana.join(table)
    while not line.moves:
        await line.hear()
    await line.play(0, {"move": "nonsense"})
    await line.play(0, line.moves[0][0])
    page = (await ana.http.get("/metrics")).text
    figures = dict(re.findall(r"^(kotatsu_\w+(?:\{[^}]*\})?) ([\d.]+)$", page, re.MULTILINE))
    assert float(figures["kotatsu_tables"]) >= 1
    assert float(figures["kotatsu_connections"]) >= 1
    assert float(figures['kotatsu_moves_total{by="person",game="kimono"}']) >= 1
    assert float(figures['kotatsu_move_seconds_count{by="person"}']) >= 1
    assert float(figures['kotatsu_refusals_total{code="malformed"}']) >= 1


def test_moves_are_counted_by_how_long_they_took() -> None:
    metrics = Metrics()
    for game, seconds in (("kimono", 0.0005), ("kimono", 0.001), ("kabuki", 0.003), ("kabuki", 7.0)):
        metrics.moved(game, bot=False, seconds=seconds)
    figure = partial(metrics.registry.get_sample_value, labels={"by": "person"})
    assert metrics.registry.get_sample_value("kotatsu_moves_total", {"game": "kimono", "by": "person"}) == 2
    assert figure("kotatsu_move_seconds_sum") == pytest.approx(7.0045)
    assert figure("kotatsu_move_seconds_count") == 4
    below = {
        sample.labels["le"]: sample.value
        for metric in metrics.registry.collect()
        for sample in metric.samples
        if sample.name == "kotatsu_move_seconds_bucket"
    }
    assert (below["0.001"], below["0.0025"], below["0.005"], below["2.5"], below["+Inf"]) == (2, 2, 3, 3, 4)


async def test_two_houses_do_not_mix_their_figures(tmp_path: Path) -> None:
    for name in ("one", "two"):
        async with AsyncTestClient(create_app(ServerSettings(data=tmp_path / name, warm_up=False))) as client:
            assert "kotatsu_tables 0.0" in (await client.get("/metrics")).text


def test_a_log_line_is_one_object() -> None:
    record = logging.makeLogRecord(
        {
            "name": "kotatsu.table",
            "levelname": "INFO",
            "msg": "a game\nis %s",
            "args": ("over",),
            "table": "t1",
        }
    )
    line = JsonLine().format(record)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["message"], told["table"], told["level"]) == ("a game\nis over", "t1", "info")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["at"])


def test_the_examples_name_what_exists() -> None:
    for figure in set(re.findall(r"`(kotatsu_\w+?)(?:_total)?`", PAGE)):
        source = (Path(__file__).parents[2] / "src/kotatsu/server/metrics.py").read_text("utf-8")
        assert f'"{figure}"' in source, figure
