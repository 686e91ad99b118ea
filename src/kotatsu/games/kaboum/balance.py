"""Statistics about the balance of Kaboum: whole games from records, and turns played level against level.

    for n in 2 3 4 5; do kotatsu simulate kaboum --players $n --bots adept --games 10 --seed 1 --log $n.jsonl; done
    python -m kotatsu.games.kaboum.balance ?.jsonl --turns 17 -o src/kotatsu/games/kaboum/BALANCE.md

Any records will do, of bots or of people; each number of players gets a column. The turns take most of the
time (a second or two each): ``--turns`` says how many each pair of levels plays.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean

import msgspec
from rich.console import Console
from rich.progress import Progress

from kotatsu.engine.balancing import finished_games, table, wilson
from kotatsu.engine.contract import Fact
from kotatsu.engine.match import Match, start
from kotatsu.engine.record import BadRecord
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import Flip, KaboumTurnEnded, Landed, TableLaid
from kotatsu.games.kaboum.play import play_turn, player

LEVELS = ("novice", "adept", "master")
"""The levels that play against each other; ``random`` is left out."""
SABOTEURS = 2
"""How many saboteurs of one level a builder plays against. Chosen by hand: a table of three."""
FACTS = ("turn_started", "fired", "landed", "blocked", "completed", "toppled", "quake_granted", "quake")
"""The facts that are counted, by their names in a record."""
RESTS: dict[str, Callable[[Landed], bool]] = {
    "on a tile": lambda landed: isinstance(landed.tile, int),
    "beside the tiles": lambda landed: landed.tile is None,
    "off the table": lambda landed: landed.tile == "off",
}
"""Where dice come to rest: the labels of the page, and how to tell from the fact."""


class KaboumTally:
    """Counts over all games with one number of players.

    Attributes:
        players: How many played.
        turns: The number of turns of each game.
        points: The points of each turn of all games.
        facts: How often each fact happened, by its name in a record.
        rests: Where dice came to rest, by the labels of ``RESTS``.
        wins: Victories by the order in which the players build first; a shared victory counts in parts.
        capped: How many games the cap on turns ended (KA-24).
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.turns: list[int] = []
        self.points: list[int] = []
        self.facts: Counter[str] = Counter()
        self.rests: Counter[str] = Counter()
        self.wins = [0.0] * players  # by the order in which they build
        self.capped = 0

    @property
    def games(self) -> int:
        """How many games were counted."""
        return len(self.turns)

    def add(self, match: Match) -> None:
        """Count one finished game."""
        outcome = match.outcome
        assert outcome is not None
        facts = [entry for entry in match.log if isinstance(entry, Fact)]
        ended = [fact for fact in facts if isinstance(fact, KaboumTurnEnded)]
        self.turns.append(len(ended))
        self.capped += match.game.cut_short(match.state)
        self.points += [fact.points for fact in ended]
        self.facts.update(msgspec.to_builtins(fact)["fact"] for fact in facts)
        for landed in (fact for fact in facts if isinstance(fact, Landed)):
            self.rests.update(name for name, there in RESTS.items() if there(landed))
        first = next(fact.builder for fact in facts if isinstance(fact, TableLaid))
        for seat in outcome.winners:
            self.wins[(seat - first) % self.players] += 1 / len(outcome.winners)


Cell = Callable[[KaboumTally], str]
INTERVAL = "how many of how many, and in brackets Wilson's 95 % interval of that share"
"""What the cells with shares say."""


def points_of_a_turn(builder: str, saboteur: str, seed: int) -> int:
    """Play the first turn of a game and return the builder's points.

    Args:
        builder: The level of the builder.
        saboteur: The level of all saboteurs.
        seed: The seed of the game, of the world and of the bots.
    """
    match = start("kaboum", SABOTEURS + 1, seed)
    match.play(match.state.builder, Flip())
    turn = Turn(match.state, seed)
    levels = {
        seat: builder if seat == match.state.builder else saboteur for seat in range(match.state.players)
    }
    log = play_turn(turn, {seat: player(level, seat, match.state, seed) for seat, level in levels.items()})
    return sum(entry.points for entry in log if isinstance(entry, KaboumTurnEnded))


def level_against_level(turns: int) -> dict[tuple[str, str], list[int]]:
    """Play turns between all pairs of ``LEVELS``; every pair plays with the same seeds.

    Args:
        turns: How many turns each pair plays.

    Returns:
        The points of every turn, by the levels of the builder and of the saboteurs.
    """
    rng = Random("levels")
    seeds = [rng.getrandbits(32) for _ in range(turns)]
    pairs = [(builder, saboteur) for builder in LEVELS for saboteur in LEVELS]
    points: dict[tuple[str, str], list[int]] = {}
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("turns", total=len(pairs) * turns)
        for pair in pairs:
            points[pair] = []
            for seed in seeds:
                points[pair].append(points_of_a_turn(*pair, seed))
                bar.advance(task)
    return points


