"""The rights of a window to save reviews, and how it follows one that another program has."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.tasks import stop_if
from core.errors import ReviewError
from neardup_gui.jobs.tasks import Reports, Work

if TYPE_CHECKING:
    from core.review import Appended, ReviewLock
    from core.scan.history import HistoryEntry

LOOK_EVERY = 2.0  # seconds: a look is a few messages to a file server
POLL = 0.1  # seconds after which a wait is given up


class ReviewLocks:
    """The locks that a window holds; asked for on any thread, let go on the UI thread."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._held: list[ReviewLock] = []

    def take(self, path: Path) -> ReviewLock:
        """The lock of a review: the one that is held already, or a new one.

        Raises:
            ReviewError: There is no such folder.
        """
        from core.review import ReviewLock

        real = Path(os.path.realpath(path))
        with self._mutex:
            for lock in self._held:
                if lock.path == real:
                    return lock
            lock = ReviewLock(path)
            if lock.may_save:
                self._held.append(lock)
            return lock

    def keep_only(self, paths: Iterable[Path]) -> None:
        """Let go of all locks but those of some reviews."""
        kept = {Path(os.path.realpath(path)) for path in paths}
        with self._mutex:
            for lock in tuple(self._held):
                if lock.path not in kept:
                    self._held.remove(lock)
                    lock.close()


def follow_review(path: Path, known: Sequence[HistoryEntry]) -> Work:
    """Wait until no other program may save a review any more; the result is its path.

    What the other one appends to the log meanwhile is told as a preview, a tuple of entries.
    """

    def work(reports: Reports) -> Path:
        from core.review import entries_since, is_free

        looked, log = 0.0, tuple(known)
        while True:
            stop_if(reports.cancelled)
            if time.monotonic() - looked > LOOK_EVERY:
                with suppress(OSError, ReviewError):  # it cannot be reached at the moment
                    fresh = entries_since(path, log)
                    if fresh:
                        log = (*log, *fresh)
                        reports.preview(fresh)
                with suppress(OSError):
                    if is_free(path):
                        return path
                looked = time.monotonic()
            time.sleep(POLL)

    return work


class SaveRequest(NamedTuple):
    """A review that may be saved, and the rights to."""

    path: Path
    locks: ReviewLocks


def append_entries(
    request: SaveRequest, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Work:
    """Append to the log of a review what was decided after the entries that it is known to have."""

    def work(_reports: Reports) -> Appended:
        return save_entries(request, known, entries)

    return work


def save_entries(
    request: SaveRequest, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Appended:
    """Append them now, on this thread.

    Raises:
        ReviewError: They were not saved; the sentence says why.
    """
    from core.review import ReviewLog

    request.locks.take(request.path).require()
    return ReviewLog(request.path, known).extend(entries)
