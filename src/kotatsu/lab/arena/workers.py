"""Playing the games of a tournament: in this process, in several processes, or on a Ray cluster.

Results come in the order of the numbers asked for, wherever they were played.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from multiprocessing import get_context
from typing import Any

from kotatsu.lab.arena.plan import Plan, Result, play

GAMES_PER_BATCH = 8
"""Games a process is given at once, at most. Chosen by hand: few, so that all are busy to the end and an
interrupted tournament loses little; starting a batch costs milliseconds, a game between searching bots
seconds."""

BATCHES_PER_WORKER = 8
"""Batches for each process, at least: with fewer games they get smaller. Chosen by hand, as above."""

BATCHES_AHEAD = 4
"""Batches for each processor that Ray is given before the first is waited for. Chosen by hand: Ray always has
work, and memory stays bounded."""


class NoRay(RuntimeError):
    """Ray is not installed, or there is no cluster at the address."""


def run(plan: Plan, numbers: Sequence[int], workers: int = 1, ray: str | None = None) -> Iterator[Result]:
    """Play some games of a tournament and yield their results in order.

    Args:
        plan: the tournament.
        numbers: which of its games to play.
        workers: the number of processes; 1 to play in this one.
        ray: the address of a Ray cluster to use instead, ``local`` to start one.

    Raises:
        NoRay: Ray is not installed, or there is no cluster at the address; with one sentence.
        Stuck: a game does not end.
    """
    if ray is not None:
        return _on_ray(plan, numbers, _ray(), ray)
    if workers == 1:
        return (play(plan, number) for number in numbers)
    return _in_processes(plan, numbers, workers)


def _in_processes(plan: Plan, numbers: Sequence[int], workers: int) -> Iterator[Result]:
    executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupt)
    try:
        yield from chain.from_iterable(executor.map(partial(_play_batch, plan), _batches(numbers, workers)))
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _on_ray(plan: Plan, numbers: Sequence[int], ray: Any, address: str) -> Iterator[Result]:
    try:
        ray.init(address=None if address == "local" else address, log_to_driver=False, logging_level="error")
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise NoRay(f"no Ray at {address}: {str(error).splitlines()[0]}") from None
    try:
        task = ray.remote(_play_batch)
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        for batch in _batches(numbers, processors):
            waiting.append(task.remote(plan, batch))
            if len(waiting) > BATCHES_AHEAD * processors:
                yield from ray.get(waiting.popleft())
        while waiting:
            yield from ray.get(waiting.popleft())
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise NoRay("ray is not installed: pip install 'kotatsu[ray]'") from None
    return ray


def _batches(numbers: Sequence[int], workers: int) -> list[Sequence[int]]:
    size = max(1, min(GAMES_PER_BATCH, len(numbers) // (BATCHES_PER_WORKER * workers)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def _play_batch(plan: Plan, numbers: Sequence[int]) -> list[Result]:
    return [play(plan, number) for number in numbers]


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
