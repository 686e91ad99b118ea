"""Whatever is sent: a clear refusal or a closed connection with a reason, the table goes on, the log is untouched."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from kotatsu.protocol.messages import CommandAccepted, CommandRefused
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor, log_of

DEEP = "[" * 8000
TEXTS = {
    "nothing": "",
    "no JSON": "{",
    "no message": "{}",
    "a list": "[]",
    "a number": "1",
    "an unknown message": '{"type":"dance"}',
    "an unknown field": '{"type":"ping","at":1.5}',
    "no command id": '{"type":"sit","seat":0}',
    "a seat of words": '{"type":"sit","command_id":"x","seat":"first"}',
    "a seat below 0": '{"type":"sit","command_id":"x","seat":-1}',
    "an endless command id": json.dumps({"type": "sit", "command_id": "x" * 65, "seat": 0}),
    "JSON without bottom": DEEP,
    "not a number": '{"type":"catch_up","have":NaN}',
}


async def two_at_a_table(ana: Visitor, ben: Visitor) -> tuple[str, Line, Line]:
    """A game of Kimono that has begun, and it is ana's turn."""
    while True:
        table = await ana.make("kimono", "me", "open", start=False)
        hers, his = await ana.join(table), await ben.join(table)
        assert isinstance(await his.ask("sit", seat=1), CommandAccepted)
        assert isinstance(await hers.ask("start", level="random"), CommandAccepted)
        await his.until(lambda event: getattr(event, "seq", 0) == 1)
        if 0 in hers.moves:
            return table, hers, his


async def goes_on(house: ServerProcess, table: str, line: Line, log: list[Any]) -> None:
    """The log is what it was, and the next move is made."""
    assert log_of(house.data, table) == log
    answer = await line.play(0, line.moves[0][0])
    assert isinstance(answer, CommandAccepted)
    assert len(log_of(house.data, table)) == len(log) + 1


async def test_bad_messages_are_refused_one_by_one(house: ServerProcess, ana: Visitor, ben: Visitor) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    for text in TEXTS.values():
        await his.send(text)
        answer = await his.answer(None)
        assert isinstance(answer, CommandRefused)
        assert answer.code == "malformed", text
        assert answer.message.startswith("That is no message of ours")
    await his.socket.send(b"\xff\xfe")
    answer = await his.answer(None)
    assert isinstance(answer, CommandRefused)
    assert answer.code == "malformed"
    await goes_on(house, table, hers, log)


