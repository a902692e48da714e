"""Which share of the skip-grams of a folder's passages counts, for the promise of its curve."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import BoolArray, Float64Array, Int64Array
from core.base.parallel import worker_count
from core.base.progress import Cancelled, never
from core.candidates.reworked import HEAVIEST, weights_of
from core.candidates.reworked_curve import Kept
from core.candidates.skip_gram_index import index_skip_grams
from core.candidates.skip_gram_meetings import NEEDED_WEIGHT
from core.settings.reworked_search import NEEDED
from core.signatures.skip_grams import GRAMS_A_WORD, MOST_LETTERS, places_of
from core.text.fingerprints import Fingerprints
from core.text.word_beginnings import WordBeginnings

PASSAGE = 30  # words: the shortest that a promise is made for; longer ones vary less
RARE = min(HEAVIEST, -(-NEEDED_WEIGHT // NEEDED))  # the weight from which on three grams suffice


def measure_kept(
    skip_grams: Fingerprints, taking_part: BoolArray, one_in: int, cancelled: Cancelled = never
) -> Kept | None:
    """The share of grams that are kept and rare, of all passages of 30 words; None without any.

    Args:
        skip_grams: Of all documents.
        taking_part: By document.
        one_in: Of so many grams one is sampled.
        cancelled: Polled while the work goes on.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    with ThreadPoolExecutor(worker_count(), thread_name_prefix="neardup-engine") as pool:
        index = index_skip_grams(skip_grams, taking_part, pool, cancelled)
    weights = weights_of(index, int(np.count_nonzero(taking_part)))
    is_rare = index.held < 0  # no other document has it
    is_rare[~is_rare] = weights[index.held[~is_rare] >> 32] >= RARE
    counts = _by_passage(places_of(skip_grams.values), skip_grams.counts, is_rare)
    if not len(counts):
        return None
    all_grams = PASSAGE * GRAMS_A_WORD / one_in
    mean = float(counts.mean())
    # What the sampling alone varies is no difference between passages.
    spread = float(np.sqrt(max(0.0, counts.var() - mean)))
    return Kept(min(1.0, mean / all_grams), spread / all_grams)


def kept_by_others(words: WordBeginnings) -> Kept:
    """The share of the grams kept in a text that another text keeps, too, by their letters.

    Three words in a row stand for all grams of a text.

    Args:
        words: Of a sample of the documents.
    """
    texts = [
        letters[letters > 0].astype(np.int64)
        for letters in np.split(words.letters, words.offsets[1:-1])
    ]
    texts = [letters for letters in texts if len(letters) > 2]
    if len(texts) < 2:
        return Kept(1.0, 0.0)
    least = np.array([min(MOST_LETTERS, round(3 * float(text.mean()))) for text in texts])
    tails = np.array([_with_letters(text[:-2] + text[1:-1] + text[2:]) for text in texts])
    rows, asked = np.arange(len(texts))[:, None], np.maximum(least[:, None], least)
    shares = tails[rows, asked] / np.maximum(tails[rows, least[:, None]], 1e-9)
    others = shares[~np.eye(len(texts), dtype=np.bool_)]
    return Kept(float(others.mean()), float(others.std()))


def _with_letters(letters: Int64Array) -> Float64Array:
    """The share of grams with 0, 1, ... `MOST_LETTERS` letters and more, float64."""
    counts = np.bincount(np.minimum(letters, MOST_LETTERS), minlength=MOST_LETTERS + 1)
    return np.cumsum(counts[::-1])[::-1] / len(letters)


def _by_passage(places: Int64Array, counts: Int64Array, counted: BoolArray) -> Int64Array:
    """How many grams begin in each passage; what is left at the end of a document is none."""
    passages = places // PASSAGE
    has_grams = counts > 0
    lasts = np.cumsum(counts)[has_grams] - 1
    whole = passages[lasts]
    bounds = np.concatenate([[0], np.cumsum(whole)])
    documents = np.repeat(np.arange(len(lasts)), counts[has_grams])
    inside = passages < whole[documents]
    own = (bounds[documents] + passages)[inside & counted]
    return np.bincount(own, minlength=int(bounds[-1])).astype(np.int64)
