"""What a scan capped or left out, in the sentences of a report."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.wording import counted, excerpt
from core.reports.model import Report
from core.reports.shown_text import shown_pieces
from core.scan.common_text import CommonText
from core.scan.scan import Scan

COMMON_TEXTS = 20  # of the passages in too many documents, the most common


def notes_of(scan: Scan, report: Report, *, finished: bool) -> tuple[str, ...]:
    """The notes of a report, with what is to be said of a scan.

    Args:
        scan: What the report is of.
        report: With the notes of its list.
        finished: Whether all files were read.
    """
    common = (_in_words(report, one) for one in scan.common_texts(COMMON_TEXTS))
    return (*_unfinished(report, finished=finished), *report.notes, *common)


def _unfinished(report: Report, *, finished: bool) -> Iterator[str]:
    """A sentence on files that were not read any more."""
    if not finished:
        documents = counted(len(report.documents), "document")
        yield f"The scan was not finished. This is what was found among the first {documents}."


def _in_words(report: Report, common: CommonText) -> str:
    """A text that is in too many documents; its first words where texts are told."""
    number = common.document
    cuts = (common.start, common.end)
    what = f"a passage of {counted(common.end - common.start, 'character')}"
    if report.choice.passages:
        (text,) = shown_pieces(report.text_of(number), cuts, report.withheld_in(number))
        what = f"“{excerpt(text)}”"
    return f"In {common.documents:,} documents, for instance {report.name_of(number)}: {what}"
