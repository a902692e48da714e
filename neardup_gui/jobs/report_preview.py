"""How a report begins and how large it will be, before anybody asks where it shall go."""

from __future__ import annotations

import csv
import zipfile
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.base.files import scratch_folder
from core.base.tasks import Cancelled
from core.errors import NeardupError, ScanCancelledError
from core.reports.formats import write_report
from core.reports.list_words import names_left_in_words
from neardup_gui.jobs.exports import ReportOrder, logo_of
from neardup_gui.jobs.job import Reports, Work
from neardup_gui.models.reports.kinds import kind_of
from neardup_gui.models.reports.preview import Page, ReportPreview

if TYPE_CHECKING:
    from core.reports.model import Report

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
