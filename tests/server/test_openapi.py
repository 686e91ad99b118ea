"""Schemathesis against the description the server gives of itself: whatever is asked, the answer is as described.

A few examples for each route in the suite; ``KOTATSU_OPENAPI_EXAMPLES=500`` looks longer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from kotatsu.server.app import create_app
from kotatsu.server.openapi_file import with_exact_schemas
from kotatsu.server.settings import ServerSettings
from tests.browser.server_process import ServerProcess
from tests.server.visitor import Visitor

EXAMPLES = int(os.environ.get("KOTATSU_OPENAPI_EXAMPLES", "8"))
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
NO_LIMITS = {
    "KOTATSU_TABLES_A_DAY": "1000000",
    "KOTATSU_CHANGES_PER_SECOND": "1000000",
    "KOTATSU_CHANGE_BURST": "1000000",
    "KOTATSU_CLAIMS_PER_MINUTE": "1000000",
}


class Open(ServerProcess):
    """A house with a table of each kind in it: gathering, playing and over."""

    tables: tuple[str, ...]
    session: requests.Session


async def _set_tables(house: Open) -> None:
    async with Visitor(house.address) as ana:
        (gathering, playing, over) = [
            await ana.make("kimono", "me", "open", start=False),
            await ana.make("kakuzu", "me", "random"),
            await ana.make("kimono", "me", "me"),
        ]
        line = await ana.join(over)
        while line.moves:
            seat, moves = min(line.moves.items())
            await line.play(seat, moves[0])
        house.tables = (gathering, playing, over)
        house.session = requests.Session()
        house.session.cookies.set("kotatsu", ana.cookie)


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    opened = Open(tmp_path_factory.mktemp("open-house"), NO_LIMITS)
    opened.start()
    asyncio.run(_set_tables(opened))
    yield opened
    opened.session.close()
    opened.close()
    assert "Traceback" not in opened.complaints()


DESCRIBED = with_exact_schemas(create_app(ServerSettings()).openapi_schema.to_schema())
routes = schemathesis.openapi.from_dict(DESCRIBED)


def test_the_description_is_served(open_house: Open) -> None:
    assert requests.get(
        f"{open_house.address}/schema/openapi.json", timeout=30
    ).json() == msgspec.json.decode(msgspec.json.encode(DESCRIBED))


@routes.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(open_house: Open, case: Any) -> None:
    case.call_and_validate(open_house.address, open_house.session, checks=CHECKS)
    if "table" in (case.path_parameters or {}):
        for table in open_house.tables:
            case.path_parameters["table"] = table
            case.call_and_validate(open_house.address, open_house.session, checks=CHECKS)
