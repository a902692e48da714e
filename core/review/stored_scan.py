"""The tables of a review to the state of a scan; what is not right is made again from the texts.

Whether the numbers of a review are those that its texts give: a part of them is made again.

Checksums agree in a review that somebody made on purpose, so what it says of its texts is believed
only where it was measured here. Of a review of up to four million characters everything is
measured when it is opened; of a larger one the pairs at the top of the list and others at random,
and documents at random. Nobody can know beforehand which.

Whether what a review says of reworked passages is what its texts give.

The model of words decides all numbers, so it is learned again whole; of pairs a part is measured.
"""

from __future__ import annotations

import secrets
import sqlite3
from array import array
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.tasks import (
    Cancelled,
    Progress,
    ProgressReport,
    Stage,
    batches,
    ignore,
    never,
    results_of,
    stop_if,
    worker_count,
)
from core.documents import Document, Problem
from core.documents.model import FolderRoles, own_text
from core.errors import ReviewError
from core.evidence.overlap import Overlap, resemblance_of
from core.evidence.pairs import ReworkedEvidence, split_codes
from core.evidence.store import Evidence
from core.evidence.word_model import WordModel
from core.program import preparation
from core.review.believable import (
    check_counts,
    check_evidence,
    check_numbers,
    check_reworked,
)
from core.review.decisions import carried_out, judged
from core.review.header import READING, SIGNING, load_facts, state_of, stored_settings
from core.review.log import load_entries
from core.review.pair_chunks import OVERLAP, load_pairs
from core.review.rows import (
    WantedRows,
    document_of,
    document_rows,
    folder_rows,
    load_aside,
    load_part,
    load_reworked,
    load_signed,
    prefix_of,
    problems_of,
    role_of,
)
from core.review.settings_repair import settings_of, signed_alike
from core.review.texts import StoredTexts
from core.scan.corpus import Corpus
from core.scan.judgements import Judgements
from core.scan.reworked import is_of_same_sample, kept_model, model_in, pairs_of_run
from core.scan.state import ScanState
from core.settings import ScanSettings
from core.signatures.signing import SignedTexts, sign_texts
from core.text.identity import text_hashes
from core.text.set_aside import SetAside, merged_in
from core.text.store import TextStore


def measured_again(
    state: ScanState, *, progress: Progress = ignore, cancelled: Cancelled = never
) -> ScanState:
    """A scan with signatures made again from its texts, in which nothing is known of pairs.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    lengths = [one.characters for one in state.documents]
    told = (Stage.COMPARE, progress, cancelled)
    signed = signed_again(state.texts, lengths, state.settings, state.set_aside, *told)
    reworked = kept_model(state.evidence.reworked)
    evidence = Evidence.none(len(lengths))._replace(reworked=reworked)
    return state._replace(signed=signed, evidence=evidence)


def signed_again(
    texts: Sequence[str],
    lengths: Sequence[int],
    settings: ScanSettings,
    set_aside: Mapping[int, Sequence[SetAside]],
    stage: Stage,
    progress: Progress,
    cancelled: Cancelled,
) -> SignedTexts:
    """Texts signed on all cores, without what is set aside in them.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """

    def signed(part: slice) -> SignedTexts:
        return sign_texts(
            texts[part], settings, set_aside=merged_in(range(part.start, part.stop), set_aside)
        )

    made = [sign_texts([], settings)]
    parts = list(batches(lengths))
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        tasks = (pool.submit(signed, one) for one in parts)
        for part, result in zip(parts, results_of(tasks, cancelled), strict=True):
            made.append(result)
            progress(ProgressReport(stage, part.stop, len(lengths)))
    return SignedTexts.join(made)


def with_text_hashes(
    documents: Sequence[Document], texts: Sequence[str], cancelled: Cancelled
) -> tuple[list[Document], int]:
    """Documents with the hashes of their texts, and how many texts could not be read.

    Args:
        documents: Those that have one keep it.
        texts: Their texts.
        cancelled: Polled between some texts.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    hashed, unreadable = list(documents), 0
    wanted = [number for number, one in enumerate(hashed) if not one.text_hash]
    for part in batches([hashed[number].characters for number in wanted]):
        stop_if(cancelled)
        for number in wanted[part]:
            try:
                (text_hash,) = text_hashes([own_text(hashed[number], texts[number])])
            except ReviewError:
                unreadable += 1
            else:
                hashed[number] = replace(hashed[number], text_hash=text_hash)
    return hashed, unreadable


