"""Work on threads: how many, cut into batches, and its results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import islice
from typing import TypeVar

from core.base.progress import Cancelled, stop_if

__all__ = ["POLL", "batches", "result_of", "results_in_turn", "results_of", "worker_count"]

Result = TypeVar("Result")

BATCH_CHARACTERS = 1 << 20
BATCH_TEXTS = 2000
POLL = 0.05  # seconds between two looks at `cancelled` while a thread works


def batches(lengths: Sequence[int]) -> Iterator[slice]:
    """Cut a sequence into slices of about a million characters and at most 2,000 items."""
    start = total = 0
    for index, length in enumerate(lengths):
        full = total + length > BATCH_CHARACTERS or index - start >= BATCH_TEXTS
        if full and index > start:
            yield slice(start, index)
            start, total = index, 0
        total += length
    if start < len(lengths):
        yield slice(start, len(lengths))


def worker_count() -> int:
    """Threads to use: one for each core that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def result_of(future: Future[Result], cancelled: Cancelled) -> Result:
    """The result of work on another thread; asks `cancelled` while it waits."""
    while not wait([future], POLL).done:
        stop_if(cancelled)
    return future.result()


def results_of(futures: Sequence[Future[Result]], cancelled: Cancelled) -> Iterator[Result]:
    """The results of work on other threads, in order; work not begun is dropped on the way out."""
    try:
        for future in futures:
            stop_if(cancelled)
            yield result_of(future, cancelled)
    finally:
        for future in futures:
            future.cancel()


def results_in_turn(
    begun: Iterator[Future[Result]], ahead: int, cancelled: Cancelled
) -> Iterator[Result]:
    """The results of work that is begun one by one, in order; none is kept here once it is given.

    Args:
        begun: Begins the next piece of work whenever it is asked.
        ahead: How many may be under way, or wait for one before them.
        cancelled: Polled while a result is waited for.
    """
    waiting = deque(islice(begun, ahead))
    try:
        while waiting:
            stop_if(cancelled)
            result_of(waiting[0], cancelled)
            yield waiting.popleft().result()
            waiting.extend(islice(begun, 1))
    finally:
        for future in waiting:
            future.cancel()
