"""Opening folders, a review, or the review that folders have already.

folders ─▶ they have a review ─▶ OPEN ─▶ it is continued, and the folders are rescanned
        └▶ they have none ─▶ SCAN, which begins one
a review ─▶ OPEN

The review of a window: its file, what is saved to it, and how long it stays open.

a first scan that ended ─▶ SAVE ─▶ a file in the application's data folder
Save review as, or a rescan that ended ─▶ SAVE ─▶ the file
a review that was opened ─▶ held, because its texts are read from it, until no job needs it
the right to save it ─▶ held while the window shows it; without it ─▶ read only, until taken over
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.tasks import Stage
from core.documents.model import text_key
from core.errors import ReviewError
from neardup_gui.jobs import scans
from neardup_gui.jobs.locks import ReviewLocks, SaveRequest, look_at_review
from neardup_gui.jobs.tasks import TaskKind
from neardup_gui.models.folder_reviews import FolderReviews, ReviewLocation, is_review
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import progress, sentences
from neardup_gui.models.words.progress import ReviewAccess
from neardup_gui.presenter.job_messages import JobMessages
from neardup_gui.presenter.window_context import Context, Session

if TYPE_CHECKING:
    from core.review import Review, ReviewLock
    from core.scan.history import HistoryEntry
    from neardup_gui.models.words.sentences import Message

READERS = (
    TaskKind.SCAN,
    TaskKind.OPEN,
    TaskKind.LIST,
    TaskKind.CHANGE_LIST,
    TaskKind.COMPARE,
    TaskKind.EXPORT,
    TaskKind.SAVE,
    TaskKind.AUDIT,
)
LOOK_EVERY = 2000  # milliseconds: a look is a few messages to a file server
COMPLETE_AGAIN = 1000  # milliseconds after which the file is completed, if nobody reads it
TRY_AGAIN = 10_000  # milliseconds after which a review that could not be begun is tried again


class ReviewSession(Session):
    """Knows the file of the current review, saves to it, and closes reviews no longer in use.

    Attributes:
        access: The rights to the present review.
        has_failed: Whether the review of a first scan could not be made yet.
        path: The file of the present review, if it has one.
        locks: The rights to save that the window has.
        of_folders: The reviews that scans make; None if they make none.

    Signals:
        changed: The path of the present review, None if there is none; also when `access` has
            changed.
        saved: How many entries of the log are in the file.
        entries_appended: Entries that another program has appended to the log, which is only read
            here.
    """

    changed = Signal(object)
    saved = Signal(int)
    entries_appended = Signal(object)

    def __init__(
        self, context: Context, of_folders: FolderReviews | None, parent: QObject | None = None
    ) -> None:
        super().__init__(context, parent)
        self.of_folders = of_folders
        self.path: Path | None = None
        self._present: Review | None = None
        self._held: list[Review] = []
        self._is_requested = False
        self._is_incomplete = False
        self._to_begin: Path | None = None
        self._is_of_present = True
        self.access = ReviewAccess()
        self.has_failed = False
        self.locks = ReviewLocks()
        self._again = QTimer(self, singleShot=True, interval=TRY_AGAIN)
        self._again.timeout.connect(self.begin)
        self._complete_again = QTimer(self, singleShot=True, interval=COMPLETE_AGAIN)
        self._complete_again.timeout.connect(self._complete)
        self._look_again = QTimer(self, singleShot=True, interval=LOOK_EVERY)
        self._look_again.timeout.connect(self._look)

    @property
    def is_of_folder(self) -> bool:
        """Whether its file was made by a scan."""
        path, made = self.path, self.of_folders
        return path is not None and made is not None and path in made

    @property
    def keeps_decisions(self) -> bool:
        """Whether decisions are saved, or will be."""
        can_write = self.path is not None and not self.access.is_read_only
        return can_write or (self.path is None and self._to_begin is not None)

    @property
    def is_saving(self) -> bool:
        """Whether the file may be incomplete at this moment, or is being written."""
        kinds = (TaskKind.SAVE, TaskKind.APPEND, TaskKind.COMPLETE)
        return self._is_incomplete or self._tasks.is_busy(*kinds)

    def refused(self) -> Message | None:
        """Why nothing may be decided; None if it may."""
        if self.path is None or not self.access.is_read_only:
            return None
        return progress.not_saved(self.path, self.access)

    def saving(self) -> SaveRequest | None:
        """Where decisions are saved as they are made; None if they are not."""
        if self.path is None or self.access.is_read_only:
            return None
        return SaveRequest(self.path, self.locks)

    def hold(self, review: Review) -> None:
        """Note a review to be closed later; may be called on any thread."""
        self._held.append(review)

    def enter(self, opened: scans.OpenedReview | None = None, to_begin: Path | None = None) -> None:
        """Enter a review, or folders whose review begins with their scan."""
        self._present = opened.review if opened else None
        self._to_begin = to_begin
        self._again.stop()
        self.has_failed = self._is_of_present = False
        self._take(opened.review.path if opened else None, opened.lock if opened else None)

    def follow_folders(self, folders: Sequence[Path]) -> None:
        """Note that the review is of these folders now: one of them was found elsewhere."""
        if self.of_folders is not None and self.path is not None and not self.access.is_read_only:
            self.of_folders.saved_elsewhere(folders, self.path)

    def about(self, notes: Sequence[str]) -> Message | None:
        """The message on what was changed to open the review, and who may save it; or None."""
        return progress.opened(self.path, self.access, notes) if self.path else None

    def announce_opened(self, notes: Sequence[str]) -> None:
        """Announce the message about the review, if there is one."""
        message = self.about(notes)
        if message:
            self.message_posted.emit(message)

    def save(self, path: Path) -> bool:
        """Save at the user's request, from now on to this file; False if that is refused."""
        refusal = self.refused()
        if refusal and self.path and os.path.realpath(path) == os.path.realpath(self.path):
            # Even if it is free by now: what others saved there since would be lost.
            self.message_posted.emit(refusal)
            return False
        return self._submit(path, on_request=True)

    def begin(self) -> None:
        """Make the review of a first scan, unless it exists or is being made."""
        result, path = self._current.result, self._to_begin
        if self.path is not None or path is None or result is None or result.state is None:
            return
        if not (self._tasks.is_busy(TaskKind.SAVE) or self._again.isActive()):
            self._is_requested, self._is_of_present = False, True
            self._save(scans.begin_review, path, result)

    def _save(self, save: Callable[..., scans.SavedReview], path: Path, result: ScanResult) -> None:
        work = partial(save, path, self._current.up_to_date(result).state, self.locks)
        self._tasks.run(TaskKind.SAVE, work, self._saved, stopped=self._on_stopped)
        self.submitted.emit()

    def _on_stopped(self, error: Exception | None) -> None:
        if error is not None and self.path is None and self._is_of_present:
            self.has_failed = True
            self._again.start()

    def save_again(self) -> None:
        """Save a new scan without a request."""
        self.begin()
        refusal = self.refused()
        if refusal:
            self.message_posted.emit(refusal)
        elif self.path is not None:
            # Still announce the save that the user requested, which this one replaces.
            on_request = self._is_requested and self._tasks.is_busy(TaskKind.SAVE)
            self._submit(self.path, on_request=on_request)

    def _saved(self, saved: scans.SavedReview) -> None:
        if not saved.is_saved and self._is_of_present and self._begin_another(saved):
            return
        if self._is_of_present:
            self._take(saved.path, saved.lock)
        if not saved.is_saved:
            self.announce_opened(())
            return
        self._note(saved.notes)
        if self._is_of_present:
            self.saved.emit(saved.entries)
            if self.has_failed:
                self.message_posted.emit(sentences.saved_again())
            self.has_failed = False
            if (
                self.of_folders is not None
                and self._is_requested
                and saved.path not in self.of_folders
            ):
                self.of_folders.saved_elsewhere(self._current.folders, saved.path)
        if self._is_requested or saved.notes:
            self.message_posted.emit(sentences.review_saved(saved.path, saved.notes))

    def _begin_another(self, saved: scans.SavedReview) -> bool:
        """Begin a review beside that of another window, if this window has decisions.

        Without decisions, this window shows those of the other one.
        """
        if self.of_folders is None or not self._current.log:
            return False
        self._to_begin = self.of_folders.beside(saved.path)
        self.message_posted.emit(progress.review_created_beside(saved.path, self._to_begin))
        self.begin()
        return True

    def note_appended(self, notes: Sequence[str]) -> None:
        """Note that decisions were saved, and announce once if the file is not complete yet."""
        if self.path is not None and notes and not self._is_incomplete:
            self.message_posted.emit(sentences.review_saved(self.path, notes))
        self._note(notes)

    def _note(self, notes: Sequence[str]) -> None:
        self._is_incomplete = bool(notes)
        if notes:
            self._complete_again.start()

    def _complete(self) -> None:
        """Complete the file, as soon as no other program reads it."""
        if self._is_incomplete and self.path is not None:
            work = partial(scans.complete_review, self.path, self.locks)
            self._tasks.run(TaskKind.COMPLETE, work, self._on_completed)

    def _on_completed(self, is_complete: bool) -> None:
        self._is_incomplete = not is_complete
        if self._is_incomplete:
            self._complete_again.start()

    def tidy(self) -> None:
        """Close the reviews whose texts are no longer in use."""
        if not self._tasks.is_busy(*READERS):
            for review in [each for each in self._held if each is not self._present]:
                self._held.remove(review)
                review.close()
        if not self._tasks.is_busy(
            TaskKind.OPEN, TaskKind.SAVE, TaskKind.APPEND, TaskKind.COMPLETE
        ):
            # Nobody else may save a file while its texts are read: they could be gone then.
            held = [review.path for review in self._held]
            self.locks.keep_only([*held, *filter(None, [self.path])])

    def stop(self) -> None:
        """Close all reviews; called when no task is running."""
        for review in self._held:
            review.close()
        self._held.clear()
        if self.path is not None and self._is_incomplete:
            from core.review import finish

            finish(self.path)
        self.locks.keep_only([])

    def _take(self, path: Path | None, lock: ReviewLock | None) -> None:
        self._tasks.drop(TaskKind.WATCH)
        self._look_again.stop()
        if path != self.path:
            self._is_incomplete = False
        self.path = path
        self.access = ReviewAccess(lock.access.value, lock.holder) if lock else ReviewAccess()
        if self.access.is_taken:
            self._look()
        self.changed.emit(path)

    def _look(self) -> None:
        """Look for decisions of the program that may save the review."""
        if self.path is not None:
            work = partial(look_at_review, self.path, self._current.log)
            self._tasks.run(TaskKind.WATCH, work, partial(self._on_looked, self.path))

    def _on_looked(self, path: Path, seen: tuple[Sequence[HistoryEntry], bool]) -> None:
        fresh, is_free = seen
        if fresh:
            self.entries_appended.emit(fresh)
        if is_free:
            self.message_posted.emit(progress.free_again(path))
        else:
            self._look_again.start()

    def _submit(self, path: Path, *, on_request: bool) -> bool:
        result = self._current.result
        if result is None or result.state is None:
            return False
        self._is_requested, self._is_of_present = on_request, True
        self._save(scans.save_review, path, result)
        return True


