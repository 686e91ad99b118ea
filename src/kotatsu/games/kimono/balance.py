"""Statistics about the balance of Kimono, from records of finished games.

    for n in 2 3 4; do kotatsu simulate kimono --players $n --bots adept --games 200 --seed 1 --log $n.jsonl; done
    python -m kotatsu.games.kimono.balance 2.jsonl 3.jsonl 4.jsonl -o src/kotatsu/games/kimono/BALANCE.md

Any records will do, of bots or of people; each number of players gets a column.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

from kotatsu.engine.balancing import finished_games, table
from kotatsu.engine.match import Match
from kotatsu.engine.record import BadRecord, Played
from kotatsu.games.kimono.data import BOX
from kotatsu.games.kimono.model import Combined, MarketDealt, Skipped

STYLES = tuple(kakemono.style for kakemono in BOX.board)
"""The styles in the order of the board."""
BONUSES = {"all_placed": "all 12 placed", "accessories": "accessories", "variety": "variety"}
"""The bonuses: their names in a score's breakdown, and their labels on the page."""
MAX_SHARE, MIN_SHARE = 0.30, 0.03
"""A style that earns more or less of all points than this is a reason to look at ``data.json``.

The bounds were chosen by hand when the board's points were, after a ``ju`` that earned 30 % and a ``kagen``
and ``jogen`` of two cards that earned 65 % had been tried and rejected.
"""


