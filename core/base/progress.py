"""How a long piece of work reports and is stopped: two plain arguments with do-nothing defaults."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from enum import StrEnum
from itertools import islice
from typing import NamedTuple, TypeVar

from core.errors import ScanCancelledError

__all__ = [
    "Cancelled",
    "Progress",
    "ProgressReport",
    "Stage",
    "ignore",
    "never",
    "result_of",
    "results_in_turn",
    "results_of",
    "stop_if",
]

Result = TypeVar("Result")

POLL = 0.05  # seconds between two looks at `cancelled` while a thread works


class Stage(StrEnum):
    """What long work is at, as the user reads it; first the stages of a scan, in their order."""

    DISCOVER = "Looking for documents"
    READ = "Reading documents"
    COMPARE = "Comparing pairs"
    WRITE = "Writing the report"
    SAVE = "Saving the review"
    OPEN = "Opening the review"


class ProgressReport(NamedTuple):
    """Where the work is; `total` is 0 while it is unknown."""

    stage: Stage
    done: int
    total: int


Progress = Callable[[ProgressReport], None]
Cancelled = Callable[[], bool]


def ignore(report: ProgressReport) -> None:
    """Report to nobody."""


def never() -> bool:
    """Never cancel."""
    return False


def stop_if(cancelled: Cancelled) -> None:
    """Raise `ScanCancelledError` when the work was asked to stop."""
    if cancelled():
        raise ScanCancelledError("The scan was cancelled.")


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
