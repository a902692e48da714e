"""What came out, in sentences; that nothing was found is a result, and what it rests on is said."""

from __future__ import annotations

from collections.abc import Iterator

from core.base.wording import counted, threshold
from core.reports.choice import Scope
from core.reports.list_words import list_in_words, reworked_in_words, unread
from core.reports.model import Report
from core.reports.pair_words import passage_in_words
from core.reports.settings_words import chances_in_words


def result_in_words(report: Report) -> list[str]:
    """What was found; of a report without pairs what that means."""
    words = list_in_words(report.list_counts, report.settings)
    is_part = 0 < len(report.pairs) < report.list_counts.listed
    told = f"The whole list has {words}" if is_part else f"{words[0].upper()}{words[1:]}"
    return [f"{told}.", *nothing_found(report)]


def nothing_found(report: Report) -> Iterator[str]:
    """Sentences on why there is no pair, and how sure that is; none where there are pairs."""
    if len(report.pairs):
        return
    there = report.document_counts.present + report.document_counts.missing
    if not there:
        yield "No document with text was found. Nothing was compared, so nothing is said of any."
    elif there == 1:
        yield "There is one document and no other: there was nothing to compare it with."
    elif report.list_counts.listed:
        yield from _not_of_these(report)
    else:
        yield (
            f"No near-duplicate was found among {counted(there, 'document')}: no two of them reach "
            f"a resemblance of {threshold(report.settings.min_resemblance)}{_nor_share(report)}, "
            "as far as this search finds them."
        )
        yield from _how_sure(report)
    if report.problem_counts.problems:
        noun = unread(is_part_of_run=report.is_part_of_run)
        number = counted(report.problem_counts.problems, noun)
        yield f"Nothing is said of {number} that gave no text."


def _not_of_these(report: Report) -> Iterator[str]:
    """Why none of the pairs of the list is in the report."""
    listed = counted(report.list_counts.listed, "pair")
    verb, was = ("is", "was") if report.list_counts.listed == 1 else ("are", "were")
    scope = report.choice.scope
    if scope is Scope.CONFIRMED:
        yield f"No pair is confirmed; {listed} {verb} listed."
    elif scope is Scope.PAIR:
        yield (
            "These two documents are no pair of the list: they do not reach a resemblance of "
            f"{threshold(report.settings.min_resemblance)}{_nor_share(report, few=True)}, as far "
            "as this search finds them. Of exact copies only the first is paired with others."
        )
        yield from _how_sure(report)
    elif scope is Scope.SHOWN:
        yield f"{listed} {was} found; none is shown."
    else:
        one = len(report.choice.documents) == 1
        which = "this document" if one else "these documents"
        yield f"No pair of {which} is listed; {listed} of others {verb}."
        yield from _how_sure(report)


def _nor_share(report: Report, *, few: bool = False) -> str:
    if not report.settings.list_passages:
        return ""
    verb = "and do not share" if few else "or share"
    reworked = " or a reworked passage" if report.settings.reworked != "off" else ""
    return f" {verb} {passage_in_words(report.settings)} in a row{reworked}"


def _how_sure(report: Report) -> Iterator[str]:
    """What the search would have found."""
    if report.compared:
        pairs = counted(report.compared, "pair")
        yield f"All {pairs} of different documents were compared: for resemblance this is certain."
        if told := reworked_in_words(report.settings, complete=report.reworked_complete):
            yield told
    else:
        yield f"By its curve the search finds on average {chances_in_words(report.settings)}."
    if report.settings.list_passages:
        run = passage_in_words(report.settings)
        yield (
            f"Whatever the resemblance, {run} in a row that two documents share are looked for "
            "everywhere; what stands in too many documents to pair them is said among the notes."
        )
