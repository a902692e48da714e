"""What is opened: folders, a review, the review that folders have already.

folders ─▶ they have a review ─▶ OPEN ─▶ it goes on, and the folders are looked through
        └▶ they have none ─▶ SCAN, with which one begins
a review ─▶ OPEN
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.base.tasks import Stage
from core.errors import ReviewError
from neardup_gui.jobs.job import Done, JobKind, Work
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.reviews import OpenedReview, open_review, resume_review
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.folder_reviews import ReviewPlace
from neardup_gui.models.review_file import is_review
from neardup_gui.models.words import decided, resumed, sentences
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.job_messages import JobMessages
from neardup_gui.presenter.review_session import ReviewSession


class Opening(QObject):
    """Decides what becomes of what the user wants to open.

    Signals:
        scan_wanted: Folders to be scanned from an empty window, and where their review begins.
        opened: An `OpenedReview` to be shown.
        rescan_wanted: The folders of the review that was opened are to be looked through.
        submitted: Something is being opened.
        said: A `Message` for the message bar.
    """

    scan_wanted = Signal(object, object)
    opened = Signal(object)
    rescan_wanted = Signal()
    submitted = Signal()
    said = Signal(object)

    def __init__(
        self,
        queues: JobQueues,
        threads: EngineThreads,
        current: Current,
        messages: JobMessages,
        review: ReviewSession,
        decisions: DecisionSession,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._threads = threads
        self._current = current
        self._messages = messages
        self._review = review
        self._decisions = decisions
        self._was_warned = False

    def open_paths(self, paths: Sequence[Path]) -> None:
        """Open a review, or scan folders: whatever the paths are."""
        if not any(is_review(path) for path in paths):
            self.open_folders(paths)
        elif len(paths) > 1:
            self.said.emit(sentences.one_review())
        else:
            self.open_review(paths[0])

    def open_review(self, path: Path) -> None:
        """Show a review; what is shown stays until it is there."""
        if not path.exists():
            self.said.emit(sentences.no_review(path))
        elif self.may_leave():
            work = open_review(path, self._threads, self._review.locks, self._review.hold)
            self._submit(work, self._show)

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Go on with the review of folders, or scan them from an empty window."""
        made = self._review.of_folders
        place = made.of(folders) if made is not None and folders else None
        wrong = [folder for folder in folders if not folder.is_dir()]
        if not folders or (wrong and not (place and place.is_there)):
            self.said.emit(sentences.not_a_folder(wrong[0] if wrong else None))
        elif not self.may_leave():
            return
        elif place is not None and place.is_there:
            work = resume_review(place.path, self._threads, self._review.locks, self._review.hold)
            self._submit(work, partial(self._resume, tuple(folders), place))
        else:
            self._scan(tuple(folders), place.path if place else None)

    def start_anew(self) -> None:
        """Begin another review of the same folders; the one there is stays as it is."""
        folders, before, made = self._current.folders, self._review.path, self._review.of_folders
        if made is not None and folders and self.may_leave():
            self._scan(folders, made.anew(folders))
            self.said.emit(resumed.begun_anew(before))

    def may_leave(self) -> bool:
        """Whether nothing is lost when something else is opened; what would be is said once."""
        if self._was_warned or not self._review.keeps_decisions:
            return True
        if not self._decisions.would_lose:
            return True
        self._was_warned = True
        self.said.emit(decided.would_be_lost())
        return False

    def _submit(self, work: Work, done: Done) -> None:
        self._queues.drop(JobKind.SCAN, JobKind.LIST)
        self._messages.begin(Stage.OPEN)
        self._queues.submit(JobKind.OPEN, work, done)
        self.submitted.emit()

    def _scan(self, folders: tuple[Path, ...], to_begin: Path | None) -> None:
        self._was_warned = False
        self.scan_wanted.emit(folders, to_begin)

    def _show(self, opened: OpenedReview) -> None:
        self._was_warned = False
        self.opened.emit(opened)

    def _resume(
        self, folders: tuple[Path, ...], place: ReviewPlace, opened: OpenedReview | ReviewError
    ) -> None:
        """The review of folders is open; what has changed in them since is looked for."""
        made = self._review.of_folders
        if isinstance(opened, OpenedReview):
            self._show(opened)
            gone = [folder for folder in folders if not folder.is_dir()]
            self.said.emit(resumed.goes_on(folders, gone, self._decisions.judged_count, place.lost))
            if not gone and not self._review.access.is_read_only:
                self.rescan_wanted.emit()
        elif made is not None:
            self._scan(folders, made.anew(folders))
            self.said.emit(resumed.not_resumed(opened))
