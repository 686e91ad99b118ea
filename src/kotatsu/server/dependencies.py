"""What every route may ask for by name: the house, its memory of people, and who asks."""

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
VisitorsDependency = NamedDependency[VisitorService]
VisitorDependency = NamedDependency[str]


def identify_visitor(request: Request[Any, Any, Any], state: State) -> str:
    """Who asks; a browser that was never here gets a cookie with the answer."""
    identity: Identity = state.identity
    known = identity.read(request.cookies.get(COOKIE))
    if known is not None:
        return known
    new = identity.new_visitor()
    request.scope["state"][NEW_COOKIE] = identity.sign(new)
    return new


async def provide_visitor(request: Request[Any, Any, Any], state: State) -> str:
    """Who asks."""
    return identify_visitor(request, state)


async def provide_manager(state: State) -> TableManager:
    """The house the request is for."""
    found: TableManager = state.manager
    return found


async def provide_visitors(state: State) -> VisitorService:
    """The service that remembers people."""
    found: VisitorService = state.visitors
    return found


DEPENDENCIES = {
    "manager": Provide(provide_manager),
    "visitors": Provide(provide_visitors),
    "visitor": Provide(provide_visitor),
}
