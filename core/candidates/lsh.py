"""Signatures to candidate pairs, band after band.

A signature is cut into b bands of r values; documents that agree in a whole band fall into one
bucket (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4; see
`core.candidates.bands`), and every two of a bucket are a pair. A pair is emitted only in the first
band in which it agrees, so nothing has to be de-duplicated. Overfull buckets give fewer pairs.

Which pairs are found depends on their texts alone: not on their order, nor on documents that agree
with them in no band.

Large buckets: those of very many documents, such as form letters that share a template.

A bucket of n documents would give n²/2 pairs that all look alike, and among them the few that share
more than the template. So every document of it is paired with one leader, and the bucket is split
by more and more rows of the signature until its parts are small, as in an LSH forest (Bawa, Condie,
Ganesan 2005): two documents leave the bucket together at the first row where they agree and the
rest does not. A bucket that is not overfull is split as well if all of its documents are in a large
one already.

The leader depends on the texts alone, not on their order: it is the document with the smallest
digest of those that lead already, or else of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from core.base.arrays import (
    AnyArray,
    BoolArray,
    Int32Array,
    Int64Array,
    UInt16Array,
    UInt32Array,
    UInt64Array,
    starts_of_runs,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.tasks import stop_if_cancelled
from core.candidates.bands import Buckets, agree
from core.candidates.references import pairs_of, pairs_of_all, reviewed_in_runs
from core.candidates.sorted_keys import BUCKET_LIMIT

# A large bucket is split until its parts are no larger, so a document of it costs one such part a
# band. Documents that share more than the bucket leave it together, as parts of their own.
PART_LIMIT = 10


class BucketDecisions(NamedTuple):
    """How large buckets were split so far, for the kernels.

    Attributes:
        leaders: int32, by document: the leader that it follows, or -1.
        depths: uint16, by band and document: how many rows its part of a large bucket agrees in; 0
            where its bucket was ordinary.
        order: int64, by band: all rows of the signature, those of the band first.
        to_review: By document; two references are no pair.
    """

    leaders: Int32Array
    depths: UInt16Array
    order: Int64Array
    to_review: BoolArray


def are_overfull(reviewed: Int64Array, sizes: Int64Array) -> BoolArray:
    """Which buckets, by their documents and those of them to review, give too many pairs."""
    return np.asarray(pairs_of(reviewed, sizes) > pairs_of_all(BUCKET_LIMIT))


def first_by_digest(rows: AnyArray, digests: UInt64Array) -> int:
    """The row with the smallest digest, which does not depend on the order of the texts."""
    row_digests = digests[rows]
    return int(rows[np.lexsort((row_digests[:, 1], row_digests[:, 0]))[0]])


def _row_order(bands: int, rows: int, size: int) -> Int64Array:
    """For each band all rows of the signature: its own, then the rest, shuffled differently."""
    keys = np.arange(bands * size, dtype=np.uint64).reshape(bands, size)
    mixed = mix.py_func(keys) | np.uint64(1 << 63)  # not compiled for so few
    for band in range(bands):
        mixed[band, band * rows : band * rows + rows] = np.arange(rows)
    return np.argsort(mixed, axis=1, kind="stable")


CHUNK_PAIRS = 1 << 20
NOBODY = np.empty(0, dtype=np.int32)


class CandidateChunk(NamedTuple):
    """Candidate pairs of rows, x < y, each pair once over all chunks.

    `followers` holds rows of an overfull bucket that follow `leader` from this chunk on; in an
    ordinary chunk it is empty and `leader` -1. Over all chunks a row follows a leader once at most.
    Bands come in order from 0.
    """

    band: int
    x: Int32Array
    y: Int32Array
    leader: int
    followers: Int32Array


def pairs_of_buckets(
    signatures: UInt32Array,
    digests: UInt64Array,
    to_review: BoolArray,
    buckets_by_band: Iterable[Buckets],
    bands: int,
    rows: int,
) -> Iterator[CandidateChunk]:
    """The pairs that agree in a band, in chunks of about a million; of large buckets only some.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        digests: uint64 (n, 2), different for the rows that take part; they decide the leaders.
        to_review: By row; two references are no pair.
        buckets_by_band: See `core.candidates.bands.sorted_buckets`.
        bands: b.
        rows: r.
    """
    search = _BucketSearch(signatures, digests, to_review, bands, rows)
    for band, buckets in enumerate(buckets_by_band):
        yield from search.expand(buckets, band)


class _BucketSearch:
    """One search for candidates: buckets to pairs, band after band.

    Attributes:
        decided: How large buckets were split in the bands so far.
    """

    def __init__(
        self,
        signatures: UInt32Array,
        digests: UInt64Array,
        to_review: BoolArray,
        bands: int,
        rows: int,
    ) -> None:
        count, size = signatures.shape
        self._signatures = signatures
        self._digests = digests
        self._rows = rows
        self._has_references = not to_review.all()
        self._leads = np.zeros(count, dtype=np.bool_)
        self._buffer = np.empty((2, CHUNK_PAIRS), dtype=np.int32)
        self.decided = BucketDecisions(
            np.full(count, -1, dtype=np.int32),
            np.zeros((bands, count), dtype=np.uint16),  # takes memory only where it is written
            _row_order(bands, rows, size),
            to_review,
        )

    def expand(self, buckets: Buckets, band: int) -> Iterator[CandidateChunk]:
        """The pairs of all buckets of a band that agreed in no earlier band."""
        stop_if_cancelled()
        if self._has_references:
            reviewed = reviewed_in_runs(
                self.decided.to_review, buckets.members, buckets.starts[:-1]
            )
            buckets = buckets.take(reviewed > 0)
        is_large = self._large_among(buckets)
        if not is_large.any():
            yield from self._pairs(buckets, band)
            return
        yield from self._pairs(buckets.take(~is_large), band)
        for members in buckets.take(self._overfull(buckets)).each():
            yield self._with_leader(members, band, everyone=False)
        parts = self._split(buckets.take(is_large), band)
        alike = self._overfull(parts)
        for members in parts.take(alike).each():
            yield self._with_leader(members, band, everyone=True)
        yield from self._pairs(parts.take(~alike), band)

    def _pairs(self, buckets: Buckets, band: int) -> Iterator[CandidateChunk]:
        bucket = 0
        while bucket < len(buckets.starts) - 1:
            stop_if_cancelled()
            bucket, pairs = _expand(*buckets, bucket, self.decided.to_review, self._buffer)
            x, y = self._buffer[:, :pairs]
            new = ~_paired_before(self._signatures, x, y, band, self._rows, self.decided)
            if new.any():
                yield CandidateChunk(band, x[new], y[new], -1, NOBODY)

    def _with_leader(self, members: Int32Array, band: int, *, everyone: bool) -> CandidateChunk:
        """New pairs of documents with their leader: of all, or of those without a leader yet.

        Documents without a leader follow it from now on.
        """
        stop_if_cancelled()
        leaders, to_review = self.decided.leaders, self.decided.to_review
        leading = members[self._leads[members]]
        leader = first_by_digest(leading if len(leading) else members, self._digests)
        rest = members[members != leader]
        followers = rest[leaders[rest] < 0]
        paired = rest if everyone else followers
        x, y = np.minimum(paired, leader), np.maximum(paired, leader)
        new = ~_paired_before(self._signatures, x, y, band, self._rows, self.decided)
        new &= to_review[paired] | to_review[leader]
        leaders[followers] = leader
        self._leads[leader] = True
        return CandidateChunk(band, x[new], y[new], leader, followers)

    def _large_among(self, buckets: Buckets) -> BoolArray:
        """Which buckets are overfull, or larger than a part and all in a large bucket already."""
        large = self._overfull(buckets)
        in_large_bucket = self._leads | (self.decided.leaders >= 0)
        if len(large) and in_large_bucket.any():
            everyone = np.logical_and.reduceat(
                in_large_bucket[buckets.members], buckets.starts[:-1]
            )
            large |= everyone & (buckets.sizes > PART_LIMIT)
        return large

    def _overfull(self, buckets: Buckets) -> BoolArray:
        """Which buckets would give more pairs than `BUCKET_LIMIT` documents to review."""
        if not self._has_references:
            return buckets.sizes > BUCKET_LIMIT
        reviewed = reviewed_in_runs(self.decided.to_review, buckets.members, buckets.starts[:-1])
        return are_overfull(reviewed, buckets.sizes)

    def _split(self, buckets: Buckets, band: int) -> Buckets:
        """The parts of large buckets; parts that are still overfull agree in every row."""
        order = self.decided.order[band]
        members, part = buckets.members, np.repeat(np.arange(len(buckets.sizes)), buckets.sizes)
        part = part.astype(np.uint64)
        parts, sizes_of_parts = [members[:0]], [np.zeros(1, dtype=np.int64)]
        depth = self._rows
        while len(members):
            stop_if_cancelled()
            starts = starts_of_runs(part)
            sizes = np.diff(np.append(starts, len(part)))
            small = (sizes <= PART_LIMIT) | (depth == len(order))
            done = np.repeat(small, sizes)
            self.decided.depths[band, members[done]] = depth
            parts.append(members[done])
            sizes_of_parts.append(sizes[small])
            number = np.repeat(np.arange(len(starts), dtype=np.uint64), sizes)[~done]
            members = members[~done]
            if len(members):
                part = number << np.uint64(32) | self._signatures[members, order[depth]]
                by_value = np.argsort(part, kind="stable")
                members, part = members[by_value], part[by_value]
                depth += 1
        return Buckets(np.concatenate(parts), np.cumsum(np.concatenate(sizes_of_parts)))


@njit(nogil=True, cache=True)
def _paired_before(signatures: Any, x: Any, y: Any, band: Any, rows: Any, decided: Any) -> Any:
    """Which pairs of rows were paired before this band, as leader and follower or in a bucket."""
    paired = np.empty(len(x), dtype=np.bool_)
    for pair in range(len(x)):
        a, b = np.uint64(x[pair]), np.uint64(y[pair])
        is_paired = decided.leaders[a] == y[pair] or decided.leaders[b] == x[pair]
        earlier = 0
        while earlier < band and not is_paired:
            if agree(signatures, a, b, earlier, rows):
                depth = decided.depths[earlier, a]
                is_paired = depth == decided.depths[earlier, b]
                for index in range(rows, depth if is_paired else 0):
                    column = decided.order[earlier, index]
                    is_paired &= signatures[a, column] == signatures[b, column]
            earlier += 1
        paired[pair] = is_paired
    return paired


@njit(nogil=True, cache=True)
def _expand(members: Any, starts: Any, bucket: Any, to_review: Any, buffer: Any) -> Any:
    """The pairs of buckets, from `bucket` on, until those of the next may not fit into the buffer.

    Returns the bucket to continue with and the number of pairs.
    """
    pairs = 0
    while bucket < len(starts) - 1:
        start, end = starts[bucket], starts[bucket + 1]
        reviewed = 0
        for i in range(start, end):
            reviewed += to_review[members[i]]
        everyone = reviewed == end - start
        if pairs + reviewed * (2 * (end - start) - reviewed - 1) // 2 > buffer.shape[1]:
            break
        for i in range(start, end):
            if not to_review[members[i]]:
                continue
            for j in range(i + 1 if everyone else start, end):
                if j <= i and to_review[members[j]]:
                    continue
                buffer[0, pairs] = min(members[i], members[j])
                buffer[1, pairs] = max(members[i], members[j])
                pairs += 1
        bucket += 1
    return bucket, pairs
