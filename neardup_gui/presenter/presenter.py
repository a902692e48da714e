"""Between views and work: scans folders, and lists, compares and saves pairs.

    folders ─▶ `ScanSession` ─▶ a result ─▶ the tables, the panels
    a row ─▶ `PairSession` ─▶ the compare view
    a file name ─▶ `ExportSession` ─▶ a report
    a review ─▶ `Opening` ─▶ a result; saved by `ReviewSession`
    a decision ─▶ `DecisionSession` ─▶ judgements, or another list

It knows no widget: it fills the models and says in signals what the window shall show. The sessions
share `Current`; what one does after another is said here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from core.base.arrays import Int64Array
from core.base.messages import gettext
from core.base.tasks import Stage
from core.documents.model import Role
from neardup_gui.jobs import pairs as pair_jobs
from neardup_gui.jobs.scans import ChangedList, OpenedReview, prepare_rest, warm_up
from neardup_gui.jobs.tasks import TaskKind, Tasks, complete_types
from neardup_gui.models.compare.comparison import PropertiesOfPair
from neardup_gui.models.folder_reviews import FolderReviews
from neardup_gui.models.pairs.columns import DocumentPair, PairFilter, PairVerdicts
from neardup_gui.models.pairs.table import PairsModel
from neardup_gui.models.problems import ProblemsModel
from neardup_gui.models.scan_result import NO_QUESTIONS, ListedPair, ScanResult
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import progress, sentences
from neardup_gui.presenter import scan_session
from neardup_gui.presenter.decision_session import DecisionSession
from neardup_gui.presenter.document_session import DocumentSession, ExclusionSession, GroupSession
from neardup_gui.presenter.export_session import ExportSession
from neardup_gui.presenter.follower import Follower
from neardup_gui.presenter.job_messages import STOPPABLE, JobMessages
from neardup_gui.presenter.opening import Opening, ReviewSession
from neardup_gui.presenter.pair_session import PairSession
from neardup_gui.presenter.passage_session import PassageSession
from neardup_gui.presenter.search_session import SearchSession
from neardup_gui.presenter.verdict_session import VerdictSession
from neardup_gui.presenter.window_context import Context, Current, Session
from neardup_gui.presenter.workbench_sessions import WorkbenchSessions

if TYPE_CHECKING:
    from core.evidence.shared_words import SharedWords

MOST = 200  # rows of a screen
AWAITED = (TaskKind.SCAN, TaskKind.OPEN, TaskKind.COMPARE)  # with them the first list and pair
REST_LATER = 300  # milliseconds after which it is seen whether nobody waits
LET_GO = 200  # milliseconds after which the list before is freed


class ThumbnailSession(Session):
    """Measures the rows in sight: their pictures, and overlaps that are not known.

    Other rows have no work done for them, and none changes its place.

    Signals:
        drawn: A picture came into the model.
    """

    drawn = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._wanted: list[DocumentPair] = []

    def show_rows(self, first: int, end: int) -> None:
        """Draw the rows in sight, and drop those that were waiting."""
        result = self._current.result
        self.pause()
        if result is None or not result.complete or result.names is not self._pairs.names:
            return
        rows = range(first, min(end, first + MOST, self._pairs.rowCount()))
        listed = self._pairs.pairs_in(list(reversed(rows)))
        unknown = self._pairs.is_unknown(listed).tolist()
        pairs = zip(result.pairs.a[listed].tolist(), result.pairs.b[listed].tolist(), strict=True)
        self._wanted = [
            pair
            for pair, is_unknown in zip(pairs, unknown, strict=True)
            if is_unknown or pair not in self._pairs.thumbnails
        ]
        self._draw_next(result)

    def pause(self) -> None:
        """Stop drawing until other rows are in sight."""
        self._wanted = []
        self._tasks.drop(TaskKind.THUMBNAILS)

    def _draw_next(self, result: ScanResult) -> None:
        if self._wanted:
            pair = self._wanted.pop()
            work = partial(pair_jobs.measure_row, self._current.up_to_date(result), pair)
            self._tasks.run(TaskKind.THUMBNAILS, work, partial(self._add, result, pair))

    def _add(self, result: ScanResult, pair: DocumentPair, measured: pair_jobs.MeasuredRow) -> None:
        if result.names is self._pairs.names:
            self._pairs.thumbnails.add(pair, measured.thumbnail)
            if measured.overlap is not None and result is self._current.result:
                self._pairs.set_overlap(pair, measured.overlap)
            self.drawn.emit()
            self._draw_next(result)


class OverlapSession(Session):
    """Measures in the background the overlaps that the list lacks; rows keep their order.

    Once all are known, a filter that asks for them is asked again.
    """

    def resume(self) -> None:
        """Continue if overlaps are left to measure."""
        self.pause()
        result, rows = self._current.result, self._pairs.unknown()
        if result is None or not result.complete:
            return
        if not len(rows):
            self._pairs.refilter()
            return
        work = partial(pair_jobs.measure_overlaps, self._current.up_to_date(result), rows)
        fill = partial(self._fill, result)
        self._tasks.run(TaskKind.OVERLAPS, work, lambda _: self._pairs.refilter(), previewed=fill)

    def pause(self) -> None:
        """Pause for work that the user waits for."""
        self._tasks.drop(TaskKind.OVERLAPS)

    def _fill(self, result: ScanResult, measured: tuple[Int64Array, SharedWords]) -> None:
        if result is self._current.result:
            rows, numbers = measured
            self._pairs.set_overlaps(rows, numbers._asdict())


class Presenter(QObject):
    """The state of one window.

    Signals:
        folders_opened: Paths of the folders that are scanned, or of a review, before all else.
        folders_relocated: Paths of the folders, one of which is in another place than it was.
        restored: The `ScanSettings` of a review that was opened, or those that are fixed.
        listed: A `ScanResult` is in the models.
        prepared: A sentence on the preparation of the engine, empty when it is done.
        properties_changed: The `PropertiesOfPair` of the open pair; None while they are read.
        progressed: A `ProgressLine`.
        ended: A sentence: nothing runs any more, this came out.
        emptied: A sentence for the place where pairs would be.
        message_posted: A `Message` for the message bar.
        state_changed: A `WindowState`, another one than before.
        unexpected_error: An unexpected exception.
    """

    folders_opened = Signal(object)
    folders_relocated = Signal(object)
    restored = Signal(object)
    listed = Signal(object)
    prepared = Signal(str)
    properties_changed = Signal(object)
    progressed = Signal(object)
    ended = Signal(str)
    emptied = Signal(str)
    message_posted = Signal(object)
    state_changed = Signal(object)
    unexpected_error = Signal(object)

    def __init__(self, parent: QObject | None = None, made: FolderReviews | None = None) -> None:
        """`made` are the reviews that scans make; None if they make none."""
        super().__init__(parent)
        self.current = Current()
        self.pairs = PairsModel(self)
        self.problems = ProblemsModel(self)
        self.tasks = tasks = Tasks(self)
        context = Context(tasks, self.current, self.pairs)
        self._messages = JobMessages(context, self)
        self.review = review = ReviewSession(context, made, self)
        self.decisions = DecisionSession(context, review.saving, review.refused, self)
        context.decisions = self.decisions
        self.scans = scan_session.ScanSession(context, self)
        self.reading = scan_session.ReadingSession(context, self)
        self.thumbnails = ThumbnailSession(context, self)
        self.overlaps = OverlapSession(context, self)
        self.workbench = WorkbenchSessions(context, self)
        self.pair = PairSession(context, self)
        self.passages = PassageSession(context, self)
        self.opening = Opening(context, self._messages, review, self)
        self.missing = scan_session.MissingSession(context, self)
        self.open_paths, self.open_review = self.opening.open_paths, self.opening.open_review
        self.open_folders = self.opening.open_folders
        self.search = SearchSession(context, self)
        self.groups = GroupSession(context, self)
        self.documents = DocumentSession(context, self)
        self.folders = scan_session.FolderSession(context, self)
        self.verdicts = VerdictSession(context, self)
        self.exclusions = ExclusionSession(context, self)
        self.exports = ExportSession(context, self)
        # How rare the passages of the open pair are, counted while its explanation is open.
        self.why = Follower(
            tasks, TaskKind.EXPLAIN, self._pair_to_explain, self._explain, self, forgets=False
        )
        # The properties of the files, read once for a scan when a pair is opened.
        self.properties = Follower(
            tasks, TaskKind.PROPERTIES, self._result_to_look_at, self._read_properties, self
        )
        self._properties: pair_jobs.SharedProperties | None = None
        self._adds_sharing = False  # once properties are read
        self._last_state: WindowState | None = None
        self._past_questions: list[sentences.Message] = []  # of these folders
        self._question: sentences.Message | None = None  # which waits for an answer
        self._asked = NO_QUESTIONS  # what it is about
        self._rest = QTimer(self, singleShot=True, interval=REST_LATER)
        self._rest.timeout.connect(self._prepare_rest)
        self._connect()

    def _connect(self) -> None:
        for name in ("progressed", "ended", "emptied", "unexpected_error"):
            getattr(self._messages, name).connect(getattr(self, name))
        for session in self.findChildren(Session):
            session.message_posted.connect(self.message_posted)
            session.submitted.connect(self._update_state)
        tasks, scans, opening, decisions = self.tasks, self.scans, self.opening, self.decisions
        for says, heard in (
            (opening.scan_wanted, self._on_scan_wanted),
            (opening.opened, self._on_review_opened),
            (opening.rescan_wanted, self._on_rescan_wanted),
            (scans.started, self._on_scan_started),
            (scans.previewed, self._show),
            (scans.scanned, self._on_scanned),
            (scans.listed, self._show),
            (scans.listed, self.verdicts.show_added),
            (scans.settings_kept, self._on_settings_kept),
            (scans.submitted, self.overlaps.pause),
            (self.passages.documents_wanted, self.pair.open_documents),
            (self.pair.opened, self.why.refresh),
            (self.pair.opened, self.properties.open),
            (self.pair.opened, self._emit_properties),
            (self.pair.swapped, self._emit_properties),
            (self.properties.value_changed, self._on_properties),
            (self.pair.opened, self.passages.take_opened),
            (self.pair.texts_differ, self._on_pair_differs),
            (decisions.changed, self._on_list_changed),
            (decisions.undo_state_changed, self.scans.list_added),
            (decisions.judged, self.scans.list_marked),
            (decisions.carried_out, self.missing.ask_next),
            (decisions.saver.file_needed, self.review.begin),
            (decisions.saver.noted, self.review.note_appended),
            (self.review.saved, decisions.saver.note_saved),
            (self.review.entries_appended, decisions.follow),
            (self.missing.kept, self.review.save_again),
            (tasks.cancelled, self._on_stopped),
            (tasks.failed, self._on_failed),
        ):
            says.connect(heard)
        for changes in (tasks.finished, decisions.undo_state_changed, self.pairs.modelReset):
            changes.connect(self._update_state)
        for table in (self.pairs, self.groups.model, self.documents.model):
            self.search.matches_changed.connect(table.filter_again)
        self.listed.connect(self.search.take)
        self.state_changed.connect(self.search.emit_sentence)
        self.folders_relocated.connect(self.review.follow_folders)
        sessions = (self.groups, self.passages, self.documents, self.folders, self.exclusions)
        for rows in (*sessions, self.workbench):
            self.listed.connect(rows.take)
            self.folders_opened.connect(rows.forget)

    def prepare(self) -> None:
        """Load and compile the engine's kernels, once per window."""
        self.prepared.emit(gettext("Preparing the engine"))
        self.tasks.run(
            TaskKind.WARM_UP,
            warm_up,
            self._on_prepared,
            previewed=self.prepared.emit,
            stopped=lambda _error: self.prepared.emit(""),
        )

    def _on_prepared(self, _result: object) -> None:
        self.prepared.emit("")
        self._prepare_rest()

    def _prepare_rest(self) -> None:
        if self.tasks.is_busy(*AWAITED):
            self._rest.start()
        else:
            if not self.current.folders:  # else the first pair does it, and the list is painted now
                complete_types()
            self.tasks.run(TaskKind.COMPILE, prepare_rest)

    def _pair_to_explain(self) -> tuple[ScanResult, pair_jobs.OpenedPair] | None:
        result, opened = self.current.result, self.pair.opened_pair
        return (result, opened) if opened and result and result.complete else None

    def _explain(self, result: ScanResult, opened: pair_jobs.OpenedPair) -> Callable[[], object]:
        return partial(pair_jobs.explain, result, opened.documents, opened.passages)

    def _result_to_look_at(self) -> tuple[ScanResult] | None:
        result = self.current.result
        return (result,) if result and result.complete and self.current.reads_properties else None

    def set_reads_properties(self, reads: bool) -> None:
        """Set whether properties of files are read; if not, forget those that were."""
        self.current.reads_properties, self._adds_sharing = reads, False
        if self.current.result is not None:
            self.current.result.scan.file_properties = None
        self.properties.refresh()
        self._emit_properties()
        self._update_state()

    def _read_properties(self, result: ScanResult) -> Callable[[], object]:
        return partial(pair_jobs.read_properties, result, self.current.reading)

    def add_sharing(self) -> None:
        """List the pairs of files that share a rare property, as soon as properties are read."""
        properties = self._properties
        self._adds_sharing = properties is None
        if properties is None:
            self.message_posted.emit(sentences.reading_properties())
            self.properties.open()
        elif properties.unlisted:
            self.verdicts.add_pairs(properties.unlisted)
        else:
            files = properties.folder.documents
            unread = sum(bool(file.why_none) for file in files)
            self.message_posted.emit(sentences.nothing_to_add(len(files) - unread, unread))

    def _on_properties(self, properties: pair_jobs.SharedProperties | None) -> None:
        self._properties = properties
        if properties is not None and self._adds_sharing:
            self.add_sharing()
        self.pairs.set_sharing(
            properties.listed if properties else (), len(properties.unlisted) if properties else 0
        )
        self._emit_properties()
        for rows in (self.groups, self.documents):
            rows.take()

    def _emit_properties(self, *_arguments: object) -> None:
        """Emit the properties of the open pair, as far as they are known."""
        opened, pair = self.pair.opened_pair, None
        result = self.current.result
        if opened is not None and result is not None and self._properties is not None:
            a, b = opened.documents
            sides = (b, a) if self.pairs.is_swapped(opened.key) else (a, b)
            pair = pair_jobs.properties_of_pair(self._properties.folder, *sides, result.names.shown)
        if not self.current.reads_properties:
            pair = PropertiesOfPair(why_none=sentences.properties_unread())
        self.properties_changed.emit(pair)

    @property
    def state(self) -> WindowState:
        """The state that decides which actions can be used."""
        result, review, decisions = self.current.result, self.review, self.decisions
        is_busy = self.tasks.is_busy
        return WindowState(
            has_folder=bool(self.current.folders),
            is_scanning=is_busy(TaskKind.SCAN, TaskKind.OPEN, TaskKind.CHANGE_LIST),
            is_busy=is_busy(*STOPPABLE),
            is_listing=is_busy(TaskKind.LIST, TaskKind.CHANGE_LIST),
            is_complete=result is not None and result.complete,
            has_list=result is not None,
            has_pairs=self.pairs.rowCount() > 0,
            has_pair=self.pair.has_pair,
            has_passages=self.passages.model.rowCount() > 0,
            has_missing=result is not None and result.missing > 0,
            has_removed=result is not None and result.removed > 0,
            is_taken=review.access.is_taken,
            is_of_folder=review.is_of_folder,
            is_of_run=result is not None and result.is_of_run,
            reads_properties=self.current.reads_properties,
            can_undo=decisions.can_undo,
            can_redo=decisions.can_redo,
            saved=progress.saved_state(
                review.path,
                review.access,
                has_failed=decisions.saver.has_failed or review.has_failed,
                has_unsaved=decisions.saver.has_unsaved,
                is_saving=review.is_saving,
            ),
        )

    def take_over(self) -> None:
        """Open the review again, which another program has saved since, to save it."""
        if self.review.path:
            self.open_review(self.review.path)

    def rescan(self) -> None:
        """Read changed files in the folders, under the present settings."""
        if self.current.folders:
            self.scans.scan(self.current.folders, self.missing.previous)

    def join_submissions(self) -> None:
        """Read the files of each person as one document."""
        self.reading.join_submissions()
        if self.current.reading.submissions:
            self.rescan()

    def use_earlier(self) -> None:
        """Read the folders of earlier years as references."""
        if not self.state.is_scanning:
            self.folders.add(Role.REFERENCE, *self._asked.earlier)

    def set_in_most_aside(self) -> None:
        """Set the passage aside that most documents contain."""
        self.exclusions.set_aside(self._asked.in_most)

    def find_folder(self, location: Path) -> None:
        """Read a folder that the last rescan missed at its new location."""
        lost, before = self.missing.lost_folder, self.missing.before
        if lost is None or before is None or self.state.is_scanning:
            return
        folders = tuple(location if folder == lost else folder for folder in self.current.folders)
        self.scans.scan(folders, before, (lost, location))

    def try_password(self, password: str) -> None:
        """Read the locked files again with a password."""
        if self.current.result is not None and not self.state.is_scanning:
            self.reading.begin_trial(password, self.current.result.problems)
            self.rescan()

    def cancel(self) -> None:
        """Stop the work that the user waits for, and what is measured or laid out meanwhile."""
        self.overlaps.pause()
        self.thumbnails.pause()
        self.pair.ahead.pause()
        self.tasks.cancel(*STOPPABLE, TaskKind.EXPLAIN)

    def open_pair(self, key: ListedPair) -> None:
        """Lay a pair out for reading."""
        if self.current.result is not None:
            self.pair.open(key)
            self._update_state()

    def save_review(self, path: Path) -> None:
        """Save the review, from now on to this file."""
        if self.current.result is not None and self.review.save(path):
            self._messages.begin(Stage.SAVE)
        self._update_state()

    def stop(self) -> None:
        """Stop all work and wait for it, and for saves that have begun."""
        self.tasks.stop()
        self.decisions.saver.save_now()
        self.review.stop()

    def _on_failed(self, kind: TaskKind) -> None:
        if kind in (TaskKind.SCAN, TaskKind.LIST, TaskKind.CHANGE_LIST):
            self.overlaps.resume()
        self._on_stopped(kind)

    def _on_stopped(self, kind: TaskKind) -> None:
        if kind is TaskKind.SCAN:
            self.reading.drop_trial()
        if kind in (TaskKind.SCAN, TaskKind.OPEN):
            self.scans.catch_up()
            self.decisions.carry_out()
        self._update_state()

    def _on_scan_started(self) -> None:
        self._messages.begin(Stage.DISCOVER)
        self.emptied.emit(gettext("Pairs appear here as they are found."))

    def _on_scanned(self, result: ScanResult, previous: ScanResult | None) -> None:
        self.decisions.take_scan(result.log)
        asked_for = self.current.folders
        self._show(result)
        self.missing.question_settled.emit()
        self._ask(result)  # it waits behind what the rescan found
        may_be_saved = self.missing.announce_rescan(result, previous)
        if result.scan.folders != asked_for:
            self.folders_relocated.emit(self.current.folders)
        self.reading.judge_trial(result.problems)
        self.pair.open_again()
        if may_be_saved:
            self.review.save_again()
        self.decisions.carry_out()

    def _ask(self, result: ScanResult) -> None:
        """Make one offer that suits the documents, each once; none if documents are missing."""
        self._question = None  # what was asked about the list before is not dismissed with this one
        questions = []
        about = result.questions
        if about.people and not self.current.judgements.verdicts:
            questions.append(sentences.handed_in(about.people))
        if about.versions:
            questions.append(sentences.versions())
        if about.earlier:
            questions.append(sentences.earlier_years(about.earlier))
        if about.in_most:
            questions.append(sentences.shared_by_most(about.in_most))
        left = [question for question in questions if question not in self._past_questions]
        if left and not result.missing:
            self._question, self._asked = left[0], about
            self.message_posted.emit(left[0])

    def ask_next(self) -> None:
        """Ask the next question, as one was answered or dismissed; a finished scan asks itself."""
        self._past_questions += filter(None, [self._question])
        if self.current.result is not None and not self.state.is_scanning:
            self._ask(self.current.result)

    def _on_list_changed(self, changed: ChangedList) -> None:
        self.tasks.drop(TaskKind.LIST)
        self._show(changed.result)
        before = self._question
        self._ask(changed.result)
        if before is not None and self._question is None:  # what it is about was decided otherwise
            self.missing.question_settled.emit()
        self.pair.open_again()
        self.review.save_again()
        self.scans.catch_up()

    def _on_pair_differs(self, key: ListedPair) -> None:
        if self.current.result is not None and self.current.result.complete:
            self.message_posted.emit(sentences.contradicts_texts(key))
            self.scans.measure_again()

    def _on_scan_wanted(self, folders: tuple[Path, ...], to_begin: Path | None) -> None:
        self._leave(folders, to_begin=to_begin)
        self.rescan()

    def _on_settings_kept(self) -> None:
        self.restored.emit(self.current.settings)

    def _on_rescan_wanted(self) -> None:
        self.missing.announce_changes_only()
        self.rescan()

    def _on_review_opened(self, opened: OpenedReview) -> None:
        self.current.settings = opened.result.settings
        self._leave(opened.result.scan.folders, opened)
        self.restored.emit(self.current.settings)
        self._show(opened.result)
        self.review.announce_opened(opened.review.notes)

    def _leave(
        self,
        folders: tuple[Path, ...],
        opened: OpenedReview | None = None,
        to_begin: Path | None = None,
    ) -> None:
        """Empty the window for other folders."""
        self.decisions.enter(opened.result.state if opened else None)
        self.current.folders = folders
        self._take(None)
        self.missing.forget()
        self.pair.forget()
        self._messages.forget()
        self._past_questions, self._question = [], None
        self._adds_sharing = False
        self.tasks.drop(TaskKind.LIST, TaskKind.CHANGE_LIST)
        self.overlaps.pause()
        self.thumbnails.pause()
        self.review.enter(opened, to_begin)  # before files are tidied up
        self.pairs.set_filter(PairFilter())
        self.pairs.clear()
        self.properties.refresh()  # it would keep the list before until pairs are shown
        self.problems.set_groups(())
        self.folders_opened.emit(folders)

    def _take(self, result: ScanResult | None) -> None:
        """Make this the current list; freeing many documents takes a moment, so it has its own."""
        QTimer.singleShot(LET_GO, self, [self.current.result].clear)
        self.current.result = result

    def _show(self, result: ScanResult) -> None:
        self._take(result)
        result.names.keep_matches(self.pairs.names)
        self.properties.refresh()  # drop those of another scan before its pairs are shown
        self._messages.announce_result(result)
        verdicts = PairVerdicts(result.rows, self.current.judgements)
        self.pairs.set_pairs(
            result.pairs, result.names, result.settings, verdicts, is_of_run=result.is_of_run
        )
        self.problems.set_groups(result.groups)
        self.listed.emit(result)
        self.overlaps.resume()
        self.scans.list_added()

    def _update_state(self) -> None:
        self.review.tidy()
        before, self._last_state = self._last_state, self.state
        if self._last_state != before:
            self.state_changed.emit(self._last_state)
