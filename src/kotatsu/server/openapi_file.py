"""The OpenAPI document: Litestar's, with the schemas that msgspec itself uses to read and write our types."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from kotatsu.engine.record import GameRecord
from kotatsu.server import schemas
from kotatsu.store.contract import BlockedPerson

_TYPES = (
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
    """Serves ``/schema/openapi.json``."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the response to ``request`` from Litestar's document, ``openapi_schema``."""
        return super().render(request, with_exact_schemas(openapi_schema))


def with_exact_schemas(described: dict[str, Any]) -> dict[str, Any]:
    """Return Litestar's document with msgspec's schemas, and ``Problem`` as the response to every error.

    Raises:
        AssertionError: a route uses a type that is not listed in this module.
    """
    _, parts = msgspec.json.schema_components(_TYPES, ref_template=_WHERE)
    unknown = described["components"]["schemas"].keys() - parts.keys()
    assert not unknown, f"types without a schema: {unknown}"
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
