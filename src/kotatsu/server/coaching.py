"""A game's coach over HTTP: a hint for one's seat, and the review of a game that is over.

The coach works where bots think. It is sent what the seat may see, or a record that is open to all anyway.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter

from kotatsu.bots.pool import BotPool
from kotatsu.engine.coach import Coach, coach
from kotatsu.engine.contract import Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import read_options
from kotatsu.engine.record import GameRecord
from kotatsu.engine.registry import game
from kotatsu.server.dependencies import VisitorDependency
from kotatsu.store.contract import LoggedStep, Store, StoredTable
from kotatsu.tables.manager import NotSeated, TableManager, seats_held_by
from kotatsu.tables.table_game import TableGame

ANSWERS_KEPT = 256


class NoCoach(LookupError):
    """The game brings no coach."""


class CoachSilent(Exception):
    """The players have agreed to do without hints."""


class NotBegun(Exception):
    """There is nothing to advise on yet."""


class Coaching:
    """Asks coaches in the bots' workers; the same question is worked out once, however often it is asked."""

    def __init__(self, manager: TableManager, store: Store, pool: BotPool) -> None:
        self._house = manager
        self._store = store
        self._pool = pool
        self._answers: OrderedDict[tuple[Any, ...], asyncio.Task[bytes]] = OrderedDict()

    async def hint(self, table: str, visitor: str, seat: Seat) -> bytes:
        """Advice for a seat one holds, as JSON.

        Raises:
            NoSuchTable, NoCoach, NotSeated, NotBegun, CoachSilent: with one sentence.
        """
        stored, _ = await self._house.find(table)
        adviser = _coach_of(stored.game)
        if seat not in seats_held_by(stored, visitor):
            raise NotSeated("hints are for one's own seat only")
        if stored.status == "gathering":
            raise NotBegun("the game has not begun")
        if stored.status != "over" and not adviser.advises(read_options(game(stored.game), stored.options)):
            raise CoachSilent("at this table the coach is silent until the game is over")
        log = await self._store.steps(table)
        view = await asyncio.to_thread(_view, stored, log, seat)
        return await self._once((table, seat, log[-1].seq), self._pool.run(_hint, stored.game, view, seat))

    async def review(self, table: str) -> bytes:
        """A finished game looked at again, as JSON.

        Raises:
            NoSuchTable, NoCoach, NotOver: with one sentence.
        """
        stored, _ = await self._house.find(table)
        _coach_of(stored.game)
        record = await self._house.record(table)
        return await self._once((table,), self._pool.run(_review, stored.game, record))

    async def _once(self, question: tuple[Any, ...], work: Coroutine[Any, Any, bytes]) -> bytes:
        known = self._answers.get(question)
        if known is None:
            known = self._answers[question] = asyncio.create_task(work)
            known.add_done_callback(lambda done: self._forget_failure(question, done))
            if len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
        else:
            work.close()
        return await asyncio.shield(known)

    def _forget_failure(self, question: tuple[Any, ...], done: asyncio.Task[bytes]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._answers.get(question) is done:
            del self._answers[question]


SeatAsked = Annotated[
    int, QueryParameter(description="The seat the hint is for; it must be one's own.", ge=0, le=31)
]


@get("/api/tables/{table:str}/hint", summary="A hint from the game's coach")
async def get_hint(
    state: State, visitor: VisitorDependency, table: FromPath[str], seat: SeatAsked
) -> Response[Any]:
    """What the coach advises in the present position; its shape is the game's own. Refused at competitive tables."""
    coaching: Coaching = state.coaching
    return _json(await coaching.hint(table, visitor, seat))


@get("/api/tables/{table:str}/review", summary="The coach's review of a finished game")
async def get_review(state: State, table: FromPath[str]) -> Response[Any]:
    """Every decision looked at again; its shape is the game's own. Closed until the game is over."""
    coaching: Coaching = state.coaching
    return _json(await coaching.review(table))


COACHING_ROUTES = [get_hint, get_review]


def _json(content: bytes) -> Response[Any]:
    """Any JSON, as far as the description of this server goes: only the game knows its shape."""
    return Response(content, media_type="application/json", headers={"cache-control": "no-store"})


def _coach_of(name: str) -> Coach:
    found = coach(name)
    if found is None:
        raise NoCoach(f"{name} has no coach")
    return found


def _view(stored: StoredTable, log: list[LoggedStep], seat: Seat) -> Any:
    kind = game(stored.game)
    played = TableGame(Driver(kind, stored.players, read_options(kind, stored.options)))
    played.load(log)
    return kind.view(played.state, seat)


def _hint(name: str, view: Any, seat: Seat) -> bytes:
    return msgspec.json.encode(_coach_of(name).hint(view, seat))


def _review(name: str, record: GameRecord) -> bytes:
    return msgspec.json.encode(_coach_of(name).review(msgspec.to_builtins(record)))
