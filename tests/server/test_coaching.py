"""The coach over HTTP: hints for one's own seat at tables that want them, reviews of games that are over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from kotatsu.games.kakuzu.coach import Hint, Review
from kotatsu.games.kakuzu.model import Lifted
from kotatsu.protocol.messages import CommandAccepted
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor, log_of


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A house that does not mind how fast a script follows its hints."""
    opened = ServerProcess(
        tmp_path_factory.mktemp("house"),
        {"KOTATSU_MESSAGES_PER_SECOND": "1000000", "KOTATSU_MESSAGE_BURST": "1000000"},
    )
    opened.start()
    yield opened
    opened.close()


async def hint(visitor: Visitor, table: str, seat: Any = 0) -> httpx.Response:
    return await visitor.http.get(f"/api/tables/{table}/hint", params={"seat": seat})


async def review(visitor: Visitor, table: str) -> httpx.Response:
    return await visitor.http.get(f"/api/tables/{table}/review", timeout=120)


def problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.json()["message"]
    return answer.status_code, answer.json()["code"]


async def opened(line: Line) -> None:
    """Alone at the table: open the nine squares."""
    for _ in range(9):
        assert isinstance(await line.play(0, line.moves[0][0]), CommandAccepted)


async def follow(line: Line, visitor: Visitor, table: str) -> Hint:
    """Lift what the hint says."""
    said = msgspec.json.decode((await hint(visitor, table)).content, type=Hint)
    cell = said.certain[0].cell if said.certain else said.best[0].cell
    assert isinstance(await line.play(0, {"move": "lift", "cell": cell}), CommandAccepted)
    return said


def facts(house: ServerProcess, table: str, kind: str) -> list[Any]:
    entries = [entry for row in log_of(house.data, table) for entry in msgspec.json.decode(row[-1])]
    return [entry for entry in entries if entry.get("fact") == kind]


async def test_a_game_by_hints_and_its_review(house: ServerProcess, ana: Visitor) -> None:
    table = await ana.make("kakuzu", "me")
    line = await ana.join(table)
    assert (await hint(ana, table)).json() == {
        "wanted": None,
        "certain": [],
        "best": [],
        "exact": False,
        "remaining": None,
    }
    await opened(line)
    assert problem(await review(ana, table)) == (409, "not_over")
    for number in range(20):
        moves = line.moves[0]
        assert isinstance(await line.play(0, moves[17 * number % len(moves)]), CommandAccepted)
    said = [await follow(line, ana, table) for _ in range(52)]
    done = msgspec.convert(facts(house, table, "lifted"), list[Lifted])
    assert [fact.wanted for fact in done[20:]] == [each.wanted for each in said]
    for fact, each in zip(done[20:], said, strict=True):
        if each.certain:
            assert fact.digit == fact.wanted, "what was certain is so"
    assert sum(bool(each.certain) for each in said) > 10
    answer = await review(ana, table)
    looked_at = msgspec.json.decode(answer.content, type=Review)
    assert [lift.cell for lift in looked_at.lifts] == [fact.cell for fact in done]
    assert [seat.seat for seat in looked_at.seats] == [0, -1]
    assert sum(seat.actual[-1] for seat in looked_at.seats) == 72
    assert (await review(ana, table)).content == answer.content
    async with Visitor(house.address) as stranger:
        assert (await review(stranger, table)).content == answer.content, "after the game it is for everyone"


async def test_a_hint_holds_nothing_that_is_hidden(house: ServerProcess, ana: Visitor) -> None:
    """Two sure signs of the grid: its rows, and a cell said to be certain before anything proves it."""
    table = await ana.make("kakuzu", "me")
    line = await ana.join(table)
    await opened(line)
    (dealt,) = facts(house, table, "dealt")
    answer = await hint(ana, table)
    assert msgspec.json.encode(dealt["grid"]) not in answer.content
    assert not any(msgspec.json.encode(row) in answer.content for row in dealt["grid"])
    said = msgspec.json.decode(answer.content, type=Hint)
    assert not said.exact
    assert all(chance.odds < 1 for chance in said.best) or said.certain


async def test_hints_are_for_ones_own_seat(house: ServerProcess, ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("kakuzu", "me", "open", start=False)
    assert problem(await hint(ana, table)) == (409, "not_begun")
    line = await ben.join(table)
    assert isinstance(await line.ask("sit", seat=1), CommandAccepted)
    assert isinstance(await (await ana.join(table)).ask("start", level="random"), CommandAccepted)
    assert problem(await hint(ana, table, 0)) == (403, "coach_silent"), "their game counts for the ratings"
    assert problem(await hint(ben, table, 1)) == (403, "coach_silent")
    assert problem(await hint(ben, table, 0)) == (403, "not_seated")
    assert problem(await hint(ana, table, 7)) == (403, "not_seated")
    assert problem(await hint(ana, table, "first")) == (400, "malformed")
    assert problem(await hint(ana, table, -1)) == (400, "malformed")
    async with Visitor(house.address) as stranger:
        assert problem(await hint(stranger, table, 0)) == (403, "not_seated")


@pytest.mark.parametrize(
    ("seats", "options", "hints"),
    [
        (("me",), {}, True),
        (("me",), {"competitive": True}, False),
        (("me",), {"clock_s": 600}, False),
        (("me", "me"), {}, True),
        (("me", "me"), {"clock_s": 600}, False),
        (("me", "random"), {}, False),
    ],
    ids=["alone", "competitive", "clock", "on one device", "on one device with a clock", "rated"],
)
async def test_the_server_decides_where_the_coach_is_silent(
    ana: Visitor, seats: tuple[str, ...], options: dict[str, Any], hints: bool
) -> None:
    table = await ana.make("kakuzu", *seats, **options)
    answer = await hint(ana, table)
    assert (answer.status_code == 200) == hints
    assert hints or problem(answer) == (403, "coach_silent")
    told = await ana.http.get(f"/api/tables/{table}")
    assert told.json()["table"]["hints"] == hints, "the page is told, and offers no hint then"


async def test_a_game_without_a_coach_and_a_table_that_is_not_there(ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "random")
    assert problem(await hint(ana, table)) == (404, "no_coach")
    assert problem(await review(ana, table)) == (404, "no_coach")
    assert problem(await hint(ana, "nowhere")) == (404, "no_such_table")
    assert problem(await review(ana, "nowhere")) == (404, "no_such_table")
