"""Whether the numbers of a review are those that its texts give: a part of them is made again.

Checksums agree in a review that somebody made on purpose, so what it says of its texts is believed
only where it was measured here. Of a review of up to four million characters everything is
measured when it is opened; of a larger one the pairs at the top of the list and others at random,
and documents at random. Nobody can know beforehand which.

Whether what a review says of reworked passages is what its texts give.

The model of words decides all numbers, so it is learned again whole; of pairs a part is measured.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import Int64Array
from core.base.tasks import Cancelled, batches, results_of, stop_if, worker_count
from core.documents.model import own_text
from core.evidence.overlap import resemblance_of
from core.evidence.pairs import split_codes
from core.evidence.store import Evidence
from core.evidence.word_model import WordModel
from core.program import preparation
from core.scan.corpus import Corpus
from core.scan.reworked import is_of_same_sample, model_in, pairs_of_run
from core.scan.state import ScanState
from core.signatures.signing import SignedTexts, sign_texts
from core.text.identity import text_hashes
from core.text.set_aside import merged_in
from core.text.store import TextStore


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
