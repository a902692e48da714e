"""Estimates of resemblance from two signatures: by equal values, or by equal bits.

How many documents hold a shingle: the rarity that weighs shingles by tf-idf.

A large folder has 100 million different shingles, so they are counted by hash in a fixed number of
cells (the hashing trick: Weinberger, Dasgupta, Langford, Smola, Attenberg 2009). A cell holds the
sum of the document frequencies of all shingles that fall into it: never less than the frequency of
any of them, and more by chance collisions. A cell's sum does not depend on the order of batches or
on which thread counted them.

The weight is the smooth inverse document frequency ln((1 + N) / (1 + df)) + 1 of N documents, as in
scikit-learn's TfidfTransformer: a shingle in every document weighs 1, not 0, so no text is without
weight. Weights are integer multiples of 2^-16, because sums of integers are the same in every order
of adding.

Fast Similarity Sketching: K values whose agreement estimates the resemblance.

Dahlgaard, Knudsen, Thorup, FOCS 2017: every shingle is thrown into one of K bins per round until no
bin is empty, and in rounds K to 2K into each bin in turn. Unbiased, follows the S-curve, its
variance never above that of MinHash, and its time nearly independent of K.

Classic MinHash: K values whose agreement estimates the resemblance.

Broder 1997: each is the minimum of a universal hash (a x + b) mod 2^61 - 1 (Carter and Wegman 1979)
of all shingles, in exact arithmetic.

Fingerprints weighted by rarity, which need all texts of a folder before the first.

Two passes over texts that were read already, each batch by batch on all threads: the first counts
the documents of each shingle, the second weighs and signs. Shingles are made twice, because keeping
those of a large folder takes more memory than its texts.

Shingle hashes to 64-bit SimHash fingerprints: texts alike in angle differ in few bits.

Charikar (STOC 2002): a text is the vector of its shingles' weights; every bit of the fingerprint
says on which side of a random hyperplane that vector lies. Two vectors at the angle θ differ in a
bit with probability θ/π. The hyperplanes have coordinates ±1, taken from the bits of the shingles'
hashes, so a fingerprint needs no table: bit j is 1 where the shingles whose hash has a 1 there
weigh more than the others (Manku, Jain, Das Sarma, WWW 2007).

Weights are "unweighted": as in the resemblance, each different shingle once (with bags, the n-th
repetition is an element of its own); "tf": occurrences; "tf-idf": occurrences times the rarity of
the shingle in the folder (see above). The last two count occurrences as they are, whether bags or
sets are compared.

Where both sides weigh the same, a coin decides so that texts that are alike throw alike: a bit of
the smallest of the shingles' hashes, each times an odd number of that bit. Two texts have the same
smallest hash with a probability that is their resemblance (Broder 1997). A fixed bit would make
unlike texts seem alike, and a single coin for all bits would make these dependent: of sets of 20
shingles a sixth of all bits are ties.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import Float32Array, Int32Array, IntegerArray, UInt32Array, UInt64Array
from core.base.compiling import njit
from core.base.hashing import (
    LOW_32,
    MERSENNE_61,
    affine,
    different_of_each,
    find_slot,
    mix,
    slots_for,
)
from core.base.tasks import batches, results_of
from core.settings import ScanSettings
from core.text.shingling import Shingles
from core.text.store import TextStore

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def elements(shingles: Shingles, settings: ScanSettings) -> UInt64Array:
    """The hashes of texts' shingles; with bags each repetition has its own hash."""
    if not settings.bag:
        return shingles.hashes
    return count_repeats(shingles.hashes, shingles.offsets)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def count_repeats(hashes: Any, offsets: Any) -> Any:
    """Make a bag a set: the n-th repetition of a shingle gets its own hash.

    The first occurrence keeps its hash. Jaccard resemblance of the results is the weighted
    resemblance, sum of minima over sum of maxima, of the bags.
    """
    out = np.empty_like(hashes)
    for text in range(len(offsets) - 1):
        first, last = offsets[text], offsets[text + 1]
        slots = slots_for(last - first)
        keys = np.empty(slots, dtype=np.uint64)
        seen = np.zeros(slots, dtype=np.int64)
        for index in range(first, last):
            value = hashes[index]
            slot = find_slot(keys, seen, value)
            keys[slot] = value
            out[index] = mix(value + np.uint64(seen[slot]) * GOLDEN) if seen[slot] else value
            seen[slot] += 1
    return out


CELLS = 1 << 24  # 64 MiB; in a folder of 400,000 job ads a shingle shares a cell with six others
UNIT_WEIGHT = 1 << 16


