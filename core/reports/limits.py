"""What a report does not show, decided in one place and said in the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.aside.rules import AsideRules, Phrase
from core.base.tasks import Cancelled, stop_if
from core.base.wording import counted, listed, share
from core.reports.list_words import not_listed_in_words, unread
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


NO_TEXTS = "No text of a document is shown: of each passage this report tells where it stands."
JSON_HAS_ALL = "; a .json file has all"


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """How much of everything a browser is asked to show."""

    table_rows: int = 10_000
    groups: int = 1_000
    members: int = 200
    problems: int = 10_000

    def pairs_with_sections(self, report: Report) -> int:
        """Number of pairs, from the top of the table, whose passages are shown."""
        return min(len(report.pairs), report.choice.most_passages, self.table_rows)


def shown_in_words(report: Report) -> str:
    """Which pairs of the list the report has: "Only confirmed pairs are in this report. 3 of 9"."""
    nothing, listed = report.nothing_found_count, report.list_counts.pairs
    number = len(report.pairs) - nothing
    part = "The pair" if listed == 1 else "All pairs"
    part = f"{number:,} of {counted(listed, 'pair')}" if number < listed else part
    verb = "is" if listed == 1 else "are"
    whole = f"{part} {verb} shown." if listed else ""
    others = f"Nothing was found in {counted(nothing, 'pair')} of this report." if nothing else ""
    order = "The pairs of one document stand together." if report.choice.by_document else ""
    return " ".join(filter(None, (report.shown, order, whole, others)))


def left_out(report: Report, limits: ReportLimits) -> Iterator[str]:
    """Sentences on everything the reader does not see of what the report is about."""
    if report.traces_left_out:
        traces = counted(report.traces_left_out, "weak trace")
        verb = "is" if report.traces_left_out == 1 else "are"
        yield f"{traces} {verb} left out: pairs that share little more than a phrase."
    if report.list_counts.below and not report.settings.list_passages:
        yield not_listed_in_words(report.list_counts, report.settings)
    yield from report.notes
    if report.missing:
        count = counted(len(report.missing), "document")
        verb = "was" if len(report.missing) == 1 else "were"
        yield f"{count} {verb} not there or not readable at the last scan; Gone says since when."
    if report.problems:
        number = len(report.problems)
        yield (
            f"{counted(number, unread(is_part_of_run=report.is_part_of_run))} gave no text and "
            f"{'was' if number == 1 else 'were'} not compared; Problems lists "
            f"{'it' if number == 1 else 'them'}."
        )
    if report.remarked:
        count = counted(len(report.remarked), "document")
        yield f"Remarks says of {count} what was left out of the text or is not sure."
    yield from _cut_lists(report, limits)
    with_passages = limits.pairs_with_sections(report)
    if with_passages < len(report.pairs):
        yield _without_passages(with_passages, len(report.pairs) - with_passages)
    if not report.choice.passages:
        yield NO_TEXTS


def _without_passages(shown: int, others: int) -> str:
    if shown == 0:
        return "The pairs are listed without their passages."
    verb = "is" if others == 1 else "are"
    return (
        f"Passages are shown for the first {counted(shown, 'pair')} of the table; "
        f"the other {counted(others, 'pair')} {verb} without."
    )


def _cut_lists(report: Report, limits: ReportLimits) -> Iterator[str]:
    tables = "; the exported tables have all"
    lists = (
        ("pairs", len(report.pairs), limits.table_rows, tables),
        ("documents", len(report.involved), limits.table_rows, tables),
        ("groups", len(report.groups), limits.groups, ""),
        ("judged passages", len(report.judged_passages), limits.groups, JSON_HAS_ALL),
        ("documents with text set aside", len(report.aside), limits.table_rows, JSON_HAS_ALL),
        ("documents that are gone", len(report.missing), limits.problems, ""),
        ("chosen passages", len(told_phrases(report)), limits.groups, JSON_HAS_ALL),
        ("problems", len(report.problems), limits.problems, tables),
        ("remarks", len(report.remarked), limits.problems, ""),
    )
    for what, total, most, elsewhere in lists:
        if total > most:
            yield f"This file lists the first {most:,} of {total:,} {what}{elsewhere}."
    shown = report.groups[: limits.groups]
    if any(len(one.members) >= limits.members for one in shown):
        yield f"Of a larger group the first {limits.members:,} documents are listed."
    copies = [group.copies for group in shown]
    copies += [member.copies for group in shown for member in group.members]
    if any(len(same) > limits.members for same in copies):
        yield f"Of more exact copies the first {limits.members:,} are named."
