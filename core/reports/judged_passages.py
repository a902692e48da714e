"""The passages that were judged, in the report for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.progress import Cancelled, stop_if
from core.base.wording import counted
from core.reports.html_tables import document_name
from core.reports.limits import ReportLimits
from core.reports.markup import name, text
from core.reports.model import Report
from core.reports.pair_words import run_in_words
from core.scan.judged_passages import JudgedPassage

__all__ = ["judged_passage_rows", "judged_passages_section"]

LONGEST = 2_000  # characters of a passage that a report for people shows


def judged_passages_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """Every judged passage with what it is, who said so, and the documents that hold it."""
    if not report.judged_passages:
        return
    yield '<section id="judged-passages" aria-labelledby="judged-passages-title">\n'
    yield (
        '<h2 id="judged-passages-title">Judged passages</h2>\n<table class="groups"><caption>'
        "Passages of which was said what they are. Text of the assignment and standard clauses are "
        "set aside in all documents: they count in no number.</caption>\n"
        '<thead><tr><th scope="col">Judged as</th><th scope="col">Passage</th>'
        '<th scope="col">Documents</th></tr></thead>\n<tbody>\n'
    )
    for passage in report.judged_passages[: limits.groups]:
        yield (
            f'<tr><th scope="row">{text(passage.judgement.meaning)}{_said(passage)}</th>'
            f"<td>{text(_shortened(passage.judgement.text))}"
            f'<div class="quiet">{_length(report, passage)}</div></td>'
            f"<td>{_documents(report, passage, limits)}</td></tr>\n"
        )
    yield "</tbody></table>\n</section>\n"


def judged_passage_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """The judged passages, most widely shared first.

    Keys: meaning, text, words, documents (their names), who and time.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for passage in report.judged_passages:
        stop_if(cancelled)
        yield {
            "meaning": passage.judgement.meaning.value,
            "text": passage.judgement.text,
            "words": passage.words,
            "documents": [report.name_of(number) for number in passage.places],
            "who": passage.judgement.who,
            "time": passage.judgement.time,
        }


def _said(passage: JudgedPassage) -> str:
    who, day = passage.judgement.who, passage.judgement.time[:10]
    return f'<div class="quiet">{name(who)}, {text(day)}</div>' if who else ""


def _length(report: Report, passage: JudgedPassage) -> str:
    return text(run_in_words(passage.units, passage.words, report.settings.unit))


def _shortened(passage: str) -> str:
    if len(passage) <= LONGEST:
        return passage
    left_out = counted(len(passage) - LONGEST, "character")
    half = LONGEST // 2
    return f"{passage[:half]} [… {left_out} …] {passage[-half:]}"


def _documents(report: Report, passage: JudgedPassage, limits: ReportLimits) -> str:
    shown = [document_name(report, number) for number in list(passage.places)[: limits.members]]
    more = len(passage.places) - len(shown)
    others = f", and {counted(more, 'other')}" if more else ""
    heading = f'<div class="quiet">{counted(len(passage.places), "document")}</div>'
    return f"{heading}{', '.join(shown)}{others}"
