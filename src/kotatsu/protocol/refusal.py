"""Why a table does not do what it is asked: a code for programs and a sentence for people."""

from __future__ import annotations

from kotatsu.protocol.messages import RefusalCode


class Refusal(Exception):
    """Becomes the ``refused`` message; nothing has changed."""

    def __init__(self, code: RefusalCode, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.message = message
        self.clause = clause
