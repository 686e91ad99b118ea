"""The socket of a table and the limits of the house, over a real server."""

from __future__ import annotations

import msgspec

from kotatsu.engine.registry import game
from kotatsu.protocol.messages import CommandAccepted, StepMessage, Welcome
from kotatsu.server.limits import ConnectionLimit, TokenBucket
from kotatsu.server.schemas import GameInfo, Health
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor, log_of


async def play_on(line: Line, moves: int) -> None:
    """Make some moves for whichever seat of one's own may move."""
    for _ in range(moves):
        ((seat, options), *_) = line.moves.items()
        assert isinstance(await line.play(seat, options[0]), CommandAccepted)
        while not line.moves:
            await line.hear()


async def test_a_spectator_is_told_what_spectators_may_know(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    """The state is refolded from the record afterwards and shown to a spectator's eyes."""
    table = await ana.make("kimono", "me", "me")
    watcher = await ben.join(table, "?views=1")
    assert (watcher.heard[0].yours, watcher.moves) == ((), {})
    hers = await ana.join(table)
    await play_on(hers, 6)
    await watcher.until(lambda event: isinstance(event, StepMessage) and event.seq == hers.seq)
    assert all(step.waiting.moves == () for step in watcher.all(StepMessage))
    assert hers.heard[0].table.watching == 1
    kind = game("kimono")
    state = kind.empty(2, kind.options_type())
    told = {1: watcher.heard[0].view} | {step.seq: step.view for step in watcher.all(StepMessage)}
    for seq, *_, entries in log_of(house.data, table):
        for entry in msgspec.json.decode(entries):
            if "fact" in entry:
                state = kind.fold(state, msgspec.convert(entry, kind.fact_type))
        assert told[seq] == msgspec.json.decode(msgspec.json.encode(kind.view(state, None)))


async def test_gaps_are_replayed_and_too_large_ones_resynced(ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "me")
    hers, other = await ana.join(table), await ana.join(table)
    await play_on(hers, 8)
    await other.until(lambda event: isinstance(event, StepMessage) and event.seq == hers.seq)
    live = {step.seq: step.facts for step in other.all(StepMessage)}
    other.heard.clear()
    await other.send({"type": "catch_up", "have": 3})
    await other.until(lambda event: isinstance(event, StepMessage) and event.seq == hers.seq)
    assert {step.seq: step.facts for step in other.all(StepMessage)} == {
        s: f for s, f in live.items() if s > 3
    }
    for have in (hers.seq, 10_000):
        await other.send({"type": "catch_up", "have": have})
        welcome = await other.until(lambda event: isinstance(event, Welcome))
        assert welcome.seq == hers.seq


async def test_a_command_sent_again_is_answered_not_played_again(house: ServerProcess, ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "me")
    line = await ana.join(table)
    ((seat, moves), *_) = line.moves.items()
    first = await line.play(seat, moves[0], command_id="once")
    log = log_of(house.data, table)
    assert await line.play(seat, moves[0], command_id="once") == first
    elsewhere = await ana.join(table)
    assert await elsewhere.play(seat, {"move": "whatever"}, command_id="once", seen=0) == first
    assert log_of(house.data, table) == log


async def test_a_table_that_is_not_there(ana: Visitor) -> None:
    line = await ana.dial("nowhere")
    assert await line.reason() == (4404, "there is no such table")


async def test_connections_per_visitor_are_limited(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("kimono", "me", "random")
    for _ in range(32):
        await ana.join(table)
    one_too_many = await ana.dial(table)
    assert await one_too_many.reason() == (4429, "too many connections")
    assert (await ben.join(table)).heard[0].table.id == table
    await ana.lines[0].socket.close()
    while True:  # until the server has seen it go
        line = await ana.dial(table)
        if isinstance(await _first(line), Welcome):
            break


async def _first(line: Line) -> object:
    try:
        return await line.hear()
    except Exception as closed:  # noqa: BLE001
        return closed


async def test_tables_per_visitor_are_limited(ana: Visitor, ben: Visitor) -> None:
    for _ in range(20):
        await ana.make("kimono", "me", "random")
    answer = await ana.http.post("/api/tables", json={"game": "kimono", "players": 2})
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_tables")
    assert "finish one" in answer.json()["message"]
    assert len((await ana.http.get("/api/tables")).json()) == 20
    await ben.make("kimono", "me", "random")


async def test_the_record_is_closed_until_the_end(ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "random")
    answer = await ana.http.get(f"/api/tables/{table}/record")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_over")


async def test_the_routes_are_described_for_programs_and_for_people(ana: Visitor) -> None:
    schema = (await ana.http.get("/schema/openapi.json")).json()
    assert {"/api/games", "/api/me", "/api/tables", "/api/tables/{table}"} <= schema["paths"].keys()
    assert "NewTable" in str(schema["paths"]["/api/tables"]["post"]["requestBody"])
    page = await ana.http.get("/schema/")
    assert page.headers["content-type"].startswith("text/html")
    for path in schema["paths"]:
        assert path in page.text


async def test_the_shelf_and_the_health_of_the_house(ana: Visitor) -> None:
    shelf = msgspec.json.decode((await ana.http.get("/api/games")).content, type=list[GameInfo])
    kimono = next(info for info in shelf if info.name == "kimono")
    assert (kimono.seats_min, kimono.seats_max) == (min(game("kimono").seats), max(game("kimono").seats))
    assert {"random", "novice", "adept", "master"} <= set(kimono.levels)
    health = msgspec.json.decode((await ana.http.get("/healthz")).content, type=Health)
    assert health.status == "ok"


def test_a_bucket_lets_a_burst_through_and_then_the_rate() -> None:
    bucket = TokenBucket(rate=2, burst=3, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.5), bucket.take(0.5)] == [True, False]
    assert [bucket.take(100) for _ in range(4)] == [True, True, True, False]


def test_doors_count_in_and_out() -> None:
    doors = ConnectionLimit(1)
    assert doors.enter("ana")
    assert not doors.enter("ana")
    assert doors.enter("ben")
    doors.leave("ana")
    assert doors.enter("ana")
