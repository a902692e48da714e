"""Signatures to candidate pairs: bands, buckets and what to do with buckets that are too full.

A signature is cut into b bands of r values; documents that agree in a whole band fall into one
bucket (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4). In the sorted keys
of a band (see `core.candidates.bands`) runs of equal hashes are the buckets. A pair is emitted only
in the first band in which it meets, so nothing has to be de-duplicated.

An overfull bucket is a crowd: form letters, say, that share a template. Its n documents would give
n²/2 pairs that all look alike, and among them the few that share more than the template. So every
document of a crowd is paired with one leader, and the bucket is split by more and more rows of the
signature until its parts are small, as in an LSH forest (Bawa, Condie, Ganesan 2005): two documents
part from the crowd together at the first row where they agree and the crowd does not. A bucket
that is not overfull is split as well where everyone in it is in a crowd already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.base.arrays import (
    BoolArray,
    Int32Array,
    Int64Array,
    IntegerArray,
    UInt16Array,
    UInt64Array,
)
from core.base.compiling import njit
from core.base.hashing import mix
from core.base.progress import Cancelled, never, stop_if
from core.candidates.bands import sorted_bands
from core.signatures.minhash import SignatureMatrix

__all__ = [
    "BUCKET_LIMIT",
    "NO_BAND",
    "CandidateChunk",
    "band_met",
    "candidate_pairs",
    "meet_in_a_band",
]


# Up to this many documents a bucket gives all its pairs; a fuller one is a crowd.
BUCKET_LIMIT = 1000
# A crowd is split until its parts are no larger: one such part a band is what a document of a
# crowd costs. Those who share more than the crowd part from it together, in parts of their own.
PART_LIMIT = 10
CHUNK_PAIRS = 1 << 20
NO_BAND, SEVERAL_BANDS = -2, -1


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
    signatures: SignatureMatrix,
    rows_in_use: IntegerArray,
    bands: int,
    rows: int,
    *,
    cancelled: Cancelled = never,
) -> Iterator[CandidateChunk]:
    """The pairs that agree in at least one band, in chunks of about a million; of crowds a part.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        rows_in_use: Indices of the rows that take part, ascending.
        bands: b.
        rows: r.
        cancelled: Polled between chunks.
    """
    use = np.asarray(rows_in_use, dtype=np.int64)
    search = _Search(signatures, bands, rows, cancelled)
    keys_by_band = sorted_bands(signatures, use, bands, rows, search.bits, cancelled)
    for band, keys in enumerate(keys_by_band):
        yield from search.expand(keys, band)


class _Crowds(NamedTuple):
    """What was decided about overfull buckets, as the kernels see it.

    Attributes:
        leaders: int32, by document: whom it follows, -1 for nobody.
        depths: uint16, by band and document: how many rows its part of a crowd agrees in; 0 where
            its bucket was an ordinary one.
        order: int64, by band: all rows of the signature, those of the band first.
    """

    leaders: Int32Array
    depths: UInt16Array
    order: Int64Array


class _Search:
    """One search for candidates: buckets to pairs, band after band."""

    def __init__(
        self, signatures: SignatureMatrix, bands: int, rows: int, cancelled: Cancelled
    ) -> None:
        count, size = signatures.shape
        self.bits = np.uint64(max(1, int(count - 1).bit_length()))
        self._signatures = signatures
        self._rows = rows
        self._cancelled = cancelled
        self._buffer = np.empty((2, CHUNK_PAIRS), dtype=np.int32)
        self._leads = np.zeros(count, dtype=np.bool_)
        self._crowds = _Crowds(
            np.full(count, -1, dtype=np.int32),
            np.zeros((bands, count), dtype=np.uint16),  # takes memory only where it is written
            _row_order(bands, rows, size),
        )

    def expand(
        self, keys: UInt64Array, band: int, *, split: bool = True
    ) -> Iterator[CandidateChunk]:
        """The pairs of all buckets in sorted keys; `split` says that crowds can be split."""
        nobody = np.empty(0, dtype=np.int32)
        if split:
            known = self._known_crowds(keys)
            if known.any():
                yield from self.expand(self._split_known(keys[known], band), band, split=False)
                keys = keys[~known]
        place = 0
        while place < len(keys):
            stop_if(self._cancelled)
            place, pairs, overfull = _expand(
                keys,
                place,
                self.bits,
                self._signatures,
                band,
                self._rows,
                self._crowds,
                self._buffer,
            )
            if pairs:
                x, y = self._buffer[:, :pairs].copy()
                yield CandidateChunk(band, x, y, -1, nobody)
            if overfull:
                mask = (np.uint64(1) << self.bits) - np.uint64(1)
                members = (keys[place : place + overfull] & mask).astype(np.int32)
                yield self._follow(members, band, everyone=not split)
                if split:
                    yield from self.expand(self._split(members, band), band, split=False)
                place += overfull

    def _follow(self, members: Int32Array, band: int, *, everyone: bool) -> CandidateChunk:
        """Pair those of a crowd who follow nobody yet with its leader, or everyone."""
        leaders = self._crowds.leaders
        leading = members[self._leads[members]]
        leader = leading[0] if len(leading) else members[0]
        others = members[members != leader]
        crowd = others[leaders[others] < 0]
        chosen = others if everyone else crowd
        x, y = np.minimum(chosen, leader), np.maximum(chosen, leader)
        new = ~_met_before_each(self._signatures, x, y, band, self._rows, self._crowds)
        leaders[crowd] = leader
        self._leads[leader] = True
        return CandidateChunk(band, x[new], y[new], int(leader), crowd)

    def _known_crowds(self, keys: UInt64Array) -> BoolArray:
        """Which keys are of buckets, not overfull, where everyone is in a crowd already."""
        crowded = self._leads | (self._crowds.leaders >= 0)
        if not crowded.any():
            return np.zeros(len(keys), dtype=np.bool_)
        return np.asarray(_all_crowded(keys, self.bits, crowded, PART_LIMIT, BUCKET_LIMIT))

    def _split_known(self, keys: UInt64Array, band: int) -> UInt64Array:
        """Sorted keys of the parts of several buckets."""
        mask = (np.uint64(1) << self.bits) - np.uint64(1)
        fresh = np.append(True, (keys[1:] >> self.bits) != (keys[:-1] >> self.bits))
        bucket = np.cumsum(fresh).astype(np.uint64)
        return self._split((keys & mask).astype(np.int32), band, bucket)

    def _split(
        self, members: Int32Array, band: int, bucket: UInt64Array | None = None
    ) -> UInt64Array:
        """Sorted keys of the parts of a crowd, or of several whose members are neighbours.

        What still is overfull agrees in every row.
        """
        order = self._crowds.order[band]
        keys: list[UInt64Array] = []
        part = np.zeros(len(members), dtype=np.uint64) if bucket is None else bucket
        depth = self._rows
        first = 0
        while len(members):
            starts = np.flatnonzero(np.append(True, part[1:] != part[:-1]))
            sizes = np.diff(np.append(starts, len(part)))
            number = np.repeat(np.arange(len(starts), dtype=np.uint64), sizes)
            done = np.repeat((sizes <= PART_LIMIT) | (depth == len(order)), sizes)
            self._crowds.depths[band, members[done]] = depth
            keys.append(
                (np.uint64(first) + number[done] << self.bits) | members[done].astype(np.uint64)
            )
            first += len(starts)
            members, number = members[~done], number[~done]
            if len(members):
                value = self._signatures[members, order[depth]]
                part = number << np.uint64(32) | value
                by_value = np.argsort(part, kind="stable")
                members, part = members[by_value], part[by_value]
                depth += 1
        return np.concatenate(keys)


def _row_order(bands: int, rows: int, size: int) -> Int64Array:
    """For each band all rows of the signature: its own, then the others, shuffled differently."""
    keys = np.arange(bands * size, dtype=np.uint64).reshape(bands, size)
    mixed = mix.py_func(keys) | np.uint64(1 << 63)  # not compiled for so few
    for band in range(bands):
        mixed[band, band * rows : band * rows + rows] = np.arange(rows)
    return np.argsort(mixed, axis=1, kind="stable")


def meet_in_a_band(
    signatures: SignatureMatrix,
    x: IntegerArray,
    y: IntegerArray,
    bands: int,
    rows: int,
) -> BoolArray:
    """For pairs of rows: whether they agree in at least one band."""
    # One type, so that the kernel is compiled once.
    x, y = x.astype(np.int64, copy=False), y.astype(np.int64, copy=False)
    return np.asarray(_band_met(signatures, x, y, bands, rows, 1) != NO_BAND)


def band_met(
    signatures: SignatureMatrix,
    x: IntegerArray,
    y: IntegerArray,
    bands: int,
    rows: int,
) -> npt.NDArray[np.int16]:
    """For pairs of rows: the band in which they agree, if it is the only one.

    Returns:
        int16: the band, from 0; `SEVERAL_BANDS` or `NO_BAND`.
    """
    return np.asarray(_band_met(signatures, x, y, bands, rows, 2))


@njit(nogil=True, cache=True)
def _expand(
    keys: Any,  # noqa: ANN401
    place: Any,  # noqa: ANN401
    bits: Any,  # noqa: ANN401
    signatures: Any,  # noqa: ANN401
    band: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
    crowds: Any,  # noqa: ANN401
    buffer: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Emit buckets from `place` on until the buffer is nearly full or a bucket is overfull.

    Returns where to go on, the number of pairs, and the size of an overfull bucket there or 0.
    """
    pairs = 0
    mask = (np.uint64(1) << bits) - np.uint64(1)
    while place < len(keys):
        end = place + 1
        while end < len(keys) and keys[end] >> bits == keys[place] >> bits:
            end += 1
        size = end - place
        if size > BUCKET_LIMIT:
            return place, pairs, size
        if pairs + size * (size - 1) // 2 > buffer.shape[1]:
            return place, pairs, 0
        for i in range(place, end):
            for j in range(i + 1, end):
                x, y = np.int32(keys[i] & mask), np.int32(keys[j] & mask)
                if not _met_before(signatures, x, y, band, rows, crowds):
                    buffer[0, pairs] = x
                    buffer[1, pairs] = y
                    pairs += 1
        place = end
    return place, pairs, 0


