"""Whether what a review says of reworked passages is what its texts give.

The model of words decides all numbers, so it is learned again whole; of pairs a part is measured.
"""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import Int64Array
from core.base.progress import Cancelled
from core.evidence.pairs import split_codes
from core.evidence.word_model import WordModel
from core.scan.corpus import Corpus
from core.scan.reworked import is_of_same_sample, model_in, pairs_of_run
from core.scan.state import ScanState
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
