"""What was set aside, by which rule, and how much of each document: in words and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.aside.rules import AsideRules, Phrase
from core.base.progress import Cancelled, stop_if
from core.base.wording import counted, listed, share
from core.reports.model import Report


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
    """The rules as JSON has them; "" is the text of a phrase that the report may not tell.

    That is of each in a report without texts, and in one about some documents of those that do not
    stand in these.
    """
    rules = report.rules.as_json()
    told = set(told_phrases(report)) if report.choice.passages else set()
    rules["phrases"] = [
        [phrase.text if phrase in told else "", str(phrase.reason)]
        for phrase in report.rules.phrases
    ]
    return rules


def told_phrases(report: Report) -> Sequence[Phrase]:
    """The phrases that were chosen; in a report about some documents those that stand in these."""
    phrases = report.rules.phrases
    if not report.is_partial or not phrases:
        return phrases
    texts = [_plain(report.text_of(number)) for number in report.about]
    return [one for one in phrases if any(_plain(one.text) in text for text in texts)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


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
