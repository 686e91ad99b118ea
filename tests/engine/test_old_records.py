"""What was written when facts said less is read as it was then: records of format 1 and tables of that time."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Any

import msgspec
import pytest

import kotatsu
from kotatsu.engine.contract import Fact
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import opened, read_options
from kotatsu.engine.record import FORMAT, read_record
from kotatsu.engine.registry import game
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.replay import replay_steps
from kotatsu.tables.table_game import TableGame, record_entries
from tests.engine.stored_games import FORMAT_1, StoredGame, read

KINDS = ("kaboum", "kabuki", "kakuzu", "kimono")
"""The games there were then."""
OLD = [(name, number) for name in KINDS for number in range(len(read(FORMAT_1, name)))]


@pytest.fixture(params=OLD, ids=[f"{name}-{number}" for name, number in OLD])
def old(request: pytest.FixtureRequest) -> StoredGame:
    name, number = request.param
    found: StoredGame = read(FORMAT_1, name)[number]
    return found


def driver_of(stored: StoredGame) -> Driver:
    kind = game(stored.record["game"])
    return Driver(kind, stored.record["players"], read_options(kind, stored.record["options"]))


def rows_of(stored: StoredGame) -> list[LoggedStep]:
    """The log as a table keeps it."""
    return [
        LoggedStep(seq, float(seq), msgspec.json.encode(entries))
        for seq, entries in enumerate(stored.entries(), 1)
    ]


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)


def seen_then(view: Any, old: bytes) -> bytes:
    """A view of today without the fields that views did not have then."""
    known = msgspec.json.decode(old)
    return encoded({key: value for key, value in msgspec.to_builtins(view).items() if key in known})


def test_a_record_gives_the_views_it_gave_then(old: StoredGame) -> None:
    assert old.record["kotatsu"] == 1
    kind, players, options, _, log = read_record(old.record)
    state, at = kind.empty(players, options), 0
    for step, count in enumerate(old.steps):
        facts = (entry for entry in log[at : at + count] if isinstance(entry, Fact))
        state, at = reduce(kind.fold, facts, state), at + count
        for viewpoint in old.viewpoints:
            then = old.view(step, viewpoint)
            assert seen_then(kind.view(state, viewpoint), then) == then, step
    assert at == len(log)


def test_a_stored_table_gives_the_views_it_gave_then(old: StoredGame) -> None:
    driver, rows = driver_of(old), rows_of(old)
    for viewpoint in old.viewpoints:
        steps = replay_steps(driver.game, driver.players, driver.options, rows, viewpoint)
        for number, step in enumerate(steps):
            then = old.view(number, viewpoint)
            assert seen_then(step.view, then) == then, number


def test_a_record_made_today_of_a_table_of_then_is_in_todays_format(old: StoredGame) -> None:
    log = record_entries(driver_of(old), rows_of(old))
    again = kotatsu.replay({**old.record, "kotatsu": FORMAT, "log": log})
    assert again.outcome is not None
    assert seen_then(again.view(), old.view(-1, None)) == old.view(-1, None)
    assert encoded(again.record()["log"]) == encoded(log)


def test_a_table_begun_then_is_played_on(old: StoredGame) -> None:
    """Also when it is read again afterwards, partly written then and partly today."""
    table = TableGame(driver_of(old))
    rows = rows_of(old)[: len(old.steps) // 2]
    table.load(rows)
    rng, kind = Random(1), table.game
    while table.outcome is None:
        acting = sorted(kind.acting(table.state))
        if acting and not (kind.deadline(table.state) is not None and rng.random() < 0.1):
            seat = rng.choice(acting)
            step = table.play(seat, rng.choice(kind.moves(table.state, seat)), rng)
        else:
            step = table.expire(rng)
        table.apply(step, 0.0)
        rows.append(step.at(0.0))
    later = TableGame(table.driver)
    later.load(rows)
    assert later.state == table.state


def test_a_new_record_lacks_nothing_and_is_not_completed() -> None:
    """A fact of format 2 that says too little is refused, not guessed."""
    for name in KINDS:
        record = opened(game(name), 2, game(name).options_type(), Random(1)).record()
        short = read(FORMAT_1, name)[0].record["log"][0]
        assert record["kotatsu"] == FORMAT
        with pytest.raises(kotatsu.BadRecord, match="entry 0"):
            kotatsu.replay({**record, "log": [short]})


@pytest.mark.parametrize("name", KINDS)
def test_an_old_record_that_makes_no_sense_is_refused_in_one_sentence(name: str) -> None:
    record = read(FORMAT_1, name)[0].record
    log = [{**entry, "seat": 77} if "seat" in entry and "fact" in entry else entry for entry in record["log"]]
    with pytest.raises(kotatsu.BadRecord) as refusal:
        kotatsu.replay({**record, "log": log})
    assert "\n" not in str(refusal.value)
