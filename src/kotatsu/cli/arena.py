"""``kotatsu arena``: its options.

``kotatsu.cli.tournament`` does the work, and is imported only when it is called.
"""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.argument("game")
@click.option("--bots", required=True, help="The bots: a,b,… (levels of the game, or openspiel-mcts@200).")
@click.option(
    "--games",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many games every lineup plays.",
)
@click.option("--players", type=int, help="Players in a game; by default two, or the fewest possible.")
@click.option("--seed", default=0, show_default=True, type=int, help="Same seed, same results.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes to use; by default one for each processor."
)
@click.option("--ray", metavar="ADDRESS", help="Play on this Ray cluster instead (local: start one here).")
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the results of the games; by default arena-GAME.jsonl.",
)
@click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the HTML report; by default beside the log.",
)
def arena(
    game: str,
    bots: str,
    games: int,
    players: int | None,
    seed: int,
    options: tuple[str, ...],
    workers: int | None,
    ray: str | None,
    log: Path | None,
    page: Path | None,
) -> int:
    """Run a round-robin tournament between bots of GAME, every bot in every seat.

    A tournament that was interrupted continues when the same command is given again; with more --games it
    is extended. The report, an HTML page that needs no network, has ratings, results of each pair, and the
    time per move.

    \b
      kotatsu arena kimono --bots novice,adept,master --games 50
      kotatsu arena kimono --bots master,openspiel-mcts@0.2s --games 200
    """
    from kotatsu.cli import tournament

    if workers is not None and ray is not None:
        raise click.ClickException("--workers and --ray exclude each other")
    log = log or Path(f"arena-{game}.jsonl")
    page = page or log.with_suffix(".html")
    if page == log:
        raise click.ClickException(f"the log and the report cannot both be {log}")
    plan = tournament.plan(game, bots, games, players, seed, options)
    return tournament.run_tournament(plan, log, page, workers or os.cpu_count() or 1, ray)