def same_reworked(
    state: ScanState,
    corpus: Corpus,
    chosen: Int64Array,
    work: int | None,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> bool:
    """Whether the model is that of the documents, and pairs of those that were read are as stored.

    Args:
        state: A scan as a review has it.
        corpus: Some of its documents.
        chosen: int64, which documents these are.
        work: How many characters of pairs are compared; None for all.
        pool: Threads to work on.
        cancelled: Polled meanwhile.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    stored = state.evidence.reworked
    if not stored.model:
        return not len(stored.codes)
    if (pairs_of_run(stored.model) is None) != (state.part is None):
        return False
    model = _learned(state, pool, cancelled)
    if not is_of_same_sample(model[0], stored.model):
        return True  # something was set aside or removed since: a list forgets these numbers
    if model[0] != stored.model:
        return False
    place = np.full(len(state.documents), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    x, y = split_codes(stored.codes)
    rows = _some(np.flatnonzero((place[x] >= 0) & (place[y] >= 0)), x, y, state, work)
    asked = place[x[rows]], place[y[rows]]
    measured = corpus.evidence.reworked.measured(*asked, model[1], cancelled)
    both = zip(stored.columns, measured, strict=True)
    return all(np.array_equal(own[rows], found) for own, found in both)


def _some(
    rows: Int64Array, x: Int64Array, y: Int64Array, state: ScanState, work: int | None
) -> Int64Array:
    """Some of the pairs in these rows, chosen at random, of not more characters than that."""
    if work is None:
        return rows
    lengths = np.array([one.characters for one in state.documents], dtype=np.int64)
    mixed = np.random.default_rng(secrets.randbits(64)).permutation(rows)
    return mixed[np.cumsum(lengths[x[mixed]] + lengths[y[mixed]]) <= work]


def _learned(
    state: ScanState, pool: ThreadPoolExecutor, cancelled: Cancelled
) -> tuple[bytes, WordModel]:
    """The model of the documents that are there, or of all listed ones where none is.

    What the words of a run tell cannot be learned from a part of its documents: that is taken.
    """
    if state.part is not None:
        kept = state.evidence.reworked.model
        return kept, model_in(kept)
    listed = [number for number, one in enumerate(state.documents) if not one.is_removed]
    there = [number for number in listed if state.documents[number].absence is None]
    rows = np.array(there or listed, dtype=np.int64)
    texts = TextStore()
    texts.adopt(state.texts, np.array([one.characters for one in state.documents], np.int64))
    texts.put_aside(state.set_aside)
    corpus = Corpus(state.settings, pool)
    corpus.adopt(texts.arranged(rows))
    corpus.append(state.signed.take(rows))
    words = corpus.reworked.words(cancelled)
    return corpus.evidence.reworked.known.model, words


CHARACTERS = 1 << 22
WORK_OF_PAIRS = 16  # times as many characters are compared
PAIRS_FIRST = 500  # of the top of the list, and as many others


def agrees_with_texts(
    state: ScanState, cancelled: Cancelled, *, characters: int | None = CHARACTERS
) -> bool:
    """Measure documents and pairs again and compare them with what is stored.

    Args:
        state: A scan as a review has it.
        cancelled: Polled between some hundred documents.
        characters: How much text is measured; None for all of it, with all pairs.

    Returns:
        Whether everything that was measured is as it is stored.

    Raises:
        ReviewError: A text cannot be read.
        ScanCancelledError: `cancelled` said so.
    """
    if not len(state.documents):
        return True
    preparation.wait(cancelled)
    lengths = np.array([one.characters for one in state.documents], dtype=np.int64)
    chosen = _chosen(state, lengths, characters)
    if not len(chosen):
        return True
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        corpus = Corpus(state.settings, pool)
        parts = [chosen[part] for part in batches(lengths[chosen].tolist())]
        tasks = (pool.submit(_read, state, part) for part in parts)
        for part, (texts, signed) in zip(parts, results_of(tasks, cancelled), strict=True):
            if not (
                _same_texts(state, part, texts)
                and _same_signed(state.signed.take(part), signed, state)
            ):
                return False
            corpus.add(texts, signed)
        aside = {place: state.set_aside.get(one, ()) for place, one in enumerate(chosen.tolist())}
        corpus.texts.put_aside(aside)
        work = None if characters is None else WORK_OF_PAIRS * characters
        same = _same_evidence(state, corpus, chosen, lengths, characters, cancelled)
        return same and same_reworked(state, corpus, chosen, work, pool, cancelled)


def _read(state: ScanState, numbers: Int64Array) -> tuple[list[str], SignedTexts]:
    texts = [state.texts[number] for number in numbers.tolist()]
    aside = merged_in(numbers.tolist(), state.set_aside)
    return texts, sign_texts(texts, state.settings, set_aside=aside)


def _chosen(state: ScanState, lengths: Int64Array, characters: int | None) -> Int64Array:
    """The documents to measure, ascending."""
    if characters is None or int(lengths.sum()) <= characters:
        return np.arange(len(lengths), dtype=np.int64)
    rng = np.random.default_rng(secrets.randbits(64))
    wanted = np.zeros(len(lengths), dtype=np.bool_)
    used = 0
    for x, y in _pairs_first(state.evidence, rng):
        more = sum(int(lengths[one]) for one in {x, y} if not wanted[one])
        if used + more <= characters // 2:
            used += more
            wanted[[x, y]] = True
    others = rng.permutation(np.flatnonzero(~wanted))
    fitting = np.cumsum(lengths[others]) <= characters - used
    wanted[others[fitting]] = True
    return np.flatnonzero(wanted)


def _pairs_first(evidence: Evidence, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """The pairs at the top of the list and others, in turns."""
    x, y = split_codes(evidence.codes)
    resemblance = resemblance_of(evidence.overlap.shared, evidence.sizes, x, y)
    few = min(PAIRS_FIRST, len(x))
    top = np.argpartition(-resemblance, few - 1)[:few] if few else np.empty(0, dtype=np.int64)
    others = rng.integers(0, max(len(x), 1), few)
    for row in np.stack([rng.permutation(top), others]).T.ravel().tolist():
        yield int(x[row]), int(y[row])


def _same_texts(state: ScanState, numbers: Int64Array, texts: Sequence[str]) -> bool:
    """Whether the texts are those that the documents say."""
    documents = [state.documents[number] for number in numbers.tolist()]
    own = [own_text(*both) for both in zip(documents, texts, strict=True)]
    return [one.text_hash for one in documents] == text_hashes(own)


def _same_signed(stored: SignedTexts, made: SignedTexts, state: ScanState) -> bool:
    """Whether units, digests, fingerprints and, where each has its own, signatures are equal."""
    return (
        np.array_equal(stored.units, made.units)
        and np.array_equal(stored.digests, made.digests)
        and np.array_equal(stored.fingerprints.counts, made.fingerprints.counts)
        and np.array_equal(stored.fingerprints.values, made.fingerprints.values)
        and np.array_equal(stored.skip_grams.counts, made.skip_grams.counts)
        and np.array_equal(stored.skip_grams.values, made.skip_grams.values)
        and (state.settings.depends_on_all or np.array_equal(stored.signatures, made.signatures))
    )


def _same_evidence(
    state: ScanState,
    corpus: Corpus,
    chosen: Int64Array,
    lengths: Int64Array,
    characters: int | None,
    cancelled: Cancelled,
) -> bool:
    """Whether the pairs of documents that were read share what is stored."""
    place = np.full(len(lengths), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    x, y = split_codes(state.evidence.codes)
    rows = np.flatnonzero((place[x] >= 0) & (place[y] >= 0))
    if characters is not None:
        work = np.cumsum(np.minimum(lengths[x[rows]], lengths[y[rows]]))
        if len(rows) and work[-1] > WORK_OF_PAIRS * characters:
            rows = np.random.default_rng(secrets.randbits(64)).permutation(rows)
            work = np.cumsum(np.minimum(lengths[x[rows]], lengths[y[rows]]))
            rows = np.sort(rows[work <= WORK_OF_PAIRS * characters])
    stop_if(cancelled)
    measured = corpus.evidence.measured(place[x[rows]], place[y[rows]], cancelled)
    stored = state.evidence.overlap
    if not all(
        np.array_equal(own[rows], found) for own, found in zip(stored, measured, strict=True)
    ):
        return False
    corpus.evidence.shingles(np.arange(len(chosen)), cancelled)
    known = state.evidence.sizes[chosen]
    return bool(((known < 0) | (known == corpus.evidence.sizes())).all())


ROWS_AT_ONCE = 4096
SIGNED_AGAIN = "It was made again from the texts, and pairs are measured again."
BY_OTHER_SETTINGS = (
    f"What this review knew of its documents was made with other settings. {SIGNED_AGAIN}"
)
BY_OTHER_VERSION = (
    "Another version of Neardup made what this review knew of its documents. "
    f"{SIGNED_AGAIN} Some numbers may differ from before."
)
OTHER_TEXTS = (
    "An earlier version of Neardup told texts apart in another way. What was decided in this "
    "review stays in its log, but holds for no text as it is known now: judge these pairs again."
)
NOT_OF_TEXTS = (
    "Numbers in this review are not those that its texts give: they were changed, or another "
    "program measured them. All pairs were measured again from the texts."
)
UNREADABLE = (
    "The texts of {count:,} documents of this older review cannot be read, so it is not known who "
    "they are: under another name or in another format they count as other documents."
)


class StoredScan:
    """A review that is being read, in a transaction.

    Attributes:
        texts: Its texts.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        notes: MutableSequence[str],
        progress: Progress,
        cancelled: Cancelled,
    ) -> None:
        """Read what says how much there is, and the documents.

        Raises:
            ValueError: Something is not as it was written.
        """
        self._connection, self._notes = connection, notes
        self._progress, self._cancelled = progress, cancelled
        self._facts = load_facts(connection)
        progress(ProgressReport(Stage.OPEN, 0, self._facts.documents))
        self._settings, repaired = settings_of(stored_settings(self._facts))
        notes.extend(repaired)
        self._folders = folder_rows(connection)
        prefixes = {0: ""} | {folder.id: prefix_of(str(folder.path())) for folder in self._folders}
        self._roles = tuple(map(role_of, self._folders))
        places = [folder.path() for folder in self._folders]
        rows = _documents(connection, prefixes, cancelled)
        roles = FolderRoles(places, self._roles)
        self._rows = rows._replace(documents=list(roles.assigned(rows.documents)))
        number = state_of(connection).number
        self.texts = StoredTexts(path, number, self._rows.texts, self._rows.documents, connection)

    def load(self) -> ScanState:
        """The state, with what was decided since the scan was saved, held against its texts.

        Raises:
            ValueError: Something is not as it was written.
            ReviewError: A text that is needed cannot be read.
            ScanCancelledError: It was cancelled.
        """
        state = self.read()
        if self._is_as_stored and not agrees_with_texts(state, self._cancelled):
            self._notes.append(NOT_OF_TEXTS)
            state = state._replace(
                documents=self._with_hashes(state.documents, again=True),
                signed=self._signed_again(),
                evidence=self._nothing_known(),
            )
        return carried_out(state, state.log[self._facts.contained :])

    def read(self) -> ScanState:
        """The state as the tables have it; raises as `load`."""
        facts, problems = self._facts, self._problems()
        log = load_entries(self._connection, facts.log)
        rules, self._set_aside = load_aside(
            self._connection, facts.aside, self._rows.ids, self.texts.lengths
        )
        signed, evidence = self._measured()
        judgements = judged(Judgements(), log[: facts.contained])
        is_known = facts.signing == SIGNING
        if not is_known and (judgements.verdicts or judgements.notes or judgements.passages):
            self._notes.append(OTHER_TEXTS)
        self._progress(ProgressReport(Stage.OPEN, facts.documents, facts.documents))
        return ScanState(
            settings=self._settings,
            folders=tuple(folder.path() for folder in self._folders),
            roles=self._roles,
            documents=self._with_hashes(self._rows.documents, again=not is_known),
            problems=problems,
            signed=signed,
            texts=self.texts,
            evidence=evidence,
            texts_are_current=facts.reading == READING,
            log=tuple(log),
            judgements=judgements,
            set_aside=self._set_aside,
            rules=rules,
            part=load_part(self._connection, facts, self._rows.ids, self._rows.documents),
        )

    def _problems(self) -> list[Problem]:
        facts, problems = self._facts, problems_of(self._connection)
        counts = (len(self._folders), len(self._rows.documents), len(problems))
        if counts != (facts.folders, facts.documents, facts.problems):
            raise ValueError("Some rows are missing.")
        return problems

    @property
    def _is_as_stored(self) -> bool:
        alike = signed_alike(self._facts.settings, self._settings)
        return alike and self._facts.signing == SIGNING

    def _measured(self) -> tuple[SignedTexts, Evidence]:
        """Signatures and evidence, as they are stored or made again."""
        if not self._is_as_stored:
            alike = signed_alike(self._facts.settings, self._settings)
            self._notes.append(BY_OTHER_VERSION if alike else BY_OTHER_SETTINGS)
            return self._signed_again(), self._nothing_known()
        rows, width = self._rows, self._settings.signature_width
        wanted = WantedRows(rows.signed, rows.checksums)
        signed = load_signed(
            self._connection, wanted, self._facts, width, self._progress, self._cancelled
        )
        check_counts(signed, self.texts.lengths, rows.shingles, self._settings.k)
        codes, overlap = load_pairs(self._connection, OVERLAP, rows.ids, self._facts.pairs)
        evidence = Evidence(codes, Overlap(*overlap), rows.shingles)
        check_evidence(evidence, signed.units, self._settings)
        if self._settings.reworked == "off":
            return signed, evidence
        return signed, evidence._replace(reworked=self._reworked())

    def _reworked(self) -> ReworkedEvidence:
        rows, lengths = self._rows, self.texts.lengths
        reworked = load_reworked(self._connection, self._facts, rows.ids, lengths)
        check_reworked(reworked, lengths)
        if reworked.model:
            model_in(reworked.model)  # or it is refused
        return reworked

    def _nothing_known(self) -> Evidence:
        """Evidence that is all to be measured; by the model of the run in a part of one."""
        nothing = Evidence.none(len(self.texts))
        if self._facts.run is None or self._settings.reworked == "off":
            return nothing
        return nothing._replace(reworked=kept_model(self._reworked()))

    def _signed_again(self) -> SignedTexts:
        lengths = self.texts.lengths.tolist()
        told = (Stage.OPEN, self._progress, self._cancelled)
        return signed_again(self.texts, lengths, self._settings, self._set_aside, *told)

    def _with_hashes(self, documents: Sequence[Document], *, again: bool = False) -> list[Document]:
        """The documents with the hashes of their texts, which older reviews do not have."""
        known = documents if not again else [replace(one, text_hash="") for one in documents]
        hashed, unreadable = with_text_hashes(known, self.texts, self._cancelled)
        if unreadable:
            self._notes.append(UNREADABLE.format(count=unreadable))
        return hashed


class _Rows(NamedTuple):
    """The documents in the order of the names of their files, and what other tables ask by."""

    documents: list[Document]
    ids: Int64Array
    texts: Int64Array
    signed: Int64Array
    checksums: Int64Array
    shingles: Int64Array


def _documents(
    connection: sqlite3.Connection, folders: dict[int, str], cancelled: Cancelled
) -> _Rows:
    documents: list[Document] = []
    columns = array("q")
    for row in document_rows(connection):
        if len(documents) % ROWS_AT_ONCE == 0:
            stop_if(cancelled)
        documents.append(document_of(row, folders))
        columns.extend(row[:10])
    numbers = np.array(columns, dtype=np.int64).reshape(-1, 10)
    check_numbers(numbers)
    places = numbers[:, 9].tolist()
    order = sorted(range(len(documents)), key=lambda row: (documents[row].file_name, places[row]))
    numbers = numbers[order]
    return _Rows(
        documents=[documents[place] for place in order],
        ids=numbers[:, 0].copy(),
        texts=numbers[:, 5].copy(),
        signed=numbers[:, 6].copy(),
        checksums=numbers[:, 7].copy(),
        shingles=numbers[:, 8].copy(),
    )
