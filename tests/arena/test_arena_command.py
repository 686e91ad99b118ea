"""``kotatsu arena`` as a person meets it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kotatsu.cli.main import main

THREE = ("arena", "kimono", "--bots", "random,novice,adept", "--games", "2", "--seed", "1", "--workers", "1")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def says(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="kotatsu")


def refusal(*words: str) -> str:
    result = says(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("kotatsu: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def without_times(text: str) -> list[list[str]]:
    """The words of each line, without the last of the standings: milliseconds are no seed's business."""
    rows = [line.split() for line in text.splitlines()]
    return [row[:-1] if len(row) == 9 else row for row in rows]


def test_standings_log_and_report() -> None:
    result = says(*THREE)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("kimono, 2 players, 6 games, seed 1\n")
    assert "ahead of, %" in result.stdout
    first, *rest = Path("arena-kimono.jsonl").read_text().splitlines()
    assert json.loads(first)["arena"] == 1
    assert [json.loads(line)["number"] for line in rest] == list(range(6))
    assert "Kimono arena" in Path("arena-kimono.html").read_text()


def test_a_second_time_nothing_is_left_to_play() -> None:
    first = says(*THREE)
    log = Path("arena-kimono.jsonl").read_bytes()
    again = says(*THREE)
    assert again.stderr == "arena-kimono.jsonl has 6 of 6 games already\n"
    assert again.stdout == first.stdout
    assert Path("arena-kimono.jsonl").read_bytes() == log


def test_stopped_and_gone_on_gives_the_same_standings() -> None:
    whole = says(*THREE, "--log", "whole.jsonl")
    lines = Path("whole.jsonl").read_bytes().splitlines(keepends=True)
    Path("torn.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:30])
    torn = says(*THREE, "--log", "torn.jsonl")
    assert torn.stderr == "torn.jsonl has 3 of 6 games already\n"
    assert without_times(torn.stdout) == without_times(whole.stdout.replace("whole.", "torn."))


def test_interrupted_it_says_how_to_go_on() -> None:
    words = ("arena", "kimono", "--bots", "random,openspiel-mcts@200", "--games", "50", "--workers", "1")
    code = f"import sys; sys.argv = ['kotatsu', *{list(words)!r}]; from kotatsu.cli.main import main; main()"
    # A suite that runs in the background ignores interrupts, and so would what it starts.
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    process = subprocess.Popen(
        [sys.executable, "-c", heeds + code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    log = Path("arena-kimono.jsonl")
    while process.poll() is None and not (log.exists() and log.read_bytes().endswith(b"\n")):
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told == "kotatsu: interrupted; the same command continues from here\n"
    assert Path("arena-kimono.html").exists()


class Outside(HTMLParser):
    """Notes whatever a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.charts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.charts += tag == "svg"
        if tag in ("script", "link", "img", "iframe", "object"):
            self.found.append(tag)
        self.found += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset", "data")]


def test_the_report_needs_no_network() -> None:
    says(*THREE)
    text = Path("arena-kimono.html").read_text()
    page = Outside()
    page.feed(text)
    assert page.charts == 4
    assert page.found == []
    assert not re.search(r"https?:|url\(|@import", text)
    for bot in ("random", "novice", "adept"):
        assert bot in text


def test_larger_tables_and_options() -> None:
    result = says(
        "arena", "kimono", "--bots", "random,novice", "--players", "3", "--games", "1", "--workers", "1",
        "--option", "accessory_combo=true",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("kimono, 3 players, 2 games, seed 0, accessory_combo=True\n")


def test_refusals() -> None:
    assert "did you mean kimono?" in refusal("arena", "kimomo", "--bots", "random,novice")
    assert "did you mean master?" in refusal("arena", "kimono", "--bots", "random,mastr")
    assert refusal("arena", "kaboum", "--bots", "random,openspiel-mcts@9").endswith("novice, adept, master\n")
    assert "at least two bots" in refusal("arena", "kimono", "--bots", "random")
    assert "exclude each other" in refusal(*THREE, "--ray", "local")
    assert "2 to 4 players" in refusal(*THREE, "--players", "9")
    assert "no option 'colour'" in refusal(*THREE, "--option", "colour=red")
    assert "Missing option '--bots'" in refusal("arena", "kimono")
    assert "cannot both be" in refusal(*THREE, "--log", "a.html")
    assert "No such file" in refusal(*THREE, "--log", "nowhere/log.jsonl")


def test_a_log_of_something_else_is_refused() -> None:
    Path("arena-kimono.jsonl").write_text("dear diary\n")
    assert "is not the log of a tournament" in refusal(*THREE)
    says(*THREE, "--log", "other.jsonl")
    assert "another tournament (seed 1)" in refusal(*THREE, "--seed", "2", "--log", "other.jsonl")
