"""Of which pairs a report is: the rows of the list, the title, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, IntegerArray
from core.base.messages import N_, gettext, ngettext
from core.base.wording import listed, quoted
from core.documents.model import Document, PairKey
from core.evidence.pairs import Pairs
from core.reports.report_choice import ReportChoice, Scope
from core.scan.groups import Group, group_documents
from core.scan.judgements import SUSPECTED, VERDICTS, Judgements, PairRows, Verdict
from core.scan.pair_list import PairList

MOST_NAMED = 5  # documents of one person or group that the sentence names


OF_VERDICTS = {Scope.CONFIRMED: (Verdict.CONFIRMED,), Scope.SUSPECTED: SUSPECTED}


class Subject(NamedTuple):
    """What a report is about.

    Attributes:
        title: Its heading, without a name.
        names: The documents that it is about, "" where that is all of them.
        shown: A sentence on which pairs of the list are in it; "" for all.
    """

    title: str = N_("Near-duplicate documents")
    names: str = ""
    shown: str = ""


def chosen_rows(
    pair_list: PairList, rows: IntegerArray, judgements: Judgements, choice: ReportChoice
) -> IntegerArray:
    """The rows of a list that a choice asks for, worst first; those shown in the shown order.

    Args:
        pair_list: The list.
        rows: Those of it that are shown.
        judgements: The present judgements of the pairs.
        choice: The choice; its documents are numbers of documents of the list.
    """
    chosen = _rows_of_scope(pair_list, rows, judgements, choice)
    if choice.by_document:
        chosen = chosen[by_document(pair_list.rows.take(chosen))]
    return chosen


def _rows_of_scope(
    pair_list: PairList, rows: IntegerArray, judgements: Judgements, choice: ReportChoice
) -> IntegerArray:
    pairs = pair_list.rows
    if choice.scope in OF_VERDICTS:
        return np.flatnonzero(_judged_so(choice.scope, pair_list, judgements))
    if choice.scope is not Scope.SHOWN:
        requested = np.zeros(len(pair_list.documents), dtype=np.bool_)
        requested[list(choice.documents)] = True
        in_a, in_b = requested[pairs.a], requested[pairs.b]
        rows = np.flatnonzero(in_a | in_b if choice.scope is Scope.DOCUMENT else in_a & in_b)
    if choice.scope is Scope.PAIR:
        return rows
    left_out = unjudged_extra_pairs(pair_list, judgements)
    if not choice.weak_traces:
        left_out |= unjudged_traces(pair_list, judgements)
    return rows[~left_out[rows]]


def _judged_so(scope: Scope, pair_list: PairList, judgements: Judgements) -> BoolArray:
    """Which pairs of a list have a verdict that a scope asks for."""
    if not judgements.verdicts:
        return np.zeros(len(pair_list.rows), dtype=np.bool_)
    wanted = [VERDICTS.index(verdict) for verdict in OF_VERDICTS[scope]]
    in_force = PairRows(pair_list.rows, pair_list.documents).columns(judgements).in_force
    return np.isin(in_force, wanted)


def unjudged_traces(pair_list: PairList, judgements: Judgements) -> BoolArray:
    """Which pairs of a list are weak traces that nobody called confirmed or suspicious."""
    return pair_list.rows.weak_trace & ~_judged_so(Scope.SUSPECTED, pair_list, judgements)


def unjudged_extra_pairs(pair_list: PairList, judgements: Judgements) -> BoolArray:
    """Which rows are pairs without a judgement in which nothing was found.

    In lists of many documents there are none: such a pair was added.
    """
    if not pair_list.is_of_few:
        return np.zeros(len(pair_list.rows), dtype=np.bool_)
    columns = PairRows(pair_list.rows, pair_list.documents).columns(judgements)
    return np.asarray((pair_list.rows.found_by == 0) & (columns.verdict == 0) & ~columns.has_note)


def usual_scope(pair_list: PairList, judgements: Judgements) -> Scope:
    """The usual scope of a report for people: confirmed and suspicious pairs once there are any."""
    is_judged = _judged_so(Scope.SUSPECTED, pair_list, judgements).any()
    assessments = (
        judgements.judgement_of(PairKey.of(pair_list.documents[a], pair_list.documents[b]))
        for a, b in pair_list.pairs_to_show(judgements)
    )
    is_judged |= any(
        judged.earlier is None and judged.judgement.verdict in OF_VERDICTS[Scope.SUSPECTED]
        for judged in assessments
    )
    return Scope.SUSPECTED if is_judged else Scope.SHOWN


def by_document(pairs: Pairs) -> Int64Array:
    """The order in which the pairs of one document stand together, int64: rows of `pairs`.

    The first pair is the first of its document of more pairs; its remaining pairs follow,
    then the first pair that is left, and so on.
    """
    ends = np.concatenate((pairs.a, pairs.b))
    numbers = np.bincount(ends) if len(ends) else ends
    a_has_more = numbers[pairs.a] >= numbers[pairs.b]
    order: list[int] = []
    left = np.ones(len(pairs), dtype=np.bool_)
    for row in range(len(pairs)):
        if left[row]:
            document = pairs.a[row] if a_has_more[row] else pairs.b[row]
            rows = np.flatnonzero(left & ((pairs.a == document) | (pairs.b == document)))
            left[rows] = False
            order += rows.tolist()
    return np.array(order, dtype=np.int64)


def documents_in(pairs: Pairs, choice: ReportChoice) -> Int64Array:
    """The numbers of the documents that a report is about, ascending.

    The documents of its pairs, and the requested ones, whether they are in a pair or not.
    """
    requested = np.array(choice.documents, dtype=np.int64)
    most = max(
        (int(column.max()) for column in (pairs.a, pairs.b, requested) if len(column)), default=-1
    )
    about = np.zeros(most + 1, dtype=np.bool_)
    for numbers in (pairs.a, pairs.b, requested):
        about[numbers] = True
    return np.flatnonzero(about)


def texts_shown(pairs: Pairs, choice: ReportChoice) -> list[int]:
    """The numbers of the documents of whose texts something is shown, the first pair's first."""
    if not choice.shows_text:
        return []
    rows = slice(0, choice.most_passages)
    both = zip(pairs.a[rows].tolist(), pairs.b[rows].tolist(), strict=True)
    return list(dict.fromkeys(number for pair in both for number in pair))


