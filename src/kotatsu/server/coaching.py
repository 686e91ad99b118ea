"""HTTP routes of a game's coach: a hint for a seat, and the review of a finished game.

The coach runs in the bots' worker processes. It is given what the seat may see, or a record that is public.
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
from kotatsu.seats.hints import gives_hints
from kotatsu.server.dependencies import VisitorDependency
from kotatsu.store.contract import LoggedStep, Store, StoredTable
from kotatsu.tables.manager import NotSeated, TableManager, seats_held_by
from kotatsu.tables.table_game import TableGame

MAX_CACHED_ANSWERS = 256
"""Hints and reviews that are kept for those who ask again. Chosen by hand: an evening's games, a few MB at
most."""


class NoCoach(LookupError):
    """The game has no coach."""


class CoachSilent(Exception):
    """At this table there are no hints until the game is over: see ``seats/hints.py``."""


class NotBegun(Exception):
    """The game has not begun, so there is nothing to advise on."""


class Coaching:
    """Runs coaches in the bots' worker processes, and caches their answers.

    Args:
        manager: finds the tables.
        store: has their logs.
        pool: the worker processes.
    """

    def __init__(self, manager: TableManager, store: Store, pool: BotPool) -> None:
        self._manager = manager
        self._store = store
        self._pool = pool
        self._answers: OrderedDict[tuple[Any, ...], asyncio.Task[bytes]] = OrderedDict()

    async def hint(self, table: str, visitor: str, seat: Seat) -> bytes:
        """Return advice for a seat, as JSON in the game's own form.

        Args:
            table: the table's id.
            visitor: who asks; they must hold the seat.
            seat: the seat.

        Raises:
            ThinkingFailed: the coach crashed twice.
            NoSuchTable, NoCoach, NotSeated, NotBegun, CoachSilent: with one sentence.
        """
        stored, _ = await self._manager.find(table)
        _coach_of(stored.game)
        if seat not in seats_held_by(stored, visitor):
            raise NotSeated("hints are for one's own seat only")
        if stored.status == "gathering":
            raise NotBegun("the game has not begun")
        if not gives_hints(stored):
            raise CoachSilent("at this table the coach is silent until the game is over")
        log = await self._store.steps(table)
        view = await asyncio.to_thread(_view, stored, log, seat)
        return await self._once((table, seat, log[-1].seq), self._pool.run(_hint, stored.game, view, seat))

    async def review(self, table: str) -> bytes:
        """Return the coach's review of a finished game, as JSON in the game's own form.

        Raises:
            ThinkingFailed: the coach crashed twice.
            NoSuchTable, NoCoach, NotOver: with one sentence.
        """
        stored, _ = await self._manager.find(table)
        _coach_of(stored.game)
        record = await self._manager.record(table)
        return await self._once((table,), self._pool.run(_review, stored.game, record))

    async def _once(self, question: tuple[Any, ...], work: Coroutine[Any, Any, bytes]) -> bytes:
        known = self._answers.get(question)
        if known is None:
            known = self._answers[question] = asyncio.create_task(work)
            known.add_done_callback(lambda done: self._forget_failure(question, done))
            if len(self._answers) > MAX_CACHED_ANSWERS:
                self._answers.popitem(last=False)
        else:
            work.close()
        return await asyncio.shield(known)

    def _forget_failure(self, question: tuple[Any, ...], done: asyncio.Task[bytes]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._answers.get(question) is done:
            del self._answers[question]


SeatAsked = Annotated[
    int, QueryParameter(description="The seat the hint is for; the visitor must hold it.", ge=0, le=31)
]


@get("/api/tables/{table:str}/hint", summary="Get a hint from the game's coach")
async def get_hint(
    state: State, visitor: VisitorDependency, table: FromPath[str], seat: SeatAsked
) -> Response[Any]:
    """Return the coach's advice in the present position, in the game's own form.

    Refused until the game is over at competitive tables, on a clock, and where the game counts for the ratings.
    """
    coaching: Coaching = state.coaching
    return _json(await coaching.hint(table, visitor, seat))


@get("/api/tables/{table:str}/review", summary="Get the coach's review of a finished game")
async def get_review(state: State, table: FromPath[str]) -> Response[Any]:
    """Return the coach's review of every decision, in the game's own form. Refused until the game is over."""
    coaching: Coaching = state.coaching
    return _json(await coaching.review(table))


COACHING_ROUTES = [get_hint, get_review]


def _json(content: bytes) -> Response[Any]:
    """A response of any JSON: only the game knows its form, so OpenAPI cannot describe it."""
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