def page(
    columns: Sequence[KaboumTally], names: Iterable[str], points_by_pair: dict[tuple[str, str], list[int]]
) -> str:
    """The statistics as a page of Markdown.

    Args:
        columns: The counts of whole games, one for each number of players; none leaves that part out.
        names: Who played those games.
        points_by_pair: What ``level_against_level`` returned; empty leaves that part out.
    """
    return "\n".join(
        [
            "# How Kaboum is balanced",
            "",
            "`balance.py` writes this page and says how.",
            *(_games(columns, names) if columns else ()),
            *(_levels(points_by_pair) if points_by_pair else ()),
            "",
        ]
    )


def _games(columns: Sequence[KaboumTally], names: Iterable[str]) -> Iterator[str]:
    games = ", ".join(f"{tally.games} with {tally.players}" for tally in columns)
    yield from ("", "## Whole games", "")
    yield from (f"From records of finished games ({games} players) by {', '.join(sorted(names))}.", "")
    yield from (f"Shares are {INTERVAL}.", "")
    yield from table("", columns, _summary_rows())
    yield from ("", "Facts in all games of a column, and where dice came to rest:", "")
    counts = [(f"`{fact}`", partial(_count_cell, fact)) for fact in FACTS]
    yield from table(
        "fact", columns, [*counts, *((f"dice {rest}", partial(_rest_cell, rest)) for rest in RESTS)]
    )
    yield from ("", f"Victories by the order in which they build: {INTERVAL}.", "")
    most = max(tally.players for tally in columns)
    yield from table("place", columns, ((str(n + 1), partial(_win_rate_cell, n)) for n in range(most)))


def _summary_rows() -> Iterator[tuple[str, Cell]]:
    yield (
        "turns a game, mean (range)",
        lambda tally: f"{mean(tally.turns):.1f} ({min(tally.turns)}–{max(tally.turns)})",
    )
    yield "games ended by the cap on turns (KA-24)", lambda tally: f"{tally.capped} of {tally.games}"
    yield "turns in which the builder makes points", lambda tally: _rate(tally.points)
    yield "points a turn", lambda tally: f"{mean(tally.points):.1f}"
    yield (
        "towers completed · toppled a turn",
        lambda tally: f"{_per_turn(tally, 'completed')} · {_per_turn(tally, 'toppled')}",
    )
    yield "tiles blocked a turn", lambda tally: _per_turn(tally, "blocked")
    yield "turns with an earthquake", lambda tally: _share(tally.facts["quake"], len(tally.points))


def _per_turn(tally: KaboumTally, fact: str) -> str:
    return f"{tally.facts[fact] / len(tally.points):.1f}"


def _count_cell(fact: str, tally: KaboumTally) -> str:
    return str(tally.facts[fact])


def _rest_cell(where: str, tally: KaboumTally) -> str:
    return f"{tally.rests[where] / max(1, tally.facts['landed']):.0%}"


def _win_rate_cell(place: int, tally: KaboumTally) -> str:
    return _share(tally.wins[place], tally.games) if place < tally.players else "–"


def _levels(points_by_pair: dict[tuple[str, str], list[int]]) -> Iterator[str]:
    turns = len(next(iter(points_by_pair.values())))
    yield from ("", "## Levels in both roles", "")
    yield f"One builder against {SABOTEURS} saboteurs, {turns} first turns of a game for each pair, with the same luck:"
    yield f"how often the builder makes points ({INTERVAL}), and points a turn."
    yield from ("", "| builder | " + " | ".join(f"{each} saboteurs" for each in LEVELS) + " |")
    yield "|---|" + "---|" * len(LEVELS)
    for builder in LEVELS:
        cells = (points_by_pair[builder, saboteur] for saboteur in LEVELS)
        yield f"| {builder} | " + " | ".join(f"{_rate(each)} · {mean(each):.1f}" for each in cells) + " |"


def _rate(points: Sequence[int]) -> str:
    return _share(sum(each > 0 for each in points), len(points))


def _share(part: float, whole: int) -> str:
    low, high = wilson(part / whole, whole)
    return f"{part:.3g} of {whole} ({low:.0%}–{high:.0%})"


def main() -> None:
    """The command line: read the files of records it is given, play turns, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m kotatsu.games.kaboum.balance",
        description="How Kaboum is balanced, from records and from turns.",
    )
    parser.add_argument(
        "files", nargs="*", type=Path, help="records, one a line, as simulate --log writes them"
    )
    parser.add_argument("--turns", type=int, default=60, help="turns for each pair of levels (60)")
    parser.add_argument("-o", "--output", type=Path, help="where to write the page; else it is shown")
    args = parser.parse_args()
    if args.turns < 0 or not (args.turns or args.files):
        parser.error("name files of records, or a number of turns")
    tallies: dict[int, KaboumTally] = {}
    names: set[str] = set()
    try:
        for match in finished_games("kaboum", args.files):
            tallies.setdefault(match.players, KaboumTally(match.players)).add(match)
            names.update(match.names)
        points_by_pair = level_against_level(args.turns) if args.turns else {}
        text = page([tallies[players] for players in sorted(tallies)], names, points_by_pair)
        if args.output is None:
            sys.stdout.write(text)
        else:
            args.output.write_text(text, encoding="utf-8")
    except (BadRecord, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