@njit(nogil=True, cache=True)
def _all_crowded(keys: Any, bits: Any, crowded: Any, above: Any, limit: Any) -> Any:  # noqa: ANN401
    """Which keys are of buckets with more than `above`, up to `limit` members, all crowded."""
    found = np.zeros(len(keys), dtype=np.bool_)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    place = 0
    while place < len(keys):
        end = place
        everyone = True
        while end < len(keys) and keys[end] >> bits == keys[place] >> bits:
            everyone &= crowded[keys[end] & mask]
            end += 1
        found[place:end] = everyone and above < end - place <= limit
        place = end
    return found


@njit(nogil=True, cache=True)
def _agree(signatures: Any, x: Any, y: Any, band: Any, rows: Any) -> Any:  # noqa: ANN401
    for place in range(band * rows, band * rows + rows):
        if signatures[x, place] != signatures[y, place]:
            return False
    return True


@njit(nogil=True, cache=True)
def _band_met(
    signatures: Any,  # noqa: ANN401
    x: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    bands: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
    enough: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """See `band_met`; looks for so many bands at most."""
    met = np.full(len(x), NO_BAND, dtype=np.int16)
    for pair in range(len(x)):
        found = 0
        for band in range(bands):
            if _agree(signatures, x[pair], y[pair], band, rows):
                found += 1
                met[pair] = band if found == 1 else SEVERAL_BANDS
                if found == enough:
                    break
    return met


@njit(nogil=True, cache=True)
def _met_before(
    signatures: Any,  # noqa: ANN401
    x: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    band: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
    crowds: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Whether two rows were paired before this band, as leader and follower or in a bucket."""
    if crowds.leaders[x] == y or crowds.leaders[y] == x:
        return True
    for earlier in range(band):
        if not _agree(signatures, x, y, earlier, rows):
            continue
        depth = crowds.depths[earlier, x]
        same = depth == crowds.depths[earlier, y]
        for index in range(rows, depth if same else 0):
            place = crowds.order[earlier, index]
            if signatures[x, place] != signatures[y, place]:
                same = False
                break
        if same:
            return True
    return False


@njit(nogil=True, cache=True)
def _met_before_each(
    signatures: Any,  # noqa: ANN401
    x: Any,  # noqa: ANN401
    y: Any,  # noqa: ANN401
    band: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
    crowds: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    met = np.empty(len(x), dtype=np.bool_)
    for pair in range(len(x)):
        met[pair] = _met_before(signatures, x[pair], y[pair], band, rows, crowds)
    return met
