"""The HTTP routes for programs: Litestar's description, with the shapes as msgspec itself reads and writes them."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from kotatsu.engine.record import GameRecord
from kotatsu.server import schemas
from kotatsu.store.contract import BlockedPerson

_SHAPES = (
    schemas.Introduction,
    schemas.NewTable,
    schemas.DeviceClaim,
    schemas.Me,
    schemas.DeviceCode,
    schemas.History,
    BlockedPerson,
    schemas.GameInfo,
    schemas.TableCard,
    schemas.Lobby,
    schemas.Replay,
    schemas.Health,
    GameRecord,
    schemas.Problem,
)
_WHERE = "#/components/schemas/{name}"
_PROBLEM = {
    "description": "What is wrong: a code for programs, a sentence for people",
    "content": {"application/json": {"schema": {"$ref": _WHERE.format(name="Problem")}}},
}


class OpenApiFile(JsonRenderPlugin):
    """``/schema/openapi.json``."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, exact(openapi_schema))


def exact(described: dict[str, Any]) -> dict[str, Any]:
    """A description in which every limit is msgspec's, and whatever goes wrong is a ``Problem``."""
    _, parts = msgspec.json.schema_components(_SHAPES, ref_template=_WHERE)
    unknown = described["components"]["schemas"].keys() - parts.keys()
    assert not unknown, f"shapes without a description: {unknown}"
    paths = {
        path: {method: _with_problems(operation) for method, operation in operations.items()}
        for path, operations in described["paths"].items()
    }
    return {**described, "paths": paths, "components": {**described["components"], "schemas": parts}}


def _with_problems(operation: Any) -> Any:
    if not isinstance(operation, dict) or "responses" not in operation:
        return operation
    good = {status: answer for status, answer in operation["responses"].items() if status < "400"}
    return {**operation, "responses": {**good, "4XX": _PROBLEM, "503": _PROBLEM}}
