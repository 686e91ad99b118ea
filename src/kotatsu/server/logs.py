"""The server's log: one line for each event, as text for people or as JSON for programs."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Literal

LogForm = Literal["text", "json"]
"""How log lines look."""

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLine(logging.Formatter):
    """Formats a log record as one JSON object; what was given as ``extra`` is in it by name."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line of JSON, without the line end."""
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in _OWN},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up_logging(form: LogForm, level: str) -> None:
    """Send the log of the server and its libraries to standard error.

    Args:
        form: text or JSON.
        level: the least level of our own messages, such as ``info``; those of libraries are warnings and
            errors.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonLine() if form == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("kotatsu").setLevel(level.upper())
