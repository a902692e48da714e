"""Merges the documents of an earlier scan with new ones: those that are present, and all of them.

The pairs of present documents are listed among these alone, so that a file that is gone changes
none of their numbers. Absent ones are compared with all, and only pairs with one of them count.
While a whole folder cannot be read, passages are measured by the words that were known before.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.tasks import Progress
from core.documents.model import AbsenceKind, Document, FolderRoles, Role
from core.evidence.overlap import Overlap
from core.evidence.pairs import Pairs, PassageEvidence, split_codes
from core.evidence.store import Evidence
from core.scan.corpus import Corpus
from core.scan.lister import PairLister
from core.scan.rescan import KeptDocument
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import (
    SignedTexts,
    choose_skip_grams,
    in_parts,
    no_skip_grams,
    sign_numbered,
    sign_texts,
)
from core.signatures.winnowing import winnow
from core.text.shingling import Fingerprints, word_beginnings
from core.text.store import TextStore

ROWS_AT_ONCE = 1 << 16


class RemovedDocuments(NamedTuple):
    """Documents that the user took off the list, kept so that they can be brought back."""

    documents: list[Document]
    texts: TextStore
    signed: SignedTexts

    def added_to(self, state: ScanState) -> ScanState:
        """A state that has these, too, without the evidence of their pairs."""
        if not self.documents:
            return state
        texts = state.text_store()
        texts.adopt(self.texts, self.texts.lengths)
        unknown = np.full(len(self.documents), -1, dtype=np.int64)
        sizes = np.concatenate([state.evidence.sizes, unknown])
        return state._replace(
            documents=(*state.documents, *self.documents),
            texts=texts,
            signed=SignedTexts.join([state.signed, self.signed]),
            evidence=state.evidence._replace(sizes=sizes),
            set_aside=texts.set_aside,
        )


class Joined(NamedTuple):
    """A scan made of two.

    Attributes:
        documents: In the order of the names of their files.
        full_corpus: All of them.
        present: Those that are present; the same corpus when all are.
        numbers: int64, the number in `documents` of each document in `present`.
        removed: Those that are not listed.
    """

    documents: list[Document]
    full_corpus: Corpus
    present: Corpus
    numbers: Int64Array
    removed: RemovedDocuments

    @property
    def is_complete(self) -> bool:
        """Whether all documents are present."""
        return self.present is self.full_corpus

    def evidence(self) -> Evidence:
        """What was measured of all documents."""
        known = self.full_corpus.evidence.state()
        if self.is_complete:
            return known
        present = self.present.evidence.state()
        return known.together(present.renumbered(self.numbers, len(self.documents)))

    def numbered(self, pairs: Pairs) -> Pairs:
        """Pairs of present documents, by their numbers in `documents`."""
        numbers = self.numbers.astype(np.int32)
        return pairs.with_columns(a=numbers[pairs.a], b=numbers[pairs.b])

    def pairs_of_absent(self, settings: ScanSettings, progress: Progress) -> Pairs:
        """The pairs of absent documents, with each other and with present ones.

        Raises:
            TooManyCandidatesError: As from `PairLister.list_pairs`.
        """
        is_absent = np.array(
            [document.absence is not None for document in self.documents], dtype=np.bool_
        )
        if settings.reworked != "off" and len(self.present):
            self.full_corpus.reworked.use_words_of(self.present.reworked)
        lister = PairLister(self.full_corpus, [is_absent])
        return lister.list_pairs(settings, progress=progress).every


def join(
    before: ScanState,
    kept: Sequence[KeptDocument],
    documents: Sequence[Document],
    fresh: Corpus,
    roles: FolderRoles,
    pool: ThreadPoolExecutor,
) -> Joined:
    """Put documents of an earlier scan and new ones together; those in a file stay in their order.

    Args:
        before: The earlier scan.
        kept: Its documents that are kept, as they are now.
        documents: The new ones.
        fresh: Their texts.
        roles: The folders that they were chosen from.
        pool: Threads for the result.

    Raises:
        StorageError: There is no room for a temporary file.
    """
    listed = [document for document in kept if not document.document.is_removed]
    every = [*(document.document for document in listed), *documents]
    order = sorted(range(len(every)), key=lambda index: every[index].file_name)
    every = [every[index] for index in order]
    count = len(before.documents)
    numbers = np.concatenate(
        [
            np.array([document.number for document in listed], np.int64),
            count + np.arange(len(documents)),
        ]
    )[order].astype(np.int64)
    full_corpus = Corpus(fresh.settings, pool)
    _fill(full_corpus, before, fresh, numbers, to_review(every))
    is_present = np.array([document.absence is None for document in every], dtype=np.bool_)
    removed = _removed(before, [document for document in kept if document.document.is_removed])
    evidence = before.evidence.renumbered(_new_numbers(numbers, count), len(numbers))
    if is_present.all():
        full_corpus.evidence.restore(evidence)
        return Joined(
            every, full_corpus, full_corpus, np.arange(len(every), dtype=np.int64), removed
        )
    rows = np.flatnonzero(is_present)
    present = Corpus(fresh.settings, pool)
    _fill_present(full_corpus, evidence, rows, present)
    present.keeps_words = _lacks_folder(every, roles)
    full_corpus.evidence.restore(_with_absent(evidence, is_present))
    return Joined(every, full_corpus, present, rows, removed)


def _lacks_folder(documents: Sequence[Document], roles: FolderRoles) -> bool:
    """Whether there is a folder of which no document could be read."""
    absences = [document.absence and document.absence.kind for document in documents]
    if AbsenceKind.NOT_READ not in absences:
        return False
    folders = [roles.folder_of(str(document.path)) for document in documents]
    unread, present = (
        {folder for folder, absence in zip(folders, absences, strict=True) if absence is kind}
        for kind in (AbsenceKind.NOT_READ, None)
    )
    return not unread - {None} <= present


def _fill_present(
    full_corpus: Corpus, evidence: Evidence, rows: Int64Array, present: Corpus
) -> None:
    """Fill a corpus with the documents in these rows."""
    present.adopt(full_corpus.texts.arranged(rows))
    for start in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[start : start + ROWS_AT_ONCE]
        present.append(full_corpus.signed.take(part), full_corpus.to_review[part])
    inside = np.full(len(full_corpus), -1, dtype=np.int64)
    inside[rows] = np.arange(len(rows))
    present.evidence.restore(evidence.renumbered(inside, len(rows)))


def carried(
    before: ScanState,
    kept: Sequence[KeptDocument],
    settings: ScanSettings,
    pool: ThreadPoolExecutor,
) -> tuple[ScanState, list[KeptDocument]]:
    """Documents whose files are absent, signed with other settings from the texts they had.

    Returns:
        A state with nothing but these, and the documents with their numbers in it.
    """
    texts = _texts(before, [document.number for document in kept])
    fresh = in_parts(sign_numbered, texts, settings, pool)
    signed = SignedTexts.join([sign_texts([], settings), *fresh])
    documents = tuple(document.document for document in kept)
    state = before._replace(
        settings=settings,
        documents=documents,
        texts=texts,
        signed=signed,
        evidence=Evidence.none(len(documents)),
        set_aside=texts.set_aside,
    )
    return state, [KeptDocument(document, number) for number, document in enumerate(documents)]


def with_search(before: ScanState, settings: ScanSettings, pool: ThreadPoolExecutor) -> ScanState:
    """A scan with another search for passages: only skip-grams and fingerprints are chosen anew."""
    signed, evidence = before.signed, before.evidence
    texts = _texts(before, range(len(before.documents)))

    if not before.settings.same_skip_grams(settings):
        chosen = in_parts(_skip_grams, texts, settings, pool)
        signed = signed._replace(skip_grams=Fingerprints.join([no_skip_grams(0), *chosen]))
    if before.settings.passage_length != settings.passage_length:
        chosen = in_parts(_fingerprints, texts, settings, pool)
        signed = signed._replace(fingerprints=Fingerprints.join([no_skip_grams(0), *chosen]))
        # How much stands in passages depends on how short one may be.
        evidence = evidence._replace(reworked=PassageEvidence.none(evidence.reworked.model))
    return before._replace(settings=settings, signed=signed, evidence=evidence)


def _skip_grams(texts: TextStore, numbers: Int64Array, settings: ScanSettings) -> Fingerprints:
    words = word_beginnings(texts.texts_at(numbers), settings, texts.set_aside_in(numbers))
    return choose_skip_grams(words, settings)


def _fingerprints(texts: TextStore, numbers: Int64Array, settings: ScanSettings) -> Fingerprints:
    return winnow(texts.shingles(numbers, settings), settings)


def to_review(documents: Sequence[Document]) -> BoolArray:
    """Which documents are to review."""
    return np.array([document.role is Role.REVIEW for document in documents], dtype=np.bool_)


def _fill(
    full_corpus: Corpus, before: ScanState, fresh: Corpus, numbers: Int64Array, reviewed: BoolArray
) -> None:
    """Fill an empty corpus with the documents of these numbers, the new ones after the others."""
    texts = before.text_store()
    texts.adopt(fresh.texts, fresh.texts.lengths)
    full_corpus.adopt(texts.arranged(numbers))
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        full_corpus.append(_take(before.signed, fresh.signed, numbers[part]), reviewed[part])


def _take(before: SignedTexts, fresh: SignedTexts, numbers: Int64Array) -> SignedTexts:
    count = len(before.units)
    is_old = numbers < count
    rows = SignedTexts.join([before.take(numbers[is_old]), fresh.take(numbers[~is_old] - count)])
    return rows.take(np.argsort(np.concatenate([np.flatnonzero(is_old), np.flatnonzero(~is_old)])))


def _new_numbers(numbers: Int64Array, count: int) -> Int64Array:
    """The present number of each earlier document, the first of several; -1 for none."""
    new_numbers = np.full(count, -1, dtype=np.int64)
    old = np.flatnonzero(numbers < count)[::-1]
    new_numbers[numbers[old]] = old
    return new_numbers


def _with_absent(evidence: Evidence, is_present: BoolArray) -> Evidence:
    """The evidence of pairs with at least one absent document."""
    x, y = split_codes(evidence.codes)
    wanted = ~(is_present[x] & is_present[y])
    codes = evidence.codes[wanted]
    overlap = Overlap(*(column[wanted] for column in evidence.overlap))
    x, y = split_codes(evidence.reworked.codes)
    reworked = evidence.reworked.take(~(is_present[x] & is_present[y]))
    return Evidence(codes, overlap, evidence.sizes, reworked)


def _removed(before: ScanState, kept: Sequence[KeptDocument]) -> RemovedDocuments:
    numbers = [document.number for document in kept]
    rows = np.array(numbers, dtype=np.int64)
    return RemovedDocuments(
        [document.document for document in kept], _texts(before, numbers), before.signed.take(rows)
    )


def _texts(before: ScanState, numbers: Sequence[int]) -> TextStore:
    return before.text_store().arranged(np.array(numbers, dtype=np.int64))
