"""How often work may report: the one place that decides it."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.base.progress import Progress, ProgressReport

__all__ = ["PROGRESS_INTERVAL", "throttled"]

PROGRESS_INTERVAL = 0.05  # seconds: 20 reports a second are as many as an eye can use
Clock = Callable[[], float]


def throttled(
    report: Progress, *, interval: float = PROGRESS_INTERVAL, clock: Clock = time.monotonic
) -> Progress:
    """A progress function that passes on at most one report per interval.

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
