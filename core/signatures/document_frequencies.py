"""How many documents hold a shingle: the rarity that weighs shingles by tf-idf.

A large folder has 100 million different shingles, so they are counted by hash in a fixed number of
cells (the hashing trick: Weinberger, Dasgupta, Langford, Smola, Attenberg 2009). A cell holds the
sum of the document frequencies of all shingles that fall into it: never less than the frequency of
any of them, and more by what chance puts beside it. A cell's sum does not depend on the order of
batches or on which thread counted them.

The weight is the smooth inverse document frequency ln((1 + N) / (1 + df)) + 1 of N documents, as in
scikit-learn's TfidfTransformer: a shingle that stands in every document weighs 1, not 0, so no text
is without weight. Weights are whole multiples of 2^-16, because sums of whole numbers are the same
in every order of adding.
"""

from __future__ import annotations

from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import UInt32Array
from core.base.compiling import njit
from core.base.hashing import find_slot, slots_for
from core.text.shingling import Shingles

CELLS = 1 << 24  # 64 MiB; a folder of 400,000 job ads puts six chance companions beside a shingle
WEIGHT_OF_ONE = 1 << 16


class Rarity(NamedTuple):
    """Frozen document frequencies, as the weights of shingles by tf-idf are made from them.

    Attributes:
        cells: uint32, a power of two of them: documents counted in each.
        weights: uint32, by number of documents from 0 to N: smooth idf in multiples of 2^-16.
    """

    cells: UInt32Array
    weights: UInt32Array


class DocumentFrequencies:
    """Counts documents by shingle, batch after batch, from any thread.

    Attributes:
        documents: Number of documents with shingles counted so far, N.
    """

    def __init__(self, cells: int = CELLS) -> None:
        if cells < 1 or cells & (cells - 1):
            raise ValueError(f"The number of cells must be a power of two, not {cells}.")
        self.documents = 0
        self._cells = np.zeros(cells, dtype=np.uint32)
        self._lock = Lock()

    def add(self, shingles: Shingles) -> None:
        """Count some more documents; each different shingle of a document counts once."""
        shingles = shingles.counting()
        hashes, offsets = distinct(shingles.hashes, shingles.offsets)
        with self._lock:
            _count(hashes, self._cells)
            self.documents += int(np.count_nonzero(np.diff(offsets)))

    def rarity(self) -> Rarity:
        """The weights of the documents counted so far; what is added later does not change them."""
        with self._lock:
            return rarity_of(self._cells.copy(), self.documents)


def rarity_of(cells: UInt32Array, documents: int) -> Rarity:
    """The weights of so many documents that were counted in cells."""
    frequency = np.arange(documents + 1, dtype=np.float64)
    idf = np.log((1 + documents) / (1 + frequency)) + 1
    return Rarity(cells, np.rint(idf * WEIGHT_OF_ONE).astype(np.uint32))


@njit(nogil=True, cache=True)
def distinct(hashes: Any, offsets: Any) -> Any:
    """The different shingles of each text in the order of their first occurrence, and offsets."""
    most = np.int64(0)
    for text in range(len(offsets) - 1):
        most = max(most, offsets[text + 1] - offsets[text])
    slots = slots_for(2 * most)  # fuller, and half of the searches would go on by chance
    keys = np.empty(slots, dtype=np.uint64)
    used = np.zeros(slots, dtype=np.bool_)
    kept = np.empty(len(hashes), dtype=np.uint64)
    starts = np.zeros_like(offsets)
    total = np.int64(0)
    for text in range(len(offsets) - 1):
        slots = slots_for(2 * (offsets[text + 1] - offsets[text]))
        own_keys, own_used = keys[:slots], used[:slots]
        own_used[:] = False
        for index in range(offsets[text], offsets[text + 1]):
            value = hashes[index]
            slot = find_slot(own_keys, own_used, value)
            if not own_used[slot]:
                own_used[slot] = True
                own_keys[slot] = value
                kept[total] = value
                total += 1
        starts[text + 1] = total
    return kept[:total].copy(), starts


@njit(nogil=True, cache=True)
def weigh(hashes: Any, cells: Any, weights: Any) -> Any:
    """The weight of every shingle, uint32."""
    out = np.empty(len(hashes), dtype=np.uint32)
    mask = np.uint64(len(cells) - 1)
    last = np.uint32(len(weights) - 1)
    for index in range(len(hashes)):
        out[index] = weights[min(cells[hashes[index] & mask], last)]
    return out


@njit(nogil=True, cache=True)
def _count(hashes: Any, cells: Any) -> None:
    mask = np.uint64(len(cells) - 1)
    for index in range(len(hashes)):
        cells[hashes[index] & mask] += np.uint32(1)