class KimonoTally:
    """Counts over all games with one number of players.

    Attributes:
        players: How many played.
        moves: The number of moves of each game.
        scores: The scores of all seats of all games.
        margins: The winner's lead over the second in each game.
        placed: How many cards each seat of each game placed.
        shared: Games with more than one winner.
        wins: Victories by the order of play in round 1; a shared victory counts in parts.
        points: Points by style or bonus.
        made: Combinations by style.
        laid: Cards laid by style, a leading card not counted.
        led: Combinations made with a lead (KM-13).
        skipped: Combinations that were possible and not made.
        results: By the number of accessories taken, the score and the share of the victory of each seat.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.moves: list[int] = []
        self.scores: list[int] = []
        self.margins: list[int] = []
        self.placed: list[int] = []
        self.shared = 0
        self.wins = [0.0] * players  # by the order of play in round 1
        self.points: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.laid: Counter[str] = Counter()
        self.led = 0
        self.skipped = 0
        self.results: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return len(self.moves)

    def add(self, match: Match) -> None:
        """Count one finished game."""
        outcome = match.outcome
        assert outcome is not None
        self.moves.append(sum(isinstance(entry, Played) for entry in match.log))
        self.scores += outcome.scores
        best, second = sorted(outcome.scores, reverse=True)[:2]
        self.margins.append(best - second)
        self.shared += len(outcome.winners) > 1
        for part in outcome.breakdown:
            self.points.update(part)
        first = next(entry.first for entry in match.log if isinstance(entry, MarketDealt))
        for seat, place in enumerate(match.state.places):
            won = (seat in outcome.winners) / len(outcome.winners)
            self.wins[(seat - first) % self.players] += won
            self.placed.append(place.placed)
            self.results[len(place.accessories)].append((outcome.scores[seat], won))
        for entry in match.log:
            if isinstance(entry, Combined):
                self.made[entry.style] += 1
                self.laid[entry.style] += len(entry.cards)
                self.led += entry.lead
            self.skipped += isinstance(entry, Skipped)

    def share(self, style: str) -> float:
        """The share of the points of all combinations that a style earned, 0 to 1."""
        return self.points[style] / sum(self.points[each] for each in STYLES)


Cell = Callable[[KimonoTally], str]


def report(matches: Iterable[Match]) -> str:
    """The statistics as a page of Markdown.

    Args:
        matches: Finished games, with any numbers of players.

    Raises:
        BadRecord: There is no game at all.
    """
    tallies: dict[int, KimonoTally] = {}
    names: Counter[str] = Counter()
    for match in matches:
        tallies.setdefault(match.players, KimonoTally(match.players)).add(match)
        names.update(match.names)
    columns = [tallies[players] for players in sorted(tallies)]
    if not columns:
        raise BadRecord("there is no finished game of Kimono in these files")
    return "\n".join(_page(columns, names))


def _page(columns: Sequence[KimonoTally], names: Counter[str]) -> Iterator[str]:
    games = ", ".join(f"{tally.games} with {tally.players}" for tally in columns)
    by = ", ".join(sorted(names))
    yield from (
        "# How Kimono is balanced",
        "",
        f"From records of finished games ({games} players) by {by}. `balance.py` writes this page and says how.",
        "",
        "## The game as a whole",
        "",
    )
    yield from table("", columns, _summary_rows())
    yield from (
        "",
        "## Does it matter who begins?",
        "",
        "Victories by the order of play in round 1, ± 95 %.",
        "",
    )
    yield from table("place", columns, _place_rows(max(tally.players for tally in columns)))
    yield from (
        "",
        "## Styles",
        "",
        "Share of the points of all combinations · times a player makes it in a game · points for each card laid.",
        "",
    )
    yield from table("style", columns, [(f"`{style}`", partial(_style_cell, style)) for style in STYLES])
    yield from (
        "",
        *_share_warning(columns),
        "",
        "## Bonuses",
        "",
        "Points a player · share of all points.",
        "",
    )
    yield from table(
        "bonus", columns, [(label, partial(_bonus_cell, bonus)) for bonus, label in BONUSES.items()]
    )
    yield from (
        "",
        "## Accessories",
        "",
        "By how many a player took: how often that was so · mean score · victories.",
        "",
    )
    most = max(max(tally.results) for tally in columns)
    yield from table(
        "taken", columns, [(str(number), partial(_accessory_cell, number)) for number in range(most + 1)]
    )
    yield ""


def _summary_rows() -> Iterator[tuple[str, Cell]]:
    yield "score, mean ± deviation", lambda tally: f"{mean(tally.scores):.1f} ± {stdev(tally.scores):.1f}"
    yield "score, lowest · 10 % · median · 90 % · highest", lambda tally: _spread(tally.scores)
    yield "margin of the winner, mean", lambda tally: f"{mean(tally.margins):.1f}"
    yield "shared victories", lambda tally: f"{tally.shared / tally.games:.1%}"
    yield "moves a game, mean (range)", lambda tally: _range(tally.moves)
    yield "combinations a player", lambda tally: f"{tally.made.total() / len(tally.scores):.1f}"
    yield "of them with a lead", lambda tally: f"{tally.led / tally.made.total():.0%}"
    yield "combinations passed over a player", lambda tally: f"{tally.skipped / len(tally.scores):.1f}"
    yield "cards placed of 12", lambda tally: f"{mean(tally.placed):.1f}"


def _place_rows(most: int) -> Iterator[tuple[str, Cell]]:
    for place in range(most):
        yield str(place + 1), partial(_win_rate_cell, place)
    yield "an even share", lambda tally: f"{1 / tally.players:.1%}"


def _win_rate_cell(place: int, tally: KimonoTally) -> str:
    if place >= tally.players:
        return "–"
    rate = tally.wins[place] / tally.games
    return f"{rate:.1%} ± {1.96 * sqrt(rate * (1 - rate) / tally.games):.1%}"


def _style_cell(style: str, tally: KimonoTally) -> str:
    times = tally.made[style] / len(tally.scores)
    return f"{tally.share(style):.1%} · {times:.2f} · {tally.points[style] / max(1, tally.laid[style]):.2f}"


def _bonus_cell(source: str, tally: KimonoTally) -> str:
    return (
        f"{tally.points[source] / len(tally.scores):.1f} · {tally.points[source] / tally.points.total():.1%}"
    )


def _accessory_cell(number: int, tally: KimonoTally) -> str:
    results = tally.results.get(number)
    if not results:
        return "–"
    often = len(results) / len(tally.scores)
    scores, wins = zip(*results, strict=True)
    return f"{often:.0%} · {mean(scores):.1f} · {mean(wins):.0%}"


def _share_warning(columns: Sequence[KimonoTally]) -> Iterator[str]:
    limits = f"A style above {MAX_SHARE:.0%} or below {MIN_SHARE:.0%} of the points would be a reason to change `data.json`"
    odd = [
        f"`{style}` earns {tally.share(style):.1%} with {tally.players} players"
        for tally in columns
        for style in STYLES
        if not MIN_SHARE <= tally.share(style) <= MAX_SHARE
    ]
    yield f"{limits}: {'; '.join(odd)}." if odd else f"{limits}; there is none."


def _range(values: Sequence[int]) -> str:
    return f"{mean(values):.1f} ({min(values)}–{max(values)})"


def _spread(values: Sequence[int]) -> str:
    ordered = sorted(values)
    return " · ".join(str(ordered[round(part * (len(ordered) - 1))]) for part in (0, 0.1, 0.5, 0.9, 1))


def main() -> None:
    """The command line: read the files of records it is given and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m kotatsu.games.kimono.balance", description="How Kimono is balanced, from records."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, help="records, one a line, as simulate --log writes them"
    )
    parser.add_argument("-o", "--output", type=Path, help="where to write the page; else it is shown")
    asked = parser.parse_args()
    try:
        page = report(finished_games("kimono", asked.files))
        if asked.output is None:
            sys.stdout.write(page)
        else:
            asked.output.write_text(page, encoding="utf-8")
    except (BadRecord, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
