"""What route handlers may take by name: the table manager, the visitor service, the visitor."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide

from kotatsu.people.visitors import VisitorService
from kotatsu.server.guard import NEW_COOKIE
from kotatsu.server.identity import COOKIE, Identity
from kotatsu.tables.manager import TableManager

ManagerDependency = NamedDependency[TableManager]
"""The server's table manager."""
VisitorsDependency = NamedDependency[VisitorService]
"""The service for what is kept about visitors."""
VisitorDependency = NamedDependency[str]
"""The id of the visitor who sent the request."""


def identify_visitor(request: Request[Any, Any, Any], state: State) -> str:
    """Return the visitor of the cookie of ``request``, or a new one, with a cookie in the response.

    Args:
        request: the request.
        state: the application's, with its ``identity``.
    """
    identity: Identity = state.identity
    known = identity.read(request.cookies.get(COOKIE))
    if known is not None:
        return known
    new = identity.new_visitor()
    request.scope["state"][NEW_COOKIE] = identity.sign(new)
    return new


async def provide_visitor(request: Request[Any, Any, Any], state: State) -> str:
    """Return the visitor who sent ``request``, by the identity in ``state``."""
    return identify_visitor(request, state)


async def provide_manager(state: State) -> TableManager:
    """Return the server's table manager."""
    found: TableManager = state.manager
    return found


async def provide_visitors(state: State) -> VisitorService:
    """Return the service for what is kept about visitors."""
    found: VisitorService = state.visitors
    return found


DEPENDENCIES = {
    "manager": Provide(provide_manager),
    "visitors": Provide(provide_visitors),
    "visitor": Provide(provide_visitor),
}
