"""A real server process for the tests of this folder, with each wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from kotatsu.server.wire import Wire
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Visitor
from tests.server.wires import WIRES


@pytest.fixture(scope="package", params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    chosen: Wire = request.param
    return chosen


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory, wire: Wire) -> Iterator[ServerProcess]:
    opened = ServerProcess(
        tmp_path_factory.mktemp("house"), {"KOTATSU_TABLES_A_DAY": "20", "KOTATSU_WIRE": wire}
    )
    opened.start()
    yield opened
    opened.close()


@pytest.fixture
async def ana(house: ServerProcess) -> AsyncIterator[Visitor]:
    async with Visitor(house.address) as visitor:
        yield visitor


@pytest.fixture
async def ben(house: ServerProcess) -> AsyncIterator[Visitor]:
    async with Visitor(house.address) as visitor:
        yield visitor
