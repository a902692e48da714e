"""What happens between the views and the work: folders are scanned, pairs listed, compared, saved.

    folders ─▶ `ScanSession` ─▶ a result ─▶ the tables, the panels
    a row ─▶ `PairSession` ─▶ the compare view
    a file name ─▶ `ExportSession` ─▶ a report
    a review ─▶ opened here ─▶ a result; saved by `ReviewSession`

It knows no widget: it fills the models and says in signals what the window shall show. The sessions
do not know each other: what they share is `Current`, what one does after another is said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.base.progress import Stage
from neardup_gui.jobs.job import JobKind
from neardup_gui.jobs.list_changes import ChangedList
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.reviews import OpenedReview, open_review
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.pairs.order import PairFilter
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.problems.tree import ProblemsModel
from neardup_gui.models.review_file import is_review
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import sentences
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.document_session import DocumentSession
from neardup_gui.presenter.export_session import ExportSession
from neardup_gui.presenter.group_session import GroupSession
from neardup_gui.presenter.job_messages import STOPPABLE, JobMessages
from neardup_gui.presenter.missing_session import MissingSession
from neardup_gui.presenter.pair_session import PairSession
from neardup_gui.presenter.passage_session import PassageSession
from neardup_gui.presenter.preparation import Preparation
from neardup_gui.presenter.reading_session import ReadingSession
from neardup_gui.presenter.review_session import ReviewSession
from neardup_gui.presenter.scan_session import ScanSession
from neardup_gui.presenter.why_session import WhySession

__all__ = ["Presenter"]


class Presenter(QObject):
    """The state of one window and its way from one to the next.

    Signals:
        folders_opened: Paths of the folders that are scanned, or of a review, before all else.
        folder_found: Paths of the folders, one of which is in another place than it was.
        restored: The `ScanSettings` of a review that was opened.
        listed: A `ScanResult` is in the models.
        progressed: A `ProgressLine`.
        ended: A sentence: nothing runs any more, this came out.
        emptied: A sentence for the place where pairs would be.
        said: A `Message` for the message bar.
        state_changed: A `WindowState`.
        broke: An unexpected exception.
    """

    folders_opened = Signal(object)
    folder_found = Signal(object)
    restored = Signal(object)
    listed = Signal(object)
    progressed = Signal(object)
    ended = Signal(str)
    emptied = Signal(str)
    said = Signal(object)
    state_changed = Signal(object)
    broke = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = current = Current()
        self.pairs = PairsModel(self)
        self.problems = ProblemsModel(self)
        self._threads = EngineThreads()
        self._queues = queues = JobQueues(self)
        self._messages = JobMessages(queues, current, self)
        self.preparation = Preparation(queues, self)
        self.scans = ScanSession(queues, self._threads, current, self)
        self.reading = ReadingSession(current, self)
        self.pair = PairSession(queues, current, self.pairs, self)
        self.passages = PassageSession(queues, current, self)
        self.why = WhySession(queues, current, self)
        self.review = ReviewSession(queues, current, self)
        self.missing = MissingSession(queues, self._threads, current, self.review.saving, self)
        self.groups = GroupSession(queues, current, self)
        self.documents = DocumentSession(queues, current, self)
        self.exports = ExportSession(queues, current, self.pairs, self)
        self._connect()

    def _connect(self) -> None:
        for name in ("progressed", "ended", "emptied", "broke"):
            getattr(self._messages, name).connect(getattr(self, name))
        for speaker in (self._messages, self.missing, self.review, self.exports):
            speaker.said.connect(self.said)
        self.scans.begun.connect(self._on_scan_begun)
        self.scans.scanned.connect(self._on_scanned)
        self.scans.listed.connect(self._show)
        for rows in (self.groups, self.passages, self.documents):
            self.listed.connect(rows.take)
            self.folders_opened.connect(rows.forget)
        self.passages.documents_wanted.connect(self.pair.open_documents)
        self.pair.opened.connect(self.why.take)
        self.pair.opened.connect(self.passages.take_opened)
        self.pair.differs.connect(self._on_pair_differs)
        self.missing.changed.connect(self._on_list_changed)
        self.missing.kept.connect(self.review.save_again)
        for queue_says, heard in (
            (self._queues.previewed, self._on_previewed),
            (self._queues.cancelled, self._on_stopped),
            (self._queues.failed, self._on_stopped),
            (self._queues.finished, self._tell_state),
            (self.pairs.modelReset, self._tell_state),
        ):
            queue_says.connect(heard)
        for session in (self.scans, self.missing, self.passages, self.exports):
            session.submitted.connect(self._tell_state)

    @property
    def state(self) -> WindowState:
        """What decides which actions can be used."""
        result, is_busy = self.current.result, self._queues.is_busy
        return WindowState(
            has_folder=bool(self.current.folders),
            is_scanning=is_busy(JobKind.SCAN, JobKind.OPEN, JobKind.CHANGE_LIST),
            is_busy=is_busy(*STOPPABLE),
            is_complete=result is not None and result.complete,
            has_list=result is not None,
            has_pairs=self.pairs.rowCount() > 0,
            has_pair=self.pair.has_pair,
            has_missing=result is not None and result.missing > 0,
            has_removed=result is not None and result.removed > 0,
            is_taken=self.review.access.is_taken,
        )

    # What the user asks for

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
            return
        self._queues.drop(JobKind.SCAN, JobKind.LIST)
        self._messages.begin(Stage.OPEN)
        work = open_review(path, self._threads, self.review.locks, self.review.hold)
        self._queues.submit(JobKind.OPEN, work, self._review_opened)
        self._tell_state()

    def take_over(self) -> None:
        """Open the review again, as another program has saved it since, to save it from now on."""
        if self.review.path is not None:
            self.open_review(self.review.path)

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Scan other folders, from an empty window."""
        wrong = [folder for folder in folders if not folder.is_dir()]
        if wrong or not folders:
            self.said.emit(sentences.not_a_folder(wrong[0] if wrong else None))
            return
        self._leave(tuple(folders))
        self.rescan()

    def rescan(self) -> None:
        """Read what changed in the folders, under the present settings."""
        if self.current.folders:
            self.scans.scan(self.current.folders, self.missing.previous)

    def find_folder(self, place: Path) -> None:
        """Read a folder where it is now, which the last rescan has missed."""
        lost, before = self.missing.lost_folder, self.missing.before
        if lost is None or before is None or self.state.is_scanning:
            return
        folders = tuple(place if folder == lost else folder for folder in self.current.folders)
        self.scans.scan(folders, before, (lost, place))

    def try_password(self, password: str) -> None:
        """Read the locked files again with a password."""
        if self.current.result is not None and not self.state.is_scanning:
            self.reading.begin_trial(password, self.current.result.problems)
            self.rescan()

    def cancel(self) -> None:
        """Stop what the user waits for."""
        self._queues.cancel(*STOPPABLE)

    def open_pair(self, key: ListedPair) -> None:
        """Lay a pair out for reading."""
        if self.current.result is not None:
            self.pair.open(key)
            self._tell_state()

    def save_review(self, path: Path) -> None:
        """Save the review, from now on to this file."""
        if self.current.result is None:
            return
        if self.review.save(path):
            self._messages.begin(Stage.SAVE)
        self._tell_state()

    def stop(self) -> None:
        """Stop everything and wait for it; what is being saved is saved."""
        self._queues.stop()
        self.review.stop()
        self._threads.close()

    # What the sessions say

    def _on_previewed(self, kind: JobKind, result: ScanResult) -> None:
        if kind is JobKind.SCAN:
            self._show(result)

    def _on_stopped(self, kind: JobKind) -> None:
        if kind is JobKind.SCAN:
            self.reading.drop_trial()
        if kind is JobKind.COMPARE:
            self.pair.give_up()
        if kind in (JobKind.SCAN, JobKind.OPEN):
            self.scans.catch_up()
        self._tell_state()

    def _on_scan_begun(self) -> None:
        self._messages.begin(Stage.DISCOVER)
        self.emptied.emit("Pairs appear here as soon as they are found.")

    def _on_scanned(self, result: ScanResult, previous: ScanResult | None) -> None:
        self._show(result)
        may_be_saved = self.missing.tell_rescan(result, previous)
        if result.scan.folders != self.current.folders:
            self.current.folders = result.scan.folders
            self.folder_found.emit(self.current.folders)
        self.reading.judge_trial(result.problems)
        self.pair.open_again()
        if may_be_saved:
            self.review.save_again()

    def _on_list_changed(self, changed: ChangedList) -> None:
        self._queues.drop(JobKind.LIST)
        self._show(changed.result)
        self.missing.tell_list_changed(changed)
        self.pair.open_again()
        if changed.notes is not None:
            self.review.take_decided(changed.result, changed.notes)
        else:
            self.review.save_again()
        self.scans.catch_up()

    def _on_pair_differs(self, key: ListedPair) -> None:
        if self.current.result is not None and self.current.result.complete:
            self.said.emit(sentences.contradicts_texts(key))
            self.scans.measure_again()

    def _review_opened(self, opened: OpenedReview) -> None:
        self.current.settings = opened.result.settings
        self._leave(opened.result.scan.folders, opened)
        self.restored.emit(self.current.settings)
        self._show(opened.result)
        self.review.tell_opened(opened.review.notes)

    def _leave(self, folders: tuple[Path, ...], opened: OpenedReview | None = None) -> None:
        """Empty the window for other folders."""
        self.current.folders = folders
        self.current.result = None
        self.missing.forget()
        self.pair.forget()
        self._messages.forget()
        self._queues.drop(JobKind.LIST, JobKind.CHANGE_LIST)
        self.review.enter(opened)  # before anything is tidied up
        self.pairs.set_filter(PairFilter())
        self.pairs.clear()
        self.problems.set_groups(())
        self.folders_opened.emit(folders)

    def _show(self, result: ScanResult) -> None:
        self.current.result = result
        self._messages.tell_result(result)
        self.pairs.set_pairs(result.pairs, result.names, result.settings)
        self.problems.set_groups(result.groups)
        self.listed.emit(result)

    @Slot()
    def _tell_state(self) -> None:
        self.review.tidy()
        self.state_changed.emit(self.state)
