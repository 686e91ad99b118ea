"""How a server is set up: defaults, then the environment (``KOTATSU_…``), then flags."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from kotatsu.server.logs import LogForm
from kotatsu.server.wire import Wire

Count = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]


class BadSetting(ValueError):
    """A setting that makes no sense; the message names it."""


class ServerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each field is an environment variable: ``pace`` is ``KOTATSU_PACE``.

    ``pace`` is the seconds between two moves of bots, ``linger`` how long an empty table stays in
    memory, ``origins`` a comma-separated list of further addresses pages may come from, ``wire`` what
    carries WebSocket messages (``kotatsu.server.wire``).
    """

    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    origins: str = ""
    pace: Seconds = 0.7
    linger: Seconds = 60.0
    bot_workers: Annotated[int, msgspec.Meta(ge=0)] = 0
    world_processes: Annotated[int, msgspec.Meta(ge=0)] = 0
    warm_up: bool = True
    tables_a_day: Count = 50
    connections_per_visitor: Count = 32
    connections_per_address: Count = 256
    changes_per_second: Annotated[float, msgspec.Meta(gt=0)] = 10.0
    change_burst: Count = 100
    claims_per_minute: Count = 10
    messages_per_second: Annotated[float, msgspec.Meta(gt=0)] = 20.0
    message_burst: Count = 60
    log_form: LogForm = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    message_bytes: Annotated[int, msgspec.Meta(ge=1024, le=1 << 20)] = 8192
    wire: Wire = "fast"

    @property
    def frame_bytes(self) -> int:
        """A frame larger than this is not even read; the connection is closed."""
        return 8 * self.message_bytes


def read_settings(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> ServerSettings:
    """The settings of this process; flags win.

    Raises:
        BadSetting: with one sentence that says which.
    """
    known = os.environ if environment is None else environment
    given: dict[str, Any] = {
        field: known[variable]
        for field in ServerSettings.__struct_fields__
        if (variable := f"KOTATSU_{field.upper()}") in known
    }
    given |= {field: value for field, value in flags.items() if value is not None}
    unknown = given.keys() - set(ServerSettings.__struct_fields__)
    if unknown:
        raise BadSetting(f"there is no setting {min(unknown)}; see docs/hosting.md")
    for field, kind in get_type_hints(ServerSettings).items():
        choices = get_args(kind) if get_origin(kind) is Literal else ()
        if choices and field in given and given[field] not in choices:
            raise BadSetting(f"the setting {field} is {' or '.join(choices)}, not {given[field]!r}")
    try:
        return msgspec.convert(given, ServerSettings, strict=False, dec_hook=lambda kind, value: kind(value))
    except msgspec.ValidationError as error:
        raise BadSetting(f"a setting is wrong: {error}") from None
