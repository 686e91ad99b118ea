"""Oneself, over HTTP: name and avatar, another device, one's games and ratings, and being forgotten."""

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


@get("/api/me", summary="Who am I?")
async def get_me(manager: ManagerDependency, visitor: VisitorDependency) -> Me:
    """One's name and avatar; empty until they are chosen. A browser's first request gives it its cookie."""
    persona = await manager.persona(visitor)
    return Me(persona.name, persona.avatar)


@put("/api/me", summary="Choose a name and an avatar")
async def put_me(
    manager: ManagerDependency, visitor: VisitorDependency, data: Annotated[Introduction, Body()]
) -> Me:
    """They show in every seat one holds at a table that is not over."""
    name = clean_name(data.name)
    await manager.set_persona(visitor, Persona(name, data.avatar))
    return Me(name, data.avatar)


@delete("/api/me", summary="Forget me", status_code=200)
async def forget_me(
    request: AnyRequest, state: State, manager: ManagerDependency, visitor: VisitorDependency
) -> Me:
    """Deletes name, avatar, ratings and all one said. Games of others keep the moves, without a name."""
    await manager.delete_visitor(visitor)
    identity: Identity = state.identity
    request.scope["state"][NEW_COOKIE] = identity.sign(identity.new_visitor())
    return Me("")


@post("/api/me/code", summary="A code for another device", status_code=200)
async def new_code(visitors: VisitorsDependency, visitor: VisitorDependency) -> DeviceCode:
    """Typed on another device within ten minutes, it makes that device the same visitor. It works once."""
    return DeviceCode(await visitors.new_code(visitor), CODE_SECONDS)


@post("/api/me/claim", summary="Become the visitor of another device", status_code=200)
async def claim(
    request: AnyRequest,
    state: State,
    manager: ManagerDependency,
    visitors: VisitorsDependency,
    data: Annotated[DeviceClaim, Body()],
) -> Me:
    """With the code that device shows. This device's own tables are left behind."""
    visitor = await visitors.redeem(data.code)
    identity: Identity = state.identity
    request.scope["state"][NEW_COOKIE] = identity.sign(visitor)
    persona = await manager.persona(visitor)
    return Me(persona.name, persona.avatar)


@get("/api/me/history", summary="My finished games")
async def history(visitors: VisitorsDependency, visitor: VisitorDependency) -> History:
    """Each finished game, the latest first, and for each kind of game how one does at it."""
    await visitors.rate_finished()
    tables = await visitors.history_of(visitor)
    ratings = await visitors.ratings_of(visitor)
    games = [past_game(table, visitor) for table in tables]
    kinds = dict.fromkeys(past.table.game for past in games)
    return History(tuple(games), {kind: _summary(kind, games, ratings) for kind in kinds})


@get("/api/me/blocks", summary="Whom I have blocked")
async def blocks(visitors: VisitorsDependency, visitor: VisitorDependency) -> list[BlockedPerson]:
    """By the names they had when one blocked them."""
    return await visitors.blocks_of(visitor)


@delete("/api/me/blocks/{number:int}", summary="Make peace", status_code=200)
async def unblock(
    visitors: VisitorsDependency, visitor: VisitorDependency, number: FromPath[int]
) -> list[BlockedPerson]:
    """One hears them again."""
    await visitors.unblock(visitor, number)
    return await visitors.blocks_of(visitor)


def past_game(table: StoredTable, visitor: str) -> PastGame:
    """A finished game as one who played in it looks back on it."""
    outcome = msgspec.convert(table.result, Outcome)
    yours = assignment.held_by(table.seats, visitor)
    places = ranks(outcome)
    return PastGame(table_info(table), yours, min(places[seat] for seat in yours), table.updated)


def _summary(kind: str, games: list[PastGame], ratings: dict[str, PlayerRating]) -> GameHistory:
    mine = [past for past in games if past.table.game == kind]
    rating = ratings.get(kind)
    return GameHistory(len(mine), sum(past.place == 1 for past in mine), rating)


PEOPLE_ROUTES = [get_me, put_me, forget_me, new_code, claim, history, blocks, unblock]
