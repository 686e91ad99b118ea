"""``kotatsu arena``: from its options to a tournament, its live standings, its log and its report."""

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
from kotatsu.lab.arena.players import OPENSPIEL_MCTS
from kotatsu.lab.arena.report import report
from kotatsu.lab.arena.standings import Standings
from kotatsu.lab.arena.workers import NoRay, run
from kotatsu.lab.virtual_table import Stuck

REDRAWS_A_SECOND = 4  # rich's own default for live displays
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def plan(name: str, bots: str, count: int, players: int | None, seed: int, options: tuple[str, ...]) -> Plan:
    """Check the options of the command line and return the tournament they describe.

    Args:
        name: the game's name.
        bots: names separated by commas.
        count: how many games every lineup plays.
        players: players in a game; ``None`` for two, or the fewest.
        seed: of the tournament.
        options: the game's options, each ``NAME=VALUE``.

    Raises:
        click.ClickException: with one line that says what is wrong.
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
        external = (OPENSPIEL_MCTS,) if part(name, "play") is None else ()
        known = (*levels(name), *external)
        wrong = next((each for each in entered if each not in known), "")
        also = f", and {OPENSPIEL_MCTS}@N or @Ns" if external else ""
        raise click.ClickException(f"{error}{also}{did_you_mean(wrong, known)}") from None
    except (BadTable, BadPlan, ModuleNotFoundError) as error:
        raise click.ClickException(str(error)) from None


def run_tournament(tournament: Plan, path: Path, page: Path, workers: int, ray: str | None) -> int:
    """Play the games that are not in the log yet, write the report, and print the standings.

    Args:
        tournament: what to play.
        path: the log; continued if it exists.
        page: the HTML report, written anew.
        workers: the number of processes.
        ray: the address of a Ray cluster to use instead, ``local`` to start one; ``None`` for processes.

    Returns:
        The exit status: 0, or ``INTERRUPTED`` after Ctrl-C, when log and report are complete so far.

    Raises:
        click.ClickException: with one line that says what is wrong.
    """
    interrupted = False
    try:
        with Log(path, tournament) as log:
            before = log.results(tournament)
            if before:
                click.echo(f"{path} has {len(before)} of {tournament.total} games already", err=True)
            missing = [number for number in range(tournament.total) if number not in log.done]
            try:
                with _display(tournament, before) as show:
                    for result in run(tournament, missing, min(workers, max(1, len(missing))), ray):
                        log.add(result)
                        show(log)
            except KeyboardInterrupt:
                interrupted = True
            standings = Standings(tournament, log.results(tournament))
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
        click.echo("kotatsu: interrupted; the same command continues from here", err=True)
        return INTERRUPTED
    return 0


@contextmanager
def _display(tournament: Plan, before: list[Any]) -> Iterator[Callable[[Log], None]]:
    """Live standings on standard error, if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    standings = Standings(tournament, before)
    bar = Progress(
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    )
    task = bar.add_task("games", total=tournament.total, completed=len(before))

    def screen() -> RenderableType:
        return Group(_table(standings), bar)

    with Live(get_renderable=screen, console=console, refresh_per_second=REDRAWS_A_SECOND, transient=True):

        def show(log: Log) -> None:
            nonlocal standings
            last = next(reversed(log.done.values()))
            standings.add(last)
            bar.advance(task)

        yield show


def _print(standings: Standings) -> None:
    plan = standings.plan
    options = "".join(f", {key}={value}" for key, value in plan.options.items())
    click.echo(f"{plan.game}, {plan.players} players, {standings.games} games, seed {plan.seed}{options}")
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
