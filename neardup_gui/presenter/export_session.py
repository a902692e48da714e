"""Reports: their previews and files; pictures of the curve.

A report is checked against the folders that are open.

a report is chosen ─▶ CHECK ─▶ a `CheckedReport`
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core import errors
from core.base.arrays import IntegerArray
from core.base.files import scratch_folder
from core.base.messages import N_, gettext, in_english, in_language, load_language
from core.base.progress_lines import ProgressLines
from core.reports.formats import spare_documents, write_report
from core.reports.report_choice import Scope, Texts, read_logo
from neardup_gui.jobs.tasks import TaskKind, Tasks, current_task, sentence_of
from neardup_gui.models import reports
from neardup_gui.models.pairs.table import report_sentence
from neardup_gui.models.scan_result import ScanResult
from neardup_gui.models.words import progress, sentences
from neardup_gui.models.words.sentences import Message
from neardup_gui.presenter.window_context import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.reports.model import Report
    from core.scan.history import HistoryEntry
    from core.scan.judgements import Judgements


FIRST_ROWS = 40

FIRST_LINES = 120

PAGE_WIDTH = 900  # pixels

LINE = 240  # shown characters of a line

TABLES = (".csv", ".xlsx")

NO_ROOM = N_("No preview: the folder for temporary files can’t be written to.")


@dataclass(frozen=True, kw_only=True)
class ReportOrder:
    """A report as it was ordered; the list may change before it is made.

    Attributes:
        wish: The content that the user wants.
        result: The listed pairs.
        rows: The pairs that the table shows, in its order.
        shown: The filter and the order in a sentence; empty without either.
        outdated: A sentence that other settings were chosen since, or empty.
        judgements: The present judgements on the pairs.
        log: The history that they come from.
        key: The file of the key to withheld names; None to write none.
    """

    wish: reports.ReportWish
    result: ScanResult
    rows: IntegerArray
    shown: str
    outdated: str
    judgements: Judgements
    log: Sequence[HistoryEntry]
    key: Path | None = None

    def report(self, logo: bytes) -> Report:
        """The report; a key with the labels it gave is saved before it can be written.

        Raises:
            ExportError: Its subject is no longer listed, or the key is invalid or cannot be saved.
        """
        from core.reports.from_scan import report_of
        from core.reports.pseudonyms.key import NameKey, open_key, save_key

        subject, result = self.wish.subject, self.result
        numbers = subject.numbers(result.names)
        if numbers is None:
            raise errors.ExportError(
                gettext("“{subject}” is no longer in the list.", subject=gettext(subject.title))
            )
        is_shown = subject.scope is Scope.SHOWN
        key = open_key(self.key) if self.key else NameKey()
        report = report_of(
            result.scan,
            result.pair_list,
            self.rows,
            shown=" ".join(filter(None, (self.shown, self.outdated))),
            finished=result.complete,
            judgements=self.judgements,
            choice=self.wish.choice(numbers, logo),
            key=None if self.wish.names else key,
        )
        if self.key:
            save_key(self.key, key)
        report = replace(report, log=self.log)
        if self.wish.language:
            report = replace(report, language=load_language(self.wish.language))
        if result.complete:  # the numbers of the panel are not computed again
            report = replace(report, find_folder=lambda: result.folder)
        if is_shown or not self.outdated:
            return report
        return replace(report, shown=" ".join(filter(None, (report.shown, self.outdated))))


class CheckSession(QObject):
    """Checks one report at a time.

    Signals:
        checked: A `CheckedReport`.
        progressed: A `ProgressLine`.
        failed: A sentence on why nothing could be checked, whether the key to names is lacking, and
            the names of the folders that are.
        unexpected_error: An unexpected exception.
    """

    checked = Signal(object)
    progressed = Signal(object)
    failed = Signal(str, bool, object)
    unexpected_error = Signal(object)

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks

    def check(
        self,
        report: Path,
        folders: tuple[Path, ...],
        review: Path | None,
        key: Path | None,
        passwords: tuple[str, ...],
    ) -> None:
        """Check a report; the check of another one is cancelled."""
        lines = ProgressLines()
        self._tasks.run(
            TaskKind.CHECK,
            partial(check_report, report, folders, review, key, passwords),
            self.checked.emit,
            progressed=lambda report: self.progressed.emit(lines.line_for(report)),
            stopped=self._on_stopped,
        )

    def cancel(self) -> None:
        """Cancel the check."""
        self._tasks.cancel(TaskKind.CHECK)

    def _on_stopped(self, error: Exception | None) -> None:
        if error is None:
            self.failed.emit(gettext("The check was cancelled."), False, ())
            return
        sentence = sentence_of(error)
        shown = sentence or gettext("The report could not be checked.")
        # Of the key comes every error of files here: another one may fit.
        needs_key = isinstance(error, errors.KeyNeededError | errors.ExportError)
        folders = error.folders if isinstance(error, errors.FoldersNeededError) else ()
        self.failed.emit(shown, needs_key, folders)
        if not sentence:
            self.unexpected_error.emit(error)


USUAL = reports.ReportWish()


class ExportSession(Session):
    """Writes reports, pictures and tables.

    Signals:
        previewed: A `ReportPreview`: the beginning of a report, then the same with its size.
        progressed: A `ProgressLine` of the report that is being written.
        ended: A `Message`: the report was written, cancelled, or could not be written.
    """

    previewed = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)

    @property
    def is_writing(self) -> bool:
        """Whether a report is being written."""
        return self._tasks.is_busy(TaskKind.EXPORT)

    def preview(self, wish: reports.ReportWish) -> None:
        """Preview a report: make its beginning, and measure it."""
        order = self._order(wish)
        if order is not None and not self.is_writing:
            show = self.previewed.emit
            self._tasks.run(TaskKind.PREVIEW, partial(preview_report, order), show, previewed=show)

    def drop_preview(self) -> None:
        """Cancel the preview: it is no longer shown."""
        self._tasks.drop(TaskKind.PREVIEW)

    def save(self, path: Path, wish: reports.ReportWish = USUAL, key: Path | None = None) -> None:
        """Write a report, by default of the shown table, in the format of the file's ending.

        `key` is the file of the key to withheld names.
        """
        order = self._order(replace(wish, ending=path.suffix), key)
        if order is None:
            return
        self.drop_preview()
        lines = ProgressLines()
        self._tasks.run(
            TaskKind.EXPORT,
            partial(save_report, path, order),
            self._saved,
            progressed=lambda report: self.progressed.emit(progress.saving(lines.line_for(report))),
            stopped=self._on_stopped,
        )
        self.submitted.emit()

    def cancel(self) -> None:
        """Cancel the report that is being written."""
        self._tasks.cancel(TaskKind.EXPORT)

    def save_picture(self, path: Path, picture: bytes) -> None:
        """Write a picture."""
        self._write(TaskKind.PICTURE, path, picture, sentences.picture_saved)

    def save_settings(self, path: Path, table: bytes) -> None:
        """Write the table of settings."""
        self._write(TaskKind.TABLE, path, table, sentences.table_saved)

    def _write(
        self, kind: TaskKind, path: Path, content: bytes, words: Callable[[Path, str], Message]
    ) -> None:
        folders, reads_pictures = self._current.folders, self._current.reading.ocr
        work = partial(save_bytes, path, content, folders, reads_pictures=reads_pictures)
        self._tasks.run(kind, work, lambda note: self.message_posted.emit(words(path, note)))

    def _order(self, wish: reports.ReportWish, key: Path | None = None) -> ReportOrder | None:
        """An order for a report of the present list; None if there is no list."""
        result = self._current.result
        if result is None:
            return None
        chosen, searched = self._pairs.filter, self._pairs.names.in_texts
        in_texts = searched is not None and searched.phrase == chosen.text.strip()
        if chosen.text and not (wish.names and wish.texts is not Texts.NONE):
            chosen = replace(chosen, text="…")  # the filter is by a text or a name
        with in_english():  # as in reports
            words = sentences.shown(chosen, self._pairs.order_in_words, in_texts=in_texts)
            outdated = report_sentence(self._current.changes_since)
        return ReportOrder(
            wish=wish,
            result=result,
            rows=self._pairs.shown_rows(),
            shown=words,
            outdated=outdated,
            judgements=self._current.judgements,
            log=self._current.log,
            key=key,
        )

    def _saved(self, report: reports.SavedReport) -> None:
        outdated = report_sentence(self._current.changes_since)
        message = progress.saved(report, outdated)
        self.message_posted.emit(message)
        self.ended.emit(message)

    def _on_stopped(self, error: Exception | None) -> None:
        if error is None:
            self.ended.emit(Message(gettext(progress.CANCELLED)))
        else:
            known = isinstance(error, errors.NeardupError)
            text = str(error) if known else gettext(progress.NOT_WRITTEN)
            self.ended.emit(Message(text, warning=True))


def check_report(
    path: Path,
    folders: Sequence[Path],
    review: Path | None,
    key: Path | None,
    passwords: Sequence[str],
) -> reports.CheckedReport:
    """Compute all numbers of a report again; the result is a `CheckedReport`."""
    from core.reports.pseudonyms.key import open_key
    from core.verify import verify
    from core.verify.comparison import verification_in_words

    opened = open_key(key) if key else None
    progress = current_task().progress
    verification = verify(
        path, folders, review=review, key=opened, passwords=passwords, progress=progress
    )
    sentence, *lines = verification_in_words(verification)
    text = "\n".join(map(str.strip, lines))
    is_pdf = verification.kind == "pdf"
    checked = reports.CheckedReport(sentence, verification.agrees, text, verification.seal, is_pdf)
    if not verification.strangers:
        return checked
    elsewhere = verification.folders if verification.missing else ()
    return replace(checked, folders=elsewhere, needs_key=verification.has_key)


def logo_of(wish: reports.ReportWish) -> tuple[bytes, str]:
    """The picture at the head, and why there is none; both are empty if none is wanted."""
    if not wish.logo:
        return b"", ""
    try:
        return read_logo(Path(wish.logo)), ""
    except errors.SettingsError as error:
        return b"", gettext("The report has no logo. {reason}", reason=error)


def save_report(path: Path, order: ReportOrder) -> reports.SavedReport:
    """Write a report, in the format of the file's ending."""
    note = spare_documents(path, order.result.scan.folders, path.name)
    logo, _problem = logo_of(order.wish)
    report = order.report(logo)
    written = write_report(path, report, progress=current_task().progress)
    return reports.SavedReport(path, len(report.pairs), written.size, written.seal, order.key, note)


