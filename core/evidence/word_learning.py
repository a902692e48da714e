"""What a sample of a folder tells: the information of its words, and the scores of pairs."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.progress import Cancelled, never
from core.evidence.random_pairs import MOST_PAIRS, RandomPairs
from core.evidence.reworked import measure_reworked
from core.evidence.word_model import WordModel

SAMPLED_DOCUMENTS = 2000
SAMPLED_CHARACTERS = 100_000  # of a document, from its beginning
ALL_CHARACTERS = 1 << 25  # of all that are sampled
WORDS_OF_PAIRS = 1 << 22  # half a second
STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))
HIGH = np.uint64(32)


def choose_sample(digests: UInt64Array, lengths: Int64Array) -> Int64Array:
    """The numbers of the documents that are sampled, by their digests: those of the smallest.

    Args:
        digests: uint64 (n, 2), of the texts; so the sample does not depend on their order.
        lengths: int64 (n), characters of each text.
    """
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    order = order[lengths[order] > 0][:SAMPLED_DOCUMENTS]
    read = np.cumsum(np.minimum(lengths[order], SAMPLED_CHARACTERS))
    return order[: max(1, int(np.searchsorted(read, ALL_CHARACTERS, side="right")))]


def learn_words(
    words: UInt64Array, offsets: Int64Array, cancelled: Cancelled = never, *, is_whole: bool = False
) -> WordModel:
    """The model of a folder from the words of sampled documents.

    Args:
        words: The words of all of them, one document after the other, with gaps.
        offsets: Document i has `words[offsets[i]:offsets[i + 1]]`.
        cancelled: Polled document by document, then between blocks of pairs.
        is_whole: Whether these are all documents of the folder, from end to end.

    Raises:
        ScanCancelledError: `cancelled` said so.
    """
    model = WordModel.build(words, offsets, cancelled)
    x, y = _random_pairs(len(offsets) - 1)
    sizes = np.diff(offsets)
    affordable = np.cumsum(sizes[x] + sizes[y]) <= WORDS_OF_PAIRS
    x, y = x[affordable], y[affordable]
    best = measure_reworked(words, offsets, x, y, model, cancelled).bits
    count = len(offsets) - 1
    are_all = is_whole and len(best) == count * (count - 1) // 2
    return model.with_pairs(RandomPairs(np.sort(best), are_all))


def _random_pairs(documents: int) -> tuple[Int64Array, Int64Array]:
    """All pairs of a few documents, some of many: always the same ones."""
    if documents * (documents - 1) // 2 <= MOST_PAIRS:
        x, y = np.triu_indices(documents, 1)
        return x.astype(np.int64), y.astype(np.int64)
    numbers = np.arange(1, MOST_PAIRS + 1, dtype=np.uint64)
    x, step = (((numbers * factor) >> HIGH).astype(np.int64) for factor in STEPS)
    x %= documents
    return x, (x + 1 + step % (documents - 1)) % documents
