"""What was set aside, by which rule, and how much of each document: in words and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.aside.rules import AsideRules
from core.base.progress import Cancelled, stop_if
from core.base.wording import counted, listed, share
from core.reports.model import Report

__all__ = ["aside_in_words", "aside_rows", "aside_rules", "rules_in_words"]


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


def _templates(report: Report) -> list[str]:
    number = report.document_counts.templates
    return [f"the text of {counted(number, 'template')}"] if number else []


def aside_rules(report: Report) -> dict[str, Any]:
    """The rules as JSON has them; in a report without texts "" is the text of each phrase."""
    rules = report.rules.as_json()
    if not report.choice.passages:
        rules["phrases"] = [["", reason] for _, reason in rules["phrases"]]
    return rules


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
