"""The list of documents with its numbers, and one document against all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.tasks import stop_if
from core.evidence.pairs import Pairs
from neardup_gui.jobs.tasks import Reports, Work
from neardup_gui.models.documents import DocumentList, document_list, with_languages
from neardup_gui.models.passages import LookedUp
from neardup_gui.models.scan_result import ScanResult

if TYPE_CHECKING:
    from core.documents.model import PairKey
    from core.scan.judgements import Judgements, PassageJudgement
    from core.scan.pair_text import SharedParts
    from core.scan.passage_list import PassageList
    from neardup_gui.models.documents import DocumentReading
    from neardup_gui.models.groups import GroupList


def make_groups(result: ScanResult, judgements: Judgements) -> Work:
    """Group the documents of a list, around the centres that were chosen."""

    def work(reports: Reports) -> GroupList:
        from neardup_gui.models.groups import group_list

        stop_if(reports.cancelled)
        return group_list(result, judgements)

    return work


TWO = 2


class PassageToJudge(NamedTuple):
    """A passage that is to be judged.

    Attributes:
        passages: The passages, of the present list or one before it.
        number: Which one.
        explains: Whether the listed pairs are wanted that are there for it alone.
    """

    passages: PassageList
    number: int
    explains: bool


class PreparedPassage(NamedTuple):
    """The text of a passage, and the listed pairs that it explains."""

    text: str
    pairs: Sequence[PairKey]


def find_passages(result: ScanResult, judged: Mapping[str, PassageJudgement]) -> Work:
    """Find the passages of a complete list, and those that were judged."""

    def work(reports: Reports) -> PassageList:
        from core.scan.passage_list import list_passages

        return list_passages(
            result.scan, result.settings, judged, reports.progress, reports.cancelled
        )

    return work


def prepare_judging(result: ScanResult, passages: Sequence[PassageToJudge]) -> Work:
    """Read passages that are to be judged, and find the pairs that are listed for one alone."""

    def work(reports: Reports) -> list[PreparedPassage]:
        prepared = []
        for one in passages:
            stop_if(reports.cancelled)
            text = one.passages.text_of(one.number)
            pairs = _explained(result, text, reports) if one.explains else []
            prepared.append(PreparedPassage(text, pairs))
        return prepared

    return work


def _explained(result: ScanResult, text: str, reports: Reports) -> list[PairKey]:
    from core.documents.model import PairKey
    from core.scan.pair_text import explained_by

    found = explained_by(result.scan, result.pairs, result.settings, text, reports.cancelled)
    documents = result.documents
    both = zip(found.a.tolist(), found.b.tolist(), strict=True)
    return list(dict.fromkeys(PairKey.of(documents[a], documents[b]) for a, b in both))


def look_up(result: ScanResult, passages: PassageList, number: int, document: int | None) -> Work:
    """Find out who holds a passage, and which two documents are read.

    Args:
        result: The list that the passages were found in.
        passages: All of them.
        number: Which one.
        document: One that holds it and is wanted; None for any.
    """

    def work(reports: Reports) -> LookedUp:
        documents = passages.holders(number)
        pair, is_listed = _two_of(result.pairs, documents, document)
        stop_if(reports.cancelled)
        spans = [passages.spans_in(number, one)[0] for one in pair] or [(0, 0), (0, 0)]
        return LookedUp(
            passages.keys[number],
            passages.text_of(number),
            documents,
            result.names.key(*pair) if pair else None,
            (spans[0], spans[1]),
            is_listed,
        )

    return work


def _two_of(
    pairs: Pairs, documents: Sequence[int], wanted: int | None
) -> tuple[tuple[int, ...], bool]:
    """The first listed pair of some documents, with one that is wanted; or any two of them."""
    holds = np.zeros(max([*documents, 0]) + 1, dtype=np.bool_)
    holds[list(documents)] = True
    inside = (pairs.a < len(holds)) & (pairs.b < len(holds))
    rows = np.flatnonzero(inside)
    rows = rows[holds[pairs.a[rows]] & holds[pairs.b[rows]]]
    if wanted is not None:
        rows = rows[(pairs.a[rows] == wanted) | (pairs.b[rows] == wanted)]
    if len(rows):
        return (int(pairs.a[rows[0]]), int(pairs.b[rows[0]])), True
    if len(documents) < TWO:
        return (), False
    one = documents[0] if wanted is None else wanted
    other = next(number for number in documents if number != one)
    return (min(one, other), max(one, other)), False


def list_documents(result: ScanResult, counted: DocumentList | None = None) -> Work:
    """Count what is said of each document; of a scan that is not at its end only the names.

    Args:
        result: The list, up to date.
        counted: The same when only languages were others.
    """

    def work(reports: Reports) -> DocumentList:
        from core.scan.document_columns import document_columns
        from core.scan.pair_text import languages_of, told_languages_of

        if result.state is None:
            return DocumentList(result.documents, result.names, result.settings)
        listed = counted
        if listed is None:
            columns = document_columns(result.state, result.pairs, reports.cancelled)
            listed = document_list(result, columns)
        told = told_languages_of(result.state, reports.cancelled)
        return with_languages(listed, languages_of(result.state, told), told)

    return work


def read_document(result: ScanResult, document: int) -> Work:
    """Lay out a document and compare it with all others.

    Previews are a `DocumentReading` with the bare text, then a `Measured` now and then.
    """

    def work(reports: Reports) -> DocumentReading:
        from core.scan.pair_text import shared_parts
        from neardup_gui.models.documents import Measured, read_alone

        text = result.scan.texts[document]
        aside = result.scan.aside(document, document)[0]
        bare = read_alone(result, document, text, aside)
        stop_if(reports.cancelled)
        if result.state is None:
            return bare
        reports.preview(bare)

        def tell(parts: SharedParts) -> None:
            reports.preview(Measured(parts.compared, parts.total))

        state = result.state._replace(settings=result.settings)
        parts = shared_parts(
            result.scan, state, result.pairs, document, told=tell, cancelled=reports.cancelled
        )
        return read_alone(result, document, text, aside, parts)

    return work
