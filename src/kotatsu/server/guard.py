"""Protection against other sites and floods: checks of every request, and the headers of every response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import PermissionDeniedException
from litestar.types import Message, Scope

from kotatsu.server.identity import cookie_header

_POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
NEW_COOKIE = "kotatsu_new_cookie"
"""The key in a request's state for a cookie that is to be set with the response."""


class TooFast(Exception):
    """An address sent too many requests; the message says which limit."""


def is_same_origin(headers: Mapping[str, str], origins: frozenset[str]) -> bool:
    """Whether a request with these ``headers`` comes from our page, or from no browser at all.

    Args:
        headers: with lower-case names; a program that is not a browser sends no ``origin``.
        origins: further origins our page is served from, such as ``https://games.example.org``.
    """
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    host = headers.get("host")
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:  # ``http://[``, say, is no address at all
        return False


def allowed_origins(setting: str) -> frozenset[str]:
    """Return the origins of a setting, which are separated by commas."""
    return frozenset(filter(None, (origin.strip().rstrip("/") for origin in setting.split(","))))


async def check_origin(request: Request[Any, Any, Any]) -> None:
    """Refuse a changing request that a page of another site sent.

    Raises:
        PermissionDeniedException: it comes from another site.
    """
    if request.method not in _SAFE and not is_same_origin(request.headers, request.app.state.origins):
        raise PermissionDeniedException("This request comes from another site.")


async def limit_request_rate(request: Request[Any, Any, Any]) -> None:
    """Count a changing request, or an attempt at a device code, towards the limits of its address.

    Raises:
        TooFast: there were too many; with one sentence.
    """
    if request.method in _SAFE:
        return
    address = request.client.host if request.client else ""
    state = request.app.state
    if not state.changes.take(address):
        raise TooFast("that is too fast; wait a moment")
    if request.url.path.endswith("/claim") and not state.claims.take(address):
        raise TooFast("too many codes were tried from here; wait a minute")


async def check_request(request: Request[Any, Any, Any]) -> None:
    """Check origin and rate of a request before it is handled.

    Raises:
        PermissionDeniedException: it comes from another site.
        TooFast: there were too many from its address.
    """
    await check_origin(request)
    await limit_request_rate(request)


async def add_security_headers(message: Message, scope: Scope) -> None:
    """Add security headers, and a new visitor's cookie, to the start ``message`` of a response, ``scope``."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    cookie = scope["state"].get(NEW_COOKIE)
    if cookie is not None:
        headers.add("set-cookie", cookie_header(cookie, secure=scope["scheme"] == "https").decode())
