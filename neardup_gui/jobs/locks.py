"""The rights of a window to save reviews, and how it follows one that another program has."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.errors import ReviewError

if TYPE_CHECKING:
    from core.review import Appended, ReviewLock
    from core.scan.history import HistoryEntry


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


def look_at_review(
    path: Path, known: Sequence[HistoryEntry]
) -> tuple[Sequence[HistoryEntry], bool]:
    """What another program has appended to a log, and whether the review may be saved now."""
    from core.review import entries_since, is_free

    fresh: Sequence[HistoryEntry] = ()
    with suppress(OSError, ReviewError):  # it cannot be reached at the moment
        fresh = entries_since(path, known)
    with suppress(OSError):
        return fresh, is_free(path)
    return fresh, False


class SaveRequest(NamedTuple):
    """A review that may be saved, and the rights to."""

    path: Path
    locks: ReviewLocks


def append_entries(
    request: SaveRequest, known: Sequence[HistoryEntry], entries: Sequence[HistoryEntry]
) -> Appended:
    """Append to the log of a review what was decided after the entries that it is known to have.

    Raises:
        ReviewError: They were not saved; the sentence says why.
    """
    from core.review import extend_log

    request.locks.take(request.path).require()
    return extend_log(request.path, known, entries)
