"""A television in the browser of somebody who plays: it is told what spectators are told, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kotatsu.connections.connection import NOT_ADMITTED
from kotatsu.protocol.messages import CommandAccepted, CommandRefused, PeopleChanged, StepMessage, Welcome
from kotatsu.server.wire import Wire
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Line, Visitor

SHELF = Path(__file__).parents[1] / "tables" / "shelf"
AS_SPECTATOR = "?as=spectator&seat=0&views=1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, wire: Wire) -> Iterator[ServerProcess]:
    """One with a game on its shelf in which seats have secrets."""
    opened = ServerProcess(
        tmp_path_factory.mktemp("house"), {"KOTATSU_GAMES": str(SHELF), "KOTATSU_WIRE": wire}
    )
    opened.start()
    yield opened
    opened.close()


async def wrote(line: Line) -> StepMessage:
    """The step with a number written; it may have been heard already."""
    while not line.all(StepMessage):
        await line.hear()
    step = line.all(StepMessage)[0]
    assert isinstance(step, StepMessage)
    return step


async def test_the_holder_of_a_seat_shows_a_television_nothing_of_it(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("whisper", "me", "me")
    hers = await ana.join(table)
    television, stranger = await ana.join(table, AS_SPECTATOR), await ben.join(table, "?views=1")
    assert isinstance(await hers.play(0, {"move": "write", "number": 7}), CommandAccepted)
    assert (await wrote(hers)).facts == ({"fact": "wrote", "seat": 0, "number": 7},)
    assert (await wrote(television)).facts == ({"fact": "wrote", "seat": 0, "number": None},)
    await wrote(stranger)
    again = await ana.join(table, AS_SPECTATOR)
    await again.send({"type": "catch_up", "have": 1})
    await again.hear()
    for line in (television, again):
        assert all(event.yours == () for event in line.all(Welcome) + line.all(PeopleChanged))
        assert all(event.view["mine"] is None for event in line.all(Welcome))
        assert all(event.waiting.moves == () for event in line.all(Welcome) + line.all(StepMessage))
        assert all('"number":7' not in frame and '"mine":7' not in frame for frame in line.frames)
    told = [frame for frame in television.frames if '"type":"step"' in frame]
    assert told == [frame for frame in stranger.frames if '"type":"step"' in frame]


async def test_nobody_plays_on_a_television_but_its_host_decides_there(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("whisper", "me", "open", start=False)
    television = await ana.join(table, AS_SPECTATOR)
    await (await ben.join(table)).ask("sit", seat=1)
    assert television.heard[0].host
    assert isinstance(await television.ask("start", level="random"), CommandAccepted)
    refused = await television.play(0, {"move": "write", "number": 7})
    assert isinstance(refused, CommandRefused)
    assert refused.code == "not_your_seat"


async def test_a_television_is_nobody_who_plays_and_brings_nobody_back(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("whisper", "me", "open", start=False)
    hers, his = await ana.join(table), await ben.join(table)
    await his.ask("sit", seat=1)
    await hers.ask("start", level="random")
    assert isinstance(await hers.ask("stand", seat=0), CommandAccepted)
    await hers.socket.close()
    television = await ana.join(table, AS_SPECTATOR)
    seat = (
        await his.until(lambda event: isinstance(event, PeopleChanged) and event.table.watching == 1)
    ).table.seats[0]
    assert (seat.stands_in, seat.here) == (True, False)
    assert television.heard[0].table.seats[0].stands_in
    back = await ana.join(table)
    await back.until(lambda event: isinstance(event, Welcome) and event.yours == (0,))


async def test_where_spectators_are_not_admitted_a_player_may_still_show_a_television(
    ana: Visitor, ben: Visitor
) -> None:
    body = {
        "game": "whisper",
        "players": 2,
        "seats": ["me", "me"],
        "start": True,
        "settings": {"watchable": False},
    }
    table = (await ana.http.post("/api/tables", json=body)).json()["table"]["id"]
    assert (await ana.join(table, AS_SPECTATOR)).heard[0].yours == ()
    assert (await (await ben.dial(table, AS_SPECTATOR)).reason())[0] == NOT_ADMITTED
