"""The log of a tournament: a line of JSON that identifies it, then a line for each game.

A tournament that was interrupted, even in the middle of a line, continues from its log. More games of the
same tournament may be asked for later.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from kotatsu.lab.arena.plan import Plan, Result

FORMAT = 1  # raised when a log of an older version cannot be continued


class BadLog(ValueError):
    """The file is not a log of this tournament; the message says why."""


class Log:
    """The open log of a tournament, created if it does not exist.

    A context manager: leaving it closes the file.

    ``done`` has the results of the games that were played, by their numbers.

    Args:
        path: the file.
        plan: the tournament.

    Raises:
        BadLog: the file is something else, or damaged.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        header = msgspec.json.encode(_header(plan)) + b"\n"
        old = path.read_bytes() if path.exists() else b""
        whole = old[: old.rfind(b"\n") + 1]
        self.done: dict[int, Result] = {}
        if whole:
            first, _, rest = whole.partition(b"\n")
            _require_same(path, first, plan)
            self.done = {result.number: result for result in _results(path, rest)}
        elif old and not header.startswith(old):
            raise BadLog(f"{path} is not the log of a tournament")
        self._file = path.open("r+b" if old else "xb")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        if not whole:
            self._file.write(header)
            self._file.flush()

    def add(self, result: Result) -> None:
        """Append the result of one game and flush it."""
        self._file.write(msgspec.json.encode(result) + b"\n")
        self._file.flush()
        self.done[result.number] = result

    def results(self, plan: Plan) -> list[Result]:
        """Return the results of the games of ``plan`` that have been played, in their order."""
        return [self.done[number] for number in range(plan.total) if number in self.done]

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _header(plan: Plan) -> dict[str, Any]:
    """What identifies a tournament: all of its plan but the number of games."""
    plain: dict[str, Any] = msgspec.to_builtins(plan)
    del plain["games"]
    return {"arena": FORMAT, **plain}


def _require_same(path: Path, first: bytes, plan: Plan) -> None:
    try:
        found = msgspec.json.decode(first)
    except msgspec.DecodeError:
        found = None
    if not isinstance(found, dict) or "arena" not in found:
        raise BadLog(f"{path} is not the log of a tournament")
    wanted = msgspec.json.decode(msgspec.json.encode(_header(plan)))
    different = [key for key in wanted if found.get(key) != wanted[key]]
    if different:
        was = ", ".join(f"{key} {_plain(found.get(key))}" for key in different)
        raise BadLog(f"{path} is the log of another tournament ({was}); name another file with --log")


def _results(path: Path, lines: bytes) -> list[Result]:
    try:
        return [msgspec.json.decode(line, type=Result) for line in lines.splitlines()]
    except msgspec.DecodeError as error:
        raise BadLog(f"{path} is damaged: {error}") from None


def _plain(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
