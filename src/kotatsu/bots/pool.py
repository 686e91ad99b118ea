"""The worker processes bots run in, so that no thought blocks the event loop."""

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
"""How much the workers' priority is lowered (0 to 19). Chosen by hand: on a busy machine the event loop comes
first."""

THINKING_TIMEOUT_S = 180.0
"""Seconds after which a thought is ended with its worker. Chosen by hand: long enough for a first thought
that has to compile on a busy machine; one that takes longer is in an endless loop."""

logger = logging.getLogger(__name__)


class ThinkingFailed(RuntimeError):
    """The worker process of a thought died, and so did the one it was tried again in."""


class BotPool:
    """Runs bots in worker processes.

    A worker that dies is replaced and its work tried once more. A worker whose thought takes longer than the
    timeout ends itself, so that no bot can stop a game.

    ``thoughts`` is the number of thoughts so far, ``seconds`` how long they took in total and ``longest`` the
    longest of them; ``deaths`` is how often the workers were replaced.

    Args:
        workers: the number of processes; by default one fewer than there are processors.
        timeout_s: seconds a thought may take.
    """

    def __init__(self, workers: int | None = None, timeout_s: float = THINKING_TIMEOUT_S) -> None:
        self.workers = workers or max(1, (os.cpu_count() or 2) - 1)
        self.timeout_s = timeout_s
        self.thoughts = 0
        self.seconds = 0.0
        self.longest = 0.0
        self.deaths = 0
        self._executor = _new_executor(self.workers)
        self._closed = False

    async def think(self, game: str, level: str, situation: Situation) -> Thought:
        """Wait for what the bot of ``level`` of the ``game`` does in a ``situation``.

        Raises:
            ThinkingFailed: two workers died of it.
            Exception: whatever the bot raised.
        """
        thought, seconds = await self.run(_think, game, level, situation, self.timeout_s)
        self.thoughts += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        return thought

    async def warm_up(self, games: Iterable[str]) -> None:
        """Have the bots of these ``games`` compiled before they are needed, without keeping the workers busy.

        An extra process compiles and leaves the result in the cache on disk; the workers then only load it.
        """
        names = tuple(games)
        loop = asyncio.get_running_loop()
        compiler = _new_executor(1)
        try:
            await loop.run_in_executor(compiler, _warm_up, names)
        except BrokenProcessPool:
            return
        finally:
            compiler.shutdown(wait=False, cancel_futures=True)
        if not self._closed:
            await asyncio.gather(*(self.run(_warm_up, names) for _ in range(self.workers)))

    def close(self) -> None:
        """End the workers without waiting; work under way is abandoned."""
        self._closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Wait for the result of ``work(*arguments)`` in a worker; all of it must be picklable.

        Raises:
            ThinkingFailed: two workers died of it.
            Exception: whatever ``work`` raised.
        """
        for _ in range(2):
            executor = self._executor
            try:
                return await asyncio.wrap_future(executor.submit(work, *arguments))
            except BrokenProcessPool:
                self._replace(executor)
        raise ThinkingFailed("the worker process died twice")

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """All calls under way see a broken executor; only the first to notice replaces it."""
        if self._executor is broken:
            self.deaths += 1
            broken.shutdown(wait=False)
            self._executor = _new_executor(self.workers)


def _new_executor(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_init_worker)


def _init_worker() -> None:
    """In a worker: leave Ctrl-C to the parent, and lower the priority below the event loop's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this worker when the server is killed, which would otherwise wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _think(game: str, level: str, situation: Situation, timeout_s: float) -> tuple[Thought, float]:
    started = perf_counter()
    faulthandler.dump_traceback_later(timeout_s, exit=True)  # works even if compiled code never returns
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
            logger.exception("the bots of %s could not be warmed up; their first moves will be slow", name)