class Opening(Session):
    """Opens what the user chooses, unless that would lose decisions.

    Signals:
        scan_wanted: Folders to be scanned from an empty window, and where their review begins.
        opened: An `OpenedReview` to be shown.
        rescan_wanted: The folders of the review that was opened are to be looked through.
    """

    scan_wanted = Signal(object, object)
    opened = Signal(object)
    rescan_wanted = Signal()

    def __init__(
        self,
        context: Context,
        messages: JobMessages,
        review: ReviewSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(context, parent)
        self._messages = messages
        self._review = review
        self._was_warned = False

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a review, or scan folders and documents, as the paths require."""
        if not any(is_review(path) for path in paths):
            self.open_folders(paths)
        elif len(paths) > 1:
            self.message_posted.emit(sentences.review_not_alone())
        else:
            self.open_review(paths[0])

    def open_review(self, path: Path) -> None:
        """Open a review; the present list stays until it is open."""
        if not path.exists():
            self.message_posted.emit(sentences.no_review(path))
        elif self.may_leave():
            work = partial(scans.open_review, path, self._review.locks, self._review.hold)
            self._submit(work, self._show_review)

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Continue the review of folders, or scan them from an empty window.

        As on the command line, a document can be among the folders.
        """
        made = self._review.of_folders
        location = made.of(folders) if made is not None and folders else None
        gone = [folder for folder in folders if not folder.exists()]
        if not folders or (gone and not (location and location.exists)):
            self.message_posted.emit(sentences.nothing_to_open(gone[0] if gone else None))
        elif not self.may_leave():
            return
        elif location is not None and location.exists:
            work = partial(
                scans.resume_review, location.path, self._review.locks, self._review.hold
            )
            self._submit(work, partial(self._resume, tuple(folders), location))
        else:
            self._scan(tuple(folders), location.path if location else None)

    def start_anew(self) -> None:
        """Begin another review of the same folders; the present one stays as it is."""
        folders, before, made = self._current.folders, self._review.path, self._review.of_folders
        if made is not None and folders and self.may_leave():
            self._scan(folders, made.anew(folders))
            self.message_posted.emit(sentences.review_restarted(before))

    def may_leave(self) -> bool:
        """Whether opening something else loses nothing; warns once if it would."""
        if self._was_warned or not self._review.keeps_decisions:
            return True
        if not self._decisions.would_lose:
            return True
        self._was_warned = True
        self.message_posted.emit(sentences.would_be_lost())
        return False

    def _submit(self, work: Callable[[], object], done: Callable[..., object]) -> None:
        self._tasks.drop(TaskKind.SCAN, TaskKind.LIST)
        self._messages.begin(Stage.OPEN)
        self._tasks.run(TaskKind.OPEN, work, done)
        self.submitted.emit()

    def _scan(self, folders: tuple[Path, ...], to_begin: Path | None) -> None:
        self._was_warned = False
        self.scan_wanted.emit(folders, to_begin)

    def _show(self, opened: scans.OpenedReview) -> None:
        self._was_warned = False
        self.opened.emit(opened)

    def _resume(
        self,
        folders: tuple[Path, ...],
        location: ReviewLocation,
        opened: scans.OpenedReview | ReviewError,
    ) -> None:
        """Continue the review of folders; begin another where it cannot be opened."""
        made = self._review.of_folders
        if isinstance(opened, scans.OpenedReview):
            self._continue(folders, location.lost, opened)
        elif made is not None:
            self._scan(folders, made.anew(folders))
            self.message_posted.emit(sentences.not_resumed(opened))

    def _show_review(self, opened: scans.OpenedReview) -> None:
        """Show a review; one that a scan made is of documents that may have changed since."""
        made = self._review.of_folders
        if made is not None and opened.review.path in made:
            self._continue(opened.result.scan.folders, None, opened)
        else:
            self._show(opened)

    def _continue(
        self, folders: Sequence[Path], lost: Path | None, opened: scans.OpenedReview
    ) -> None:
        """Show the review of folders, and scan for changes since.

        Args:
            folders: What was opened; the review may say that a folder is elsewhere now.
            lost: The file that the review was saved as, where that is not there.
            opened: The review.
        """
        self._show(opened)
        read = opened.result.scan.folders
        gone = [folder for folder in folders if not folder.exists() and folder in read]
        # It would replace the message about the review, which is more important.
        # A verdict is on two texts: of copies the list has more pairs with it, of texts that
        # were edited none until it is confirmed.
        pairs = self._decisions.judged_pairs
        texts = Counter(map(text_key, opened.review.state.documents if pairs else ()))
        there = [low for low, high in pairs if high in texts and texts[low] > (low == high)]
        now = max(len(there), sum(self._pairs.counts[1:]))
        so_far = sentences.JudgedSoFar(len(pairs), now, self._pairs.verdicts.waiting_count)
        goes_on = pairs and not self._review.about(opened.review.notes)
        if goes_on or gone or lost:
            self.message_posted.emit(sentences.goes_on(read, gone, so_far, lost))
        if not gone and not self._review.access.is_read_only:
            self.rescan_wanted.emit()
