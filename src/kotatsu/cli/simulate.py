"""``kotatsu simulate``: from its options to an experiment, its progress bar, and its table of results."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kotatsu.bots.levels import UnknownLevel, levels
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame, game, games
from kotatsu.lab.simulate import BadLineup, Experiment, experiment, simulate
from kotatsu.lab.virtual_table import Stuck
from kotatsu.lab.winrates import LevelTally, WinTable

SIMILARITY = 0.5
"""How alike a word must be to be suggested, from 0 to 1. Chosen by hand, a little below difflib's default of
0.6: names are short."""


def plan(
    name: str, players: int | None, count: int, seed: int | None, bots: str, options: tuple[str, ...]
) -> Experiment:
    """Check the options of the command line and return the experiment they describe.

    Args:
        name: the game's name.
        players: the number of players; ``None`` for as many as ``bots`` names, or the fewest.
        count: how many games.
        seed: of the experiment; ``None`` for a random one.
        bots: levels separated by commas, one for all seats or one for each.
        options: the game's options, each ``NAME=VALUE``.

    Raises:
        click.ClickException: with one line that says what is wrong.
    """
    lineup = [level.strip() for level in bots.split(",") if level.strip()]
    try:
        seats = game(name).seats
        if players is None:
            players = len(lineup) if len(lineup) > 1 else (2 if 2 in seats else min(seats))
        return experiment(
            name,
            players,
            lineup,
            count,
            secrets.randbelow(2**32) if seed is None else seed,
            dict(read_option(name, text) for text in options),
        )
    except UnknownGame as error:
        raise click.ClickException(f"{error}{did_you_mean(name, games())}") from None
    except UnknownLevel as error:
        wrong = next(level for level in lineup if level not in levels(name))
        raise click.ClickException(f"{error}{did_you_mean(wrong, tuple(levels(name)))}") from None
    except (BadTable, BadLineup) as error:
        raise click.ClickException(str(error)) from None


def run(asked: Experiment, log: Path | None, workers: int) -> None:
    """Play all games of an experiment and print who won how often.

    Args:
        asked: the experiment.
        log: file for the records, one a line; ``None`` to write none.
        workers: the number of processes.

    Raises:
        click.ClickException: the log cannot be written, or a game does not end.
    """
    tally = WinTable(asked.levels)
    started = perf_counter()
    try:
        with log.open("wb") if log else nullcontext() as file, _progress(asked.games) as show:
            for finished in simulate(asked, workers, show):
                if file is not None:
                    file.write(finished.line + b"\n")
                tally.add(finished)
                show(tally.games)
    except Stuck as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"cannot write {log}: {error.strerror or error}") from None
    _print(asked, tally, perf_counter() - started)


def read_option(name: str, text: str) -> tuple[str, Any]:
    """Split ``text``, ``OPTION=VALUE``, for the game ``name``; the value is read as JSON, else a string.

    Raises:
        BadTable: it is not of this form, or the game has no such option.
    """
    option, equals, value = text.partition("=")
    known = game(name).options_type.__struct_fields__
    if not (option and equals and value):
        raise BadTable(f"--option wants NAME=VALUE, not {text!r}")
    if option not in known:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise BadTable(f"{name} has no option {option!r}; {has}{did_you_mean(option, known)}")
    try:
        return option, msgspec.json.decode(value.lower() if value in ("True", "False") else value)
    except msgspec.DecodeError:
        return option, value


def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Return `` (did you mean X?)`` if ``word`` is like one of the ``known`` ones, else an empty string."""
    close = get_close_matches(word, known, n=1, cutoff=SIMILARITY)
    return f" (did you mean {close[0]}?)" if close else ""


@contextmanager
def _progress(total: int) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error, if that is a terminal. It never goes back."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("games", total=total)

        def show(played: float) -> None:
            bar.update(task, completed=max(played, bar.tasks[task].completed))

        yield show


def _print(asked: Experiment, tally: WinTable, seconds: float) -> None:
    options = "".join(
        f", {key}={msgspec.json.encode(value).decode()}" for key, value in asked.options.items()
    )
    click.echo(f"{asked.game}, {asked.players} players, {tally.games} games, seed {asked.seed}{options}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("seat" if tally.by_seat else "bot")
    for heading in ("games", "won", "shared", "win %", "95 %", "score", "ms/move"):
        table.add_column(heading, justify="right")
    for name, row in tally.rows.items():
        label = f"{int(name) + 1} {asked.levels[0]}" if tally.by_seat else str(name)
        table.add_row(label, *_cells(row))
    Console(highlight=False).print(table)
    if tally.cut_short:
        click.echo(
            f"{tally.cut_short} of {tally.games} games were ended by the cap the options set, by points"
        )
    click.echo(f"{tally.moves / tally.games:.1f} moves a game, {tally.games / seconds:.1f} games/s")


def _cells(row: LevelTally) -> tuple[str, ...]:
    low, high = row.interval
    return (
        str(row.games),
        str(row.won),
        str(row.shared),
        f"{100 * row.win_rate:.1f}",
        f"{100 * low:.1f}–{100 * high:.1f}",
        f"{row.mean_score:.2f}",
        f"{row.ms_a_thought:.2f}" if row.thoughts else "–",  # bots of real-time games act tick by tick
    )
