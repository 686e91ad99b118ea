"""The report of a tournament: one HTML page that loads nothing else."""

from __future__ import annotations

from html import escape

from kotatsu.lab.arena.charts import Bar, bars, intervals, lines
from kotatsu.lab.arena.standings import Standings, WinRecord

STYLE = """
:root{color-scheme:light dark;--ink:#26221d;--soft:#6d665c;--paper:#faf6ee;--sheet:#fffdf8;--line:#e2dacb;
--c0:#a8323a;--c1:#2a5d8f;--c2:#3d7a4a;--c3:#b0731b;--c4:#6b4a94;--c5:#14808a;--c6:#8a5a3c;--c7:#5c6b1f}
@media(prefers-color-scheme:dark){:root{--ink:#ede6da;--soft:#a89f91;--paper:#1d1a17;--sheet:#26221e;--line:#403a33;
--c0:#ef8388;--c1:#82b4e4;--c2:#83c492;--c3:#e6b35e;--c4:#bda0e3;--c5:#67c6cf;--c6:#d3a283;--c7:#b9c878}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2rem 1rem 4rem}h1{margin:0;font-size:1.9rem}h2{font-size:1.15rem;margin:0 0 .6rem}
.about{color:var(--soft);margin:.2rem 0 1.6rem}.sheets{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(30rem,100%),1fr));gap:1.2rem}
section{background:var(--sheet);border:1px solid var(--line);border-radius:.7rem;padding:1.1rem 1.2rem;min-width:0}
section.wide{grid-column:1/-1}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.42rem .7rem;text-align:right;white-space:nowrap}th{color:var(--soft);font-weight:600}
td:first-child,th:first-child{text-align:left}tbody tr{border-top:1px solid var(--line)}
.matrix td:not(:first-child),.matrix th:not(:first-child){text-align:center}.matrix td small{opacity:.85;display:block}
.cell{background:color-mix(in srgb,var(--c2) var(--share),transparent)}.none{color:var(--soft)}
p.note{color:var(--soft);font-size:.88rem;margin:.7rem 0 0}svg{width:100%;height:auto;display:block}
svg text{font:13px system-ui,sans-serif;fill:var(--ink)}svg .tick{fill:var(--soft);font-size:11px}
.grid{stroke:var(--line)}.range{stroke-width:5;stroke-linecap:round;opacity:.45}.line{fill:none;stroke-width:2}
@media(max-width:30rem){svg text{font-size:18px}svg .tick{font-size:16px}}
""" + "".join(
    f".range.c{n},.line.c{n}{{stroke:var(--c{n})}}.dot.c{n},.bar.c{n},text.end.c{n}{{fill:var(--c{n})}}"
    for n in range(8)
)


def report(standings: Standings) -> str:
    """Return the report on the ``standings`` of a tournament, as a complete HTML page."""
    plan = standings.plan
    options = "".join(f" · {escape(key)} {escape(str(value))}" for key, value in plan.options.items())
    unfinished = "" if standings.games == plan.total else f" of {plan.total} so far"
    about = (
        f"{standings.games} games{unfinished} · {plan.players} players · seed {plan.seed}{options} · "
        f"{standings.moves / max(1, standings.games):.0f} moves a game"
    )
    sheets = [
        _sheet("Standings", _table(standings), "wide"),
        _sheet(
            "Rating",
            _ratings(standings),
            note="openskill (Plackett-Luce). The bar is two standard deviations either way: "
            "bots whose bars overlap cannot be told apart yet.",
        ),
        _sheet("Rating, game by game", _history(standings)),
        _sheet(
            "Who finishes ahead of whom",
            _matrix(standings),
            "wide",
            note="Of the games in which both sat at the table, the share in which the bot of the row finished "
            "ahead of the bot of the column; finishing level is half.",
        ),
        _sheet("Time for a move", _pace(standings), note="Milliseconds of thought, on average."),
        _sheet(
            "Victories by seat",
            _seats(standings),
            note="Share of all victories. Every bot plays in every seat, so none profits from a good one.",
        ),
    ]
    title = f"{escape(plan.game.capitalize())} arena"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><main><h1>{title}</h1>"
        f'<p class="about">{about}</p><div class="sheets">\n'
        + "\n".join(sheets)
        + "\n</div></main></body></html>\n"
    )


def _sheet(title: str, content: str, kind: str = "", note: str = "") -> str:
    below = f'<p class="note">{escape(note)}</p>' if note else ""
    return f'<section class="{kind}"><h2>{escape(title)}</h2><div class="scroll">{content}</div>{below}</section>'


def _table(standings: Standings) -> str:
    rows = []
    for bot in standings.order():
        record, rating = standings.records[bot], standings.ratings[bot]
        low, high = record.interval
        rows.append(
            f"<tr><td>{escape(bot)}</td><td>{rating.mu:.1f} ± {2 * rating.sigma:.1f}</td><td>{record.games}</td>"
            f"<td>{record.wins:g}</td><td>{100 * record.win_rate:.1f} %</td>"
            f"<td>{100 * low:.1f}–{100 * high:.1f} %</td><td>{record.mean_score:.1f}</td>"
            f"<td>{_ms(record)}</td></tr>"
        )
    heads = ("bot", "rating", "games", "won", "win rate", "95 %", "mean score", "a move")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _matrix(standings: Standings) -> str:
    order = standings.order()
    head = "".join(f'<th scope="col">{escape(bot)}</th>' for bot in order)
    rows = []
    for bot in order:
        cells = "".join(_cell(standings, bot, other) for other in order)
        rows.append(f'<tr><th scope="row">{escape(bot)}</th>{cells}</tr>')
    return (
        f'<table class="matrix"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _cell(standings: Standings, bot: str, other: str) -> str:
    duel = standings.duels.get((bot, other))
    share = None if duel is None else duel.share
    if duel is None or share is None:
        return '<td class="none">–</td>'
    percent = 100 * share
    return f'<td class="cell" style="--share:{percent * 0.45:.0f}%">{percent:.0f} %<small>{duel.games}</small></td>'


def _ratings(standings: Standings) -> str:
    rows = []
    for bot in standings.order():
        mu, sigma = standings.ratings[bot]
        rows.append(Bar(bot, mu, f"{mu:.1f} ± {2 * sigma:.1f}", mu - 2 * sigma, mu + 2 * sigma))
    return intervals("Rating of each bot with its uncertainty", rows)


def _history(standings: Standings) -> str:
    curves = {bot: [each.mu for each in standings.history[bot]] for bot in standings.order()}
    return lines("Rating of each bot after every game", curves)


def _pace(standings: Standings) -> str:
    records = [(bot, standings.records[bot]) for bot in standings.order()]
    return bars("Milliseconds a move", [Bar(bot, each.ms_a_move, _ms(each)) for bot, each in records])


def _ms(record: WinRecord) -> str:
    """Bots of a real-time game act tick by tick, and their thoughts are not timed."""
    return f"{record.ms_a_move:.2f} ms" if record.thoughts else "–"


def _seats(standings: Standings) -> str:
    games = max(1, standings.games)
    shares = [100 * wins / games for wins in standings.seat_wins]
    return bars(
        "Share of victories by seat, in percent",
        [Bar(f"seat {seat + 1}", share, f"{share:.1f} %") for seat, share in enumerate(shares)],
    )
