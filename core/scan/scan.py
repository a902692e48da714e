"""A scan: its documents, signatures and evidence, from which pairs are listed again and again.

With other bands, rows or threshold nothing is read or signed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.memory import text_memory
from core.base.messages import stored
from core.base.tasks import Progress, WorkerPool, ignore
from core.candidates.forecast import KnownPairs
from core.candidates.sorted_keys import DOCUMENT_LIMIT
from core.documents.model import AbsenceKind, Document, FolderRoles, Problem, Role, nested_in_words
from core.documents.reading_settings import ReadingSettings
from core.errors import SettingsError, TooManyCandidatesError
from core.evidence.pairs import Pairs, split_codes
from core.evidence.reworked_store import ReworkedStore
from core.evidence.shared_words import SharedWords
from core.evidence.store import Evidence
from core.evidence.word_model import WordModel
from core.exclusions.rules import ExclusionRules
from core.program import preparation
from core.scan.audit_results import AuditedTexts, CapKind, fingerprint
from core.scan.changed_files import Changes
from core.scan.common_text import FEWEST_DOCUMENTS, CommonText, common_texts, half_of, text_of_most
from core.scan.corpus import Corpus
from core.scan.exclusions import exclude_spans, with_rules
from core.scan.lister import KnownList, PairLister
from core.scan.measured_pairs import known_pairs
from core.scan.pair_list import PairList, notes_on_length
from core.scan.part_of_run import list_part, part_in_words
from core.scan.query import TextIndex
from core.scan.rescan import KeptDocument
from core.scan.reworked import measured_in_parts
from core.scan.state import CarriedOver, ScanState, reading_of, to_review, with_search
from core.scan.submissions import file_names, submissions_in_words
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts
from core.text.set_aside import SetAside
from core.text.store import TextStore

if TYPE_CHECKING:
    from core.scan.ingest import Batch
    from core.scan.properties import FolderProperties


class Scan:
    """The documents of one scan and everything needed to list their pairs.

    Attributes:
        settings: The settings the documents were read and signed with.
        folders: What was scanned.
        roles: The role of each of them.
        documents: The documents with text, in the order of the names of their files; those that
            the last rescan did not meet say so.
        changes: The changes since the scan before; None for a first scan.
        unusable: Folders that a rescan could not look into, and why, in a sentence.
        problems: Files that gave no text, and why.
        full_corpus: All documents, also absent ones.
        reading: How the files were read; None for a review (see `ScanState`).
        decided: The user's decisions, at this scan and those before; and what a run did.
        file_properties: The properties of the files, once they were needed.
    """

    def __init__(
        self,
        settings: ScanSettings,
        folders: tuple[Path, ...],
        problems: Sequence[Problem],
        warning: str = "",
        pool: ThreadPoolExecutor | None = None,
        roles: Sequence[Role] = (),
    ) -> None:
        self.settings = settings
        self.folders = folders
        self.roles = FolderRoles(folders, roles)
        self.documents: list[Document] = []
        self.problems = list(problems)
        self._owns_pool = pool is None
        self.pool = pool or WorkerPool()
        self.reading: ReadingSettings | None = None
        self.changes: Changes | None = None
        self.unusable: Mapping[Path, str] = {}
        self._warning = warning
        self._texts_are_current = True
        self.decided = CarriedOver()
        self.file_properties: FolderProperties | None = None
        self.full_corpus = self._corpus = Corpus(settings, self.pool, TextStore(text_memory()))
        # The numbers of the documents in `_corpus`, where some are absent; all by default.
        self._numbers: Int64Array | None = None
        self._removed: ScanState | None = None
        self._known_list: KnownList | None = None

    @staticmethod
    def restored(state: ScanState, pool: ThreadPoolExecutor | None = None) -> Scan:
        """A scan as it was when its state was kept; its files are not read."""
        scan = Scan(state.settings, state.folders, state.problems, pool=pool, roles=state.roles)
        scan.join(state)
        return scan

    def join(self, before: ScanState, kept: Sequence[KeptDocument] | None = None) -> None:
        """Take in documents of an earlier scan, ordered by names of files.

        The documents in a file stay in their order. The pairs of present documents are listed among
        these alone, so that a file that is gone changes none of their numbers. Absent ones are
        compared with all, and only pairs with one of them count. While a whole folder cannot be
        read, passages are measured by the words that were known before.

        Args:
            before: The earlier scan.
            kept: Its documents that are kept, as they are now; by default all.

        Raises:
            StorageError: There is no room for a temporary file.
        """
        count = len(before.documents)
        if kept is None:
            kept = [KeptDocument(document, n) for n, document in enumerate(before.documents)]
        listed = [document for document in kept if not document.document.is_removed]
        every = [*(document.document for document in listed), *self.documents]
        order = sorted(range(len(every)), key=lambda index: every[index].file_name)
        fresh_numbers = range(count, count + len(self.documents))
        numbers = np.array([*(document.number for document in listed), *fresh_numbers], np.int64)
        numbers, self.documents = numbers[order], [every[index] for index in order]
        corpus, texts = Corpus(self.settings, self.pool), before.text_store()
        texts.adopt(self._corpus.texts, self._corpus.texts.lengths)
        corpus.adopt(texts.arranged(numbers))
        signed_at = partial(_take, before.signed, self._corpus.signed)
        _append(corpus, signed_at, numbers, to_review(self.documents))
        evidence = before.evidence.renumbered(_new_numbers(numbers, count), len(numbers))
        self.full_corpus = self._corpus = corpus
        is_present = np.array([not document.absence for document in self.documents], dtype=np.bool_)
        if not is_present.all():
            self._numbers = np.flatnonzero(is_present)
            self._corpus = _part_of(corpus, evidence, self._numbers)
            self._corpus.keeps_words = _lacks_folder(self.documents, self.roles)
            evidence = _with_absent(evidence, is_present)
        corpus.evidence.restore(evidence)
        removed = [document for document in kept if document.document.is_removed]
        if removed:
            self._removed = before.taken([document.number for document in removed])._replace(
                documents=[document.document for document in removed]
            )
        self.reading = self.reading or before.reading
        self._texts_are_current, self.decided = before.texts_are_current, before.decided
        if len(self.documents) == count:
            self._known_list = before.known_list

    @property
    def state(self) -> ScanState:
        """Everything that is worth keeping."""
        evidence = self.full_corpus.evidence.state()
        if self._numbers is not None:
            present = self._corpus.evidence.state()
            evidence = evidence.together(present.renumbered(self._numbers, len(self.documents)))
        is_complete = self._numbers is None and not self.removed
        state = ScanState(
            settings=self.settings,
            folders=self.folders,
            documents=tuple(self.documents),
            problems=tuple(self.problems),
            signed=self.full_corpus.signed,
            texts=self.full_corpus.texts,
            evidence=evidence,
            reading=self.reading,
            texts_are_current=self._texts_are_current,
            set_aside=self.set_aside,
            roles=self.roles.roles,
            known_list=self._known_list if is_complete else None,
            **self.decided._asdict(),
        )
        return state.with_more(self._removed) if self._removed else state

    @property
    def read_with(self) -> ReadingSettings | None:
        """How the documents were read; None where that is not known."""
        return reading_of(self.documents, self.reading, self.decided.kept_reading)

    @property
    def present(self) -> int:
        """How many of the documents are present."""
        return len(self._corpus)

    @property
    def removed(self) -> Sequence[Document]:
        """The documents that the user took off the list."""
        return self._removed.documents if self._removed else ()

    @property
    def texts(self) -> Sequence[str]:
        """The text of each document; line ends are LF, nothing else is changed."""
        return self.full_corpus.texts

    @property
    def set_aside(self) -> Mapping[int, Sequence[SetAside]]:
        """What does not count, by the number of its document."""
        return self.full_corpus.texts.set_aside

    def exclusions_of(self, a: int, b: int) -> tuple[Sequence[SetAside], Sequence[SetAside]]:
        """What does not count in two documents."""
        return self.set_aside.get(a, ()), self.set_aside.get(b, ())

    def with_exclusions(self, spans: Mapping[int, Sequence[SetAside]]) -> Scan:
        """This scan with these spans set aside in these documents, instead of what was.

        Only these documents are signed again. The threads become those of the result.

        Raises:
            IndexError, ValueError, ScanCancelledError: See `core.scan.exclusions.exclude_spans`.
        """
        return self._changed(exclude_spans(self.state, spans, self.pool))

    def with_rules(self, rules: ExclusionRules, *, anew: bool = False) -> Scan:
        """This scan with what these rules say set aside in all documents, instead of what was.

        Args:
            rules: What to set aside.
            anew: Whether documents came, went or changed since the rules were applied.
        """
        return self._changed(with_rules(self.state, rules, self.pool, anew=anew))

    def searching(self, settings: ScanSettings) -> Scan:
        """This scan with the search for passages of these settings; itself where it has that.

        It lists what a scan with that search lists; no file is read. The threads become those of
        the result. The pairs of a part of a run stay those that the run found.
        """
        reworked = self.settings.reworked if settings.reworked == "off" else settings.reworked
        wanted = self.settings.with_changes(reworked=reworked, min_passage=settings.min_passage)
        if wanted == self.settings or self.decided.part is not None:
            return self
        return self._changed(with_search(self.state, wanted, self.pool))

    def _changed(self, state: ScanState) -> Scan:
        """A scan in the same folders with another state, with the threads of this one."""
        result = Scan(
            state.settings, self.folders, self.problems, self._warning, self.pool, self.roles.roles
        )
        result._owns_pool, result.unusable = self._owns_pool, self.unusable
        result.changes = self.changes
        result.join(state)
        return result

    def add(self, batch: Batch) -> None:
        """Take in documents that were read and signed, and their texts out of the batch."""
        documents = list(self.roles.assigned(batch.documents))
        self.documents += documents
        self.problems.extend(batch.problems)
        first = len(self._corpus)
        self._corpus.add(batch.texts, batch.signed, to_review(documents))
        batch.texts.clear()  # callers hold the batch while the next one is read
        names = {
            first + n: file_names(document)
            for n, document in enumerate(documents)
            if document.members
        }
        self._corpus.texts.exclude_spans(names)

    def pairs(self, settings: ScanSettings | None = None) -> Pairs:
        """The pairs that `list_pairs` lists, worst first."""
        return self.list_pairs(settings).pairs

    def list_pairs(
        self, settings: ScanSettings | None = None, *, progress: Progress = ignore
    ) -> PairList:
        """The pairs for these bands, rows and threshold, and the notes on them.

        Raises:
            SettingsError: The settings make other shingles or signatures than the scan's.
            TooManyCandidatesError: Bands and rows would compare more than 20 million pairs.
        """
        wanted = self._check(settings)
        preparation.wait()
        corpus, remarks = self._corpus, self._remarks
        if self.decided.part is None:
            known = self._known_list
            listing = PairLister(corpus).list_pairs(wanted, known=known, progress=progress)
            self._known_list = listing.known
        else:
            part = self.decided.part.among([self._name(index) for index in range(len(corpus))])
            listing = list_part(corpus, part, wanted, progress)
            remarks += part_in_words(part, wanted)
        every, notes = self._with_absent(listing.every, wanted, progress)
        length = notes_on_length(len(self.documents), corpus.signed.units, corpus.settings)
        caps = [cap.sentence(self._name(cap.document)) for cap in listing.caps]
        return PairList(
            settings=wanted,
            documents=tuple(self.documents),
            problems=tuple(self.problems),
            every=every.ranked(),
            notes=(*remarks, *length, *caps, *notes),
            compared=listing.compared,
            reworked_complete=listing.reworked_complete,
            has_common=any(cap.kind is CapKind.COMMON for cap in listing.caps),
            is_of_run=self.decided.part is not None,
        )

    def _with_absent(
        self, every: Pairs, wanted: ScanSettings, progress: Progress
    ) -> tuple[Pairs, list[str]]:
        """The pairs with those of absent documents, or why these are left out."""
        if self._numbers is None:
            return every, []
        numbers = self._numbers.astype(np.int32)
        every = every.with_columns(a=numbers[every.a], b=numbers[every.b])
        is_absent = np.ones(len(self.documents), dtype=np.bool_)
        is_absent[numbers] = False
        if wanted.reworked != "off" and len(self._corpus):
            self.full_corpus.reworked.use_words_of(self._corpus.reworked)
        lister = PairLister(self.full_corpus, [is_absent])
        try:
            absent_pairs = lister.list_pairs(wanted, progress=progress).every
        except TooManyCandidatesError:
            return every, [
                stored("Documents that are gone are not paired: that would be too many pairs.")
            ]
        return Pairs.concatenate([every, absent_pairs]), []

    def _number(self, index: int) -> int:
        """The number of a present document, given its index among these."""
        return index if self._numbers is None else int(self._numbers[index])

    def _name(self, index: int) -> str:
        """The name of a present document, given its index among these."""
        return self.documents[self._number(index)].name

    def measure_later(
        self, shown_list: PairList, pairs: Pairs, rows: Int64Array
    ) -> Iterator[tuple[Int64Array, SharedWords]]:
        """Measure the overlap of pairs that were too many to be measured with the list.

        Another thread may make a list meanwhile.

        Args:
            shown_list: The list that shows them.
            pairs: Pairs a < b of its documents.
            rows: Which of them, int64, in the order in which they are wanted.

        Yields:
            Some of the rows, and their numbers: every few tenths of a second.
        """
        store = ReworkedStore(self.settings, self.full_corpus.texts, self.pool)
        return measured_in_parts(pairs, rows, store, self.words(shown_list.settings))

    def empty_list(self, settings: ScanSettings, why: str) -> PairList:
        """A list without pairs, and the reason."""
        return PairList(
            settings=settings,
            documents=tuple(self.documents),
            problems=tuple(self.problems),
            every=Pairs.empty(),
            notes=(why,),
        )

    @property
    def _remarks(self) -> list[str]:
        """The notes on the scan, above every list."""
        remarks = [*filter(None, [self._warning]), *nested_in_words(self.folders, self.roles.roles)]
        return [*remarks, *submissions_in_words(self.documents, self.reading)]

    def known_pairs(self, settings: ScanSettings) -> KnownPairs:
        """What is known of pairs, to forecast what such a list misses. Raises as `list_pairs`."""
        corpus, wanted, known = self._corpus, self._check(settings), self._known_list
        if known is None or not known.is_of(corpus, wanted):
            return known_pairs(corpus, wanted)
        forecast = known.forecast or known_pairs(corpus, wanted)
        self._known_list = known._replace(forecast=forecast)
        return forecast

    def corpus_for(self, settings: ScanSettings) -> Corpus:
        """The documents as the engine sees them, for these settings. Raises as `list_pairs`."""
        self._check(settings)
        return self._corpus

    def words(self, settings: ScanSettings) -> WordModel | None:
        """The model of the words; None where these settings look for nothing reworked."""
        return None if settings.reworked == "off" else self._corpus.folder_words()

    def background(self) -> Float64Array:
        """Exact resemblances of about 2,000 pairs of documents drawn at random."""
        return self._corpus.background()

    def common_texts(self, most: int) -> list[CommonText]:
        """Passages in too many documents to pair them, most common first, at most so many."""
        passages = common_texts(self._corpus, most)
        return [text._replace(document=self._number(text.document)) for text in passages]

    def text_of_most(self, listed: int) -> str:
        """A passage that counts in half of the documents, where so many pairs are listed for it."""
        half = half_of(self.present)
        is_few = 2 * listed < half * (half - 1) // 2
        if is_few or not FEWEST_DOCUMENTS <= self.present <= 2 * DOCUMENT_LIMIT:
            return ""
        return text_of_most(self._corpus, self.pool)

    def index(self) -> TextIndex:
        """An index of the documents to query with texts (see `core.scan.query`)."""
        preparation.wait()
        known, compares_all = self._known_list, None
        if known and known.is_of(self.full_corpus, self.settings):
            compares_all = known.facts.compared is not None
        return TextIndex(self.full_corpus, self.settings, compares_all=compares_all)

    def _check(self, settings: ScanSettings | None) -> ScanSettings:
        wanted = settings or self.settings
        if not self.settings.same_signatures(wanted):
            raise SettingsError("These settings need a new scan: they make other signatures.")
        return wanted

    def close(self) -> None:
        """Stop the threads, where they are the scan's own; what was read stays readable.

        Does not wait: a thread in the midst of a long document ends with it.
        """
        if self._owns_pool:
            self.pool.shutdown(wait=False, cancel_futures=True)


def audited_texts(scan: Scan) -> AuditedTexts:
    """The documents that an audit reads: those of a scan that are present."""
    corpus, is_present = (
        scan.corpus_for(scan.settings),
        [document.absence is None for document in scan.documents],
    )
    return AuditedTexts(
        corpus.texts,
        corpus.to_review,
        np.flatnonzero(np.array(is_present, dtype=np.bool_)),
        corpus.signed.units,
        fingerprint(corpus.signed.digests, corpus.to_review),
    )


ROWS_AT_ONCE = 1 << 16


def _append(
    corpus: Corpus,
    signed_at: Callable[[Int64Array], SignedTexts],
    numbers: Int64Array,
    reviewed: BoolArray,
) -> None:
    """Append the signatures of documents, given how to take those of some numbers."""
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        corpus.append(signed_at(numbers[part]), reviewed[part])


def _part_of(full_corpus: Corpus, evidence: Evidence, rows: Int64Array) -> Corpus:
    """A corpus of the documents in these rows."""
    part = Corpus(full_corpus.settings, full_corpus.pool)
    part.adopt(full_corpus.texts.arranged(rows))
    _append(part, full_corpus.signed.take, rows, full_corpus.to_review[rows])
    part.evidence.restore(evidence.renumbered(_new_numbers(rows, len(full_corpus)), len(rows)))
    return part


def _lacks_folder(documents: Sequence[Document], roles: FolderRoles) -> bool:
    """Whether there is a folder of which no document could be read."""
    absences = [document.absence and document.absence.kind for document in documents]
    if AbsenceKind.NOT_READ not in absences:
        return False
    folders = [roles.folder_of(document.location) for document in documents]
    unread, present = (
        {folder for folder, absence in zip(folders, absences, strict=True) if absence is kind}
        for kind in (AbsenceKind.NOT_READ, None)
    )
    return not unread - {None} <= present


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
    x, y = split_codes(evidence.reworked.codes)
    reworked = evidence.reworked.take(~(is_present[x] & is_present[y]))
    return Evidence(codes, evidence.overlap.take(wanted), evidence.sizes, reworked)
