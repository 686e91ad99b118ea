"""The files of the page: packed once, for ever where their name changes with them, and the page itself anew."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from litestar.testing import AsyncTestClient

from kotatsu.server.app import create_app
from kotatsu.server.settings import ServerSettings

SCRIPT = b"console.log('kotatsu');" * 200
PLAIN = {"accept-encoding": "identity"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"<!doctype html>" + b" " * 2000)
    (folder / "assets" / "index-1.js").write_bytes(SCRIPT)
    (folder / "assets" / "small-1.js").write_bytes(b"1")
    return folder


async def test_a_file_is_packed_once_and_stays(site: Path, tmp_path: Path) -> None:
    app = create_app(ServerSettings(data=tmp_path / "data", warm_up=False))
    app.state.site = site
    async with AsyncTestClient(app) as client:
        answer = await client.get("/assets/index-1.js")
        assert answer.content == SCRIPT
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) == len(gzip.compress(SCRIPT, 9))
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "accept-encoding"
        plain = await client.get("/assets/index-1.js", headers=PLAIN)
        assert "content-encoding" not in plain.headers
        assert plain.content == SCRIPT
        assert "content-encoding" not in (await client.get("/assets/small-1.js")).headers


async def test_a_new_page_is_seen_at_once(site: Path, tmp_path: Path) -> None:
    app = create_app(ServerSettings(data=tmp_path / "data", warm_up=False))
    app.state.site = site
    async with AsyncTestClient(app) as client:
        assert (await client.get("/")).headers["cache-control"] == "no-cache"
        (site / "index.html").write_bytes(b"<!doctype html>new" + b" " * 2000)
        assert (await client.get("/t/some-table")).content.startswith(b"<!doctype html>new")
