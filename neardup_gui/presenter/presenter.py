"""What happens between the views and the work: folders are scanned, pairs listed, compared, saved.

    a folder ─▶ SCAN ─▶ ScanResult ─▶ the tables, the panels
    other b, r or threshold ─▶ LIST ─▶ ScanResult
    a row ─▶ COMPARE ─▶ the compare view
    a file name ─▶ EXPORT ─▶ a report
    a review ─▶ OPEN ─▶ ScanResult; saving it is the business of `ReviewSession`

It knows no widget: it fills the models and says in signals what the window shall show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.base.progress import ProgressReport, Stage
from core.settings import DEFAULT_PRESET, ScanSettings
from neardup_gui.jobs import exports, pairs, preparation, reviews, scans
from neardup_gui.jobs.job import Kind
from neardup_gui.jobs.list_changes import ChangedList
from neardup_gui.jobs.queues import JobQueues
from neardup_gui.jobs.threads import EngineThreads
from neardup_gui.models.file_places import Place, located
from neardup_gui.models.pairs.outdated import Change, changes_since, report_sentence
from neardup_gui.models.pairs.table import PairFilter, PairsModel
from neardup_gui.models.problems.tree import ProblemsModel
from neardup_gui.models.review_file import is_review
from neardup_gui.models.scan_result import PairKey, ScanResult
from neardup_gui.models.window_state import WindowState
from neardup_gui.models.words import sentences
from neardup_gui.presenter.job_messages import STOPPABLE, JobMessages
from neardup_gui.presenter.missing_session import MissingSession
from neardup_gui.presenter.pair_session import PairSession
from neardup_gui.presenter.reading_session import ReadingSession
from neardup_gui.presenter.review_session import ReviewSession

__all__ = ["Presenter"]


class Presenter(QObject):
    """The state of one window and its way from one to the next.

    Signals:
        folders_opened: Paths of the folders that are being scanned, or of those of a review,
            before anything else of them.
        settings_changed: The settings that the next scan uses.
        folder_found: Paths of the folders, one of which is in another place than it was.
        restored: The `ScanSettings` of a review that was opened.
        listed: A `ScanResult` is in the models.
        compared: A `Comparison` for the compare view.
        progressed: A `ProgressLine`.
        ended: A sentence: nothing runs any more, this came out.
        prepared: A sentence on the preparation of the engine, empty when it is done.
        plotting_loaded: The S-curve can be drawn.
        emptied: A sentence for the place where pairs would be.
        said: A `Message` for the message bar.
        state_changed: A `WindowState`.
        broke: An exception that nobody foresaw.
    """

    folders_opened = Signal(object)
    settings_changed = Signal()
    folder_found = Signal(object)
    restored = Signal(object)
    listed = Signal(object)
    compared = Signal(object)
    progressed = Signal(object)
    ended = Signal(str)
    prepared = Signal(str)
    plotting_loaded = Signal()
    emptied = Signal(str)
    said = Signal(object)
    state_changed = Signal(object)
    broke = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pairs = PairsModel(self)
        self.problems = ProblemsModel(self)
        self.settings: ScanSettings = DEFAULT_PRESET.settings
        self.folders: tuple[Path, ...] = ()
        self._result: ScanResult | None = None
        self._before: ScanResult | None = None  # what the running scan goes on from
        self._threads = EngineThreads()
        self._queues = JobQueues(self)
        self._messages = JobMessages(self._queues, self)
        self._queues.previewed.connect(self._on_previewed)
        self._queues.finished.connect(self._on_finished)
        self._queues.cancelled.connect(self._on_stopped)
        self._queues.failed.connect(self._on_stopped)
        for name in ("progressed", "ended", "prepared", "emptied", "said", "broke"):
            getattr(self._messages, name).connect(getattr(self, name))
        self.reading = ReadingSession(self)
        self.pair = PairSession(self._queues, self.pairs, self)
        self.pair.compared.connect(self.compared)
        self.missing = MissingSession(self._queues, self._threads, self)
        self.missing.said.connect(self.said)
        self.missing.submitted.connect(self._tell_state)
        self.review = ReviewSession(self._queues, self)
        self.missing.kept.connect(self.review.save_again)
        self.review.said.connect(self.said)
        self.pairs.modelReset.connect(self._tell_state)

    @property
    def result(self) -> ScanResult | None:
        """The pairs listed last."""
        return self._result

    @property
    def changes_since(self) -> tuple[Change, ...]:
        """What was chosen since the list was made that only another scan can follow."""
        return changes_since(self._result, self.settings, self.reading.settings)

    @property
    def state(self) -> WindowState:
        """What decides which actions can be used."""
        return WindowState(
            has_folder=bool(self.folders),
            is_scanning=self._queues.is_busy(Kind.SCAN, Kind.OPEN, Kind.CHANGE_LIST),
            is_busy=self._queues.is_busy(*STOPPABLE),
            is_complete=self._result is not None and self._result.complete,
            has_list=self._result is not None,
            has_pairs=self.pairs.rowCount() > 0,
            has_pair=self.pair.has_pair,
            has_missing=self._result is not None and self._result.missing > 0,
            has_removed=self._result is not None and self._result.removed > 0,
            is_taken=self.review.access.is_taken,
        )

    # What the user asks for

    def prepare(self) -> None:
        """Make the engine ready while nothing else is to do."""
        self.prepared.emit("Preparing the engine")
        self._queues.submit(Kind.LOAD_PLOTTING, preparation.load_plotting())
        self._queues.submit(Kind.WARM_UP, preparation.warm_up())

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
        self._queues.drop(Kind.SCAN, Kind.LIST)
        self._messages.begin(ProgressReport(Stage.OPEN, 0, 0))
        opening = reviews.open_review(path, self._threads, self.review.locks, self.review.hold)
        self._queues.submit(Kind.OPEN, opening)
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
        if not self.folders:
            return
        self._scan(self.folders, self.missing.previous_for_rescan(self._result))

    def find_folder(self, place: Path) -> None:
        """Read a folder where it is now, which the last rescan has missed."""
        lost, before = self.missing.lost_folder, self.missing.before
        if lost is None or before is None or self.state.is_scanning:
            return
        folders = tuple(place if folder == lost else folder for folder in self.folders)
        self._scan(folders, before, (lost, place))

    def _scan(
        self,
        folders: tuple[Path, ...],
        previous: ScanResult | None,
        moved: tuple[Path, Path] | None = None,
    ) -> None:
        """Scan folders, one of which may have moved from one place to another."""
        self._before = previous
        self._messages.begin(ProgressReport(Stage.DISCOVER, 0, 0))
        self._queues.drop(Kind.OPEN)
        self._queues.cancel(Kind.LIST)
        request = scans.ScanRequest(folders, self.settings, previous, self.reading.settings, moved)
        scan = scans.scan_folders(request, self._threads)
        self._queues.submit(Kind.SCAN, scan)
        self.emptied.emit("Pairs appear here as soon as they are found.")
        self._tell_state()

    def try_password(self, password: str) -> None:
        """Read the locked files again with a password."""
        if self._result is not None and not self.state.is_scanning:
            self.reading.begin_trial(password, self._result.problems)
            self.rescan()

    def change_settings(self, settings: ScanSettings) -> None:
        """Use other settings: at once where only the bands differ, else with the next scan."""
        self.settings = settings
        result = self._result
        if result is not None and result.scan.settings.same_signatures(settings):
            self._queues.submit(Kind.LIST, scans.list_again(result, settings))
        self.settings_changed.emit()

    def change_bands(self, bands: int, rows: int, min_resemblance: float) -> None:
        """Use other bands, rows and threshold."""
        self.change_settings(
            self.settings.with_changes(bands=bands, rows=rows, min_resemblance=min_resemblance)
        )

    def cancel(self) -> None:
        """Stop what the user waits for."""
        self._queues.cancel(*STOPPABLE)

    def open_pair(self, key: PairKey) -> None:
        """Lay a pair out for reading."""
        if self._result is not None:
            self.pair.open(self._result, key)
            self._tell_state()

    def place_of(self, name: str) -> Place:
        """Where the document or the problem of a name is."""
        number = self._result.names.index(name) if self._result else None
        if self._result is None or number is None:
            return located(self.folders, name)
        document = self._result.documents[number]
        return Place(document.path, document.part)

    def set_filter(self, pair_filter: PairFilter) -> None:
        """Show only some of the pairs."""
        self.pairs.set_filter(pair_filter)

    def save(self, path: Path) -> None:
        """Write what the table shows."""
        if self._result is None:
            return
        words = sentences.shown(self.pairs.filter, self.pairs.order_in_words)
        shown = " ".join(filter(None, (words, report_sentence(self.changes_since))))
        rows = self.pairs.shown_rows()
        self._queues.submit(Kind.EXPORT, exports.save_report(path, self._result, rows, shown))
        self._tell_state()

    def save_picture(self, path: Path, picture: bytes) -> None:
        """Write a picture that was drawn."""
        self._queues.submit(Kind.PICTURE, exports.save_picture(path, picture))

    def save_review(self, path: Path) -> None:
        """Save the review, from now on to this file."""
        if self._result is None:
            return
        if self.review.save(path, self._result):
            self._messages.begin(ProgressReport(Stage.SAVE, 0, 0))
        self._tell_state()

    def stop(self) -> None:
        """Stop everything and wait for it; what is being saved is saved."""
        self._queues.stop()
        self.review.stop()
        self._threads.close()

    # What the jobs say

    @Slot(object, object)
    def _on_previewed(self, _kind: Kind, result: ScanResult) -> None:
        self._take(result)

    @Slot(object, object)
    def _on_finished(self, kind: Kind, result: object) -> None:
        outcomes: dict[Kind, Callable[..., None]] = {
            Kind.WARM_UP: self._prepared,
            Kind.COMPILE: lambda _result: None,
            Kind.LOAD_PLOTTING: self._plotting_loaded,
            Kind.SCAN: self._scanned,
            Kind.OPEN: self._review_opened,
            Kind.LIST: self._listed_again,
            Kind.COMPARE: self._compared,
            Kind.EXPORT: self._saved,
            Kind.PICTURE: self._picture_saved,
            Kind.SAVE: self._review_saved,
            Kind.WATCH: self.review.tell_free,
            Kind.CHANGE_LIST: self._list_changed,
        }
        outcomes[kind](result)
        self._tell_state()

    @Slot(object)
    def _on_stopped(self, kind: Kind) -> None:
        if kind is Kind.SCAN:
            self.reading.drop_trial()
        if kind is Kind.COMPARE:
            self.pair.give_up()
        if kind in (Kind.SCAN, Kind.OPEN):
            self._catch_up()
        self._tell_state()

    def _prepared(self, _result: object) -> None:
        self.prepared.emit("")
        self._queues.submit(Kind.COMPILE, preparation.compile_other_kernels())

    def _plotting_loaded(self, _result: object) -> None:
        self.plotting_loaded.emit()

    def _scanned(self, result: ScanResult) -> None:
        self._queues.drop(Kind.LIST)  # it lists the documents there were before the scan
        self._take(result)
        may_be_saved = self.missing.tell(result, self._before)
        self._before = None
        if result.scan.folders != self.folders:
            self.folders = result.scan.folders
            self.folder_found.emit(self.folders)
        self.reading.judge_trial(result.problems)
        self.pair.open_again(result)
        if may_be_saved:
            self.review.save_again(result)
        self._messages.tell_end()
        self._catch_up()

    def _list_changed(self, changed: ChangedList) -> None:
        self._queues.drop(Kind.LIST)
        self._take(changed.result)
        self.missing.tell_list_changed(changed)
        self.pair.open_again(changed.result)
        self.review.save_again(changed.result)
        self._messages.tell_end()
        if changed.result.settings != self.settings:
            self.change_settings(self.settings)

    def _review_opened(self, opened: reviews.OpenedReview) -> None:
        self.settings = opened.result.settings
        self._leave(opened.result.scan.folders, opened)
        self.restored.emit(self.settings)
        self._take(opened.result)
        self._messages.tell_end()
        self.review.tell_opened(opened.review.notes)

    def _review_saved(self, saved: reviews.SavedReview) -> None:
        self._messages.tell_end()
        self.review.take_saved(saved)

    def _compared(self, opened: pairs.OpenedPair) -> None:
        self.pair.take(opened)
        result = self._result
        if opened.differs and result is not None and result.complete:
            self.said.emit(sentences.not_of_texts(opened.key))
            self._queues.submit(Kind.LIST, scans.measure_again(result, self._threads))

    def _listed_again(self, result: ScanResult) -> None:
        self._take(result)
        self._messages.tell_end()

    def _saved(self, report: exports.SavedReport) -> None:
        self._messages.tell_end()
        outdated = report_sentence(self.changes_since)
        self.said.emit(sentences.saved(report.path, report.pairs, outdated))

    def _picture_saved(self, path: Path) -> None:
        self.said.emit(sentences.picture_saved(path))

    # Helpers

    def _catch_up(self) -> None:
        """List as was wished while a scan ran; its start may have stopped a list, too."""
        if self._result is not None and self._result.settings != self.settings:
            self.change_settings(self.settings)

    def _leave(self, folders: tuple[Path, ...], opened: reviews.OpenedReview | None = None) -> None:
        """Empty the window for other folders."""
        self.folders = folders
        self._result = self._before = None
        self.missing.forget()
        self.pair.forget()
        self._messages.forget()
        self._queues.drop(Kind.LIST, Kind.CHANGE_LIST)
        self.review.enter(opened)  # before anything is tidied up
        self.pairs.set_filter(PairFilter())
        self.pairs.clear()
        self.problems.set_groups(())
        self.folders_opened.emit(self.folders)

    def _take(self, result: ScanResult) -> None:
        self._result = result
        self.missing.take(result)
        self._messages.take(result)
        self.pairs.set_pairs(result.pairs, result.names, result.settings)
        self.problems.set_groups(result.groups)
        self.listed.emit(result)

    @Slot()
    def _tell_state(self) -> None:
        self.review.tidy()
        self.state_changed.emit(self.state)
