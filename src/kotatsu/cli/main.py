"""The command line: ``serve``, ``simulate``, ``replay``, ``games``, ``backup``, ``restore``, ``arena``.

It parses arguments and prints; the work is done elsewhere. An error is one line on standard error and exit
status 2. Slow modules are imported by the command that needs them, so that ``--help`` answers at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from kotatsu import __version__
from kotatsu.cli.arena import arena

BAD_INPUT = 2  # the exit status of argparse, click and most Unix programs for wrong usage
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


class OneLineErrorGroup(click.Group):
    """A click group that prints every error as one line and exits with ``BAD_INPUT``."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit; takes what ``click.Group.main`` takes in ``args`` and ``extra``."""
        extra["standalone_mode"] = False
        try:
            status = super().main(*args, **extra)
        except click.Abort:
            click.echo("kotatsu: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            message = " ".join(error.format_message().split())
            click.echo(f"kotatsu: {message}", err=True)
            sys.exit(BAD_INPUT)
        sys.exit(status if isinstance(status, int) else 0)


def user_error(reason: object) -> click.ClickException:
    """Return the exception to raise for a request that cannot be carried out, with the ``reason``."""
    return click.ClickException(str(reason))


@click.group(
    cls=OneLineErrorGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="kotatsu", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """A games table that is open day and night.

    \b
    Play in the browser, with friends or against bots:
      kotatsu serve --open
    \b
    Let bots play, and see who wins:
      kotatsu simulate kimono --games 100 --bots master,adept
    \b
    See which games there are:
      kotatsu games
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@click.option(
    "--host",
    default="127.0.0.1",
    envvar="KOTATSU_HOST",
    show_default=True,
    help="Address to listen on; 0.0.0.0 for all.",
)
@click.option(
    "--port",
    default=8080,
    envvar="KOTATSU_PORT",
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--data",
    default=Path("data"),
    envvar="KOTATSU_DATA",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder the games are kept in; made if it is not there.",
)
@click.option("--open/--no-open", "open_browser", default=False, help="Open a browser on the home page.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting from docs/hosting.md, such as pace=1.5; repeatable.",
)
def serve(host: str, port: int, data: Path, open_browser: bool, settings: tuple[str, ...]) -> None:
    """Start the server: serve the games to browsers.

    \b
    Just for this computer:        kotatsu serve --open
    For everyone on the network:   kotatsu serve --host 0.0.0.0
    """
    from kotatsu.server.run import PortInUse
    from kotatsu.server.run import serve as run_server
    from kotatsu.server.settings import BadSetting

    flags = dict(setting.partition("=")[::2] for setting in settings)
    try:
        run_server(host=host, port=port, data=data, open_browser=open_browser, flags=flags)
    except PortInUse:
        raise user_error(f"port {port} is in use; choose another with --port") from None
    except BadSetting as error:
        raise user_error(error) from None
    except OSError as error:
        raise user_error(f"cannot serve on {host}:{port} from {data}: {error.strerror or error}") from None


@main.command()
@click.argument("game")
@click.option(
    "--players", type=int, help="Players in a game; by default as many as --bots names, or the fewest."
)
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1), help="How many games.")
@click.option("--seed", type=int, help="Same seed, same games; by default a new one, which is printed.")
@click.option(
    "--bots", default="random", show_default=True, help="One level for all seats, or one for each: a,b,…"
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), help="Write every record here, one a line."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes to use.")
def simulate(
    game: str,
    players: int | None,
    games: int,
    seed: int | None,
    bots: str,
    options: tuple[str, ...],
    log: Path | None,
    workers: int,
) -> None:
    """Let bots play many games of GAME and print who won how often.

    Different bots move on by one seat from game to game, so that none keeps a better seat.

    \b
      kotatsu simulate kimono --bots master,adept --games 200 --workers 2
      kotatsu simulate kimono --players 4 --option accessory_combo=true --log games.jsonl
    """
    from kotatsu.cli.simulate import plan, run

    run(plan(game, players, games, seed, bots, options), log, workers)


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--table", default=1, show_default=True, type=click.IntRange(min=1), help="Which record, from 1."
)
def replay(file: Path, table: int) -> None:
    """Print a game recorded in FILE as sentences, one for each fact.

    FILE holds one record a line, as simulate --log writes them, or a single one.

    \b
      kotatsu replay games.jsonl --table 3
    """
    from kotatsu.cli.replay import sentences

    for sentence in sentences(file, table):
        click.echo(sentence)


@main.command()
def games() -> None:
    """List the games with their players, options and bots."""
    from kotatsu.cli.games import describe_games

    click.echo("\n\n".join(describe_games()))


_DATA = click.option(
    "--data",
    default=Path("data"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder the games are kept in.",
)


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATA
def backup(file: Path, data: Path) -> None:
    """Write all data of the server to FILE; the server may be running.

    Keep FILE as safe as the data itself: it contains the key that signs the visitors' cookies.
    """
    from rich.console import Console
    from rich.progress import Progress

    from kotatsu.store.backup import back_up
    from kotatsu.store.contract import DataUnusable

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Backing up")
        try:
            back_up(data, file, lambda done, total: bar.update(task, completed=done, total=total))
        except DataUnusable as error:
            raise user_error(error) from None
    click.echo(f"Everything in {data} is in {file}.")


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@_DATA
def restore(file: Path, data: Path) -> None:
    """Put a backup, FILE, into a data folder that has no games yet."""
    from kotatsu.store import backup as backups
    from kotatsu.store.contract import DataUnusable

    try:
        backups.restore(file, data)
    except DataUnusable as error:
        raise user_error(error) from None
    click.echo(f"Everything in {file} is in {data}.")


main.add_command(arena)
