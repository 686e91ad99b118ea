"""``docs/protocol.md`` says what the structs say: its examples are decoded, and nothing is missing from it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from kotatsu.connections import connection
from kotatsu.protocol import messages
from kotatsu.server import schemas, table_socket, websocket_admission, world_socket
from kotatsu.server.routes import ROUTES
from kotatsu.worlds import table_world

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text("utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(r"^```json (\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def struct(name: str) -> Any:
    return next(
        getattr(module, name)
        for module in (messages, schemas, world_socket, table_world)
        if hasattr(module, name)
    )


def known(example: Any, decoded: Any) -> Any:
    """What decoding kept of an example: a field the struct does not have is gone."""
    if isinstance(example, dict):
        return {key: known(value, decoded[key]) for key, value in example.items() if key in decoded}
    if isinstance(example, list):
        return [known(*pair) for pair in zip(example, decoded, strict=True)]
    return decoded


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_is_what_it_says(name: str, text: str) -> None:
    example = msgspec.json.decode(text)
    decoded = msgspec.json.decode(text, type=struct(name))
    assert known(example, msgspec.json.decode(msgspec.json.encode(decoded))) == example
    for union in (messages.Incoming, messages.Outgoing):
        if struct(name) in get_args(union):
            assert type(msgspec.json.decode(text, type=union)) is struct(name)


def test_every_block_of_json_is_an_example() -> None:
    assert PAGE.count("```json") == len(EXAMPLES)


def test_every_message_has_an_example() -> None:
    named = {message.__name__ for message in (*get_args(messages.Incoming), *get_args(messages.Outgoing))}
    assert named - {name for name, _ in EXAMPLES} == set()


def test_every_code_is_explained() -> None:
    codes = {*get_args(messages.RefusalCode), *get_args(schemas.ProblemCode)}
    codes |= {
        str(code)
        for code in (table_socket.NO_SUCH_TABLE, websocket_admission.TOO_MANY, websocket_admission.POLICY)
    }
    codes |= {
        str(code)
        for code in (
            connection.SERVICE_RESTART,
            connection.INTERNAL_ERROR,
            connection.TRY_AGAIN_LATER,
            connection.NOT_ADMITTED,
        )
    }
    tables = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
    assert {code for code in codes if f"`{code}`" not in tables and f"| {code} |" not in tables} == set()


def test_every_route_is_listed() -> None:
    listed = set(re.findall(r"`((?:GET|PUT|POST|DELETE) \S+)`", PAGE))
    served = {
        f"{method} {path.replace(':str', '').replace(':int', '')}"
        for route in (*ROUTES, world_socket.turn_motion)
        for path in route.paths
        for method in getattr(route, "http_methods", ())
    }
    assert {route for route in served if route not in listed} == set()
