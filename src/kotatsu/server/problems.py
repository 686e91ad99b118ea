"""Errors over HTTP, as a ``Problem``: ``{code, message}``. Never a traceback.

The handlers take the request, which they ignore, and the ``error`` that was raised.
"""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from kotatsu.bots.levels import UnknownLevel
from kotatsu.engine.match import BadTable
from kotatsu.engine.registry import UnknownGame
from kotatsu.people.visitors import InvalidDeviceCode
from kotatsu.server.coaching import CoachSilent, NoCoach, NotBegun
from kotatsu.server.guard import TooFast
from kotatsu.server.schemas import Problem, ProblemCode
from kotatsu.store.contract import StoreError, TooManyTables
from kotatsu.tables.manager import NoSuchTable, NotOver, NotSeated

logger = logging.getLogger(__name__)

_EXPECTED: dict[type[Exception], tuple[int, ProblemCode]] = {
    UnknownGame: (404, "no_such_game"),
    NoSuchTable: (404, "no_such_table"),
    UnknownLevel: (400, "no_such_level"),
    BadTable: (400, "bad_table"),
    TooManyTables: (429, "too_many_tables"),
    TooFast: (429, "too_fast"),
    NotOver: (409, "not_over"),
    NotSeated: (403, "not_seated"),
    InvalidDeviceCode: (404, "wrong_code"),
    NoCoach: (404, "no_coach"),
    CoachSilent: (403, "coach_silent"),
    NotBegun: (409, "not_begun"),
}
_BY_STATUS: dict[int, ProblemCode] = {
    400: "malformed",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}

AnyRequest = Request[Any, Any, Any]


def problem(status: int, code: ProblemCode, message: str) -> Response[Problem]:
    """Return a response with the HTTP ``status``, a ``code`` for programs and a ``message`` for people."""
    return Response(Problem(code, message), status_code=status, media_type="application/json")


def handle_expected(_: AnyRequest, error: Exception) -> Response[Problem]:
    """Return the response to an error of the visitor's, one of those listed in this module."""
    status, code = next(known for kind, known in _EXPECTED.items() if isinstance(error, kind))
    message = "There is no such table." if isinstance(error, NoSuchTable) else str(error)
    return problem(status, code, message[:1].upper() + message[1:])


def handle_http(_: AnyRequest, error: HTTPException) -> Response[Problem]:
    """Return the response to an error that Litestar raises: a malformed body, an unknown address."""
    if error.status_code >= 500:
        return handle_unexpected(_, error)
    details = error.extra if isinstance(error, ValidationException) and isinstance(error.extra, list) else []
    reasons = "; ".join(
        f"{detail.get('key', '')}: {detail['message']}".removeprefix(": ")
        for detail in details
        if isinstance(detail, dict) and "message" in detail
    )
    message = f"{error.detail}: {reasons}" if reasons else error.detail
    return problem(error.status_code, _BY_STATUS.get(error.status_code, "malformed"), message)


def handle_store_error(_: AnyRequest, error: Exception) -> Response[Problem]:
    """Log that the data could not be read or written, for example on a full disk, and return status 503."""
    logger.error("a request could not be carried out: %s", error)
    return problem(503, "busy", "The server cannot save that just now; please try again.")


def handle_unexpected(_: AnyRequest, error: Exception) -> Response[Problem]:
    """Log an error of ours with its traceback, and return status 500."""
    logger.error("a request failed", exc_info=error)
    return problem(500, "internal", "Something went wrong on the server; it has been logged.")


HANDLERS: dict[Any, Any] = {
    **dict.fromkeys(_EXPECTED, handle_expected),
    StoreError: handle_store_error,
    HTTPException: handle_http,
    Exception: handle_unexpected,
}
"""The handler of each class of errors, for Litestar."""