class Rarity(NamedTuple):
    """Fixed document frequencies and the weights of shingles by tf-idf.

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
        self.documents = 0
        self._cells = np.zeros(cells, dtype=np.uint32)
        self._lock = Lock()

    def add(self, shingles: Shingles) -> None:
        """Count more documents; each different shingle of a document counts once."""
        shingles = shingles.counting()
        hashes, offsets = different_of_each(shingles.hashes, shingles.offsets)
        cells = hashes & np.uint64(len(self._cells) - 1)
        with self._lock:
            np.add.at(self._cells, cells, np.uint32(1))
            self.documents += int(np.count_nonzero(np.diff(offsets)))

    def rarity(self) -> Rarity:
        """The weights by the documents counted so far; later additions do not change them."""
        with self._lock:
            return rarity_of(self._cells.copy(), self.documents)


def rarity_of(cells: UInt32Array, documents: int) -> Rarity:
    """The weights of shingles from the cells of so many documents."""
    frequency = np.arange(documents + 1, dtype=np.float64)
    idf = np.log((1 + documents) / (1 + frequency)) + 1
    return Rarity(cells, np.rint(idf * UNIT_WEIGHT).astype(np.uint32))


def weigh(hashes: UInt64Array, rarity: Rarity) -> UInt32Array:
    """The weight of every shingle, uint32."""
    documents = rarity.cells[hashes & np.uint64(len(rarity.cells) - 1)]
    return np.asarray(rarity.weights[np.minimum(documents, len(rarity.weights) - 1)])


# Longer texts that leave a bin empty may consist of a few repeated shingles.
SHINGLES_PER_BIN = 8
BLOCK = 255  # shingles at once: eight bits can count them, and 32 sum their weights below 2^23
ROUND_BITS = np.uint64(40)  # of a value; above is its round
LOW_40 = np.uint64((1 << 40) - 1)
EMPTY = np.uint64(2**64 - 1)


def fast_similarity_sketches(
    shingles: Shingles, settings: ScanSettings, _rarity: Rarity | None = None
) -> UInt32Array:
    """See `core.signatures.methods.sign`; uint32 (n, K)."""
    rng = np.random.default_rng(settings.seed)
    seeds = rng.integers(0, 2**64, size=2 * settings.signature_size, dtype=np.uint64)
    hashes = elements(shingles, settings)
    return _fast_similarity_sketch(hashes, shingles.offsets, seeds)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _fast_similarity_sketch(hashes: Any, offsets: Any, seeds: Any) -> Any:
    """A bin keeps the round and the value of its first round: those of a later one are larger."""
    size = len(seeds) // 2
    signatures = np.empty((len(offsets) - 1, size), dtype=np.uint32)
    best = np.empty(size, dtype=np.uint64)
    values, bins = np.empty((2, BLOCK), dtype=np.uint64)
    span = np.zeros(2, dtype=np.int64)
    for text in range(len(signatures)):
        text_hashes = hashes[offsets[text] : offsets[text + 1]]
        for bin_index in range(size):
            best[bin_index] = EMPTY
        for turn in range(2 * size if len(text_hashes) else 0):
            if turn == 1 and len(text_hashes) > SHINGLES_PER_BIN * size:
                # A word repeated a million times would be read in every round.
                span[1] = len(text_hashes)
                text_hashes, _ = different_of_each(text_hashes, span)
            fixed = turn - size  # from round K on there is one bin each
            ends = np.uint64(len(text_hashes) if fixed < 0 or best[fixed] == EMPTY else 0)
            for first in range(np.uint64(0), ends, np.uint64(BLOCK)):
                number = min(np.uint64(BLOCK), ends - first)
                for index in range(number):
                    value = mix(text_hashes[first + index] ^ seeds[turn])
                    values[index] = np.uint64(turn) << ROUND_BITS | value & LOW_40
                    bins[index] = (value >> ROUND_BITS) * np.uint64(size) >> np.uint64(24)
                for index in range(number):
                    chosen = bins[index] if fixed < 0 else np.uint64(fixed)
                    best[chosen] = min(best[chosen], values[index])
            highest = np.uint64(0)
            for value in best:
                highest = max(highest, value)
            if highest != EMPTY:
                break
        for bin_index in range(size):
            signatures[text, bin_index] = np.uint32(best[bin_index] & LOW_32)
    return signatures


def minhashes(
    shingles: Shingles, settings: ScanSettings, _rarity: Rarity | None = None
) -> UInt32Array:
    """See `core.signatures.methods.sign`; uint32 (n, K)."""
    rng = np.random.default_rng(settings.seed)
    size = settings.signature_size
    factors = rng.integers(1, int(MERSENNE_61), size=size, dtype=np.uint64)
    terms = rng.integers(0, int(MERSENNE_61), size=size, dtype=np.uint64)
    hashes = elements(shingles, settings)
    return _minhash(hashes, shingles.offsets, factors, terms)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _minhash(hashes: Any, offsets: Any, factors: Any, terms: Any) -> Any:
    size = len(factors)
    count = len(offsets) - 1
    signatures = np.empty((count, size), dtype=np.uint32)
    best = np.empty(size, dtype=np.uint64)
    for text in range(count):
        for column in range(size):
            best[column] = EMPTY
        for index in range(offsets[text], offsets[text + 1]):
            value = hashes[index] % MERSENNE_61
            for column in range(size):
                best[column] = min(best[column], affine(factors[column], value, terms[column]))
        for column in range(size):
            signatures[text, column] = np.uint32(best[column] & LOW_32)
    return signatures


def sign(shingles: Shingles, settings: ScanSettings, rarity: Rarity | None = None) -> UInt32Array:
    """The signatures of several texts; pure, so that threads can share the work.

    Args:
        shingles: Of the texts.
        settings: Name the method; `seed`, `bag` and those that the method uses matter.
        rarity: Document frequencies of the whole folder, for settings that depend on all texts.

    Returns:
        uint32 (n, `settings.signature_width`); 64 bits are two values, the low half first. Rows of
        texts without shingles mean nothing: they must not be compared.

    Raises:
        ValueError: The settings depend on all texts, and there is no `rarity`.
    """
    return SIGNERS[settings.signature](shingles.counting(), settings, rarity)


class SignaturesByRarity(NamedTuple):
    """Fingerprints of all texts, uint32, and the rarity of shingles that went into them."""

    signatures: UInt32Array
    rarity: Rarity


def sign_by_rarity(
    texts: TextStore, settings: ScanSettings, pool: ThreadPoolExecutor
) -> SignaturesByRarity:
    """The fingerprints of all texts of a folder by tf-idf.

    The result does not depend on the order of the texts, nor on threads.

    Args:
        texts: All of them; each is read twice.
        settings: With weights by tf-idf.
        pool: Does the work.
    """
    parts = list(batches(texts.lengths.tolist()))
    frequencies = DocumentFrequencies()
    counting = (
        pool.submit(lambda part: frequencies.add(texts.shingles(part, settings)), part)
        for part in parts
    )
    for _ in results_of(counting):
        pass
    rarity = frequencies.rarity()
    signing = (
        pool.submit(lambda part: sign(texts.shingles(part, settings), settings, rarity), part)
        for part in parts
    )
    nothing = np.empty((0, settings.signature_width), dtype=np.uint32)
    signatures = np.concatenate([nothing, *results_of(signing)])
    return SignaturesByRarity(signatures, rarity)


BITS = 64
PAIRS_AT_ONCE = 1 << 12  # whose signatures are compared: a few megabytes


def share_of_equal_values(
    signatures: UInt32Array, a: IntegerArray, b: IntegerArray
) -> Float32Array:
    """Share of equal signature values of pairs of rows, float32."""
    shares = np.empty(len(a), dtype=np.float32)
    for start in range(0, len(a), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        equal = signatures[a[part]] == signatures[b[part]]
        shares[part] = np.count_nonzero(equal, axis=1) / signatures.shape[1]
    return shares


def join_halves(signatures: UInt32Array) -> UInt64Array:
    """Rows of two 32-bit halves as one 64-bit number each."""
    low, high = signatures[:, 0].astype(np.uint64), signatures[:, 1].astype(np.uint64)
    return np.asarray(low | high << np.uint64(32))


def hamming_distance(signatures: UInt32Array, a: IntegerArray, b: IntegerArray) -> Int32Array:
    """Number of bits in which pairs of rows differ, int32, 0 to 64."""
    return np.asarray(
        np.bitwise_count(signatures[a] ^ signatures[b]).sum(axis=1, dtype=np.int32), dtype=np.int32
    )


def resemblance_by_distance(
    signatures: UInt32Array, a: IntegerArray, b: IntegerArray
) -> Float32Array:
    """The resemblance that the distance of pairs of rows suggests, float32.

    A distance of H bits suggests the angle πH/64, the cosine of it, and for sets of equal size
    s = c / (2 - c); half of the bits and more suggest nothing in common. The first bit is a step
    of 0.002, at s = 0.5 a step is 0.04.
    """
    return np.asarray(_RESEMBLANCE[hamming_distance(signatures, a, b)], dtype=np.float32)


def _resemblance_of_distances() -> Float32Array:
    angle = np.arange(BITS + 1) * (np.pi / BITS)
    cosine = np.where(angle < np.pi / 2, np.cos(angle), 0.0)
    return np.asarray(cosine / (2 - cosine), dtype=np.float32)


_RESEMBLANCE = _resemblance_of_distances()


EACH_BYTE = np.uint64(0x0101010101010101)


def simhashes(
    shingles: Shingles, settings: ScanSettings, rarity: Rarity | None = None
) -> UInt32Array:
    """The fingerprints of several texts.

    Args:
        shingles: Of the texts.
        settings: `weights`, `bag` and `seed` matter.
        rarity: Document frequencies of the whole folder; needed for tf-idf.

    Returns:
        uint32 (n, 2): bits 0 to 31 and 32 to 63. Rows of texts without shingles mean nothing: they
        must not be compared.

    Raises:
        ValueError: The weights are tf-idf, and there is no `rarity`.
    """
    hashes, offsets = shingles.hashes, shingles.offsets
    weights = np.empty(0, dtype=np.uint32)
    seed = np.random.default_rng(settings.seed).integers(0, 2**64, dtype=np.uint64)
    if settings.weights == "tf-idf":
        if rarity is None:
            raise ValueError("Weights by tf-idf need the document frequencies of the folder.")
        weights = weigh(hashes, rarity)
    elif settings.weights == "unweighted":
        if settings.bag:
            hashes = elements(shingles, settings)
        else:
            hashes, offsets = different_of_each(hashes, offsets)
    return _fingerprints(hashes, weights, offsets, seed)  # type: ignore[no-any-return]


@njit(nogil=True, cache=True)
def _fingerprints(hashes: Any, weights: Any, offsets: Any, seed: Any) -> Any:
    """Fingerprints with a weight below 2^23 for every entry, or without: then all weigh the same.

    A bit is that of more than half of the weight; a coin decides a tie.
    """
    count = len(offsets) - 1
    signatures = np.zeros((count, 2), dtype=np.uint32)
    mixed = np.empty(BLOCK, dtype=np.uint64)
    halves = np.empty((2, BLOCK), dtype=np.uint32)
    ones = np.empty(BITS, dtype=np.int64)
    for text in range(count):
        text_hashes = hashes[offsets[text] : offsets[text + 1]]
        text_weights = weights[offsets[text] : offsets[text + 1]]
        ones[:] = 0
        total = np.int64(0 if len(weights) else len(text_hashes))
        for first in range(0, len(text_hashes), BLOCK):
            size = min(BLOCK, len(text_hashes) - first)
            for index in range(size):
                mixed[index] = mix(text_hashes[first + index] ^ seed)
            # The 64 bits of at most 255 values, eight counters of a byte in one number.
            for shift in range(8 if len(weights) == 0 else 0):
                counters = np.uint64(0)
                for index in range(size):
                    counters += (mixed[index] >> np.uint64(shift)) & EACH_BYTE
                for byte in range(8):
                    count_of_byte = (counters >> np.uint64(8 * byte)) & np.uint64(255)
                    ones[8 * byte + shift] += np.int64(count_of_byte)
            block = text_weights[first : first + size]
            for index in range(len(block)):
                halves[0, index] = np.uint32(mixed[index] & LOW_32)
                halves[1, index] = np.uint32(mixed[index] >> np.uint64(32))
                total += np.int64(block[index])
            for bit in range(BITS if len(weights) else 0):
                values, mask = halves[bit >> 5], np.uint32(1) << np.uint32(bit & 31)
                weight = np.uint32(0)  # cast below, or Numba would go on in 64 bits, half as fast
                for index in range(size):
                    added = block[index] if values[index] & mask else np.uint32(0)
                    weight = np.uint32(weight + added)
                ones[bit] += np.int64(weight)
        fingerprint = np.uint64(0)
        for bit in range(BITS):
            value = np.uint64(2 * ones[bit] > total)
            if 2 * ones[bit] == total:
                factor = GOLDEN + np.uint64(2 * bit)
                smallest = np.uint64(2**64 - 1)
                for index in range(len(text_hashes)):
                    smallest = min(smallest, text_hashes[index] * factor)
                value = mix(smallest ^ seed) >> np.uint64(bit) & np.uint64(1)
            fingerprint |= value << np.uint64(bit)
        signatures[text, 0] = np.uint32(fingerprint & LOW_32)
        signatures[text, 1] = np.uint32(fingerprint >> np.uint64(32))
    return signatures


SIGNERS: dict[str, Callable[[Shingles, ScanSettings, Rarity | None], UInt32Array]] = {
    "fss": fast_similarity_sketches,
    "minhash": minhashes,
    "simhash": simhashes,
}
