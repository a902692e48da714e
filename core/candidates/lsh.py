"""Signatures to candidate pairs, band after band.

A signature is cut into b bands of r values; documents that agree in a whole band fall into one
bucket (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4; see
`core.candidates.bands`), and every two of a bucket are a pair. A pair is emitted only in the first
band in which it meets, so nothing has to be de-duplicated. Overfull buckets give fewer pairs: see
`core.candidates.crowds`.

Which pairs are found depends on the texts alone: not on their order, nor on others that agree with
them in no band.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int32Array, IntegerArray, UInt32Array, UInt64Array
from core.base.compiling import njit
from core.base.progress import Cancelled, never, stop_if
from core.candidates.bands import Buckets, sorted_buckets
from core.candidates.crowds import Crowds, met_before
from core.candidates.references import reviewed_in_runs

CHUNK_PAIRS = 1 << 20
NOBODY = np.empty(0, dtype=np.int32)


class CandidateChunk(NamedTuple):
    """Some candidate pairs of rows, x < y, each pair once over all chunks.

    `crowd` holds rows of an overfull bucket that follow `leader` from here on: it is empty and
    `leader` -1 in an ordinary chunk. Over all chunks a row is in a crowd once at most. Bands come
    in order from 0.
    """

    band: int
    x: Int32Array
    y: Int32Array
    leader: int
    crowd: Int32Array


def candidate_pairs(
    signatures: UInt32Array,
    digests: UInt64Array,
    rows_in_use: IntegerArray,
    bands: int,
    rows: int,
    *,
    to_review: BoolArray | None = None,
    cancelled: Cancelled = never,
) -> Iterator[CandidateChunk]:
    """The pairs that agree in at least one band, in chunks of about a million; of crowds a part.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        digests: uint64 (n, 2), different for the rows that take part: they tell who leads a crowd.
        rows_in_use: Indices of the rows that take part, ascending.
        bands: b.
        rows: r.
        to_review: By row; two others are no pair. All when left out.
        cancelled: Polled between chunks.
    """
    use = np.asarray(rows_in_use, dtype=np.int64)
    reviewed = np.ones(len(signatures), dtype=np.bool_) if to_review is None else to_review
    buckets = sorted_buckets(signatures, use, bands, rows, cancelled)
    yield from pairs_of_buckets(signatures, digests, reviewed, buckets, bands, rows, cancelled)


def pairs_of_buckets(
    signatures: UInt32Array,
    digests: UInt64Array,
    to_review: BoolArray,
    buckets_by_band: Iterable[Buckets],
    bands: int,
    rows: int,
    cancelled: Cancelled = never,
) -> Iterator[CandidateChunk]:
    """The same of buckets that are known, those of each band in order."""
    search = _BucketSearch(signatures, digests, to_review, bands, rows, cancelled)
    for band, buckets in enumerate(buckets_by_band):
        yield from search.expand(buckets, band)


class _BucketSearch:
    """One search for candidates: buckets to pairs, band after band."""

    def __init__(
        self,
        signatures: UInt32Array,
        digests: UInt64Array,
        to_review: BoolArray,
        bands: int,
        rows: int,
        cancelled: Cancelled,
    ) -> None:
        self._signatures = signatures
        self._to_review = to_review
        self._rows = rows
        self._cancelled = cancelled
        self._buffer = np.empty((2, CHUNK_PAIRS), dtype=np.int32)
        self._crowds = Crowds(signatures, digests, to_review, bands, rows, cancelled)

    def expand(self, buckets: Buckets, band: int) -> Iterator[CandidateChunk]:
        """The pairs of all buckets of a band that have not met before."""
        stop_if(self._cancelled)
        if self._crowds.has_references:
            own = reviewed_in_runs(self._to_review, buckets.members, buckets.starts[:-1])
            buckets = buckets.take(own > 0)
        is_crowd = self._crowds.among(buckets)
        if not is_crowd.any():
            yield from self._pairs(buckets, band)
            return
        yield from self._pairs(buckets.take(~is_crowd), band)
        for members in buckets.take(self._crowds.overfull(buckets)).each():
            yield self._with_leader(members, band, everyone=False)
        parts = self._crowds.split(buckets.take(is_crowd), band)
        alike = self._crowds.overfull(parts)
        for members in parts.take(alike).each():
            yield self._with_leader(members, band, everyone=True)
        yield from self._pairs(parts.take(~alike), band)

    def _pairs(self, buckets: Buckets, band: int) -> Iterator[CandidateChunk]:
        bucket = 0
        while bucket < len(buckets.starts) - 1:
            stop_if(self._cancelled)
            bucket, pairs = _expand(
                *buckets,
                bucket,
                self._signatures,
                band,
                self._rows,
                self._crowds.decided,
                self._buffer,
            )
            if pairs:
                x, y = self._buffer[:, :pairs].copy()
                yield CandidateChunk(band, x, y, -1, NOBODY)

    def _with_leader(self, members: Int32Array, band: int, *, everyone: bool) -> CandidateChunk:
        stop_if(self._cancelled)
        leader, followers, paired = self._crowds.follow(members, band, everyone=everyone)
        paired = paired[self._to_review[paired] | self._to_review[leader]]
        x, y = np.minimum(paired, leader), np.maximum(paired, leader)
        return CandidateChunk(band, x, y, leader, followers)


@njit(nogil=True, cache=True)
def _expand(
    members: Any,
    starts: Any,
    bucket: Any,
    signatures: Any,
    band: Any,
    rows: Any,
    decided: Any,
    buffer: Any,
) -> Any:
    """Emit the pairs of buckets, from one on, until the buffer might not hold those of the next.

    Returns the bucket to go on with and the number of pairs.
    """
    to_review = decided.to_review
    pairs = 0
    while bucket < len(starts) - 1:
        start, end = starts[bucket], starts[bucket + 1]
        own = 0
        for i in range(start, end):
            own += to_review[members[i]]
        everyone = own == end - start
        if pairs + own * (2 * (end - start) - own - 1) // 2 > buffer.shape[1]:
            break
        for i in range(start, end):
            if not to_review[members[i]]:
                continue
            for j in range(i + 1 if everyone else start, end):
                if j <= i and to_review[members[j]]:
                    continue
                x, y = min(members[i], members[j]), max(members[i], members[j])
                if not met_before(signatures, x, y, band, rows, decided):
                    buffer[0, pairs] = x
                    buffer[1, pairs] = y
                    pairs += 1
        bucket += 1
    return bucket, pairs