def save_bytes(path: Path, content: bytes, folders: Sequence[Path], *, reads_pictures: bool) -> str:
    """Write a picture or a table, over no document of the folders; the result is a note or ""."""
    from core.base.files import replaced_bytes

    note = spare_documents(path, folders, path.name)
    with replaced_bytes(path) as file:
        file.write(content)
    return note if reads_pictures or path.suffix.lower() != ".png" else ""


def preview_report(order: ReportOrder) -> reports.ReportPreview:
    """Make the beginning of a report, then measure it; each gives a `ReportPreview`.

    The first is told as a preview, the second is the result.
    """
    logo, problem = logo_of(order.wish)
    problems: tuple[str, ...] = (problem,) if problem else ()
    shown = reports.ReportPreview()
    try:
        report = order.report(logo)
        shown = _beginning(order.wish.ending, report)
        shown = replace(shown, problems=problems)
        current_task().preview(shown)
        shown = replace(shown, names=reports.names_shown(report.find_names()))
        current_task().preview(shown)
        return _measured(order.wish.ending, report, shown)
    except errors.ScanCancelledError:
        raise
    except errors.NeardupError as error:
        return replace(shown, problems=(*problems, str(error)), is_measured=True)
    except OSError:
        return replace(shown, problems=(*problems, gettext(NO_ROOM)), is_measured=True)


