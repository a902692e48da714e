"""Reports and pictures to files: a network folder may take a while."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.arrays import IntegerArray
from core.base.files import scratch_folder
from core.base.tasks import Cancelled
from core.errors import ExportError, NeardupError, ScanCancelledError, SettingsError
from core.reports.choice import Scope, read_logo
from core.reports.formats import write_report
from core.reports.list_words import names_left_in_words
from neardup_gui.jobs.tasks import Reports, Work
from neardup_gui.models.reports import CheckedReport, Page, ReportPreview, ReportWish, kind_of
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.reports.model import Report
    from core.scan.history import HistoryEntry
    from core.scan.judgements import Judgements


def check_report(
    path: Path, folders: Sequence[Path], review: Path | None, key: Path | None
) -> Work:
    """Compute everything again that a report says; the result is a `CheckedReport`.

    Args:
        path: The report.
        folders: Where its files are.
        review: Whose log that of the report is held against; None for none.
        key: The key to withheld names; None where names are told.
    """

    def work(reports: Reports) -> CheckedReport:
        from core.reports.withheld.key import open_key
        from core.verify import verify
        from core.verify.comparison import verification_in_words

        found = verify(
            path,
            folders,
            review=review,
            key=open_key(key) if key else None,
            progress=reports.progress,
            cancelled=reports.cancelled,
        )
        sentence, *lines = verification_in_words(found)
        text = "\n".join(map(str.strip, lines))
        return CheckedReport(sentence, found.agrees, text, found.seal)

    return work


@dataclass(frozen=True, kw_only=True)
class ReportOrder:
    """A report as it was ordered; the list may be another one by the time it is made.

    Attributes:
        wish: What the user wants in it.
        result: The pairs listed.
        rows: Those of them that the table shows, in their order.
        shown: The filter and the order in a sentence, empty when there is none.
        outdated: That other settings were chosen since, empty when none were.
        judgements: What is said of the pairs by now.
        log: What it comes from.
        key: The file of the key to withheld names; None where no file shall be written.
    """

    wish: ReportWish
    result: ScanResult
    rows: IntegerArray
    shown: str
    outdated: str
    judgements: Judgements
    log: Sequence[HistoryEntry]
    key: Path | None = None

    def report(self, logo: bytes, cancelled: Cancelled) -> Report:
        """The report; a key with the labels it gave is saved before it can be written.

        Raises:
            ExportError: What it is of is not listed any more, or the key is none or cannot be kept.
            ScanCancelledError: `cancelled` said so.
        """
        from core.reports.from_scan import report_of
        from core.reports.withheld.key import NameKey, open_key, save_key

        subject, result = self.wish.subject, self.result
        numbers = subject.numbers(result.names)
        if numbers is None:
            raise ExportError(f"“{subject.title}” is not in the list any more.")
        is_shown = subject.scope is Scope.SHOWN
        key = open_key(self.key) if self.key else NameKey()
        report = report_of(
            result.scan,
            result.found,
            self.rows,
            shown=" ".join(filter(None, (self.shown, self.outdated))),
            finished=result.complete,
            judgements=self.judgements,
            choice=self.wish.choice(numbers, logo),
            key=None if self.wish.names else key,
            cancelled=cancelled,
        )
        if self.key:
            save_key(self.key, key)
        report = replace(report, log=self.log)
        if result.complete:  # what the panel shows is not measured again
            report = replace(report, find_folder=lambda: result.folder)
        if is_shown or not self.outdated:
            return report
        return replace(report, shown=" ".join(filter(None, (report.shown, self.outdated))))


class SavedReport(NamedTuple):
    """A report that was written.

    Attributes:
        path: Where.
        pairs: Of how many pairs.
        size: Its bytes.
        seal: What tells whether it was changed; "" for none.
        key: The key to its names; None where they are told.
    """

    path: Path
    pairs: int
    size: int
    seal: str
    key: Path | None


def logo_of(wish: ReportWish) -> tuple[bytes, str]:
    """The picture at the head, and why there is none; both are empty where none is wanted."""
    if not wish.logo:
        return b"", ""
    try:
        return read_logo(Path(wish.logo)), ""
    except SettingsError as error:
        return b"", f"The report has no logo. {error}"


def save_report(path: Path, order: ReportOrder) -> Work:
    """Write a report; the ending of the file says how."""

    def work(reports: Reports) -> SavedReport:
        logo, _problem = logo_of(order.wish)
        report = order.report(logo, reports.cancelled)
        written = write_report(path, report, progress=reports.progress, cancelled=reports.cancelled)
        return SavedReport(path, len(report.pairs), written.size, written.seal, order.key)

    return work


def save_bytes(path: Path, content: bytes) -> Work:
    """Write a picture that was drawn, or a table; the result is its path."""

    def work(_reports: Reports) -> Path:
        from core.base.files import replaced_bytes

        with replaced_bytes(path) as file:
            file.write(content)
        return path

    return work


FIRST_ROWS = 40
FIRST_LINES = 120
PAGE_WIDTH = 900  # pixels
MOST_LEFT = 12  # words of names that are told
LINE = 240  # characters of a line that are shown
TABLES = (".csv", ".xlsx")
NO_ROOM = "There is no preview: nothing can be written into the folder for temporary files."


def preview_report(order: ReportOrder) -> Work:
    """Make the beginning of a report, and then measure it; a `ReportPreview` for each.

    The first is told as a preview, the second is the result.
    """

    def work(reports: Reports) -> ReportPreview:
        logo, problem = logo_of(order.wish)
        problems: tuple[str, ...] = (problem,) if problem else ()
        shown = ReportPreview()
        try:
            report = order.report(logo, reports.cancelled)
            shown = _beginning(order.wish.ending, report, reports.cancelled)
            left = names_left_in_words(report.names_left, MOST_LEFT)
            problems += (left,) if left else ()
            shown = replace(shown, problems=problems)
            reports.preview(shown)
            return _measured(order.wish.ending, report, shown, reports.cancelled)
        except ScanCancelledError:
            raise
        except NeardupError as error:
            return replace(shown, problems=(*problems, str(error)), is_measured=True)
        except OSError:
            return replace(shown, problems=(*problems, NO_ROOM), is_measured=True)

    return work


def _beginning(ending: str, report: Report, cancelled: Cancelled) -> ReportPreview:
    from core.reports.scopes import documents_in

    documents = len(documents_in(report.pairs, report.choice))
    counted = ReportPreview(pairs=len(report.pairs), documents=documents)
    if kind_of(ending).has_pages:
        return replace(counted, pages=_pages(report, cancelled))
    with scratch_folder() as folder:
        if ending in TABLES:
            return replace(counted, rows=_rows(report, folder, cancelled))
        return replace(counted, text=_text(report, folder / f"first{ending}", cancelled))


def _rows(report: Report, folder: Path, cancelled: Cancelled) -> tuple[tuple[str, ...], ...]:
    """The first pairs as a spreadsheet shows them, below the titles of the columns."""
    from core.reports.size import first_pairs

    path = folder / "first.csv"
    write_report(path, first_pairs(report, FIRST_ROWS, 0), cancelled=cancelled)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return tuple(map(tuple, csv.reader(file)))


def _text(report: Report, path: Path, cancelled: Cancelled) -> str:
    """How the file of the first pairs begins."""
    from core.reports.size import FEW_PASSAGES, first_pairs

    write_report(path, first_pairs(report, FIRST_ROWS, FEW_PASSAGES), cancelled=cancelled)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return "\n".join(archive.namelist()[:FIRST_LINES])
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return "".join(_cut(line) for line in islice(file, FIRST_LINES))


def _cut(line: str) -> str:
    return line if len(line) <= LINE else f"{line[:LINE]} …\n"


def _measured(
    ending: str, report: Report, shown: ReportPreview, cancelled: Cancelled
) -> ReportPreview:
    from core.reports.size import measure

    with scratch_folder() as folder:
        found = measure(report, ending, folder, cancelled)
    return replace(
        shown,
        size=found.size,
        seconds=found.seconds,
        is_exact=found.is_exact,
        is_measured=True,
    )


def _pages(report: Report, cancelled: Cancelled) -> tuple[Page, ...]:
    from core.reports.pdf.writer import preview_pages

    pages = preview_pages(report, width_px=PAGE_WIDTH, cancelled=cancelled)
    return tuple(Page(*page) for page in pages)
