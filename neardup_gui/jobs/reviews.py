"""Reviews from files and to files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.jobs.results import make_result
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.review import Review, ReviewLock
    from core.scan.state import ScanState

__all__ = ["OpenedReview", "SavedReview", "open_review", "save_review"]


class OpenedReview(NamedTuple):
    """A review, what it holds, and whether it may be saved."""

    review: Review
    result: ScanResult
    lock: ReviewLock


class SavedReview(NamedTuple):
    """A review that was written, the right to write it again, and what there is to say of it."""

    path: Path
    lock: ReviewLock
    notes: tuple[str, ...]


def open_review(
    path: Path, threads: EngineThreads, locks: ReviewLocks, hold: Callable[[Review], object]
) -> Work:
    """Open a review and list its pairs.

    Args:
        path: The file.
        threads: What its pairs are listed on.
        locks: Where the right to save it is asked for; without it the review can be read.
        hold: Told of the review as soon as it is open, whatever becomes of the job: somebody has
            to close it when nothing reads its texts any more.
    """

    def work(reports: Reports) -> OpenedReview:
        from core import review
        from core.scan.scan import Scan

        began = time.monotonic()
        lock = locks.take(path)  # before it is read: nobody saves it in between
        opened = review.open_review(path, progress=reports.progress, cancelled=reports.cancelled)
        hold(opened)
        scan = Scan.restored(opened.state, threads.pool())
        result = make_result(scan, scan.settings, reports, complete=True, began=began)
        return OpenedReview(opened, result, lock)

    return work


def save_review(path: Path, state: ScanState, locks: ReviewLocks) -> Work:
    """Write a review, unless another program may; the result says who else may."""

    def work(reports: Reports) -> SavedReview:
        from core import review

        lock = locks.take(path)
        lock.require()
        notes = review.save_review(
            path, state, progress=reports.progress, cancelled=reports.cancelled
        )
        return SavedReview(path, lock, notes)

    return work
