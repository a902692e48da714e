"""What a report does not show, decided in one module and stated in the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.base.messages import N_, as_shown, gettext, ngettext
from core.base.wording import count, listed, share
from core.documents.model import Role
from core.exclusions.rules import ExclusionRules, Phrase, share_of_all
from core.reports.list_words import not_compared_in_words, not_listed_in_words
from core.reports.model import Report
from core.reports.report_choice import MOST_ROWS


def rules_in_words(rules: ExclusionRules) -> list[str]:
    """What each rule sets aside."""
    names = []
    if rules.quotations:
        names.append(gettext("quotations"))
    if rules.bibliography:
        names.append(gettext("bibliographies and lists of references"))
    if rules.repeated:
        names.append(gettext("cover sheets and headings that repeat"))
    if rules.common:
        names.append(
            ngettext(
                "passages in at least {n} document",
                "passages in at least {n} documents",
                rules.common,
            )
        )
    if rules.phrases:
        number = len(rules.phrases)
        names.append(ngettext("{n} passage chosen by hand", "{n} passages chosen by hand", number))
    return names


def exclusions_sentence(report: Report) -> str:
    """A sentence on the text set aside and its share of all text; "" for none."""
    if not report.excluded_shares:
        return ""
    lengths = {number: report.documents[number].characters for number in report.about}
    templates = {
        number: length
        for number, length in lengths.items()
        if report.documents[number].role is Role.TEMPLATE
    }
    number, part = share_of_all(report.excluded_shares, sum(lengths.values()), templates)
    rules = [*rules_in_words(report.rules), *_templates(report)]
    values = {"share": share(part), "rules": listed(rules)}
    if rules:
        sentence = ngettext(
            "Set aside in {n} document, {share} of all text: {rules}.",
            "Set aside in {n} documents, {share} of all text: {rules}.",
            number,
            **values,
        )
    else:
        sentence = ngettext(
            "Set aside in {n} document, {share} of all text.",
            "Set aside in {n} documents, {share} of all text.",
            number,
            **values,
        )
    return f"{sentence} " + gettext("It counts in no number.")


def _templates(report: Report) -> list[str]:
    number = report.document_counts.templates
    phrase = ngettext("the text of {n} template", "the text of {n} templates", number)
    return [phrase] if number else []


def exclusion_rules(report: Report) -> dict[str, Any]:
    """The rules as JSON has them; "" is the text of a phrase that the report may not show.

    It may show none in a report without texts, and in a report about some documents none that does
    not stand in these.
    """
    rules = report.rules.as_json()
    phrases_with_text = set(listed_phrases(report)) if report.choice.shows_text else set()
    rules["phrases"] = [
        [phrase.text if phrase in phrases_with_text else "", str(phrase.reason)]
        for phrase in report.rules.phrases
    ]
    return rules


def listed_phrases(report: Report) -> Sequence[Phrase]:
    """The chosen phrases; in a report about some documents those that stand in these."""
    phrases = report.rules.phrases
    if not report.is_partial or not phrases:
        return phrases
    texts = [_plain(report.text_of(number)) for number in report.about]
    return [phrase for phrase in phrases if any(_plain(phrase.text) in text for text in texts)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def exclusion_rows(report: Report) -> Iterator[dict[str, object]]:
    """The text set aside in each document.

    Keys: document, characters, set_aside (how many of them), share (0 to 1), reasons (how many
    for each), spans (lists of start and end in code points of the text, and the reason).
    """
    for excluded_share in report.excluded_shares:
        yield {
            "document": report.name_of(excluded_share.document),
            "characters": excluded_share.length,
            "set_aside": excluded_share.excluded,
            "share": round(excluded_share.share, 6),
            "reasons": {str(reason): number for reason, number in excluded_share.reasons.items()},
            "spans": [
                [start, end, str(reason)]
                for start, end, reason in report.set_aside[excluded_share.document]
            ],
        }


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """How much of everything a browser is asked to show."""

    table_rows: int = MOST_ROWS
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
    sentences = [report.words.shown]
    if report.choice.by_document:
        sentences.append(gettext("The pairs of one document stand together."))
    if number < listed and (number or not nothing):
        sentences.append(
            ngettext(
                "{number} of {n} pair shown.",
                "{number} of {n} pairs shown.",
                listed,
                number=count(number),
            )
        )
    elif 0 < listed <= number:
        sentences.append(ngettext("The pair is shown.", "All pairs are shown.", listed))
    if nothing:
        sentences.append(
            ngettext(
                "The search does not list {n} pair of this report.",
                "The search does not list {n} pairs of this report.",
                nothing,
            )
        )
    return " ".join(filter(None, sentences))


def left_out(report: Report, limits: ReportLimits) -> Iterator[str]:
    """Sentences on everything the reader does not see of what the report is about."""
    if report.traces_left_out:
        yield ngettext(
            "{n} weak trace is left out: a pair that shares little more than a phrase.",
            "{n} weak traces are left out: pairs that share little more than a phrase.",
            report.traces_left_out,
        )
    if report.list_counts.below and not report.settings.list_passages:
        yield not_listed_in_words(report.list_counts, report.settings)
    yield from map(as_shown, report.notes)
    if report.missing:
        yield ngettext(
            "{n} document was not there or not readable at the last scan; “Gone” says since when.",
            "{n} documents were not there or not readable at the last scan; “Gone” says since "
            "when.",
            len(report.missing),
        )
    if report.problems:
        number = len(report.problems)
        yield not_compared_in_words(number, is_part_of_run=report.is_part_of_run)
    if report.remarked:
        yield ngettext(
            "“Remarks” says what was left out of the text of {n} document, or is not certain in "
            "it.",
            "“Remarks” says what was left out of the texts of {n} documents, or is not certain in "
            "them.",
            len(report.remarked),
        )
    yield from _cut_lists(report, limits)
    with_passages = limits.pairs_with_sections(report)
    if with_passages < len(report.pairs):
        yield _without_passages(with_passages, len(report.pairs) - with_passages)
    if not report.choice.shows_text:
        yield gettext(
            "No text of a document is shown: of each passage this report tells where it stands."
        )


def _without_passages(shown: int, rest_count: int) -> str:
    if shown == 0:
        return gettext("The pairs are listed without their passages.")
    first = ngettext(
        "Passages are shown for the first {n} pair of the table.",
        "Passages are shown for the first {n} pairs of the table.",
        shown,
    )
    rest = ngettext(
        "The other {n} pair is without.", "The other {n} pairs are without.", rest_count
    )
    return f"{first} {rest}"


_JSON, _TABLES = N_("A .json file has all."), N_("The exported tables have all.")


def _cut_lists(report: Report, limits: ReportLimits) -> Iterator[str]:
    rows, problems, groups = limits.table_rows, limits.problems, limits.groups
    phrases = len(listed_phrases(report))
    lists = (
        (N_("pairs"), len(report.pairs), rows, _TABLES),
        (N_("documents"), len(report.involved), rows, _TABLES),
        (N_("groups"), len(report.groups), groups, ""),
        (N_("judged passages"), len(report.judged_passages), groups, _JSON),
        (N_("documents with text set aside"), len(report.excluded_shares), rows, _JSON),
        (N_("documents that are gone"), len(report.missing), problems, ""),
        (N_("chosen passages"), phrases, groups, _JSON),
        (N_("problems"), len(report.problems), problems, _TABLES),
        (N_("remarks"), len(report.remarked), problems, ""),
    )
    for things, total, most, elsewhere in lists:
        if total > most:
            sentence = gettext(
                "This file lists the first {most} of {total} {things}.",
                most=count(most),
                total=count(total),
                things=gettext(things),
            )
            yield f"{sentence} {gettext(elsewhere)}" if elsewhere else sentence
    shown, members = report.groups[: limits.groups], count(limits.members)
    if any(len(group.members) >= limits.members for group in shown):
        yield gettext("Of a larger group the first {number} documents are listed.", number=members)
    copies = [group.copies for group in shown]
    copies += [member.copies for group in shown for member in group.members]
    if any(len(same) > limits.members for same in copies):
        yield gettext("Of more exact copies the first {number} are named.", number=members)
