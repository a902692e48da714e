"""Reviews from files and to files."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from core.errors import ReviewError
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.jobs.locks import ReviewLocks
from neardup_gui.jobs.results import make_result
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.review import Review, ReviewLock
    from core.scan.state import ScanState

NOWHERE = (
    "What you decide is kept until you close Neardup; “Save review as…” keeps it in another place."
)


class OpenedReview(NamedTuple):
    """A review, what it holds, and whether it may be saved."""

    review: Review
    result: ScanResult
    lock: ReviewLock


class SavedReview(NamedTuple):
    """A review that was written.

    Attributes:
        path: The file.
        lock: The right to write it again.
        notes: What there is to say of it.
        entries: How many of the log it has.
        is_saved: False where another program may save it, so that nothing was written.
    """

    path: Path
    lock: ReviewLock
    notes: tuple[str, ...]
    entries: int
    is_saved: bool = True


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


def resume_review(
    path: Path, threads: EngineThreads, locks: ReviewLocks, hold: Callable[[Review], object]
) -> Work:
    """Open the review of a folder; the result is the reason where it cannot be opened."""
    work = open_review(path, threads, locks, hold)

    def resume(reports: Reports) -> OpenedReview | ReviewError:
        try:
            return cast("OpenedReview", work(reports))
        except ReviewError as error:
            return error

    return resume


def save_review(path: Path, state: ScanState, locks: ReviewLocks) -> Work:
    """Write a review, unless another program may; the result says who else may."""

    def work(reports: Reports) -> SavedReview:
        lock = locks.take(path)
        lock.require()
        return _saved(path, lock, state, reports)

    return work


def begin_review(path: Path, state: ScanState, locks: ReviewLocks) -> Work:
    """Write the review that is made with a scan, where nobody else has begun it meanwhile."""

    def work(reports: Reports) -> SavedReview:
        from core.review import Access
        from core.review.refusals import explained

        try:
            with explained(path, "saved"):
                path.parent.mkdir(parents=True, exist_ok=True)
            lock = locks.take(path)
            if lock.access is Access.TAKEN:
                return SavedReview(path, lock, (), 0, is_saved=False)
            lock.require()
            return _saved(path, lock, state, reports)
        except ReviewError as error:
            raise ReviewError(f"{error} {NOWHERE}") from error

    return work


def complete_review(path: Path, locks: ReviewLocks) -> Work:
    """Put into the one file what was saved beside it; the result says whether that was done."""

    def work(_reports: Reports) -> bool:
        from core.review import finish

        with suppress(ReviewError):
            return locks.take(path).may_save and finish(path)
        return False

    return work


def _saved(path: Path, lock: ReviewLock, state: ScanState, reports: Reports) -> SavedReview:
    from core import review

    notes = review.save_review(path, state, progress=reports.progress, cancelled=reports.cancelled)
    return SavedReview(path, lock, notes, len(state.log))
