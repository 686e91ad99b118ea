"""The web page: files built by ``make web``, and the same page for every address the page itself knows."""

from __future__ import annotations

import gzip
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from kotatsu.server.dependencies import identify_visitor

AnyRequest = Request[Any, Any, Any]
SITE = Path(__file__).parent / "site"
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_WORTH_PACKING = 1024
PACKS_ITSELF = "packs_itself"
"""Marks the routes whose answers are not packed again for each who asks."""
_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Kotatsu</title>
<h1>The house is open, but its page is not built yet</h1>
<p>Run <code>make web</code> and reload.</p>
"""


@get("/", include_in_schema=False, sync_to_thread=True, packs_itself=True)
def home(request: AnyRequest, state: State) -> Response[bytes]:
    """The page."""
    return _page(request, state)


@get("/{path:path}", include_in_schema=False, sync_to_thread=True, packs_itself=True)
def any_page(request: AnyRequest, state: State, path: FromPath[str]) -> Response[bytes]:
    """A file of the site, or the page: it finds its own way from the address."""
    if path.startswith("/api/"):
        raise NotFoundException("There is nothing at this address.")
    site: Path = state.site
    file = (site / path.lstrip("/")).resolve() if "\0" not in path else site
    if file.is_relative_to(site.resolve()) and file.is_file():
        hashed = file.parent == site.resolve() / "assets"
        return _file(request, file, _FOR_EVER if hashed else _ASK_AGAIN)
    if path.startswith("/assets/"):
        raise NotFoundException("There is no such file.")
    return _page(request, state)


def _page(request: AnyRequest, state: State) -> Response[bytes]:
    """A page asks for several things at once; so that they are one visitor's, it comes with the cookie."""
    identify_visitor(request, state)
    index = state.site / "index.html"
    if index.is_file():
        return _file(request, index, _ASK_AGAIN)
    return Response(_NOT_BUILT.encode(), media_type="text/html", status_code=503)


def _file(request: AnyRequest, file: Path, cache: str) -> Response[bytes]:
    kind = guess_type(file.name)[0] or "application/octet-stream"
    found = file.stat()
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if found.st_size < _WORTH_PACKING or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.read_bytes(), media_type=kind, headers=headers)
    packed = _packed(file, found.st_mtime_ns)
    return Response(packed, media_type=kind, headers=headers | {"content-encoding": "gzip"})


@lru_cache(maxsize=512)
def _packed(file: Path, _written: int) -> bytes:
    """A file as it goes over the wire, packed once for everyone until it is written anew."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)
