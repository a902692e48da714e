"""The state of a scan: what a review file keeps and a later scan takes over.

Decisions of the user are kept as a history (see `core.scan.history`). Under other settings texts
that are kept are signed again, not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from core.base.tasks import Progress, ProgressReport, Stage, WorkerPool, ignore
from core.documents.model import Document, Problem, Role
from core.documents.reading_settings import ReadingSettings
from core.evidence.pairs import PassageEvidence
from core.evidence.store import Evidence
from core.exclusions.rules import NO_RULES, ExclusionRules
from core.scan.history import HistoryEntry
from core.scan.judgements import Judgements
from core.scan.rescan import KeptDocument
from core.scan.reworked import kept_model
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
from core.text.set_aside import SetAside
from core.text.shingling import Fingerprints, word_beginnings
from core.text.store import TextStore

if TYPE_CHECKING:
    from core.scan.lister import KnownList
    from core.scan.part_of_run import PartOfRun


NOTHING_SET_ASIDE: Mapping[int, Sequence[SetAside]] = {}
NO_JUDGEMENTS = Judgements()


class CarriedOver(NamedTuple):
    """What a scan takes over from the one before, mostly the user's decisions; see `ScanState`."""

    log: tuple[HistoryEntry, ...] = ()
    judgements: Judgements = NO_JUDGEMENTS
    rules: ExclusionRules = NO_RULES
    part: PartOfRun | None = None
    kept_reading: ReadingSettings | None = None


def reading_of(
    documents: Iterable[Document], reading: ReadingSettings | None, kept: ReadingSettings | None
) -> ReadingSettings | None:
    """How documents were read: a rescan may keep documents that it would not read that way.

    Args:
        documents: Of the scan.
        reading: How the scan read files; None for a review.
        kept: How the documents were read that it kept; None if that is not known.
    """
    if reading is None:
        return kept
    are_joined = any(document.members for document in documents if document.absence is None)
    reading = replace(reading, submissions=reading.submissions or are_joined)
    if kept is None:
        return reading
    scans = reading if reading.ocr else kept
    return replace(
        reading,
        archives=reading.archives or kept.archives,
        ocr=scans.ocr,
        ocr_languages=scans.ocr_languages,
    )


class ScanState(NamedTuple):
    """A scan as values.

    Attributes:
        settings: Decide shingles and signatures.
        folders: What was scanned.
        roles: The role of each of them, which its documents have, too. Folders without one are to
            review.
        documents: The documents with text, in the order of the names of their files.
        problems: Files that gave no text, and why.
        signed: Units, digests, signatures and fingerprints of the documents, row for row.
        texts: The text of each document, perhaps read only when it is needed, from any thread.
        evidence: What is known of pairs.
        reading: How the files were read; None for a review, whose next scan is asked anew.
        texts_are_current: Whether today's readers would make the same texts of the same files.
        log: The user's decisions; the documents are as these have made them.
        set_aside: What does not count, by the number of its document; `signed` and `evidence` are
            made without it.
        judgements: The user's judgements, as the log says.
        rules: The rules by which `set_aside` was found.
        part: The pairs of the run on a cluster that this is a part of; None for a scan.
        kept_reading: How the documents were read that were kept; without passwords.
        known_list: The last list of these documents; None where some are absent.
    """

    settings: ScanSettings
    folders: tuple[Path, ...]
    documents: Sequence[Document]
    problems: Sequence[Problem]
    signed: SignedTexts
    texts: Sequence[str]
    evidence: Evidence
    reading: ReadingSettings | None = None
    texts_are_current: bool = True
    log: tuple[HistoryEntry, ...] = ()
    set_aside: Mapping[int, Sequence[SetAside]] = NOTHING_SET_ASIDE
    judgements: Judgements = NO_JUDGEMENTS
    rules: ExclusionRules = NO_RULES
    roles: tuple[Role, ...] = ()
    part: PartOfRun | None = None
    kept_reading: ReadingSettings | None = None
    known_list: KnownList | None = None

    @property
    def lengths(self) -> Int64Array:
        """Characters of each text."""
        return np.array([document.characters for document in self.documents], np.int64)

    def text_store(self) -> TextStore:
        """The texts, which stay where they are, with what is set aside in them."""
        texts = TextStore()
        texts.adopt(self.texts, self.lengths)
        texts.exclude_spans(self.set_aside)
        return texts

    @property
    def read_with(self) -> ReadingSettings | None:
        """How the documents were read; None where that is not known."""
        return reading_of(self.documents, self.reading, self.kept_reading)

    @property
    def decided(self) -> CarriedOver:
        """What a later scan takes over."""
        return CarriedOver(self.log, self.judgements, self.rules, self.part, self.kept_reading)

    def taken(self, rows: Sequence[int]) -> ScanState:
        """The documents in these rows alone, of which nothing is known of pairs."""
        numbers = np.array(rows, dtype=np.int64)
        texts = self.text_store().arranged(numbers)
        return self._replace(
            documents=tuple(self.documents[row] for row in rows),
            texts=texts,
            signed=self.signed.take(numbers),
            evidence=Evidence.none(len(rows)),
            set_aside=texts.set_aside,
            known_list=None,
        )

    def with_more(self, other: ScanState) -> ScanState:
        """This with the documents of another state of the scan, without what it knows of pairs."""
        texts = self.text_store()
        texts.adopt(other.texts, other.lengths)
        sizes = np.concatenate([self.evidence.sizes, Evidence.none(len(other.documents)).sizes])
        return self._replace(
            documents=(*self.documents, *other.documents),
            texts=texts,
            signed=SignedTexts.join([self.signed, other.signed]),
            evidence=self.evidence._replace(sizes=sizes),
            set_aside=texts.set_aside,
        )


def to_review(documents: Sequence[Document]) -> BoolArray:
    """Which documents are to review."""
    return np.array([document.role is Role.REVIEW for document in documents], dtype=np.bool_)


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
    state = before.taken([document.number for document in kept])
    signed = signed_again(state.text_store(), settings, pool)
    documents = tuple(document.document for document in kept)
    state = state._replace(settings=settings, documents=documents, signed=signed)
    return state, [KeptDocument(document, number) for number, document in enumerate(documents)]


def with_search(before: ScanState, settings: ScanSettings, pool: ThreadPoolExecutor) -> ScanState:
    """A scan with another search for passages: only skip-grams and fingerprints are chosen anew."""
    signed, evidence = before.signed, before.evidence
    texts = before.text_store()
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


def measured_again(state: ScanState, *, progress: Progress = ignore) -> ScanState:
    """A scan with signatures made again from its texts, in which nothing is known of pairs.

    Raises:
        ReviewError: A text cannot be read.
    """
    with WorkerPool() as pool:
        signed = signed_again(state.text_store(), state.settings, pool, progress)
    reworked = kept_model(state.evidence.reworked)
    evidence = Evidence.none(len(state.documents))._replace(reworked=reworked)
    return state._replace(signed=signed, evidence=evidence)


def signed_again(
    texts: TextStore,
    settings: ScanSettings,
    pool: ThreadPoolExecutor,
    progress: Progress = ignore,
    stage: Stage = Stage.COMPARE,
) -> SignedTexts:
    """Texts signed by some threads, without the text set aside in them.

    Raises:
        ReviewError: A text cannot be read.
    """
    made, done = [sign_texts([], settings)], 0
    for signed in in_parts(sign_numbered, texts, settings, pool):
        made.append(signed)
        done += len(signed.units)
        progress(ProgressReport(stage, done, len(texts)))
    return SignedTexts.join(made)
