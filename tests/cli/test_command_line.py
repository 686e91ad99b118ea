"""The command line as a person meets it: help, what is printed, and one line for whatever is wrong."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kotatsu
from kotatsu.cli.main import main

FOUR_GAMES = ("simulate", "kimono", "--games", "4", "--seed", "1")


def kotatsu_says(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="kotatsu")


def refusal(*arguments: str) -> str:
    """The one line a person is told, after checking that it is one line, on the error side, with status 2."""
    result = kotatsu_says(*arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.startswith("kotatsu: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def records(tmp_path: Path) -> Path:
    log = tmp_path / "games.jsonl"
    assert kotatsu_says(*FOUR_GAMES, "--log", str(log)).exit_code == 0
    return log


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command_and_shows_how_to_begin(arguments: list[str]) -> None:
    result = kotatsu_says(*arguments)
    assert result.exit_code == 0
    for word in ("serve", "simulate", "replay", "games", "kotatsu serve --open"):
        assert word in result.stdout


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_explains_itself_and_its_options(command: str) -> None:
    result = kotatsu_says(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: kotatsu {command}")
    for parameter in main.commands[command].params:
        if parameter.param_type_name == "option":
            assert getattr(parameter, "help", None), f"{command} {parameter.name} has no help"


def test_version() -> None:
    assert kotatsu_says("--version").stdout == f"kotatsu {kotatsu.__version__}\n"


def test_help_of_the_real_program_answers_without_loading_games_or_server() -> None:
    """Everything heavy is imported by the command that needs it."""
    code = (
        "import sys\n"
        "from kotatsu.cli.main import main\n"
        "try: main(['--help'], prog_name='kotatsu')\n"
        "except SystemExit as end: assert end.code == 0\n"
        "print({'numba', 'numpy', 'litestar', 'rich'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "set()"
    assert "simulate" in done.stdout


def test_the_shelf_shows_players_bots_and_options_of_every_game() -> None:
    shown = kotatsu_says("games").stdout
    paragraphs = {text.split("\n")[0]: text for text in shown.split("\n\n")}
    assert set(paragraphs) == set(kotatsu.games())
    assert "2 to 4" in paragraphs["kimono"]
    assert "random, novice, adept, master" in paragraphs["kimono"]
    assert "accessory_combo=false (true or false)" in paragraphs["kimono"]


def test_simulate_prints_a_win_table_that_adds_up() -> None:
    shown = kotatsu_says(*FOUR_GAMES, "--bots", "novice,random").stdout.splitlines()
    assert shown[0] == "kimono, 2 players, 4 games, seed 1"
    assert shown[1].split()[:5] == ["bot", "games", "won", "shared", "win"]
    rows = {cells[0]: cells[1:] for cells in map(str.split, shown[2:4])}
    assert set(rows) == {"novice", "random"}
    assert all(cells[0] == "4" for cells in rows.values())
    assert sum(float(cells[3]) for cells in rows.values()) == pytest.approx(100)
    assert "moves a game" in shown[4]


def test_simulate_prints_the_seed_it_chose_and_that_seed_gives_the_same_games() -> None:
    chosen = kotatsu_says("simulate", "kimono", "--games", "3").stdout.splitlines()
    seed = chosen[0].rpartition("seed ")[2]
    again = kotatsu_says("simulate", "kimono", "--games", "3", "--seed", seed).stdout.splitlines()
    times = slice(None, -1)
    assert [line.split()[times] for line in again[:-1]] == [line.split()[times] for line in chosen[:-1]]


def test_players_are_as_many_as_the_bots_that_are_named() -> None:
    assert ", 3 players," in kotatsu_says(*FOUR_GAMES, "--bots", "random,random,novice").stdout


def test_options_reach_the_game(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    shown = kotatsu_says(*FOUR_GAMES, "--option", "accessory_combo=true", "--log", str(log)).stdout
    assert "accessory_combo=true" in shown
    assert json.loads(log.read_text().splitlines()[0])["options"] == {"accessory_combo": True}


def test_simulate_says_how_many_games_the_cap_ended() -> None:
    short = ("simulate", "kaboum", "--games", "1", "--seed", "1", "--option", "hourglass_s=30")
    shown = kotatsu_says(*short, "--option", "rounds=1").stdout.splitlines()
    assert shown[-2] == "1 of 1 games were ended by the cap the options set, by points"
    assert "ended by the cap" not in kotatsu_says(*FOUR_GAMES).stdout


def test_no_progress_bar_where_there_is_no_terminal() -> None:
    assert kotatsu_says(*FOUR_GAMES).stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_progress_bar_on_a_terminal_and_the_table_where_it_was_sent() -> None:
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "kotatsu", *FOUR_GAMES],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={"TERM": "xterm", "COLUMNS": "80"},
        check=True,
    )
    shown = os.read(ours, 65536)
    os.close(ours)
    os.close(theirs)
    assert b"playing" in shown
    assert b"4/4" in shown
    assert b"playing" not in done.stdout
    assert b"4 games" in done.stdout


def test_replay_tells_the_story_of_one_table(records: Path) -> None:
    told = kotatsu_says("replay", str(records), "--table", "2").stdout.splitlines()
    assert told[0] == "Kimono, table 2: bot:random (1), bot:random (2)"
    assert any(line.startswith("Round 1, bot:random") for line in told)
    assert told[-1].startswith("The game ends: ")
    assert told != kotatsu_says("replay", str(records)).stdout.splitlines()


def test_replay_reads_one_indented_record_too_and_one_that_is_not_over(records: Path, tmp_path: Path) -> None:
    record = json.loads(records.read_text().splitlines()[0])
    record["log"] = record["log"][:3]
    single = tmp_path / "one.json"
    single.write_text(json.dumps(record, indent=2))
    told = kotatsu_says("replay", str(single)).stdout.splitlines()
    assert len(told) == 4
    assert "takes" in told[-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["simulate", "kimno"], "did you mean kimono?"),
        (["simulate", "kimono", "--players", "9"], "2 to 4"),
        (["simulate", "kimono", "--players", "0"], "2 to 4"),
        (["simulate", "kimono", "--bots", "mater"], "did you mean master?"),
        (["simulate", "kimono", "--bots", "random,random,random,random,random"], "5"),
        (["simulate", "kimono", "--players", "3", "--bots", "random,novice"], "2 bots for 3 players"),
        (["simulate", "kimono", "--bots", ","], "bots"),
        (["simulate", "kimono", "--option", "colour=red"], "has no option 'colour'"),
        (["simulate", "kimono", "--option", "accessory_combo"], "NAME=VALUE"),
        (["simulate", "kimono", "--option", "accessory_combo=perhaps"], "accessory_combo"),
        (["simulate", "kimono", "--games", "0"], "--games"),
        (["simulate", "kaboum", "--players", "6"], "2 to 5"),
        (["simulate", "kaboum", "--option", "hourglass_s=10"], "hourglass_s"),
        (["simulate", "kimono", "--workers", "no"], "--workers"),
        (["simulate", "kimono", "--log", "/no/such/folder/log.jsonl"], "cannot write"),
        (["simulate"], "GAME"),
        (["replay", "no-such-file.jsonl"], "cannot read no-such-file.jsonl"),
        (["replay", "."], "cannot read"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--prot", "80"], "--prot"),
        (["fly"], "fly"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_in_one_line(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)


@pytest.mark.parametrize(
    "content",
    [
        b"not a record\n",
        b"\xff\xfe\x00\n",
        b"[]\n",
        b"{}\n",
        b'{"kotatsu": 3, "game": "kimono", "players": 2, "log": []}\n',
        b'{"kotatsu": 1, "game": "chess", "players": 2, "log": []}\n',
        b'{"kotatsu": 1, "game": "kimono", "players": 7, "log": []}\n',
        b'{"kotatsu": 1, "game": "kimono", "players": 2, "log": [{"fact": "exploded"}]}\n',
        b'{"kotatsu": 1, "game": "kimono", "players": 2, "log": [{"fact": "skipped", "seat": 9}]}\n',
        b'{"kotatsu": 1, "game": "kimono", "players": 2, "log": [3]}\n',
        b'{"kotatsu": 1, "game": "kimono", "players": 2, "names": ["Ana"], "log": []}\n',
    ],
)
def test_an_unreadable_record_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "record.jsonl"
    file.write_bytes(content)
    assert f"{file}, table 1" in refusal("replay", str(file))


def test_a_table_the_file_does_not_have(records: Path, tmp_path: Path) -> None:
    assert "has 4 tables; there is no table 5" in refusal("replay", str(records), "--table", "5")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert "no table in it" in refusal("replay", str(empty))


def test_a_port_in_use(taken_port: int, tmp_path: Path) -> None:
    said = refusal("serve", "--port", str(taken_port), "--data", str(tmp_path))
    assert f"port {taken_port} is in use" in said


def test_a_data_folder_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.touch()
    assert "data" in refusal("serve", "--port", "0", "--data", str(file / "below"))


def test_a_setting_that_makes_no_sense(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KOTATSU_PACE", "slow")
    assert "pace" in refusal("serve", "--port", "0", "--data", str(tmp_path))


def test_the_real_program_refuses_in_one_line_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kotatsu", "simulate", "kimno"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("kotatsu: there is no game called 'kimno'")
    assert done.stderr.count("\n") == 1
