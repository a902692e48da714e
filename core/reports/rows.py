"""The rows that programs read: pairs, groups and judged passages.

Columns of the pairs: doc_a, doc_b, resemblance, containment_a, containment_b, estimate,
shared_shingles, longest_run, exact_duplicate (0 or 1), found_by ("properties" for a pair that was
added because of its files, and empty for one of few documents that was judged though nothing was
found); doc_a < doc_b by code points. Then the judgement: verdict ("not reviewed", "confirmed",
"suspicious", "not a match"), note, who and when (ISO 8601, UTC), changed_since (the share of the
text that was edited since the verdict, 0 to 1; nothing where it is the same). Then the passages:
overlap, overlap_a, overlap_b, shared_words and reworked_bits, see `core.evidence.pairs.Pairs`;
nothing where they were not measured. Then weak_trace (0 or 1). The numbers are those of
`core.evidence.measures`; a new one is the last column.

The pairs stand worst first, see `Pairs.worst_first`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.base.arrays import AnyArray, Int64Array
from core.base.tasks import Progress, ProgressReport, Stage, ignore, stop_if_cancelled
from core.documents.properties import KINDS, PropertyKind
from core.evidence.measures import (
    ESTIMATE_DIGITS,
    EXACT_DIGITS,
    MEASURE,
    Measure,
    NumberKind,
    ShownIn,
    columns_in,
)
from core.evidence.pairs import FoundBy, Pairs
from core.reports.model import Report
from core.scan.judgements import VERDICTS, PairJudgement, Verdict

if TYPE_CHECKING:
    from core.scan.properties import SharedProperty


def group_verdicts(report: Report) -> list[list[int]]:
    """How many pairs between the documents of each group have each of `VERDICTS`."""
    group_of = np.full(len(report.documents), -1, dtype=np.int64)
    for number, group in enumerate(report.groups):
        group_of[list(group.documents)] = number
    a, b = group_of[report.pairs.a], group_of[report.pairs.b]
    within = (a == b) & (a >= 0)
    cells = a[within] * len(VERDICTS) + report.verdicts[within]
    shape = len(report.groups), len(VERDICTS)
    counts: list[list[int]] = (
        np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape).tolist()
    )
    return counts


def group_rows(report: Report) -> Iterator[dict[str, object]]:
    """The groups, largest first, with centre, copies, chosen and members as keys."""
    for group in report.groups:
        yield {
            "centre": report.name_of(group.centre),
            "copies": [report.name_of(copy) for copy in group.copies],
            "chosen": group.is_chosen,
            "members": [
                {
                    "document": report.name_of(member.document),
                    "overlap": round(member.score, EXACT_DIGITS),
                    "copies": [report.name_of(copy) for copy in member.copies],
                }
                for member in group.members
            ],
        }


def judged_passage_rows(report: Report) -> Iterator[dict[str, object]]:
    """The judged passages, most widely shared first.

    Keys: meaning, text ("" in a report without texts), words, documents (their names), who, time.
    """
    for passage in report.judged_passages:
        yield {
            "meaning": passage.judgement.meaning.value,
            "text": passage.judgement.text if report.choice.shows_text else "",
            "words": passage.words,
            "documents": [report.name_of(number) for number in passage.spans_by_document],
            "who": passage.judgement.who,
            "time": passage.judgement.time,
        }


def property_rows(report: Report, numbers: Iterable[int]) -> Iterator[dict[str, object]]:
    """The properties of the files of documents, where they have any.

    Keys: document, and kinds: of each its name, the number of values, and the values where they may
    be shown (see `_shown_values`).
    """
    for number in numbers:
        if properties := report.properties_of(number):
            yield {
                "document": report.name_of(number),
                "kinds": [
                    {
                        "kind": kind.code,
                        "number": len(properties[kind.code]),
                        "values": _shown_values(report, kind, properties[kind.code]),
                    }
                    for kind in KINDS
                    if kind.code in properties
                ],
            }


def shared_property_rows(report: Report, most: int | None) -> Iterator[dict[str, object]]:
    """The properties that the files of the first pairs share, where any of them is rare.

    Keys: doc_a, doc_b, and shared: of each kind its name,
    whether it is rare, the number of values that are the same and of those of A and B, in how many
    files the rarest is, how many are in no other file, and the values as of `property_rows`. Of
    editing sessions text_of_a and text_of_b are the shares of both texts that were written in those
    that few files have, 0 to 1; None where they are not known.
    """
    count = len(report.pairs) if most is None else min(len(report.pairs), most)
    for row, a, b in report.rows(count, ignore):
        if properties := report.shared_properties(row):
            turned = report.name_of(b) < report.name_of(a)
            a, b = (b, a) if turned else (a, b)  # noqa: PLW2901
            yield {
                "doc_a": report.name_of(a),
                "doc_b": report.name_of(b),
                "shared": [_shared_row(report, of_kind, turned=turned) for of_kind in properties],
            }


def _shared_row(report: Report, shared: SharedProperty, *, turned: bool) -> dict[str, object]:
    """The properties of one kind that two files share; `turned` where A and B are exchanged."""
    turn = -1 if turned else 1
    of_a, of_b = (shared.of_a, shared.of_b)[::turn]
    texts = [round(text, EXACT_DIGITS) for text in shared.texts[::turn]]
    text_of_a, text_of_b = texts or (None, None)
    return {
        "kind": shared.kind.code,
        "is_rare": shared.is_rare,
        "number": len(shared.values),
        "of_a": of_a,
        "of_b": of_b,
        "files": shared.files[0],
        "in_no_other": shared.alone,
        "text_of_a": text_of_a,
        "text_of_b": text_of_b,
        "values": _shown_values(report, shared.kind, shared.values),
    }


def spelling_rows(report: Report) -> Iterator[dict[str, object]]:
    """Spellings, numbers and spacing that only both documents of a pair have, in a report of it.

    All texts are read for it. Keys: doc_a, doc_b, number, and spellings: word and usual, the
    usual spelling, where names and texts are shown.
    """
    for row, a, b in report.rows(len(report.pairs), ignore):
        slips = report.spellings_of(row) or ()
        name_a, name_b = sorted((report.name_of(a), report.name_of(b)))
        shown = slips if report.choice.quotes else ()
        yield {
            "doc_a": name_a,
            "doc_b": name_b,
            "number": len(slips),
            "spellings": [slip._asdict() for slip in shown],
        }


def file_order_rows(report: Report) -> Iterator[dict[str, object]]:
    """What the properties of files say of their order, group by group.

    Keys: doc_a, doc_b, earlier (the document from which the other may have come; "" where too
    little speaks for that), and indications: kind, and the document that it speaks for ("" where it
    speaks against both).
    """

    def name(number: int | None) -> str:
        return "" if number is None else report.name_of(number)

    for order in report.file_orders:
        doc_a, doc_b = sorted((name(order.a), name(order.b)))
        yield {
            "doc_a": doc_a,
            "doc_b": doc_b,
            "earlier": name(order.earlier),
            "indications": [
                {"kind": of.kind.code, "earlier": name(of.earlier)} for of in order.indications
            ],
        }


def _shown_values(report: Report, kind: PropertyKind, values: Sequence[str]) -> list[str]:
    """The values that are shown: none of identifiers, and no name, date or path without names."""
    return [*values] if kind.is_shown_in_report(names=report.choice.names) else []


BY_PROPERTIES = "properties"
NUMBERS = columns_in(ShownIn.FILES)
JUDGED = ("verdict", "note", "who", "when", "changed_since")
_WAYS = NUMBERS.index(MEASURE["found_by"])
BEFORE_JUDGED = 1 + _WAYS  # numbers that were added later follow
COLUMNS = (
    "doc_a",
    "doc_b",
    *(measure.column for measure in NUMBERS[:BEFORE_JUDGED]),
    *JUDGED,
    *(measure.column for measure in NUMBERS[BEFORE_JUDGED:]),
)
NOT_JUDGED = (Verdict.NOT_REVIEWED.value, "", "", "", None)
ROWS_AT_ONCE = 10_000  # between two looks whether it is cancelled


def pair_rows(
    report: Report, written: Callable[[str], str], progress: Progress
) -> Iterator[tuple[object, ...]]:
    """The pairs in the report's order, by `COLUMNS`; `written` gives the form of a name."""
    total = len(report.pairs)
    for start in range(0, total, ROWS_AT_ONCE):
        stop_if_cancelled()
        progress(ProgressReport(Stage.WRITE, start, total))
        rows = np.arange(start, min(start + ROWS_AT_ONCE, total))
        yield from _rows_of(report, rows, written)
    progress(ProgressReport(Stage.WRITE, total, total))


