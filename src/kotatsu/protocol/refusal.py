"""The error that refuses a command: a code for programs and a sentence for people."""

from __future__ import annotations

from kotatsu.protocol.messages import RefusalCode


class Refusal(Exception):
    """A command cannot be carried out; nothing has changed. It is sent as the ``refused`` message.

    Args:
        code: for programs; ``docs/protocol.md`` lists the codes.
        message: one sentence for people.
        clause: the rule of the game that forbids it, such as ``KM-12``; ``None`` if it is not a rule.
    """

    def __init__(self, code: RefusalCode, message: str, clause: str | None = None) -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.message = message
        self.clause = clause
