"""Oneself over HTTP, in the application itself: names, codes, history, being forgotten; and the lobby, live."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import AsyncTestClient
from websockets.asyncio.client import connect

from kotatsu.protocol.messages import StepMessage
from kotatsu.server.app import create_app
from kotatsu.server.settings import ServerSettings
from tests.server.visitor import Visitor
from tests.server.wires import ONLY_FAST

AnyClient = AsyncTestClient[Any]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[AnyClient]:
    app = create_app(ServerSettings(data=tmp_path, pace=0, warm_up=False, bot_workers=1))
    async with AsyncTestClient(app) as client:
        yield client


def another_device(client: AnyClient) -> None:
    client.cookies.clear()


async def test_a_name_and_an_avatar_are_kept(client: AnyClient) -> None:
    assert (await client.get("/api/me")).json() == {"name": "", "avatar": ""}
    put = await client.put("/api/me", json={"name": "  Ana\u0000  Maria ", "avatar": "fox"})
    assert put.json() == {"name": "Ana Maria", "avatar": "fox"}
    assert (await client.get("/api/me")).json() == put.json()
    bodies: list[Any] = [
        {"name": "x" * 41},
        {"name": "x", "avatar": "<svg>"},
        {"name": "x", "more": 1},
        [],
        1,
    ]
    for wrong in bodies:
        refused = await client.put("/api/me", json=wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "malformed")


async def test_a_code_makes_another_device_the_same_visitor_once(client: AnyClient) -> None:
    await client.put("/api/me", json={"name": "Ana", "avatar": "fox"})
    code = (await client.post("/api/me/code")).json()["code"]
    another_device(client)
    assert (await client.get("/api/me")).json()["name"] == ""
    claimed = await client.post("/api/me/claim", json={"code": code.lower()})
    assert claimed.json() == {"name": "Ana", "avatar": "fox"}
    assert (await client.get("/api/me")).json()["name"] == "Ana"
    again = await client.post("/api/me/claim", json={"code": code})
    assert (again.status_code, again.json()["code"]) == (404, "wrong_code")


async def test_who_is_forgotten_is_nobody(client: AnyClient) -> None:
    await client.put("/api/me", json={"name": "Ana"})
    await client.post("/api/tables", json={"game": "kimono", "players": 2})
    before = client.cookies["kotatsu"]
    assert (await client.delete("/api/me")).json() == {"name": "", "avatar": ""}
    assert client.cookies["kotatsu"] != before
    client.cookies.set("kotatsu", before)
    assert (await client.get("/api/me")).json()["name"] == ""
    assert (await client.get("/api/tables")).json() == []


@pytest.mark.parametrize("patience", [0, 9.9, 1e9, "long"])
async def test_manners_are_within_reason(client: AnyClient, patience: Any) -> None:
    body = {"game": "kimono", "players": 2, "settings": {"patience": patience}}
    assert (await client.post("/api/tables", json=body)).status_code == 400


async def test_the_lobby_is_told_whenever_it_changes(ana: Visitor, ben: Visitor) -> None:
    address = str(ben.http.base_url).replace("http", "ws", 1).rstrip("/")
    async with connect(f"{address}/api/lobby/socket") as lobby:

        async def told() -> list[str]:
            return [card["table"]["id"] for card in msgspec.json.decode(await lobby.recv())["tables"]]

        before = await told()
        await ana.make("kimono", "me", "open", start=False)
        body = {"game": "kimono", "players": 2, "settings": {"listed": True}}
        listed = (await ana.http.post("/api/tables", json=body)).json()["table"]["id"]
        assert await told() == [listed, *before]
        assert (await ben.http.get("/api/lobby")).json()["tables"][0]["host"] is False
        line = await ana.join(listed)
        await line.ask("start", level="random")
        while (now := await told()) == [listed, *before]:
            pass  # sent once more on a slow machine: ana has come to her table before it began
        assert now == before


@ONLY_FAST
async def test_a_finished_game_is_in_ones_history_and_can_be_seen_and_played_again(
    ana: Visitor, ben: Visitor
) -> None:
    table = await ana.make("kimono", "me", "random")
    line = await ana.join(table)
    while line.now.waiting is not None:
        if line.moves:
            await line.play(0, line.moves[0][0])
        else:
            await line.until(lambda event: isinstance(event, StepMessage))
    history = (await ana.http.get("/api/me/history")).json()
    assert [(past["table"]["id"], past["yours"]) for past in history["games"]] == [(table, [0])]
    (past,) = history["games"]
    assert (past["place"] == 1) == (0 in past["table"]["outcome"]["winners"])
    assert history["kinds"]["kimono"]["played"] == 1
    assert history["kinds"]["kimono"]["rating"]["games"] == 1
    assert (await ben.http.get("/api/me/history")).json() == {"games": [], "kinds": {}}

    replay = (await ben.http.get(f"/api/tables/{table}/replay", params={"viewpoint": 1})).json()
    assert [step["seq"] for step in replay["steps"]] == list(range(1, line.seq + 1))
    assert replay["steps"][-1]["view"]["result"] is not None
    for eyes in (2, 99, "x"):
        assert (await ana.http.get(f"/api/tables/{table}/replay?viewpoint={eyes}")).status_code == 400
    assert (await ana.http.get("/api/tables/nowhere/replay")).status_code == 404

    refused = await ben.http.post(f"/api/tables/{table}/rematch")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_seated")
    again = (await ana.http.post(f"/api/tables/{table}/rematch")).json()
    assert (again["yours"], again["table"]["status"]) == ([1], "playing")
    assert (await ana.http.post(f"/api/tables/{table}/rematch")).json()["table"]["id"] == again["table"]["id"]
