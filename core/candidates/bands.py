"""Signatures to buckets: the documents that agree in a whole band, made ahead on other threads.

A band is sorted by numbers: a hash of its values in the high bits, the document in the low ones.
How many bits of the hash are left depends on how many documents there are, so the hash decides
nothing: a bucket holds the documents whose values are equal.

How full the buckets of a search are, which are the fullest, and what they cost.

Documents that agree in a whole band are in one bucket, and every two of them are compared
(`core.candidates.lsh`); of bits they are those that agree in the blocks of one table
(`core.candidates.hamming`), where comparing costs a few instructions.

The same documents collide in several bands. Such buckets are reported once: a bucket belongs to an
earlier one that held at least four in five of its documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    BoolArray,
    Float64Array,
    Int16Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt32Array,
    UInt64Array,
    leave_memory,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.sorting import sort_keys
from core.base.tasks import WorkerPool, results_of, stop_if_cancelled, worker_count
from core.candidates.references import pairs_of, reviewed_in_runs

NO_BAND, SEVERAL_BANDS = -2, -1


def agree_in_a_band(
    signatures: UInt32Array, x: IntegerArray, y: IntegerArray, bands: int, rows: int
) -> BoolArray:
    """Which pairs of rows agree in at least one band."""
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    return np.asarray(_agreeing_band(signatures, x, y, bands, rows, 1) != NO_BAND)


def only_agreeing_band(
    signatures: UInt32Array, x: IntegerArray, y: IntegerArray, bands: int, rows: int
) -> Int16Array:
    """The band in which each pair of rows agrees, if it is the only one.

    Returns:
        int16: the band, from 0; `SEVERAL_BANDS` or `NO_BAND`.
    """
    return np.asarray(_agreeing_band(signatures, x, y, bands, rows, 2))


@njit(nogil=True, cache=True)
def agree(signatures: Any, x: Any, y: Any, band: Any, rows: Any) -> Any:
    """Whether two rows of a matrix have the same values in a band."""
    for column in range(band * rows, band * rows + rows):
        if signatures[x, column] != signatures[y, column]:
            return False
    return True


@njit(nogil=True, cache=True)
def _agreeing_band(signatures: Any, x: Any, y: Any, bands: Any, rows: Any, enough: Any) -> Any:
    """As `only_agreeing_band`; stops after `enough` bands that agree."""
    agreed = np.full(len(x), NO_BAND, dtype=np.int16)
    for pair in range(len(x)):
        agreeing = 0
        for band in range(bands):
            if agree(signatures, np.uint64(x[pair]), np.uint64(y[pair]), band, rows):
                agreeing += 1
                agreed[pair] = band if agreeing == 1 else SEVERAL_BANDS
                if agreeing == enough:
                    break
    return agreed


# Bands are taken many at a time: the values of a row lie side by side, and to fetch them from
# memory takes longer than to hash them: 42 bands of 400,000 rows .04 s in two parts, .16 in six.
KEYS_AT_ONCE = 1 << 23
BANDS_AT_ONCE = 21
ROWS_WORTH_A_THREAD = 5000
FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Buckets(NamedTuple):
    """Documents that agree in a band: two or more in each bucket.

    Attributes:
        members: int32, rows of the signatures, bucket after bucket.
        starts: int64, where each bucket begins in `members`; one more at the end.
    """

    members: Int32Array
    starts: Int64Array

    @property
    def sizes(self) -> Int64Array:
        """The number of documents in each bucket."""
        return np.diff(self.starts)

    def take(self, wanted: BoolArray) -> Buckets:
        """The buckets where a mask is true."""
        sizes = self.sizes
        starts = np.concatenate([[0], np.cumsum(sizes[wanted])])
        return Buckets(self.members[np.repeat(wanted, sizes)], starts)

    def each(self) -> Iterator[Int32Array]:
        """The members of each bucket."""
        yield from map(self.members.__getitem__, map(slice, self.starts[:-1], self.starts[1:]))


def sorted_buckets(
    signatures: UInt32Array, rows_in_use: Int64Array, bands: int, rows: int
) -> Iterator[Buckets]:
    """The buckets of each band, in order of the bands; members ascend.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        rows_in_use: Indices of the rows that take part.
        bands: b.
        rows: r.
    """
    bits = np.uint64(max(1, (len(signatures) - 1).bit_length()))

    def work(first: int, last: int) -> list[Buckets]:
        keys: UInt64Array = _band_keys(signatures, rows_in_use, first, last, rows, bits)
        numbered = zip(range(first, last), keys, strict=True)
        return [
            Buckets(*_buckets(sort_keys(keys_of_band), bits, signatures, band, rows))
            for band, keys_of_band in numbered
        ]

    # Several bands at a time, and ahead where that is worth a thread.
    step = max(1, min(BANDS_AT_ONCE, KEYS_AT_ONCE // max(1, len(rows_in_use))))
    parts = [(first, min(first + step, bands)) for first in range(0, bands, step)]
    if len(rows_in_use) < ROWS_WORTH_A_THREAD:
        for part in parts:
            stop_if_cancelled()
            yield from work(*part)
        return
    with WorkerPool(name="neardup-bands") as pool:
        tasks = (pool.submit(work, *part) for part in parts)
        for made in results_of(tasks, worker_count() + 1):
            yield from made
    leave_memory(signatures)


def band_hashes(signatures: UInt32Array, band: int, rows: int) -> UInt64Array:
    """All 64 bits of a hash of one band, uint64 (n): equal where the band agrees.

    Hashes of different values or of different bands are equal only by chance: 2^-64 a pair.
    """
    value = mix.py_func(np.full(len(signatures), band + 1, dtype=np.uint64))
    for column in range(band * rows, band * rows + rows):
        value = mix.py_func(value ^ signatures[:, column].astype(np.uint64))
    return np.asarray(value)


@njit(nogil=True, cache=True)
def _band_keys(signatures: Any, use: Any, first: Any, last: Any, rows: Any, bits: Any) -> Any:
    keys = np.empty((last - first, len(use)), dtype=np.uint64)
    for index in range(len(use)):
        row, column = np.uint64(use[index]), np.uint64(first * rows)
        for band in range(last - first):
            value = np.uint64(0)
            for _ in range(rows):
                value = (value + np.uint64(signatures[row, column])) * FACTOR
                column += np.uint64(1)
            keys[band, index] = (value >> bits << bits) | row
    return keys


@njit(nogil=True, cache=True)
def _buckets(keys: Any, bits: Any, signatures: Any, band: Any, rows: Any) -> Any:
    """The members and starts of the buckets in the sorted keys of a band, which are reordered."""
    members = np.empty(len(keys), dtype=np.int32)
    starts = np.empty(len(keys) // 2 + 1, dtype=np.int64)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    filled = buckets = start = 0
    while start < len(keys):
        first, end = keys[start], start + 1
        # Keys whose rows agree with the first move to the front of those with the same hash.
        index = end
        while index < len(keys) and keys[index] >> bits == first >> bits:
            key = keys[index]
            if agree(signatures, first & mask, key & mask, band, rows):
                for later in range(index, end, -1):  # none, unless two hashes begin alike
                    keys[later] = keys[later - 1]
                keys[end] = key
                end += 1
            index += 1
        if end > start + 1:
            starts[buckets] = filled
            buckets += 1
            for index in range(start, end):
                members[filled] = np.int32(keys[index] & mask)
                filled += 1
        start = end
    starts[buckets] = filled
    return members[:filled].copy(), starts[: buckets + 1].copy()


ENOUGH = 8  # bands, to measure how much their numbers of pairs vary


def pairs_in_bands(
    signatures: UInt32Array, rows_in_use: Int64Array, to_review: BoolArray
) -> Float64Array:
    """The pairs in all bands of each b × r; a pair that agrees in two bands counts twice.

    Args:
        signatures: uint32 (documents, K).
        rows_in_use: The documents that take part.
        to_review: By document; two references are no pair.

    Returns:
        float64 (n,), for the choices of `core.candidates.parameter_grid.bandings_within`.
    """
    size = signatures.shape[1]
    pair_counts = []
    for rows in range(1, size + 1):
        in_bands = [
            pairs_of(
                reviewed_in_runs(to_review, buckets.members, buckets.starts[:-1]), buckets.sizes
            ).sum()
            for buckets in sorted_buckets(signatures, rows_in_use, size // rows, rows)
        ]
        pair_counts.append(np.cumsum(in_bands, dtype=np.float64))
    return np.concatenate(pair_counts)


def dispersion(pairs_of_band: Float64Array) -> float:
    """How many times as much the pairs of a band vary as if each agreed independently; at least 1.

    Documents that have a rare shingle in common agree in the same band, all of them or none.
    """
    if len(pairs_of_band) < 2:
        return 1.0
    return max(1.0, float(pairs_of_band.var(ddof=1) / max(pairs_of_band.mean(), 1.0)))


def dispersions(in_bands: Float64Array, signature_size: int) -> Float64Array:
    """The dispersion of each b × r; of too few bands of so many rows, that of fewer rows.

    Args:
        in_bands: float64 (n,), of `pairs_in_bands`.
        signature_size: K.
    """
    factors, start, so_far = [], 0, 1.0
    for rows in range(1, signature_size + 1):
        bands = signature_size // rows
        numbers = np.diff(in_bands[start : start + bands], prepend=0.0)
        start += bands
        if bands >= ENOUGH:
            so_far = dispersion(numbers)
        factors.append(np.full(bands, so_far))
    return np.concatenate(factors)


CLASSES = 31  # of sizes: 2, 3 to 4, 5 to 8, ... documents
FULLEST_OF_A_BAND = 30
LISTED_BUCKETS = 20  # buckets that are listed with their documents
BELONGS = 0.8  # of its documents


class FullBucket(NamedTuple):
    """Documents that are together in one band or more.

    Attributes:
        members: int32, rows of the signatures, of the band in which they are most.
        pairs: How many pairs they make in all of their bands.
        bands: In how many bands they are together, all but a few.
    """

    members: Int32Array
    pairs: int
    bands: int


class SizeClass(NamedTuple):
    """The buckets of one class of sizes.

    Attributes:
        least: The fewest documents that one holds.
        most: The most.
        buckets: How many there are, in all bands.
        pairs: How many pairs they hold; one that agrees in two bands counts twice.
    """

    least: int
    most: int
    buckets: int
    pairs: int


class BucketFill(NamedTuple):
    """The buckets of a search.

    Attributes:
        bands: How many bands, or tables of bits.
        documents: How many documents were searched.
        classes: The buckets by their sizes, up to the fullest; none where no bucket holds two.
        largest: How many documents the fullest holds; 0 where no bucket holds two.
        fullest: The fullest ones, fullest first.
    """

    bands: int
    documents: int
    classes: tuple[SizeClass, ...]
    largest: int
    fullest: tuple[FullBucket, ...]

    @property
    def buckets(self) -> int:
        """The number of buckets."""
        return sum(size_class.buckets for size_class in self.classes)

    @property
    def pairs(self) -> int:
        """The number of pairs in buckets."""
        return sum(size_class.pairs for size_class in self.classes)


def least_of_class(number: int) -> int:
    """The fewest documents that a bucket of a class holds."""
    return (1 << number) + 1 if number else 2


def fill_of(by_band: Iterable[Buckets], to_review: BoolArray, documents: int) -> BucketFill:
    """Summarise the buckets of all bands.

    Args:
        by_band: The buckets of each band, of two documents and more.
        to_review: By row of the signatures; two references are no pair.
        documents: How many are searched.
    """
    number, pairs = np.zeros(CLASSES, dtype=np.int64), np.zeros(CLASSES, dtype=np.int64)
    fullest = _Fullest(np.full(len(to_review), -1, dtype=np.int32))
    bands = largest = 0
    for buckets in by_band:
        stop_if_cancelled()
        reviewed = reviewed_in_runs(to_review, buckets.members, buckets.starts[:-1])
        wanted = buckets.take(reviewed > 0)
        sizes = wanted.sizes
        compared = pairs_of(reviewed[reviewed > 0], sizes)
        size_class = np.ceil(np.log2(np.maximum(sizes, 2))).astype(np.int64) - 1
        number += np.bincount(size_class, minlength=CLASSES)
        np.add.at(pairs, size_class, compared)
        largest = max(largest, int(sizes.max(initial=0)))
        fullest.add(wanted, sizes, compared)
        bands += 1
    used = np.flatnonzero(number)
    classes = tuple(
        SizeClass(
            least_of_class(index), least_of_class(index + 1) - 1, int(number[index]),
            int(pairs[index]),
        )
        for index in range(int(used[-1]) + 1 if len(used) else 0)
    )  # fmt: skip
    return BucketFill(bands, documents, classes, largest, fullest.largest_first())


@dataclass
class _Fullest:
    """The fullest buckets of the bands so far.

    Attributes:
        owner: int32, by row of the signatures: the index of the last bucket with it, or -1.
        buckets: The buckets, joined over the bands.
    """

    owner: Int32Array
    buckets: list[FullBucket] = field(default_factory=list)

    def add(self, of_band: Buckets, sizes: Int64Array, pairs: Int64Array) -> None:
        """Join the fullest buckets of a band, each document of which is in one bucket only."""
        seen: set[int] = set()
        fullest = np.argsort(-sizes, kind="stable")[:FULLEST_OF_A_BAND]
        for index in fullest.tolist():
            members = of_band.members[of_band.starts[index] : of_band.starts[index + 1]]
            earlier = self._earlier(members)
            if earlier is None:
                earlier = len(self.buckets)
                self.buckets.append(FullBucket(members, 0, 0))
            bucket = self.buckets[earlier]
            most = max(bucket.members, members, key=len)
            bands = bucket.bands + (earlier not in seen)
            self.buckets[earlier] = FullBucket(most, bucket.pairs + int(pairs[index]), bands)
            seen.add(earlier)
            self.owner[members] = earlier

    def _earlier(self, members: Int32Array) -> int | None:
        owners = np.bincount(self.owner[members] + 1)
        owners[0] = 0
        most = int(owners.argmax())
        return most - 1 if owners[most] >= BELONGS * len(members) else None

    def largest_first(self) -> tuple[FullBucket, ...]:
        """The buckets to list, fullest first."""
        ordered = sorted(self.buckets, key=lambda bucket: (-len(bucket.members), -bucket.bands))
        return tuple(ordered[:LISTED_BUCKETS])
