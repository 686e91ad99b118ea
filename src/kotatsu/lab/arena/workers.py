"""Where the games of a tournament are played: here, in processes of this machine, or on Ray.

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

GAMES_A_PARCEL = 8
AHEAD = 4
"""How many parcels for each processor Ray is given before the first is waited for."""


class NoRay(RuntimeError):
    """Ray was asked for and cannot be had."""


def run(plan: Plan, numbers: Sequence[int], workers: int = 1, ray: str | None = None) -> Iterator[Result]:
    """Play the games of these numbers.

    Raises:
        NoRay: with one sentence.
    """
    if ray is not None:
        return _on_ray(plan, numbers, _ray(), ray)
    if workers == 1:
        return (play(plan, number) for number in numbers)
    return _in_processes(plan, numbers, workers)


def _in_processes(plan: Plan, numbers: Sequence[int], workers: int) -> Iterator[Result]:
    executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupt)
    try:
        yield from chain.from_iterable(executor.map(partial(_play_parcel, plan), _parcels(numbers, workers)))
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _on_ray(plan: Plan, numbers: Sequence[int], ray: Any, address: str) -> Iterator[Result]:
    try:
        ray.init(address=None if address == "local" else address, log_to_driver=False, logging_level="error")
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise NoRay(f"no Ray at {address}: {str(error).splitlines()[0]}") from None
    try:
        task = ray.remote(_play_parcel)
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        for parcel in _parcels(numbers, processors):
            waiting.append(task.remote(plan, parcel))
            if len(waiting) > AHEAD * processors:
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


def _parcels(numbers: Sequence[int], workers: int) -> list[Sequence[int]]:
    size = max(1, min(GAMES_A_PARCEL, len(numbers) // (8 * workers)))
    return [numbers[first : first + size] for first in range(0, len(numbers), size)]


def _play_parcel(plan: Plan, numbers: Sequence[int]) -> list[Result]:
    return [play(plan, number) for number in numbers]


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
