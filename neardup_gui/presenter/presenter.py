"""What happens between the views and the work: folders are scanned, pairs listed, compared, saved.

    folders ─▶ `ScanSession` ─▶ a result ─▶ the tables, the panels
    a row ─▶ `PairSession` ─▶ the compare view
    a file name ─▶ `ExportSession` ─▶ a report
    a review ─▶ `Opening` ─▶ a result; saved by `ReviewSession`
    a decision ─▶ `DecisionSession` ─▶ judgements, or another list

It knows no widget: it fills the models and says in signals what the window shall show. The sessions
share `Current`; what one does after another is said here.

How rare the passages of the open pair are, counted while the words on it are open.

the words are open, a pair is read ─▶ EXPLAIN ─▶ sentences

The small pictures of the pairs on the screen: drawn off the UI thread, those in sight first.

rows in sight ─▶ those without a picture ─▶ THUMBNAILS ─▶ one after the other into the model
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Signal, Slot

from core.base.tasks import Stage
from neardup_gui.jobs.pairs import DrawnThumbnail, OpenedPair, draw_thumbnail, explain
from neardup_gui.jobs.scans import ChangedList, OpenedReview, compile_other_kernels, warm_up
from neardup_gui.jobs.tasks import EngineThreads, JobKind, JobQueues
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.models.pairs.columns import DocumentPair, PairFilter, PairVerdicts
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.passages import PassagesModel
from neardup_gui.models.problems import ProblemsModel
from neardup_gui.models.scan_result import ListedPair, ScanResult
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import progress, sentences
from neardup_gui.presenter.current import Current
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.document_session import DocumentSession, GroupSession
from neardup_gui.presenter.export_session import ExportSession
from neardup_gui.presenter.job_messages import STOPPABLE, JobMessages
from neardup_gui.presenter.opening import Opening, ReviewSession
from neardup_gui.presenter.pair_session import PairSession
from neardup_gui.presenter.passage_session import PassageSession
from neardup_gui.presenter.scan_session import (
    FolderSession,
    MissingSession,
    ReadingSession,
    ScanSession,
)
from neardup_gui.presenter.verdict_session import VerdictSession
from neardup_gui.presenter.workbench_sessions import WorkbenchSessions

MOST = 200  # rows of a screen


class ThumbnailSession(QObject):
    """Has the pictures drawn that are in sight; other rows have no work done for them.

    Signals:
        drawn: A picture came into the model.
    """

    drawn = Signal()

    def __init__(
        self, queues: JobQueues, current: Current, pairs: PairsModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._pairs = pairs
        self._wanted: list[DocumentPair] = []

    @Slot(int, int)
    def show_rows(self, first: int, end: int) -> None:
        """These rows are in sight; what was still to be drawn of others is not wanted any more."""
        result = self._current.result
        self._queues.drop(JobKind.THUMBNAILS)
        self._wanted = []
        if result is None or not result.complete or result.names is not self._pairs.names:
            return
        rows = range(first, min(end, first + MOST, self._pairs.rowCount()))
        listed = self._pairs.pairs_in(list(reversed(rows)))
        pairs = zip(result.pairs.a[listed].tolist(), result.pairs.b[listed].tolist(), strict=True)
        self._wanted = [pair for pair in pairs if pair not in self._pairs.thumbnails]
        self._draw_next(result)

    def _draw_next(self, result: ScanResult) -> None:
        if self._wanted:
            work = draw_thumbnail(self._current.up_to_date(result), self._wanted.pop())
            self._queues.submit(JobKind.THUMBNAILS, work, partial(self._add, result))

    def _add(self, result: ScanResult, drawn: DrawnThumbnail) -> None:
        if result.names is self._pairs.names:
            self._pairs.thumbnails.add(drawn.pair, drawn.thumbnail)
            self.drawn.emit()
            self._draw_next(result)


def window_state(
    queues: JobQueues,
    current: Current,
    lists: tuple[PairsModel, PassagesModel],
    pair: PairSession,
    review: ReviewSession,
    decisions: DecisionSession,
) -> WindowState:
    """What can be done at the moment."""
    pairs, passages = lists
    result, is_busy = current.result, queues.is_busy
    return WindowState(
        has_folder=bool(current.folders),
        is_scanning=is_busy(JobKind.SCAN, JobKind.OPEN, JobKind.CHANGE_LIST),
        is_busy=is_busy(*STOPPABLE),
        is_complete=result is not None and result.complete,
        has_list=result is not None,
        has_pairs=pairs.rowCount() > 0,
        has_pair=pair.has_pair,
        has_passages=passages.rowCount() > 0,
        has_missing=result is not None and result.missing > 0,
        has_removed=result is not None and result.removed > 0,
        is_taken=review.access.is_taken,
        is_of_folder=review.is_of_folder,
        can_undo=decisions.can_undo,
        can_redo=decisions.can_redo,
        saved=progress.saved_state(
            review.path,
            review.access,
            has_failed=decisions.saver.has_failed or review.has_failed,
            is_behind=decisions.saver.is_behind,
            is_saving=review.is_saving,
        ),
    )


class WhySession(QObject):
    """Counts for one pair at a time, and only where somebody wants to know.

    Signals:
        told: Sentences on the pair that is open.
    """

    told = Signal(object)

    def __init__(self, queues: JobQueues, current: Current, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        self._current = current
        self._is_open = False
        self._opened: OpenedPair | None = None
        self._counted: OpenedPair | None = None

    def set_open(self, is_open: bool) -> None:
        """The words on the pair are read from now on, or not any more."""
        self._is_open = is_open
        self._count()

    def take(self, opened: OpenedPair | None) -> None:
        """Another pair is read, or none."""
        self._opened = opened
        self._queues.drop(JobKind.EXPLAIN)
        self._count()

    def _count(self) -> None:
        result, opened = self._current.result, self._opened
        if not self._is_open:
            self._queues.drop(JobKind.EXPLAIN)
            return
        if opened is None or result is None or not result.complete or opened is self._counted:
            return

        def tell(sentences: tuple[str, ...]) -> None:
            self._counted = opened
            self.told.emit(sentences)

        work = explain(result, opened.documents, opened.passages)
        self._queues.submit(JobKind.EXPLAIN, work, tell)


class Preparation(QObject):
    """Runs once, at the start of a window.

    Signals:
        told: A sentence on the preparation of the engine, empty when it is done.
    """

    told = Signal(str)

    def __init__(self, queues: JobQueues, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queues = queues
        queues.announced.connect(self._on_announced)
        queues.failed.connect(self._on_failed)

    def begin(self) -> None:
        """Prepare everything."""
        self.told.emit("Preparing the engine")
        self._queues.submit(JobKind.WARM_UP, warm_up(), self._prepared)

    def _prepared(self, _result: object) -> None:
        self.told.emit("")
        self._queues.submit(JobKind.COMPILE, compile_other_kernels())

    @Slot(object, str)
    def _on_announced(self, kind: JobKind, sentence: str) -> None:
        if kind is JobKind.WARM_UP:
            self.told.emit(sentence)

    @Slot(object, object)
    def _on_failed(self, kind: JobKind, _error: Exception) -> None:
        if kind is JobKind.WARM_UP:
            self.told.emit("")


class Presenter(QObject):
    """The state of one window.

    Signals:
        folders_opened: Paths of the folders that are scanned, or of a review, before all else.
        folder_found: Paths of the folders, one of which is in another place than it was.
        restored: The `ScanSettings` of a review that was opened.
        listed: A `ScanResult` is in the models.
        progressed: A `ProgressLine`.
        ended: A sentence: nothing runs any more, this came out.
        emptied: A sentence for the place where pairs would be.
        said: A `Message` for the message bar.
        state_changed: A `WindowState`, another one than before.
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

    def __init__(self, parent: QObject | None = None, made: FolderReviews | None = None) -> None:
        """`made` are the reviews that are made with scans; None where none are."""
        super().__init__(parent)
        self.current = current = Current()
        self.pairs = PairsModel(self)
        self.problems = ProblemsModel(self)
        self._threads = threads = EngineThreads()
        self._queues = queues = JobQueues(self)
        self._messages = told = JobMessages(queues, current, self)
        self.preparation = Preparation(queues, self)
        self.scans = ScanSession(queues, self._threads, current, self)
        self.reading = ReadingSession(current, self)
        self.thumbnails = ThumbnailSession(queues, current, self.pairs, self)
        self.why = WhySession(queues, current, self)
        self.review = kept = ReviewSession(queues, current, made, self)
        self.decisions = DecisionSession(queues, threads, current, kept.saving, kept.refused, self)
        self.workbench = WorkbenchSessions(queues, current, self.decisions, self)
        self.pair = PairSession(queues, current, self.pairs, self.decisions, self)
        self.passages = PassageSession(queues, current, self.decisions, self)
        self.opening = Opening(queues, threads, current, told, kept, self.decisions, self)
        self.missing = MissingSession(current, self.decisions, self)
        self.open_paths, self.open_review = self.opening.open_paths, self.opening.open_review
        self.open_folders = self.opening.open_folders
        self.groups = GroupSession(queues, current, self.pairs, self.decisions, self)
        self.documents = DocumentSession(queues, current, self.decisions, self)
        self.folders = FolderSession(queues, current, self.decisions, self)
        self.verdicts = VerdictSession(queues, current, self.pairs, self.decisions, self)
        self.exports = ExportSession(queues, current, self.pairs, self)
        self._told_state: WindowState | None = None
        self._connect()

    def _connect(self) -> None:
        for name in ("progressed", "ended", "emptied", "broke"):
            getattr(self._messages, name).connect(getattr(self, name))
        speakers = (self._messages, self.missing, self.review, self.decisions, self.exports)
        for speaker in (*speakers, self.opening, self.verdicts, self.passages, self.folders):
            speaker.said.connect(self.said)
        queues, scans, opening, decisions = self._queues, self.scans, self.opening, self.decisions
        for says, heard in (
            (opening.scan_wanted, self._on_scan_wanted),
            (opening.opened, self._on_review_opened),
            (opening.rescan_wanted, self._on_rescan_wanted),
            (scans.begun, self._on_scan_begun),
            (scans.scanned, self._on_scanned),
            (scans.listed, self._show),
            (self.passages.documents_wanted, self.pair.open_documents),
            (self.pair.opened, self.why.take),
            (self.pair.opened, self.passages.take_opened),
            (self.pair.differs, self._on_pair_differs),
            (decisions.changed, self._on_list_changed),
            (decisions.carried_out, self.missing.ask_next),
            (decisions.saver.place_wanted, self.review.begin),
            (decisions.saver.noted, self.review.note_appended),
            (self.review.saved, decisions.saver.note_saved),
            (self.missing.kept, self.review.save_again),
            (queues.previewed, self._on_previewed),
            (queues.cancelled, self._on_stopped),
            (queues.failed, self._on_stopped),
        ):
            says.connect(heard)
        for changes in (queues.finished, decisions.told, self.pairs.modelReset):
            changes.connect(self._tell_state)
        for session in (scans, opening, decisions, self.review, self.passages, self.exports):
            session.submitted.connect(self._tell_state)
        for rows in (self.groups, self.passages, self.documents, self.folders, self.workbench):
            self.listed.connect(rows.take)
            self.folders_opened.connect(rows.forget)

    @property
    def state(self) -> WindowState:
        """What decides which actions can be used."""
        lists, review = (self.pairs, self.passages.model), self.review
        return window_state(self._queues, self.current, lists, self.pair, review, self.decisions)

    def take_over(self) -> None:
        """Open the review again, which another program has saved since, to save it."""
        if self.review.path:
            self.open_review(self.review.path)

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
        if self.current.result is not None and self.review.save(path):
            self._messages.begin(Stage.SAVE)
        self._tell_state()

    def stop(self) -> None:
        """Stop everything and wait for it; what is being saved is saved."""
        self._queues.stop()
        self.decisions.saver.save_now()
        self.review.stop()
        self._threads.close()

    def _on_previewed(self, kind: JobKind, value: object) -> None:
        if kind is JobKind.SCAN:
            self._show(cast("ScanResult", value))
        elif kind is JobKind.WATCH:
            self.decisions.follow(cast("Any", value))

    def _on_stopped(self, kind: JobKind) -> None:
        if kind is JobKind.SCAN:
            self.reading.drop_trial()
        if kind is JobKind.COMPARE:
            self.pair.give_up()
        if kind in (JobKind.SCAN, JobKind.OPEN):
            self.scans.catch_up()
            self.decisions.carry_on()
        self._tell_state()

    def _on_scan_begun(self) -> None:
        self._messages.begin(Stage.DISCOVER)
        self.emptied.emit("Pairs appear here as soon as they are found.")

    def _on_scanned(self, result: ScanResult, previous: ScanResult | None) -> None:
        self.decisions.take_scan(result.log)
        self._show(result)
        may_be_saved = self.missing.tell_rescan(result, previous)
        if result.scan.folders != self.current.folders:
            self.current.folders = result.scan.folders
            self.folder_found.emit(self.current.folders)
        self.reading.judge_trial(result.problems)
        self.pair.open_again()
        if may_be_saved:
            self.review.save_again()
        self.decisions.carry_on()

    def _on_list_changed(self, changed: ChangedList) -> None:
        self._queues.drop(JobKind.LIST)
        self._show(changed.result)
        self.pair.open_again()
        self.review.save_again()
        self.scans.catch_up()

    def _on_pair_differs(self, key: ListedPair) -> None:
        if self.current.result is not None and self.current.result.complete:
            self.said.emit(sentences.contradicts_texts(key))
            self.scans.measure_again()

    def _on_scan_wanted(self, folders: tuple[Path, ...], to_begin: Path | None) -> None:
        self._leave(folders, to_begin=to_begin)
        self.rescan()

    def _on_rescan_wanted(self) -> None:
        self.missing.tell_changes_only()
        self.rescan()

    def _on_review_opened(self, opened: OpenedReview) -> None:
        self.current.settings = opened.result.settings
        self._leave(opened.result.scan.folders, opened)
        self.restored.emit(self.current.settings)
        self._show(opened.result)
        self.review.tell_opened(opened.review.notes)

    def _leave(
        self,
        folders: tuple[Path, ...],
        opened: OpenedReview | None = None,
        to_begin: Path | None = None,
    ) -> None:
        """Empty the window for other folders."""
        self.decisions.enter(opened.result.state if opened else None)
        self.current.folders = folders
        self.current.result = None
        self.missing.forget()
        self.pair.forget()
        self._messages.forget()
        self._queues.drop(JobKind.LIST, JobKind.CHANGE_LIST)
        self.review.enter(opened, to_begin)  # before anything is tidied up
        self.pairs.set_filter(PairFilter())
        self.pairs.clear()
        self.problems.set_groups(())
        self.folders_opened.emit(folders)

    def _show(self, result: ScanResult) -> None:
        self.current.result = result
        self._messages.tell_result(result)
        verdicts = PairVerdicts(result.rows, self.current.judgements)
        self.pairs.set_pairs(result.pairs, result.names, result.settings, verdicts)
        self.problems.set_groups(result.groups)
        self.listed.emit(result)

    @Slot()
    def _tell_state(self) -> None:
        self.review.tidy()
        before, self._told_state = self._told_state, self.state
        if self._told_state != before:
            self.state_changed.emit(self._told_state)
