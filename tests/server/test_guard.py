"""What protects a browser: another site's page is told apart from ours, haste is stopped, answers are dressed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar import Litestar, Request, get, post, put
from litestar.datastructures import State
from litestar.testing import AsyncTestClient

from kotatsu.server import problems
from kotatsu.server.guard import (
    NEW_COOKIE,
    TooFast,
    add_security_headers,
    allowed_origins,
    check_request,
    is_same_origin,
    limit_request_rate,
)
from kotatsu.server.limits import AddressRateLimit

OURS = "example.com"
NOBODY: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://example.com", "example.com"),
        ("https://example.com", "example.com"),
        ("http://example.com:8080", "example.com:8080"),
        ("http://192.168.1.7:8080", "192.168.1.7:8080"),
        ("http://[::1]:8080", "[::1]:8080"),
    ],
)
def test_our_own_page_may_ask(origin: str, host: str) -> None:
    assert is_same_origin({"origin": origin, "host": host}, NOBODY)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil-example.com",
        "https://evil.example.com",
        "https://example.com.evil.net",
        "https://example.com@evil.net",
        "https://evil.net/example.com",
        "https://evil.net?example.com",
        "https://evil.net#example.com",
        "https://example.co",
        "https://xample.com",
        "https://example.com:8443",
        "https://:example.com",
        "example.com",
        "//evil.net",
        "null",
        "",
        "file://",
        "http://[",
        "http://[example.com",
    ],
)
def test_a_page_from_elsewhere_may_not(origin: str) -> None:
    assert not is_same_origin({"origin": origin, "host": OURS}, NOBODY)
    assert not is_same_origin({"origin": origin}, NOBODY), "nothing says who we are"
    assert not is_same_origin({"origin": origin, "host": ""}, NOBODY)


def test_another_port_is_another_site() -> None:
    for ours, theirs in (("8080", "8081"), ("8080", "80"), ("80", "8080")):
        headers = {"origin": f"http://example.com:{theirs}", "host": f"example.com:{ours}"}
        assert not is_same_origin(headers, NOBODY)
    assert not is_same_origin({"origin": "http://example.com", "host": "example.com:8080"}, NOBODY)


@given(
    st.text("abcdefghijklmnopqrstuvwxyz0123456789-.", min_size=1, max_size=20),
    st.sampled_from(["", ".", "-"]),
)
def test_no_other_name_is_taken_for_ours(name: str, joint: str) -> None:
    for other in (f"{name}{joint}{OURS}", f"{OURS}{joint}{name}", f"{name}:{OURS}"):
        assert not is_same_origin({"origin": f"https://{other}", "host": OURS}, NOBODY)


def test_a_program_that_is_no_browser_may_ask() -> None:
    assert is_same_origin({"host": OURS}, NOBODY)
    assert is_same_origin({}, NOBODY)


def test_further_addresses_are_those_of_the_setting_and_no_others() -> None:
    further = allowed_origins(" https://play.example.com/ ,https://kotatsu.example,, https://box.XX")
    assert further == {"https://play.example.com", "https://kotatsu.example", "https://box.XX"}
    assert allowed_origins("") == frozenset()
    for origin in further:
        assert is_same_origin({"origin": origin, "host": OURS}, further)
        assert is_same_origin({"origin": origin}, further)
    for origin in ("http://kotatsu.example", "https://kotatsu.example:444", "https://evil.kotatsu.example"):
        assert not is_same_origin({"origin": origin, "host": OURS}, further)


@get("/look")
async def look(request: Request[None, None, State]) -> str:
    if request.query_params.get("cookie"):
        request.scope["state"][NEW_COOKIE] = request.query_params["cookie"]
    return "seen"


@post("/change")
async def change() -> str:
    return "changed"


@put("/api/me/claim")
async def claim() -> str:
    return "claimed"


@pytest.fixture
async def door() -> AsyncIterator[AsyncTestClient[Litestar]]:
    """An application with nothing but a guarded door: five changes an address, two of them claims."""
    app = Litestar(
        route_handlers=[look, change, claim],
        before_request=check_request,
        before_send=[add_security_headers],
        exception_handlers=problems.HANDLERS,
        openapi_config=None,
        logging_config=None,
        state=State(
            {
                "origins": allowed_origins("https://friend.example"),
                "changes": AddressRateLimit(1e-6, 5),
                "claims": AddressRateLimit(1e-6, 2),
            }
        ),
    )
    async with AsyncTestClient(app, base_url="http://example.com") as client:
        yield client


async def test_another_site_changes_nothing_here(door: AsyncTestClient[Litestar]) -> None:
    for origin in ("http://evil-example.com", "null", "http://["):
        refused = await door.post("/change", headers={"origin": origin})
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert refused.json()["message"] == "This request comes from another site."
    for origin in ("http://example.com", "https://friend.example"):
        assert (await door.post("/change", headers={"origin": origin})).status_code == 201
    assert (await door.post("/change")).status_code == 201


async def test_looking_is_allowed_from_anywhere(door: AsyncTestClient[Litestar]) -> None:
    for _ in range(10):
        assert (await door.get("/look", headers={"origin": "http://evil.net"})).text == "seen"
    assert (await door.head("/look", headers={"origin": "http://evil.net"})).status_code == 405
    assert (await door.options("/look", headers={"origin": "http://evil.net"})).status_code == 204


async def test_one_address_changes_only_so_much(door: AsyncTestClient[Litestar]) -> None:
    answers = [await door.post("/change") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    assert answers[-1].json() == {"code": "too_fast", "message": "That is too fast; wait a moment"}
    assert (await door.get("/look")).status_code == 200, "whoever only looks is never too fast"


async def test_codes_are_guessed_more_slowly_than_other_things_change(
    door: AsyncTestClient[Litestar],
) -> None:
    answers = [await door.put("/api/me/claim") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    told = answers[-1].json()
    assert (told["code"], told["message"]) == (
        "too_fast",
        "Too many codes were tried from here; wait a minute",
    )
    assert [(await door.post("/change")).status_code for _ in range(3)] == [201, 201, 429], "claims count too"


async def test_every_address_has_tries_of_its_own() -> None:
    app = Litestar([], openapi_config=None, logging_config=None)
    app.state.changes, app.state.claims = AddressRateLimit(1e-6, 2), AddressRateLimit(1e-6, 1)

    async def asks(address: str | None, path: str = "/change") -> bool:
        client = None if address is None else (address, 4711)
        scope = create_scope(app, client=client, path=path)
        try:
            await limit_request_rate(Request(scope))
        except TooFast:
            return False
        return True

    for address in ("10.0.0.1", "10.0.0.2", None):
        assert [await asks(address) for _ in range(3)] == [True, True, False]
    assert [await asks("10.0.0.3", "/api/me/claim") for _ in range(2)] == [True, False]
    assert await asks("10.0.0.4", "/api/me/claim")


def create_scope(app: Litestar, *, client: tuple[str, int] | None, path: str) -> Any:
    return {
        "type": "http",
        "litestar_app": app,
        "method": "POST",
        "scheme": "http",
        "client": client,
        "server": ("example.com", 80),
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [],
        "state": {},
    }


async def test_a_page_from_elsewhere_uses_up_nobodys_tries(door: AsyncTestClient[Litestar]) -> None:
    for _ in range(6):
        await door.post("/change", headers={"origin": "http://evil.net"})
    assert (await door.post("/change")).status_code == 201


async def test_every_answer_is_dressed(door: AsyncTestClient[Litestar]) -> None:
    for answer in (await door.get("/look"), await door.get("/nowhere"), await door.post("/look")):
        headers = answer.headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["permissions-policy"] == "camera=(), geolocation=(), microphone=()"
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'self'", "scripts come from us alone"
        assert "script-src" not in policy
        assert [policy[name] for name in ("object-src", "base-uri", "frame-ancestors")] == ["'none'"] * 3
        assert "set-cookie" not in headers


async def test_a_new_visitors_cookie_goes_with_the_answer(door: AsyncTestClient[Litestar]) -> None:
    answer = await door.get("/look?cookie=somebody.signed")
    cookie = SimpleCookie(answer.headers["set-cookie"])["kotatsu"]
    assert (cookie.value, cookie["httponly"], cookie["secure"]) == ("somebody.signed", True, "")
    door.cookies.clear()
    door.base_url = "https://example.com"
    answer = await door.get("/look?cookie=somebody.signed")
    assert SimpleCookie(answer.headers["set-cookie"])["kotatsu"]["secure"] is True