def _rows_of(
    report: Report, rows: Int64Array, written: Callable[[str], str]
) -> Iterator[tuple[object, ...]]:
    """The rows of given pairs; a million in seconds, so columns become lists first."""
    pairs = report.pairs.take(rows)
    sides = pairs.a.tolist(), pairs.b.tolist()
    name = {document: written(report.name_of(document)) for document in {*sides[0], *sides[1]}}
    names = [[name[document] for document in side] for side in sides]
    turned = np.array([b < a for a, b in zip(*names, strict=True)], dtype=np.bool_)
    numbers = number_rows(pairs.turned(turned), report)
    for row, values, a, b in zip(rows.tolist(), numbers, *names, strict=True):
        judged = judged_values(report.judgement_of(row))
        yield min(a, b), max(a, b), *values[:BEFORE_JUDGED], *judged, *values[BEFORE_JUDGED:]


def number_rows(pairs: Pairs, report: Report) -> Iterator[tuple[Any, ...]]:
    """The numbers of pairs of a report as files for programs hold them, by `NUMBERS`."""
    for start in range(0, len(pairs), ROWS_AT_ONCE):
        part = pairs.take(np.arange(start, min(start + ROWS_AT_ONCE, len(pairs))))
        columns = [values_in_files(measure, getattr(part, measure.column)) for measure in NUMBERS]
        for row in np.flatnonzero(part.found_by == 0):
            if report.was_added(int(part.a[row]), int(part.b[row])):
                columns[_WAYS][row] = BY_PROPERTIES
        yield from zip(*columns, strict=True)


def values_in_files(measure: Measure, column: AnyArray) -> list[Any]:
    """A column of numbers as files for programs hold it."""
    digits = measure.decimals
    exact = column.astype(np.float64).round(digits) if digits else column.astype(np.int64)
    values: list[Any] = exact.tolist()
    if measure.kind is NumberKind.WAYS:
        return [_label(value) for value in values]
    return [None if value < 0 else value for value in values] if measure.of_passages else values


def judged_values(assessment: PairJudgement | None) -> tuple[str | float | None, ...]:
    """The judgement of a pair, for the columns of `JUDGED`."""
    if assessment is None:
        return NOT_JUDGED
    judgement, changed = assessment
    return (
        judgement.verdict.value,
        judgement.note,
        judgement.who,
        judgement.time,
        None if changed is None else round(changed, ESTIMATE_DIGITS),
    )


@cache
def _label(found_by: int) -> str:
    return FoundBy(found_by).label
