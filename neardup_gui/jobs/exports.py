"""Reports and pictures to files: a network folder may take a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.base.arrays import IntegerArray
from core.base.tasks import Cancelled
from core.errors import ExportError, SettingsError
from core.reports.choice import Scope, read_logo
from core.reports.formats import write_report
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.reports.wish import ReportWish
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.reports.model import Report
    from core.scan.judgements import Judgements
    from core.scan.state import HistoryEntry


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
