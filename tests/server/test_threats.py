"""A test for each threat of docs/security.md that no other file tests."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import AsyncTestClient, TestClient

from kotatsu.server.app import create_app
from kotatsu.server.settings import ServerSettings

ROOT = Path(__file__).parents[2]
AnyClient = AsyncTestClient[Any]
ELSEWHERE = {"origin": "https://evil.example"}


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return create_app(ServerSettings(data=tmp_path, warm_up=False))


@pytest.fixture
async def client(app: Any) -> AsyncIterator[AnyClient]:
    async with AsyncTestClient(app) as client:
        yield client


async def test_a_forged_cookie_is_nobodys(client: AnyClient) -> None:
    await client.put("/api/me", json={"name": "Ana"})
    genuine = client.cookies["kotatsu"]
    visitor, _, signature = genuine.rpartition(".")
    wrong = "0" if signature[-1] != "0" else "1"
    for forged in (visitor, f"{visitor}.", f"{visitor}.{signature[:-1]}{wrong}", f"other.{signature}", "é.é"):
        answer = await client.get("/api/me", headers=[(b"cookie", f"kotatsu={forged}".encode())])
        assert answer.json()["name"] == "", forged
    assert (await client.get("/api/me", headers={"cookie": f"kotatsu={genuine}"})).json()["name"] == "Ana"


@pytest.mark.parametrize(("address", "secure"), [("http://house.test", False), ("https://house.test", True)])
async def test_the_cookie_is_out_of_reach(app: Any, address: str, secure: bool) -> None:
    async with AsyncTestClient(app, base_url=address) as client:
        (cookie,) = (await client.get("/api/me")).headers.get_list("set-cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("; Secure" in cookie) is secure


async def test_another_sites_page_changes_nothing(client: AnyClient) -> None:
    requests = [
        ("PUT", "/api/me", {"name": "Mallory"}),
        ("DELETE", "/api/me", None),
        ("POST", "/api/me/code", None),
        ("POST", "/api/me/claim", {"code": "x"}),
        ("POST", "/api/tables", {"game": "kimono", "players": 2}),
        ("POST", "/api/tables/any/rematch", None),
    ]
    for method, path, body in requests:
        refused = await client.request(method, path, json=body, headers=ELSEWHERE)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), path


def test_another_sites_page_gets_no_socket(app: Any) -> None:
    with TestClient(app) as client:
        for path in ("/api/lobby/socket", "/api/tables/any/socket"):
            with pytest.raises(WebSocketDisconnect) as refused:
                client.websocket_connect(path, headers=ELSEWHERE).__enter__()
            assert refused.value.code in (1000, 1008, 4403)


async def test_no_inline_script_runs(client: AnyClient) -> None:
    policy = (await client.get("/")).headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    scripts = directives.get("script-src", directives["default-src"])
    assert scripts == "'self'"
    assert directives["object-src"] == "'none'"
    assert directives["base-uri"] == "'none'"
    built = ROOT / "src/kotatsu/server/site/index.html"
    if built.exists():
        assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", built.read_text("utf-8"))


async def test_nobody_frames_the_page(client: AnyClient) -> None:
    for path in ("/", "/api/games", "/healthz"):
        headers = (await client.get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


async def test_ids_cannot_be_guessed(client: AnyClient) -> None:
    body = {"game": "kimono", "players": 2}
    made = [(await client.post("/api/tables", json=body)).json()["table"]["id"] for _ in range(20)]
    assert len(set(made)) == 20
    assert all(re.fullmatch(r"[\w-]{16}", table) for table in made)
    client.cookies.clear()
    assert (await client.get("/api/lobby")).json() == {"tables": []}
    assert (await client.get("/api/tables")).json() == []


@pytest.mark.parametrize(
    "path", ["/../settings.py", "/%2e%2e/settings.py", "/assets/../../app.py", "/%00", "//etc/passwd"]
)
async def test_only_the_sites_own_files_are_served(client: AnyClient, path: str) -> None:
    answer = await client.get(path)
    assert b"import" not in answer.content.split(b"<", 1)[0]
    assert b"root:" not in answer.content
    assert answer.status_code in (200, 400, 404, 503)


def test_the_page_names_tests_that_exist() -> None:
    page = (ROOT / "docs/security.md").read_text("utf-8")
    here = Path(__file__).read_text("utf-8")
    for name in re.findall(r"`(test_\w+)`", page):
        assert f"def {name}(" in here, name
    for file in re.findall(r"`((?:tests/\w+/)?test_\w+\.py)`", page):
        assert (ROOT / (file if "/" in file else f"tests/server/{file}")).is_file(), file