def _beginning(ending: str, report: Report) -> reports.ReportPreview:
    from core.reports.scopes import documents_in

    documents = len(documents_in(report.pairs, report.choice))
    counted = reports.ReportPreview(pairs=len(report.pairs), documents=documents)
    if reports.kind_of(ending).has_pages:
        return replace(counted, pages=_pages(report))
    with scratch_folder() as folder:
        if ending in TABLES:
            return replace(counted, rows=_rows(report, folder))
        return replace(counted, text=_text(report, folder / f"first{ending}"))


def _rows(report: Report, folder: Path) -> tuple[tuple[str, ...], ...]:
    """The first pairs as a spreadsheet shows them, under the titles of the columns."""
    from core.reports.formats import first_pairs

    path = folder / "first.csv"
    write_report(path, first_pairs(report, FIRST_ROWS, 0))
    with path.open(encoding="utf-8-sig", newline="") as file:
        return tuple(map(tuple, csv.reader(file)))


def _text(report: Report, path: Path) -> str:
    """The beginning of the file of the first pairs."""
    from core.reports.formats import FEW_PASSAGES, first_pairs

    write_report(path, first_pairs(report, FIRST_ROWS, FEW_PASSAGES))
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "\n".join(archive.namelist()[:FIRST_LINES])
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return "".join(_cut(line) for line in islice(file, FIRST_LINES))


def _cut(line: str) -> str:
    return line if len(line) <= LINE else f"{line[:LINE]} …\n"


def _measured(ending: str, report: Report, shown: reports.ReportPreview) -> reports.ReportPreview:
    from core.reports.formats import measure

    with scratch_folder() as folder:
        size = measure(report, ending, folder)
    return replace(
        shown, size=size.size, seconds=size.seconds, is_exact=size.is_exact, is_measured=True
    )


def _pages(report: Report) -> tuple[reports.Page, ...]:
    from core.reports.pdf.writer import preview_pages

    report = report.measured(first=FIRST_ROWS)
    with in_language(report.language):
        pages = preview_pages(report, width_px=PAGE_WIDTH)
    return tuple(reports.Page(*page) for page in pages)