def is_whole_list(
    pair_list: PairList, rows: IntegerArray, judgements: Judgements, choice: ReportChoice
) -> bool:
    """Whether a report is of the whole list, of which `rows` lack at most unjudged weak traces."""
    listed = len(pair_list.pairs)
    accounted = unjudged_traces(pair_list, judgements)[:listed]
    accounted[rows[rows < listed]] = True
    return choice.scope is Scope.SHOWN and bool(accounted.all())


def groups_in(
    pair_list: PairList,
    pairs: Pairs,
    judgements: Judgements,
    choice: ReportChoice,
    *,
    is_whole: bool,
) -> list[Group]:
    """The groups of a report: of its pairs; of the whole list, those that the list has everywhere.

    A requested group stays as the list has it, too. The pairs within a group alone can make another
    one: the other pairs of a document decide which is the centre.
    """
    if is_whole or choice.scope is Scope.GROUP:
        groups = group_documents(pair_list.pairs, pair_list.documents, judgements)
        wanted = set(choice.documents)
        same = [group for group in groups if is_whole or set(group.documents) == wanted]
        if same:
            return same
    return group_documents(pairs.take(pairs.found_by > 0), pair_list.documents, judgements)


def subject_of(choice: ReportChoice, documents: Sequence[Document], shown: str) -> Subject:
    """What a report is about; `shown` is the sentence on filter and order of what is shown."""
    if choice.scope is Scope.SHOWN:
        return Subject(gettext(Subject().title), shown=shown)
    if choice.scope is Scope.CONFIRMED:
        return Subject(
            gettext("Confirmed near-duplicates"),
            shown=gettext("Only confirmed pairs are in this report."),
        )
    if choice.scope is Scope.SUSPECTED:
        return Subject(
            gettext("Confirmed and suspicious pairs"),
            shown=gettext("Only pairs judged confirmed or suspicious are in this report."),
        )
    names = _names([documents[document].name for document in choice.documents])
    number = len(choice.documents)
    if choice.scope is Scope.PAIR:
        about = gettext("This report is about one pair: {names}.", names=names)
        return Subject(gettext("A pair of documents"), names, about)
    if choice.scope is Scope.GROUP:
        about = ngettext(
            "This report is about the pairs within one group of {n} document: {names}.",
            "This report is about the pairs within one group of {n} documents: {names}.",
            number,
            names=names,
        )
        return Subject(gettext("A group of near-duplicates"), names, about)
    about = ngettext(
        "This report is about the pairs of {names}.",
        "This report is about the pairs of {n} documents: {names}.",
        number,
        names=names,
    )
    title = ngettext("Near-duplicates of one document", "Near-duplicates of {n} documents", number)
    return Subject(title, names, about)


def _names(names: Sequence[str]) -> str:
    shown = [quoted(name) for name in names[:MOST_NAMED]]
    more = len(names) - len(shown)
    return listed([*shown, ngettext("{n} other", "{n} others", more)] if more else shown)
