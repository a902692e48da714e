"""Work on threads: how many, cut into batches, and its results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import islice
from typing import TypeVar

from core.base.progress import Cancelled, stop_if

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


def results_of(
    begun: Iterable[Future[Result]], cancelled: Cancelled, ahead: int | None = None
) -> Iterator[Result]:
    """The results of work on other threads, in order; none is kept here once it is given.

    Work not begun is dropped on the way out.

    Args:
        begun: The work; a generator begins it when it is asked for the next.
        cancelled: Polled while a result is waited for.
        ahead: How many may be under way, or wait for one before them; all where it is left out.
    """
    rest = iter(begun)
    waiting = deque(islice(rest, ahead))
    try:
        while waiting:
            stop_if(cancelled)
            result_of(waiting[0], cancelled)
            yield waiting.popleft().result()
            waiting.extend(islice(rest, 1))
    finally:
        for future in waiting:
            future.cancel()
