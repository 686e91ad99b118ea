"""A tournament that was asked for: its live standings, its log and its report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from kotatsu.bots.levels import UnknownLevel, levels
from kotatsu.cli.simulate import did_you_mean, read_option
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame, game, games, part
from kotatsu.lab.arena.log import BadLog, Log
from kotatsu.lab.arena.plan import BadPlan, Plan
from kotatsu.lab.arena.plan import plan as checked_plan
from kotatsu.lab.arena.players import GUEST
from kotatsu.lab.arena.report import report
from kotatsu.lab.arena.standings import Standings
from kotatsu.lab.arena.workers import NoRay, run
from kotatsu.lab.virtual_table import Stuck

LOOKS_A_SECOND = 4
INTERRUPTED = 130


def plan(name: str, bots: str, count: int, players: int | None, seed: int, options: tuple[str, ...]) -> Plan:
    """The tournament that was asked for.

    Raises:
        click.ClickException: with one line that says what is wrong with it.
    """
    entered = tuple(each.strip() for each in bots.split(",") if each.strip())
    try:
        seats = game(name).seats
        wanted = players if players is not None else (2 if 2 in seats else min(seats))
        chosen = dict(read_option(name, text) for text in options)
        return checked_plan(name, entered, wanted, count, seed, chosen)
    except UnknownGame as error:
        raise click.ClickException(f"{error}{did_you_mean(name, games())}") from None
    except UnknownLevel as error:
        guests = (GUEST,) if part(name, "play") is None else ()
        known = (*levels(name), *guests)
        wrong = next((each for each in entered if each not in known), "")
        also = f", and {GUEST}@N or @Ns" if guests else ""
        raise click.ClickException(f"{error}{also}{did_you_mean(wrong, known)}") from None
    except (BadTable, BadPlan, ModuleNotFoundError) as error:
        raise click.ClickException(str(error)) from None


def hold(held: Plan, path: Path, page: Path, workers: int, ray: str | None) -> int:
    """Play what the log has not yet, write the report, print the standings; the exit status."""
    interrupted = False
    try:
        with Log(path, held) as log:
            before = log.results(held)
            if before:
                click.echo(f"{path} has {len(before)} of {held.total} games already", err=True)
            missing = [number for number in range(held.total) if number not in log.done]
            try:
                with _display(held, before) as show:
                    for result in run(held, missing, min(workers, max(1, len(missing))), ray):
                        log.add(result)
                        show(log)
            except KeyboardInterrupt:
                interrupted = True
            standings = Standings(held, log.results(held))
        page.write_text(report(standings), encoding="utf-8")
    except (BadLog, NoRay, Stuck) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(
            f"cannot write {error.filename or path}: {error.strerror or error}"
        ) from None
    _print(standings)
    click.echo(f"log {path}, report {page}")
    if interrupted:
        click.echo("kotatsu: interrupted; the same command goes on from here", err=True)
        return INTERRUPTED
    return 0


@contextmanager
def _display(held: Plan, before: list[Any]) -> Iterator[Callable[[Log], None]]:
    """Live standings on the terminal's error side; nothing when that is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    standings = Standings(held, before)
    bar = Progress(
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    task = bar.add_task("games", total=held.total, completed=len(before))

    def screen() -> RenderableType:
        return Group(_table(standings), bar)

    with Live(get_renderable=screen, console=console, refresh_per_second=LOOKS_A_SECOND, transient=True):

        def show(log: Log) -> None:
            nonlocal standings
            last = next(reversed(log.done.values()))
            standings.add(last)
            bar.advance(task)

        yield show


def _print(standings: Standings) -> None:
    held = standings.plan
    options = "".join(f", {key}={value}" for key, value in held.options.items())
    click.echo(f"{held.game}, {held.players} players, {standings.games} games, seed {held.seed}{options}")
    console = Console(highlight=False)
    console.print(_table(standings))
    console.print(_matrix(standings))


def _table(standings: Standings) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot")
    for heading in ("rating", "±", "games", "won", "win %", "95 %", "score", "ms/move"):
        table.add_column(heading, justify="right")
    for bot in standings.order():
        rating, record = standings.ratings[bot], standings.records[bot]
        low, high = record.interval
        table.add_row(
            bot,
            f"{rating.mu:.1f}",
            f"{2 * rating.sigma:.1f}",
            str(record.games),
            f"{record.wins:g}",
            f"{100 * record.win_rate:.1f}",
            f"{100 * low:.1f}–{100 * high:.1f}",
            f"{record.mean_score:.1f}",
            f"{record.ms_a_move:.2f}" if record.thoughts else "–",
        )
    return table


def _matrix(standings: Standings) -> Table:
    order = standings.order()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("ahead of, %")
    for bot in order:
        table.add_column(bot, justify="right")
    for bot in order:
        shares = [standings.duels[bot, other].share if bot != other else None for other in order]
        table.add_row(bot, *("–" if share is None else f"{100 * share:.0f}" for share in shares))
    return table
