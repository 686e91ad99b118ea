"""The web page: files built by ``make web``, and ``index.html`` for all addresses the page knows."""

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
_CACHE_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_MIN_GZIP_BYTES = 1024  # as for other responses: smaller ones fit into one packet anyway
PRECOMPRESSED = "precompressed"
"""The route option of responses that are compressed already; Litestar's compression leaves them alone."""
_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Kotatsu</title>
<h1>The server is running, but its page is not built yet</h1>
<p>Run <code>make web</code> and reload.</p>
"""


@get("/", include_in_schema=False, sync_to_thread=True, precompressed=True)
def home(request: AnyRequest, state: State) -> Response[bytes]:
    """Return the page."""
    return _page(request, state)


@get("/{path:path}", include_in_schema=False, sync_to_thread=True, precompressed=True)
def any_page(request: AnyRequest, state: State, path: FromPath[str]) -> Response[bytes]:
    """Return a file of the site or, for any other address, the page."""
    if path.startswith("/api/"):
        raise NotFoundException("There is nothing at this address.")
    site: Path = state.site
    file = (site / path.lstrip("/")).resolve() if "\0" not in path else site
    if file.is_relative_to(site.resolve()) and file.is_file():
        hashed = file.parent == site.resolve() / "assets"
        return _file(request, file, _CACHE_FOREVER if hashed else _REVALIDATE)
    if path.startswith("/assets/"):
        raise NotFoundException("There is no such file.")
    return _page(request, state)


def _page(request: AnyRequest, state: State) -> Response[bytes]:
    """The cookie is set with the page, so that its first requests are all one visitor's."""
    identify_visitor(request, state)
    index = state.site / "index.html"
    if index.is_file():
        return _file(request, index, _REVALIDATE)
    return Response(_NOT_BUILT.encode(), media_type="text/html", status_code=503)


def _file(request: AnyRequest, file: Path, cache: str) -> Response[bytes]:
    kind = guess_type(file.name)[0] or "application/octet-stream"
    found = file.stat()
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    if found.st_size < _MIN_GZIP_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.read_bytes(), media_type=kind, headers=headers)
    compressed = _compressed(file, found.st_mtime_ns)
    return Response(compressed, media_type=kind, headers=headers | {"content-encoding": "gzip"})


@lru_cache(maxsize=512)  # chosen by hand: more than the files of a built site
def _compressed(file: Path, _modified: int) -> bytes:
    """A file with the best compression, cached until it is modified."""
    return gzip.compress(file.read_bytes(), 9, mtime=0)
