"""HTTP routes about the visitor: name and avatar, device codes, past games and ratings, blocks, deletion."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, delete, get, post, put
from litestar.datastructures import State
from litestar.params import Body, FromPath

from kotatsu.engine.contract import Outcome
from kotatsu.people.ratings import ranks
from kotatsu.people.visitors import CODE_SECONDS
from kotatsu.seats import assignment
from kotatsu.seats.presence import table_info
from kotatsu.server.dependencies import ManagerDependency, VisitorDependency, VisitorsDependency
from kotatsu.server.guard import NEW_COOKIE
from kotatsu.server.identity import Identity
from kotatsu.server.schemas import DeviceClaim, DeviceCode, GameHistory, History, Introduction, Me, PastGame
from kotatsu.store.contract import BlockedPerson, Persona, PlayerRating, StoredTable, clean_name

AnyRequest = Request[Any, Any, Any]


@get("/api/me", summary="Get my name and avatar")
async def get_me(manager: ManagerDependency, visitor: VisitorDependency) -> Me:
    """Return the visitor's name and avatar, empty until they are chosen.

    The first request sets the cookie.
    """
    persona = await manager.persona(visitor)
    return Me(persona.name, persona.avatar)


@put("/api/me", summary="Set my name and avatar")
async def put_me(
    manager: ManagerDependency, visitor: VisitorDependency, data: Annotated[Introduction, Body()]
) -> Me:
    """Set the visitor's name and avatar. They are shown in every seat held at a table that is not over."""
    name = clean_name(data.name)
    await manager.set_persona(visitor, Persona(name, data.avatar))
    return Me(name, data.avatar)


@delete("/api/me", summary="Delete everything about me", status_code=200)
async def delete_me(
    request: AnyRequest, state: State, manager: ManagerDependency, visitor: VisitorDependency
) -> Me:
    """Delete the visitor's name, avatar, ratings, blocks and chat messages; set a new visitor's cookie.

    Games of others keep the moves, without a name.
    """
    await manager.delete_visitor(visitor)
    identity: Identity = state.identity
    request.scope["state"][NEW_COOKIE] = identity.sign(identity.new_visitor())
    return Me("")


@post("/api/me/code", summary="Get a code for another device", status_code=200)
async def new_code(visitors: VisitorsDependency, visitor: VisitorDependency) -> DeviceCode:
    """Return a code that makes another device the same visitor. It works once, within ten minutes."""
    return DeviceCode(await visitors.new_code(visitor), CODE_SECONDS)


@post("/api/me/claim", summary="Use a code from another device", status_code=200)
async def claim(
    request: AnyRequest,
    state: State,
    manager: ManagerDependency,
    visitors: VisitorsDependency,
    data: Annotated[DeviceClaim, Body()],
) -> Me:
    """Become the visitor of the device that showed the code.

    Tables of this device's old visitor stay with that one.
    """
    visitor = await visitors.redeem(data.code)
    identity: Identity = state.identity
    request.scope["state"][NEW_COOKIE] = identity.sign(visitor)
    persona = await manager.persona(visitor)
    return Me(persona.name, persona.avatar)


@get("/api/me/history", summary="List my finished games")
async def history(visitors: VisitorsDependency, visitor: VisitorDependency) -> History:
    """Return the visitor's finished games, the latest first, and a summary for each kind of game."""
    await visitors.rate_finished()
    tables = await visitors.history_of(visitor)
    ratings = await visitors.ratings_of(visitor)
    games = [past_game(table, visitor) for table in tables]
    kinds = dict.fromkeys(past.table.game for past in games)
    return History(tuple(games), {kind: _summary(kind, games, ratings) for kind in kinds})


@get("/api/me/blocks", summary="List the people I have blocked")
async def blocks(visitors: VisitorsDependency, visitor: VisitorDependency) -> list[BlockedPerson]:
    """Return the people the visitor has blocked, by the names they had then."""
    return await visitors.blocks_of(visitor)


@delete("/api/me/blocks/{number:int}", summary="Remove a block", status_code=200)
async def unblock(
    visitors: VisitorsDependency, visitor: VisitorDependency, number: FromPath[int]
) -> list[BlockedPerson]:
    """Remove one of the visitor's blocks and return the others."""
    await visitors.unblock(visitor, number)
    return await visitors.blocks_of(visitor)


def past_game(table: StoredTable, visitor: str) -> PastGame:
    """Return a finished ``table`` for the history of ``visitor``, who played at it."""
    outcome = msgspec.convert(table.result, Outcome)
    yours = assignment.held_by(table.seats, visitor)
    places = ranks(outcome)
    return PastGame(table_info(table), yours, min(places[seat] for seat in yours), table.updated)


def _summary(kind: str, games: list[PastGame], ratings: dict[str, PlayerRating]) -> GameHistory:
    mine = [past for past in games if past.table.game == kind]
    rating = ratings.get(kind)
    return GameHistory(len(mine), sum(past.place == 1 for past in mine), rating)


PEOPLE_ROUTES = [get_me, put_me, delete_me, new_code, claim, history, blocks, unblock]
