"""What every route may ask for by name: the house, its memory of people, and who asks."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide

from kotatsu.server.guard import NEW_COOKIE
from kotatsu.server.identity import COOKIE, Identity
from kotatsu.table.guests import Guests
from kotatsu.table.house import House

TheHouse = NamedDependency[House]
TheGuests = NamedDependency[Guests]
TheVisitor = NamedDependency[str]


def greet(request: Request[Any, Any, Any], state: State) -> str:
    """Who asks; a browser that was never here gets a cookie with the answer."""
    identity: Identity = state.identity
    known = identity.read(request.cookies.get(COOKIE))
    if known is not None:
        return known
    new = identity.new_visitor()
    request.scope["state"][NEW_COOKIE] = identity.sign(new)
    return new


async def visitor(request: Request[Any, Any, Any], state: State) -> str:
    """Who asks."""
    return greet(request, state)


async def house(state: State) -> House:
    """The house the request is for."""
    found: House = state.house
    return found


async def guests(state: State) -> Guests:
    """The house's memory of people."""
    found: Guests = state.guests
    return found


GIVEN = {"house": Provide(house), "guests": Provide(guests), "visitor": Provide(visitor)}