async def test_bad_moves_are_refused_with_what_is_wrong(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    legal = hers.moves[0][0]
    answers = {
        "an unknown move": await hers.play(0, {"move": "castle"}),
        "no move": await hers.play(0, None),
        "a move with more": await hers.play(0, {**legal, "twice": True}),
        "a move without bottom": await hers.play(0, json.loads("[" * 900 + "]" * 900)),
        "out of turn": await his.play(1, legal),
        "somebody else's seat": await his.play(0, legal),
        "a seat that is not there": await his.play(7, legal),
        "from the future": await hers.play(0, legal, seen=99),
        "from before one's last move": await hers.play(0, legal, seen=0),
        "a seat after the start": await his.ask("sit", seat=0),
        "another start": await hers.ask("start", level="random"),
        "somebody else's table": await his.ask("start", level="random"),
    }
    assert {what: getattr(answer, "code", "accepted") for what, answer in answers.items()} == {
        "an unknown move": "malformed",
        "no move": "malformed",
        "a move with more": "malformed",
        "a move without bottom": "malformed",
        "out of turn": "illegal",
        "somebody else's seat": "not_your_seat",
        "a seat that is not there": "no_such_seat",
        "from the future": "stale",
        "from before one's last move": "accepted",
        "a seat after the start": "seat_taken",
        "another start": "not_gathering",
        "somebody else's table": "not_host",
    }
    refused = answers["out of turn"]
    assert isinstance(refused, CommandRefused)
    assert refused.clause is not None
    assert refused.clause.startswith("KM-")
    assert len(log_of(house.data, table)) == len(log) + 1, "the one that was accepted"


async def test_a_message_over_the_limit_is_refused(house: ServerProcess, ana: Visitor, ben: Visitor) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    await his.send(json.dumps({"type": "ping", "pad": "x" * 9000}))
    answer = await his.answer(None)
    assert isinstance(answer, CommandRefused)
    assert answer.code == "too_large"
    await goes_on(house, table, hers, log)


async def test_ten_megabytes_close_the_connection(house: ServerProcess, ana: Visitor, ben: Visitor) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    with suppress(ConnectionClosed):  # it may be closed before all is sent
        await his.send("x" * 10_000_000)
    code, _ = await his.reason()
    assert code == 1009
    await goes_on(house, table, hers, log)
    again = await ben.join(table)
    assert again.now.seq == len(log) + 1


async def test_a_thousand_messages_a_second_close_the_connection(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    move = json.dumps({"type": "play", "command_id": "f", "seat": 1, "seen": 1, "move": hers.moves[0][0]})

    async def flood() -> None:
        for _ in range(1000):
            await his.socket.send(move)

    flooding = asyncio.create_task(flood())
    code, reason = await his.reason()
    await asyncio.wait([flooding])
    assert (code, reason) == (1008, "too many bad messages: too_fast")
    assert "too_fast" in {refused.code for refused in his.all(CommandRefused)}
    await goes_on(house, table, hers, log)


async def test_a_flood_nobody_reads_the_answers_of_harms_nobody(
    house: ServerProcess, ana: Visitor, ben: Visitor
) -> None:
    table, hers, his = await two_at_a_table(ana, ben)
    log = log_of(house.data, table)
    flooding = [await ben.join(table) for _ in range(5)]

    async def flood(line: Line) -> None:
        for _ in range(500):
            await line.socket.send("{")

    await asyncio.gather(*map(flood, flooding), return_exceptions=True)
    await goes_on(house, table, hers, log)
    assert isinstance(await his.ask("sit", seat=1), CommandAccepted), "the others' connections are not his"


async def test_bad_requests_get_a_problem(house: ServerProcess, ana: Visitor) -> None:
    table = {"game": "kimono", "players": 2}
    cases: list[tuple[int, str, dict[str, Any]]] = [
        (400, "malformed", {"content": b"{", "headers": {"content-type": "application/json"}}),
        (400, "malformed", {"json": []}),
        (400, "malformed", {"json": {**table, "extra": 1}}),
        (400, "malformed", {"json": {**table, "players": "two"}}),
        (400, "bad_table", {"json": {**table, "players": 17}}),
        (400, "bad_table", {"json": {**table, "options": {"wings": True}}}),
        (400, "bad_table", {"json": {**table, "seats": ["me"]}}),
        (400, "no_such_level", {"json": {**table, "seats": ["me", "oracle"]}}),
        (404, "no_such_game", {"json": {**table, "game": "chess"}}),
        (413, "too_large", {"content": b"[" * 100_000, "headers": {"content-type": "application/json"}}),
        (403, "forbidden", {"json": table, "headers": {"origin": "https://elsewhere.example"}}),
    ]
    for status, code, request in cases:
        answer = await ana.http.post("/api/tables", **request)
        assert (answer.status_code, answer.json()["code"]) == (status, code), request
        assert answer.json()["message"]
        assert "Traceback" not in answer.text
    for method, path, status, code in (
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/tables/nowhere", 404, "no_such_table"),
        ("GET", "/api/tables/nowhere/record", 404, "no_such_table"),
        ("DELETE", "/api/tables/nowhere", 405, "method_not_allowed"),
    ):
        answer = await ana.http.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (await ana.http.get("/api/tables")).json() == []


async def test_the_server_has_nothing_to_complain_of(house: ServerProcess) -> None:
    """None of the above was a mistake of ours: it runs last, and nothing was logged as an error."""
    assert "Traceback" not in house.complaints()
