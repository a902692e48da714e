"""The pairs that a scan lists under given settings, with the notes on that list."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations, islice, product
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.messages import N_, stored
from core.documents.model import Document, PairKey, Problem, Role, text_key
from core.documents.problems import ProblemCounts, count_problems
from core.evidence.pairs import FoundBy, Pairs
from core.scan.judgements import Judgements, PairRows, earlier_texts
from core.settings import ScanSettings

NO_DOCUMENT = N_("No document with text was found.")
NOTHING_TO_COMPARE = N_("There are no two different documents to compare.")

A_PAIR = 2  # documents


class DocumentCounts(NamedTuple):
    """How many documents were compared.

    Attributes:
        present: Those whose files were there.
        missing: Those whose files are gone or could not be read again: with their earlier text.
        references: Those of the present ones that are compared with others only.
        templates: Those of the present ones that are not compared.
    """

    present: int
    missing: int
    references: int = 0
    templates: int = 0

    @property
    def to_review(self) -> int:
        """The present ones that are to review."""
        return self.present - self.references - self.templates

    @property
    def pairs(self) -> int:
        """How many pairs of present documents are compared where all are."""
        reviewed = self.to_review
        return reviewed * (reviewed - 1) // 2 + reviewed * self.references


FEW = 10  # documents of which every pair is shown, whatever they share


class ListCounts(NamedTuple):
    """How many pairs there are for which reason, listed or not; weak traces are counted apart.

    Attributes:
        similar: Pairs that reach the threshold.
        by_passage: Pairs below it that share a passage word for word.
        listed: Rows of the list: the pairs that the settings ask for, and the weak traces.
        by_reworked: Pairs below it that share a reworked passage and no other.
        weak: How many of those that are listed are weak traces.
    """

    similar: int
    by_passage: int
    listed: int
    by_reworked: int = 0
    weak: int = 0

    @property
    def pairs(self) -> int:
        """Listed pairs that are no weak traces: "22 pairs" is this number wherever it stands."""
        return self.listed - self.weak

    @property
    def below(self) -> int:
        """Pairs below the threshold."""
        return self.by_passage + self.by_reworked


def count_documents(documents: Iterable[Document]) -> DocumentCounts:
    """Count documents by whether their files were present, and by role."""
    missing, roles = 0, Counter[Role]()
    for document in documents:
        missing += document.absence is not None
        roles[document.role] += document.absence is None
    return DocumentCounts(roles.total(), missing, roles[Role.REFERENCE], roles[Role.TEMPLATE])


def count_pairs(every: Pairs, settings: ScanSettings) -> ListCounts:
    """Count pairs that reach the threshold, or else by what they share."""
    below = every.resemblance < settings.min_resemblance
    is_listed = ~below | settings.list_passages
    weak = every.weak_trace & is_listed
    ways = every.found_by & (FoundBy.PASSAGE | FoundBy.REWORKED)
    is_reworked = below & (ways == FoundBy.REWORKED)
    kinds = (~below, below & ~is_reworked, is_reworked)
    similar, by_passage, by_reworked = (int(np.count_nonzero(kind & ~weak)) for kind in kinds)
    return ListCounts(similar, by_passage, int(is_listed.sum()), by_reworked, int(weak.sum()))


@dataclass(frozen=True, kw_only=True, eq=False)
class PairList:
    """A list of the pairs of a scan, which may go on and make others meanwhile.

    Attributes:
        settings: With which bands, rows and threshold pairs were searched.
        documents: The documents that were compared; the indices of pairs refer to them.
        problems: Files that gave no text, as far as the scan had come.
        every: The pairs that reach the threshold or share a passage, most similar first: what is
            listed for its resemblance is the head of them.
        notes: What this list leaves out or could not find, in sentences.
        compared: Number of pairs of different documents where all were compared: then the list is
            complete from the threshold on, whatever the bands. None where candidates were sought.
        reworked_complete: Whether all pairs were measured for reworked passages.
        has_common: Whether some text is in so many documents that it pairs none by itself.
        is_of_run: Whether it is of a part of a run on a cluster, which decides what is listed.
        extra_pairs: The pairs that are shown though the search did not find them, worst first; none
            until they were measured (`pairs_to_show`, `core.scan.pair_details.with_extra_pairs`).
    """

    settings: ScanSettings
    documents: Sequence[Document]
    problems: Sequence[Problem]
    every: Pairs
    notes: Sequence[str] = ()
    compared: int | None = None
    reworked_complete: bool = False
    has_common: bool = False
    is_of_run: bool = False
    extra_pairs: Pairs = field(default_factory=Pairs.empty)

    @property
    def is_of_few(self) -> bool:
        """Whether every pair is shown, whatever the two documents share."""
        return len(self.documents) <= FEW and not self.is_of_run

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs that are listed, worst first: see `Pairs.worst_first`."""
        return self.every.take(np.arange(self.counts.listed)).worst_first()

    @cached_property
    def rows(self) -> Pairs:
        """The pairs that are listed in their numbers, then the others."""
        if not len(self.extra_pairs):
            return self.pairs
        return Pairs.concatenate([self.pairs, self.extra_pairs])

    @cached_property
    def counts(self) -> ListCounts:
        """How many pairs there are for which reason."""
        return count_pairs(self.every, self.settings)

    @cached_property
    def present_counts(self) -> ListCounts:
        """`counts` of the pairs whose documents are both present."""
        present = self.of_present(self.every)
        return self.counts if present is self.every else count_pairs(present, self.settings)

    @cached_property
    def document_counts(self) -> DocumentCounts:
        """How many documents were compared."""
        return count_documents(self.documents)

    @cached_property
    def problem_counts(self) -> ProblemCounts:
        """How many files gave no text."""
        return count_problems(self.problems)

    def of_present(self, pairs: Pairs) -> Pairs:
        """Those of these pairs whose documents are both present."""
        if not self.document_counts.missing:
            return pairs
        missing = np.array([bool(document.absence) for document in self.documents], dtype=np.bool_)
        return pairs.take(~(missing[pairs.a] | missing[pairs.b]))

    @cached_property
    def unlisted(self) -> Sequence[tuple[int, int]]:
        """Of few documents the pairs (a, b) that could be listed and are not; else none."""
        if not self.is_of_few:
            return ()
        listed = {*zip(self.pairs.a.tolist(), self.pairs.b.tolist(), strict=True)}
        return [
            pair
            for pair in combinations(range(len(self.documents)), 2)
            if pair not in listed and self._may_be_listed(*pair)
        ]

    def _may_be_listed(self, a: int, b: int) -> bool:
        roles = self.documents[a].role, self.documents[b].role
        return a != b and Role.REVIEW in roles and Role.TEMPLATE not in roles

    def pairs_to_show(self, judgements: Judgements) -> Sequence[tuple[int, int]]:
        """The pairs (a, b) that are shown though the search did not find them.

        Of few documents all that are `unlisted`, else those that are `marked`: each between the
        first documents that have its texts, else had them before they were edited, and may be
        listed.
        """
        if self.is_of_few or not (marked := judgements.marked):
            return self.unlisted
        texts = [text_key(document) for document in self.documents]
        first = defaultdict[str, list[int]](list)  # of the documents with a text, two of each role
        kept = Counter[tuple[str, Role]]()
        for number, text in enumerate(texts):
            kept[kind := (text, self.documents[number].role)] += 1
            if kept[kind] <= A_PAIR:
                first[text].append(number)
        had = defaultdict[str, list[int]](list)  # also of those that had it
        for text, numbers in first.items() if judgements.earlier else ():
            for version in earlier_texts(judgements.earlier, text):
                had[version.text] += numbers
        pairs = set[tuple[int, int]]()
        for low, high in marked:
            now = product(first.get(low, ()), first.get(high, ()))
            before = product(had.get(low, ()), had.get(high, ()))
            may_be = (pair for pair in chain(now, before) if self._may_be_listed(*pair))
            pairs.update((min(pair), max(pair)) for pair in islice(may_be, 1))
        keys = {(a, b): PairKey.between(texts[a], texts[b]) for a, b in sorted(pairs)}
        rows = PairRows(self.pairs, self.documents)
        listed = {rows.key_of(int(row)) for row in rows.rows_of(keys.values())}
        unlisted = ((pair, key) for pair, key in keys.items() if key not in listed)
        return [pair for pair, key in unlisted if key in marked or judgements.is_marked(key)]

    def keys_to_add(self, pairs: Sequence[tuple[int, int]]) -> list[PairKey]:
        """The keys of the pairs among these that can be added to the list, in their order.

        None of few documents, of which all are shown. Of exact copies only the first is in these: a
        verdict is on texts, so it stands for the others.
        """
        if self.is_of_few:
            return []
        keys = {(a, b): PairKey.of(self.documents[a], self.documents[b]) for a, b in pairs}
        shown = zip(self.extra_pairs.a.tolist(), self.extra_pairs.b.tolist(), strict=True)
        wanted = Judgements(added=set(keys.values()))
        can_be = {*self.pairs_to_show(wanted)}.difference(shown)
        return [key for pair, key in keys.items() if pair in can_be]

    def shared_by_both(self, a: int, b: int) -> int:
        """How many other documents are in a listed pair with each of two documents."""
        of_a, of_b = (
            np.concatenate(
                [self.pairs.b[self.pairs.a == document], self.pairs.a[self.pairs.b == document]]
            )
            for document in (a, b)
        )
        return len(np.intersect1d(of_a, of_b))

    def answers(self, settings: ScanSettings) -> bool:
        """Whether a list under other settings is at most a part of this one."""
        return settings == self.settings.with_changes(list_passages=settings.list_passages)

    def under(self, settings: ScanSettings) -> PairList:
        """The list under settings that it answers."""
        return replace(self, settings=settings, extra_pairs=Pairs.empty())


def notes_on_length(documents: int, units: Int64Array, settings: ScanSettings) -> list[str]:
    """Notes on what cannot be found because there is too little text.

    Args:
        documents: How many documents with text there are.
        units: int64, words (or characters) of each that has not gone.
        settings: Of the scan.
    """
    if not documents:
        return [NO_DOCUMENT]
    if not len(units):
        return [
            stored("None of the documents is there. The pairs are those of their earlier texts.")
        ]
    short = int(((units > 0) & (units < settings.k)).sum())  # of none, nothing counts
    return notes_on_short_texts(len(units), short, settings)


def notes_on_short_texts(documents: int, short: int, settings: ScanSettings) -> list[str]:
    """As `notes_on_length`, given how many of the documents are too short for a shingle."""
    if not documents:
        return [NO_DOCUMENT]
    if not short:
        return []
    values = {"short": f"{short:,}", "documents": f"{documents:,}", "k": settings.k}
    if settings.unit == "word":
        note = stored(
            "{short} of {documents} documents: too short for a shingle of {k} words; they only "
            "match documents with the same words.",
            **values,
        )
    else:
        note = stored(
            "{short} of {documents} documents: too short for a shingle of {k} characters; they "
            "only match documents with the same words.",
            **values,
        )
    return [note]
