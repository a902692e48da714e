"""What was set aside, by which rule, and how much of each document: in words, HTML and JSON."""

from __future__ import annotations

from collections.abc import Iterator

from core.aside.rules import AsideRules, Phrase
from core.aside.shares import AsideShare
from core.base.progress import Cancelled, stop_if
from core.base.wording import counted, excerpt, listed, share
from core.reports.html_tables import document_name
from core.reports.limits import ReportLimits
from core.reports.markup import text
from core.reports.model import Report

__all__ = ["aside_in_words", "aside_rows", "rules_in_words", "set_aside_section"]

LONGEST = 400  # characters of chosen text that a report for people shows


def rules_in_words(rules: AsideRules) -> list[str]:
    """What each rule sets aside."""
    number = counted(len(rules.phrases), "passage")
    said = {
        "quotations": rules.quotations,
        "bibliographies and lists of references": rules.bibliography,
        "cover sheets and headings that repeat": rules.repeated,
        f"passages in at least {counted(rules.common, 'document')}": rules.common,
        f"{number} chosen by hand": rules.phrases,
    }
    return [words for words, wanted in said.items() if wanted]


def aside_in_words(report: Report) -> str:
    """A sentence on what was set aside and how much of all text; empty for nothing."""
    if not report.aside:
        return ""
    characters = sum(document.characters for document in report.documents)
    part = sum(one.aside for one in report.aside) / max(characters, 1)
    rules = [*rules_in_words(report.rules), *_templates(report)]
    what = f": {listed(rules)}" if rules else ""
    return (
        f"Set aside in {counted(len(report.aside), 'document')}, {share(part)} of all text{what}. "
        "It counts in no number."
    )


def set_aside_section(report: Report, limits: ReportLimits) -> Iterator[str]:
    """How much of each document was set aside and why, most first; and the chosen passages."""
    if not report.aside and not report.rules:
        return
    yield '<section id="set-aside" aria-labelledby="set-aside-title">\n'
    yield '<h2 id="set-aside-title">Set aside</h2>\n'
    if not report.aside:
        rules = listed(rules_in_words(report.rules))
        yield f"<p>Nothing was found to set aside: {text(rules)}.</p>\n"
    else:
        yield f"<p>{text(aside_in_words(report))}</p>\n"
        yield from _table(report, limits)
    yield from _phrases(report.rules.phrases[: limits.groups])
    yield "</section>\n"


def _table(report: Report, limits: ReportLimits) -> Iterator[str]:
    yield (
        '<table class="problems"><caption>How much of the text of each document was set aside, and '
        "why. Where reasons overlap, their parts are more than the whole.</caption>\n"
        '<thead><tr><th scope="col">Document</th><th scope="col">Set aside</th>'
        '<th scope="col">Why</th></tr></thead>\n<tbody>\n'
    )
    most_first = sorted(report.aside, key=lambda one: (-one.share, one.document))
    for one in most_first[: limits.table_rows]:
        yield (
            f"<tr><td>{document_name(report, one.document)}</td><td>{text(share(one.share))}</td>"
            f"<td>{text(_reasons(one))}</td></tr>\n"
        )
    yield "</tbody></table>\n"


def _reasons(one: AsideShare) -> str:
    return ", ".join(
        f"{reason} {share(number / max(one.length, 1))}" for reason, number in one.reasons.items()
    )


def _phrases(phrases: tuple[Phrase, ...]) -> Iterator[str]:
    if not phrases:
        return
    yield (
        '<table class="problems"><caption>Passages that were set aside wherever they stand'
        '</caption>\n<thead><tr><th scope="col">Passage</th><th scope="col">Why</th></tr></thead>\n'
        "<tbody>\n"
    )
    for phrase in phrases:
        shown = text(excerpt(phrase.text, LONGEST))
        yield f"<tr><td>{shown}</td><td>{text(phrase.reason)}</td></tr>\n"
    yield "</tbody></table>\n"


def _templates(report: Report) -> list[str]:
    number = report.document_counts.templates
    return [f"the text of {counted(number, 'template')}"] if number else []


def aside_rows(report: Report, cancelled: Cancelled) -> Iterator[dict[str, object]]:
    """What is set aside of each document.

    Keys: document, characters, set_aside (how many of them), share (0 to 1), reasons (how many
    for each), spans (lists of start and end in code points of the text, and the reason).

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    for one in report.aside:
        stop_if(cancelled)
        yield {
            "document": report.name_of(one.document),
            "characters": one.length,
            "set_aside": one.aside,
            "share": round(one.share, 6),
            "reasons": {str(reason): number for reason, number in one.reasons.items()},
            "spans": [
                [start, end, str(reason)] for start, end, reason in report.set_aside[one.document]
            ],
        }
