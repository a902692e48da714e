"""The summary: how many there are of everything, and what is not shown."""

from __future__ import annotations

from collections.abc import Iterator

from core.reports.blocks import Block, Figures, Heading, ItemList, Prose, Section, line
from core.reports.limits import ReportLimits, left_out
from core.reports.list_words import MISSING
from core.reports.model import Report
from core.reports.result_words import result_in_words
from core.reports.set_aside import aside_in_words
from core.reports.verdict_words import judged_in_words
from core.scan.pair_list import DocumentCounts


def summary(report: Report, limits: ReportLimits) -> Iterator[Section]:
    """What came out, in numbers and sentences."""
    yield Section("summary", "Summary", _blocks(report, limits))


def _blocks(report: Report, limits: ReportLimits) -> Iterator[Block]:
    yield Figures(tuple((label, f"{value:,}") for label, value in _figures(report).items()))
    sentences = result_in_words(report)
    if report.has_judgements:
        sentences.append(f"{judged_in_words(report.verdict_counts, report.earlier_count)}.")
    if report.aside:
        sentences.append(aside_in_words(report))
    yield Prose(tuple(map(line, sentences)))
    not_shown = tuple(line(sentence) for sentence in left_out(report, limits))
    if not_shown:
        yield Heading("What is not shown")
        yield ItemList(not_shown)
    else:
        shown = " and all pairs are shown" if len(report.pairs) else ""
        yield Prose((line(f"All documents were compared{shown}."),), quiet=True)


def _figures(report: Report) -> dict[str, int]:
    counts = report.problem_counts
    return {
        **_documents(report.document_counts),
        **({MISSING.capitalize(): len(report.missing)} if report.missing else {}),
        "Pairs": len(report.pairs),
        "Groups": len(report.groups),
        "Problems": counts.problems,
        **({"Other files": counts.others} if counts.others else {}),
    }


def _documents(counts: DocumentCounts) -> dict[str, int]:
    """How many documents there are, where some are not to review each kind by itself."""
    others = {"References": counts.references, "Templates": counts.templates}
    if not any(others.values()):
        return {"Documents": counts.present}
    return {"To review": counts.to_review, **{label: of for label, of in others.items() if of}}
