"""Tournaments: who meets whom, the same results wherever they are played, and what is counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from kotatsu.bots.levels import UnknownLevel
from kotatsu.bots.situation import situation
from kotatsu.engine.match import BadTable, start
from kotatsu.lab.arena.log import BadLog, Log
from kotatsu.lab.arena.plan import BadPlan, Plan, Result, plan, play
from kotatsu.lab.arena.players import player
from kotatsu.lab.arena.standings import Standings
from kotatsu.lab.arena.workers import run
from kotatsu.lab.encoding import games_in_turns

SMALL = Plan("kimono", ("random", "novice", "adept"), 2, 4, seed=3)


def what_happened(results: list[Result]) -> list[tuple[object, ...]]:
    """Everything but the seconds, which no seed decides."""
    return [
        (each.number, each.seats, each.scores, each.winners, each.moves, each.thoughts) for each in results
    ]


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return list(run(SMALL, range(SMALL.total)))


def test_everyone_meets_everyone_equally_often_in_every_seat() -> None:
    held = Plan("kimono", ("a", "b", "c", "d"), 3, games=6)
    seats = Counter(
        (bot, seat) for number in range(held.total) for seat, bot in enumerate(held.seats(number))
    )
    assert held.total == 4 * 6
    assert set(seats.values()) == {6}
    lineups = Counter(frozenset(held.seats(number)) for number in range(held.total))
    assert set(lineups.values()) == {6}


def test_two_bots_fill_a_larger_table_in_every_mixture() -> None:
    held = Plan("kimono", ("a", "b"), 3, games=1)
    assert held.lineups() == [("a", "a", "b"), ("a", "b", "b")]


def test_bots_change_seats_over_the_same_luck() -> None:
    held = Plan("kimono", ("a", "b"), 2, games=4)
    assert held.seats(0) == held.seats(1)[::-1]
    assert held.setup_seed(0) == held.setup_seed(1) != held.setup_seed(2)


def test_same_results_whatever_the_number_of_workers(results: list[Result]) -> None:
    assert what_happened(list(run(SMALL, range(SMALL.total), workers=2))) == what_happened(results)


@pytest.mark.filterwarnings("ignore")  # whatever Ray has to say about itself
def test_same_results_on_ray(results: list[Result]) -> None:
    pytest.importorskip("ray", reason="ray is not installed (extra ray)")
    on_ray = list(run(SMALL, range(SMALL.total), ray="local"))
    assert what_happened(on_ray) == what_happened(results)


def test_a_game_does_not_depend_on_the_games_before_it(results: list[Result]) -> None:
    assert what_happened([play(SMALL, 5)]) == what_happened([results[5]])


def test_another_seed_another_tournament(results: list[Result]) -> None:
    other = Plan("kimono", SMALL.bots, 2, 4, seed=4)
    assert what_happened([play(other, 0)]) != what_happened([results[0]])


def test_what_is_counted() -> None:
    held = Plan("kimono", ("a", "b"), 2, games=2)
    won = Result(0, ("a", "b"), (9, 4), (0,), 30, (15, 15), (0.3, 0.15))
    shared = Result(1, ("b", "a"), (6, 6), (0, 1), 32, (16, 16), (0.16, 0.32))
    standings = Standings(held, [won, shared])
    a, b = standings.records["a"], standings.records["b"]
    assert (a.games, a.wins, a.mean_score) == (2, 1.5, 7.5)
    assert (b.games, b.wins, b.mean_score) == (2, 0.5, 5.0)
    assert a.ms_a_move == pytest.approx(20)
    assert b.ms_a_move == pytest.approx(10)
    assert standings.duels["a", "b"].share == 0.75
    assert standings.duels["b", "a"].share == 0.25
    assert standings.seat_wins == [1.5, 0.5]
    assert standings.order() == ["a", "b"]
    assert standings.ratings["a"].sigma < standings.history["a"][0].sigma
    assert len(standings.history["a"]) == 3


def test_winners_rank_before_scores() -> None:
    """Some games break a tie of scores by something else."""
    assert Result(0, ("a", "b", "c"), (7, 7, 3), (1,), 0, (), ()).ranks() == [1, 0, 2]


def test_ratings_tell_the_strong_from_the_weak(results: list[Result]) -> None:
    standings = Standings(SMALL, results)
    assert standings.order()[-1] == "random"
    assert standings.records["random"].games == 8


@pytest.mark.parametrize("name", games_in_turns())
def test_the_guest_finds_a_legal_move_in_every_game(name: str) -> None:
    match = start(name, 2, seed=1)
    guest = player(name, "openspiel-mcts@2")
    for _ in range(2):
        seat = min(match.acting)
        asked = situation(match.game, match.state, seat, guest, players=2, options=match.options, seed=1)
        move = guest.think(asked).move
        assert move in match.moves(seat) or (move is None and match.deadline is not None)
        match.play(seat, match.moves(seat)[0])


def test_the_guest_plays_the_same_game_twice() -> None:
    held = Plan("kimono", ("openspiel-mcts@8", "random"), 2, 2, seed=2)
    first, again = (list(run(held, range(2))) for _ in range(2))
    assert what_happened(first) == what_happened(again)


def test_the_guest_stops_when_its_seconds_are_up() -> None:
    held = Plan("kimono", ("openspiel-mcts@0.001s", "random"), 2, 1)
    assert play(held, 0).winners


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("random",), "at least two bots"),
        (("random", "random"), "named twice"),
        (("random", "genius"), "no bot called 'genius'"),
        (("random", "openspiel-mcts@1.5"), "no bot called"),
    ],
)
def test_refusals(wrong: tuple[str, ...], message: str) -> None:
    with pytest.raises((BadPlan, UnknownLevel), match=message):
        plan("kimono", wrong, 2)


def test_refused_tables() -> None:
    with pytest.raises(BadTable, match="2 to 4"):
        plan("kimono", ("random", "novice"), 7)
    with pytest.raises(BadPlan, match="two players"):
        plan("kakuzu", ("random", "novice"), 1)
    assert player("kimono", "novice") is not None


def test_a_log_goes_on_after_a_torn_line(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, SMALL) as log:
        for result in results[:5]:
            log.add(result)
    with path.open("ab") as file:
        file.write(b'{"number":5,"seats":["ran')
    with Log(path, SMALL) as log:
        assert what_happened(log.results(SMALL)) == what_happened(results[:5])
        for result in results[5:]:
            log.add(result)
    with Log(path, SMALL) as log:
        assert what_happened(log.results(SMALL)) == what_happened(results)


def test_a_log_torn_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"arena":1,"ga')
    with Log(path, SMALL) as log:
        assert not log.done
    assert path.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("content", [b"not a log\n", b"[]\n", b"no line end", b'{"kotatsu":1}\n'])
def test_other_files_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(content)
    with pytest.raises(BadLog, match="not the log of a tournament"):
        Log(path, SMALL)
    assert path.read_bytes() == content


def test_the_log_of_another_tournament_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, SMALL):
        pass
    before = path.read_bytes()
    with pytest.raises(BadLog, match=r"another tournament \(seed 3\)"):
        Log(path, Plan("kimono", SMALL.bots, 2, 4, seed=8))
    assert path.read_bytes() == before


def test_a_damaged_log_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, SMALL):
        pass
    with path.open("ab") as file:
        file.write(b"rubbish\n")
    with pytest.raises(BadLog, match="damaged"):
        Log(path, SMALL)


def test_more_games_of_the_same_tournament(tmp_path: Path, results: list[Result]) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, SMALL) as log:
        for result in results:
            log.add(result)
    longer = Plan("kimono", SMALL.bots, 2, 9, seed=3)
    with Log(path, longer) as log:
        assert len(log.results(longer)) == SMALL.total
    assert [longer.seats(number) for number in range(SMALL.total)] == [each.seats for each in results]
