"""How a long piece of work reports and is stopped: two plain arguments with do-nothing defaults."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from core.errors import ScanCancelledError


class Stage(StrEnum):
    """What long work is at, as the user reads it; first the stages of a scan, in their order."""

    DISCOVER = "Looking for documents"
    READ = "Reading documents"
    COMPARE = "Comparing pairs"
    REWORKED = "Finding reworked passages"
    PASSAGES = "Finding shared passages"
    WRITE = "Writing the report"
    TYPESET = "Setting the pages"
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
    """Report nothing."""


def never() -> bool:
    """Never cancel."""
    return False


def stop_if(cancelled: Cancelled) -> None:
    """Raise `ScanCancelledError` when the work was asked to stop."""
    if cancelled():
        raise ScanCancelledError("The scan was cancelled.")


def throttled(
    report: Progress, interval: float, *, clock: Callable[[], float] = time.monotonic
) -> Progress:
    """A progress function that passes on at most one report in so many seconds.

    The first report of a stage and its last one always pass, so that no stage goes unseen and no
    bar stops short of its end.
    """
    passed: tuple[object, float] = (None, 0.0)

    def pass_on(progress: ProgressReport) -> None:
        nonlocal passed
        now = clock()
        stage, when = passed
        ended = progress.total > 0 and progress.done >= progress.total
        if progress.stage is stage and not ended and now - when < interval:
            return
        passed = (progress.stage, now)
        report(progress)

    return pass_on
