"""The review of a window: its file, what is saved to it, and how long it stays open.

Save review, or a rescan that ended ─▶ SAVE ─▶ the file
a review that was opened ─▶ held, because its texts are read from it, until no job needs it
the right to save it ─▶ held while the window shows it; without it ─▶ read only, until taken over
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.list_changes import SaveRequest
from neardup_gui.jobs.locks import ReviewLocks, wait_until_free
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.reviews import OpenedReview, SavedReview, save_review
from neardup_gui.models.words import review_access, sentences
from neardup_gui.models.words.review_access import ReviewAccess
from neardup_gui.presenter.current import Current

if TYPE_CHECKING:
    from core.review import Review, ReviewLock
    from core.scan.scan import Scan
    from neardup_gui.models.scan_result import ScanResult

__all__ = ["ReviewSession"]

READERS = (JobKind.SCAN, JobKind.OPEN, JobKind.LIST, JobKind.COMPARE, JobKind.EXPORT, JobKind.SAVE)


class ReviewSession(QObject):
    """Knows the file of the present review, saves to it, and closes what is no longer read.

    Attributes:
        locks: The rights to save that the window has.

    Signals:
        changed: The path of the present review, None when there is none; also when `access` is
            another one.
        said: A `Message` for the message bar.
    """

    changed = Signal(object)
    said = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._path: Path | None = None
        self._present: Review | None = None
        self._held: list[Review] = []
        self._asked = False
        self._is_incomplete = False
        self._in_file: Scan | None = None
        self._submitted: Scan | None = None
        self._is_of_present = True
        self._access = ReviewAccess()
        self.locks = ReviewLocks()

    @property
    def path(self) -> Path | None:
        """The file of the present review, if it has one."""
        return self._path

    @property
    def access(self) -> ReviewAccess:
        """What may be done with the present review."""
        return self._access

    def saving(self) -> SaveRequest | None:
        """Where decisions are saved as they are made; None where they are not."""
        if self._path is None or self._access.is_read_only:
            return None
        return SaveRequest(self._path, self.locks, self._in_file)

    def hold(self, review: Review) -> None:
        """Close a review some day; may be called on any thread."""
        self._held.append(review)

    def enter(self, opened: OpenedReview | None = None) -> None:
        """Something else is opened: a review, or folders that have none yet."""
        self._present = opened.review if opened else None
        self._in_file = opened.result.scan if opened else None
        self._is_of_present = False
        self._take(opened.review.path if opened else None, opened.lock if opened else None)
        if self._path is not None and self._access.is_taken:
            self._queues.submit(JobKind.WATCH, wait_until_free(self._path), self._tell_free)

    def tell_opened(self, notes: Sequence[str]) -> None:
        """Say what was changed to open the review, and who else may save it."""
        message = self._path and review_access.opened(self._path, self._access, notes)
        if message:
            self.said.emit(message)

    def _tell_free(self, path: Path) -> None:
        self.said.emit(review_access.free_again(path))

    def save(self, path: Path) -> bool:
        """Save as the user asked for, from now on to this file; False where that may not be."""
        if self._path is not None and self._access.is_read_only and _same(path, self._path):
            # Even where it is free by now: what was saved there since would be lost.
            self.said.emit(review_access.not_saved(self._path, self._access))
            return False
        return self._submit(path, asked=True)

    def save_again(self) -> None:
        """Save a new scan without being asked, if there is a file."""
        if self._path is not None and self._access.is_read_only:
            self.said.emit(review_access.not_saved(self._path, self._access))
        elif self._path is not None:
            # A sentence for the user's own wish that this one takes the place of.
            asked = self._asked and self._queues.is_busy(JobKind.SAVE)
            self._submit(self._path, asked=asked)

    def _saved(self, saved: SavedReview) -> None:
        if self._is_of_present:
            self._take(saved.path, saved.lock)
        self._in_file = self._submitted
        self._is_incomplete = bool(saved.notes)
        if self._asked or saved.notes:
            self.said.emit(sentences.review_saved(saved.path, saved.notes))

    def take_decided(self, result: ScanResult, notes: tuple[str, ...]) -> None:
        """What was decided is in the file; notes say why not in the one file yet."""
        self._in_file = result.scan
        if notes and self._path is not None:
            self._is_incomplete = True
            self.said.emit(sentences.review_saved(self._path, notes))

    def tidy(self) -> None:
        """Close the reviews whose texts nothing reads any more."""
        if not self._queues.is_busy(*READERS):
            for review in [each for each in self._held if each is not self._present]:
                self._held.remove(review)
                review.close()
        if not self._queues.is_busy(JobKind.OPEN, JobKind.SAVE):
            # Nobody else may save a file that texts are read from: they could be gone then.
            held = [review.path for review in self._held]
            self.locks.keep_only([*held, *filter(None, [self._path])])

    def stop(self) -> None:
        """Close all reviews; to be called when nothing runs any more."""
        for review in self._held:
            review.close()
        self._held.clear()
        if self._path is not None and self._is_incomplete:
            from core.review import finish  # noqa: PLC0415 - slow to import

            finish(self._path)
        self.locks.keep_only([])

    def _take(self, path: Path | None, lock: ReviewLock | None) -> None:
        self._queues.drop(JobKind.WATCH)
        self._path = path
        self._access = ReviewAccess(lock.access.value, lock.holder) if lock else ReviewAccess()
        self.changed.emit(path)

    def _submit(self, path: Path, *, asked: bool) -> bool:
        result = self._current.result
        if result is None or result.state is None:
            return False
        self._asked, self._is_of_present = asked, True
        self._submitted = result.scan
        work = save_review(path, result.state, self.locks)
        self._queues.submit(JobKind.SAVE, work, self._saved)
        return True


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)
