"""Who a browser is: a signed cookie that no script reads, and that nobody else can make."""

from __future__ import annotations

import stat
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from kotatsu.protocol.messages import CommandAccepted, CommandRefused
from kotatsu.server.identity import Identity
from tests.browser.server_process import ServerProcess
from tests.server.visitor import COOKIE, Visitor


async def test_the_first_answer_gives_a_cookie_and_the_next_ones_do_not(house: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=house.address) as http:
        first = await http.get("/api/me")
        cookie = SimpleCookie(first.headers["set-cookie"])[COOKIE]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert cookie["path"] == "/"
        assert int(cookie["max-age"]) > 30 * 24 * 3600
        assert not cookie["secure"], "the living room is plain http"
        assert "set-cookie" not in (await http.get("/api/me")).headers


@pytest.mark.parametrize("page", ["/", "/t/any-table", "/history"])
async def test_a_page_comes_with_the_cookie_and_its_files_without(house: ServerProcess, page: str) -> None:
    """It asks for several things at once: without a cookie each would make another visitor of it."""
    async with httpx.AsyncClient(base_url=house.address) as http:
        assert "set-cookie" not in (await http.get("/assets/missing.js")).headers
        assert COOKIE in SimpleCookie((await http.get(page)).headers["set-cookie"])
        assert "set-cookie" not in (await http.get("/api/me")).headers


async def test_a_name_is_kept_for_its_visitor_only(ana: Visitor, ben: Visitor) -> None:
    assert (await ana.http.put("/api/me", json={"name": "  Ana\u202e \n Lee "})).json()["name"] == "Ana Lee"
    assert (await ana.http.get("/api/me")).json()["name"] == "Ana Lee"
    assert (await ben.http.get("/api/me")).json()["name"] == ""


async def test_a_forged_cookie_is_nobodys(house: ServerProcess, ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "open", start=False)
    visitor, _, signature = ana.cookie.rpartition(".")
    for forged in (
        visitor,
        f"{visitor}.",
        f"{visitor}.{'0' * len(signature)}",
        f"{visitor}x.{signature}",
        f".{signature}",
        "no cookie of ours",
    ):
        async with httpx.AsyncClient(base_url=house.address, cookies={COOKIE: forged}) as http:
            answer = await http.get(f"/api/tables/{table}")
            assert answer.json()["yours"] == []
            assert not answer.json()["host"]
            fresh = SimpleCookie(answer.headers["set-cookie"])[COOKIE].value
            assert not fresh.startswith(visitor)
        line = await ana.join(table, cookie=forged)
        assert line.heard[0].yours == ()
        refused = await line.play(0, {"move": "take", "row": 0})
        assert isinstance(refused, CommandRefused)
        assert refused.code == "not_your_seat"


async def test_a_seat_belongs_to_whoever_sat_down(ana: Visitor, ben: Visitor) -> None:
    table = await ana.make("kimono", "me", "open", start=False)
    his = await ben.join(table)
    assert isinstance(await his.ask("sit", seat=0), CommandRefused)
    assert isinstance(await his.ask("sit", seat=1), CommandAccepted)
    another_tab = await ben.join(table)
    assert another_tab.heard[0].yours == (1,)
    assert (await ana.join(table)).heard[0].yours == (0,)


async def test_a_page_from_elsewhere_gets_no_socket(house: ServerProcess, ana: Visitor) -> None:
    table = await ana.make("kimono", "me", "random")
    answer = await ana.http.get(
        f"/api/tables/{table}/socket",
        headers={
            "connection": "Upgrade",
            "upgrade": "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "origin": "https://elsewhere.example",
        },
    )
    assert answer.status_code == 403


async def test_every_answer_is_dressed(ana: Visitor) -> None:
    for path in ("/", "/api/games", "/api/nothing"):
        headers = (await ana.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_the_secret_is_made_once_and_its_owners_alone(tmp_path: Path) -> None:
    cookie = Identity.from_directory(tmp_path).sign("somebody")
    assert Identity.from_directory(tmp_path).read(cookie) == "somebody"
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    (tmp_path / "secret.key").write_bytes(b"cut off")
    assert Identity.from_directory(tmp_path).read(cookie) is None


@pytest.mark.parametrize("value", [None, "", ".", "a", "a.b", "é.é", "a.\udcff"])
def test_what_is_no_cookie_of_ours_is_read_as_none(tmp_path: Path, value: str | None) -> None:
    assert Identity.from_directory(tmp_path).read(value) is None
