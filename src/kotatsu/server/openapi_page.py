"""The HTTP routes as a page for people, made from the OpenAPI document. It loads nothing else."""

from __future__ import annotations

from html import escape
from typing import Any

from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin

_METHODS = ("get", "post", "put", "delete", "patch")


class RoutesPage(OpenAPIRenderPlugin):
    """Serves ``/schema/``."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page for the OpenAPI document ``openapi_schema``, whatever the ``request``."""
        routes = "".join(
            _route(path, method, operations[method])
            for path, operations in openapi_schema["paths"].items()
            for method in _METHODS
            if method in operations
        )
        info = openapi_schema["info"]
        return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(info["title"])}: the routes</title>
<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}}
code{{background:#8882;padding:.1em .3em}}dt{{font-weight:600}}</style>
<h1>{escape(info["title"])} {escape(info["version"])}</h1>
<p>The same for programs: <a href="/schema/openapi.json">openapi.json</a>. Games are played over the
WebSocket <code>/api/tables/{{table}}/socket</code>, described in <code>docs/protocol.md</code>.</p>
{routes}</html>""".encode()


def _route(path: str, method: str, operation: dict[str, Any]) -> str:
    body = operation.get("requestBody", {}).get("content", {})
    takes = "".join(f"<dt>Takes</dt><dd>{_shape(kind['schema'])}</dd>" for kind in body.values())
    gives = "".join(
        f"<dt>{escape(status)}</dt><dd>{_answer(answer)}</dd>"
        for status, answer in operation["responses"].items()
    )
    return f"""<h2><code>{method.upper()} {escape(path)}</code></h2>
<p><b>{escape(operation.get("summary", ""))}.</b> {escape(operation.get("description", ""))}</p>
<dl>{takes}{gives}</dl>"""


def _answer(answer: dict[str, Any]) -> str:
    shapes = " or ".join(_shape(kind["schema"]) for kind in answer.get("content", {}).values())
    return shapes or escape(answer.get("description", ""))


def _shape(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"<code>{escape(schema['$ref'].rpartition('/')[2])}</code>"
    if schema.get("type") == "array":
        return f"a list of {_shape(schema['items'])}"
    return f"<code>{escape(str(schema.get('type', 'anything')))}</code>"
