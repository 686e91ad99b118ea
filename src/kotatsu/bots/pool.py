"""The worker processes bots think in, so that no thought ever holds up the event loop."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import signal
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from time import perf_counter
from typing import TypeVar

from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.levels import bot, warm_up

T = TypeVar("T")
NICENESS = 5
PATIENCE_S = 180.0
"""Long enough for a first thought that has to compile on a busy machine; one that lasts longer has lost its way."""
logger = logging.getLogger(__name__)


class ThinkingFailed(RuntimeError):
    """A bot could not be asked: its worker died, and so did the next one."""


class BotPool:
    """Asks bots for their thoughts in other processes.

    A worker that dies is replaced and its question asked once more. One that thinks for longer than
    ``patience`` seconds dies of it, so that no bot can hold up a game for ever.
    """

    def __init__(self, workers: int | None = None, patience: float = PATIENCE_S) -> None:
        self.workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self.patience = patience
        self.thoughts = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.deaths = 0
        self._executor = _workers(self.workers)
        self._closed = False

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        """What the bot of that level does in that situation.

        Raises:
            ThinkingFailed: after two workers died of it.
        """
        thought, seconds = await self.ask(_think, game, level, situation, self.patience)
        self.thoughts += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        return thought

    async def warm_up(self, games: Iterable[str]) -> None:
        """Prepare what bots are slow at the first time, without keeping the workers from thinking.

        A process of its own compiles and leaves the result in the cache on disk; the workers then
        only load it.
        """
        names = tuple(games)
        loop = asyncio.get_running_loop()
        compiler = _workers(1)
        try:
            await loop.run_in_executor(compiler, _warm_up, names)
        except BrokenProcessPool:
            return
        finally:
            compiler.shutdown(wait=False, cancel_futures=True)
        if not self._closed:
            await asyncio.gather(*(self.ask(_warm_up, names) for _ in range(self.workers)))

    def close(self) -> None:
        """Let the workers go; thoughts under way are abandoned."""
        self._closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def ask(self, work: Callable[..., T], *details: object) -> T:
        """What ``work`` answers in a worker; it, its details and its answer must be picklable.

        Raises:
            ThinkingFailed: after two workers died of it.
        """
        for _ in range(2):
            executor = self._executor
            try:
                return await asyncio.wrap_future(executor.submit(work, *details))
            except BrokenProcessPool:
                self._replace(executor)
        raise ThinkingFailed("the worker a bot was thinking in died twice")

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """Several questions break together; only the first to notice brings new workers."""
        if self._executor is broken:
            self.deaths += 1
            broken.shutdown(wait=False)
            self._executor = _workers(self.workers)


def _workers(count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_settle_in)


def _settle_in() -> None:
    """In a worker: leave Ctrl-C to the parent, and the processor first of all to the event loop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose server was killed must not stay behind, waiting for questions for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _think(game: str, level: str, situation: Situation, patience: float) -> tuple[Thought, float]:
    started = perf_counter()
    faulthandler.dump_traceback_later(patience, exit=True)  # also where compiled code never comes back
    try:
        thought = bot(game, level).think(situation)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return thought, perf_counter() - started


def _warm_up(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            warm_up(name)
        except Exception:
            logger.exception("the bots of %s could not be warmed up; their first thoughts will be slow", name)
