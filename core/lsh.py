"""Signatures to candidate pairs: bands, buckets and what to do with buckets that are too full.

A signature is cut into b bands of r values; documents that agree in a whole band fall into one
bucket (Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4). Per band every
document is one 64-bit key, mixed band hash in the high bits and document number in the low ones;
the keys are sorted in place and runs of equal hashes are the buckets. A pair is emitted only in
the first band in which it meets, so nothing has to be de-duplicated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from core.minhash import SignatureMatrix, estimate_resemblance
from core.progress import Cancelled, never, stop_if
from core.shingling import mix

__all__ = ["BUCKET_LIMIT", "CandidateChunk", "candidate_pairs", "meet_in_a_band"]

Int32Array = npt.NDArray[np.int32]

# Up to this many documents a bucket gives all its pairs; a fuller one goes through leaders.
BUCKET_LIMIT = 1000
# Share of equal signature values from which a document is held to be like its bucket's leader.
ALIKE = 0.5
CHUNK_PAIRS = 1 << 20


class CandidateChunk(NamedTuple):
    """Some candidate pairs of rows, x < y, each pair once over all chunks.

    `crowd` holds rows of an overfull bucket that are like `leader` and were compared with it
    only; it is empty and `leader` -1 in an ordinary chunk. Bands come in order from 0.
    """

    band: int
    x: Int32Array
    y: Int32Array
    leader: int
    crowd: Int32Array


def candidate_pairs(
    signatures: SignatureMatrix,
    rows_in_use: npt.NDArray[np.integer],
    bands: int,
    rows: int,
    *,
    cancelled: Cancelled = never,
) -> Iterator[CandidateChunk]:
    """The pairs that agree in at least one band, in chunks of about a million.

    Args:
        signatures: uint32 (n, K) with bands times rows at most K.
        rows_in_use: Indices of the rows that take part, ascending.
        bands: b.
        rows: r.
        cancelled: Polled between chunks.
    """
    use = np.asarray(rows_in_use, dtype=np.int64)
    bits = np.uint64(max(1, int(len(signatures) - 1).bit_length()))
    buffer = np.empty((2, CHUNK_PAIRS), dtype=np.int32)
    nobody = np.empty(0, dtype=np.int32)
    for band in range(bands):
        keys = _band_keys(signatures, use, band, rows, bits)
        keys.sort()
        place = 0
        while place < len(keys):
            stop_if(cancelled)
            place, pairs, overfull = _expand(keys, place, bits, signatures, band, rows, buffer)
            if pairs:
                x, y = buffer[:, :pairs].copy()
                yield CandidateChunk(band, x, y, -1, nobody)
            if overfull:
                mask = (np.uint64(1) << bits) - np.uint64(1)
                members = (keys[place : place + overfull] & mask).astype(np.int32)
                for chunk in _follow_leaders(members, signatures, band, rows):
                    stop_if(cancelled)
                    yield chunk
                place += overfull


def _follow_leaders(
    members: Int32Array, signatures: SignatureMatrix, band: int, rows: int
) -> Iterator[CandidateChunk]:
    """The pairs of an overfull bucket: everyone with a leader, the unlike ones go on."""
    while len(members) > BUCKET_LIMIT:
        leader, others = members[0], members[1:]
        first = np.full(len(others), leader, dtype=np.int32)
        new = ~_met_before_each(signatures, first, others, band, rows)
        alike = estimate_resemblance(signatures, first, others) >= ALIKE
        yield CandidateChunk(band, first[new], others[new], int(leader), others[alike & new])
        members = others[~alike]
    x, y = (members[side].astype(np.int32) for side in np.triu_indices(len(members), 1))
    new = ~_met_before_each(signatures, x, y, band, rows)
    yield CandidateChunk(band, x[new], y[new], -1, np.empty(0, dtype=np.int32))


def meet_in_a_band(
    signatures: SignatureMatrix,
    x: npt.NDArray[np.integer],
    y: npt.NDArray[np.integer],
    bands: int,
    rows: int,
) -> npt.NDArray[np.bool_]:
    """For pairs of rows: whether they agree in at least one band."""
    return np.asarray(_met_before_each(signatures, x, y, bands, rows))


@njit(nogil=True, cache=True)
def _band_keys(signatures: Any, use: Any, band: Any, rows: Any, bits: Any) -> Any:  # noqa: ANN401
    keys = np.empty(len(use), dtype=np.uint64)
    for index in range(len(use)):
        row = use[index]
        value = np.uint64(band + 1)
        for place in range(band * rows, band * rows + rows):
            value = mix(value ^ np.uint64(signatures[row, place]))
        keys[index] = (value >> bits << bits) | np.uint64(row)
    return keys


@njit(nogil=True, cache=True)
def _expand(
    keys: Any,  # noqa: ANN401
    place: Any,  # noqa: ANN401
    bits: Any,  # noqa: ANN401
    signatures: Any,  # noqa: ANN401
    band: Any,  # noqa: ANN401
    rows: Any,  # noqa: ANN401
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
                if not _met_before(signatures, x, y, band, rows):
                    buffer[0, pairs] = x
                    buffer[1, pairs] = y
                    pairs += 1
        place = end
    return place, pairs, 0


@njit(nogil=True, cache=True)
def _met_before(signatures: Any, x: Any, y: Any, band: Any, rows: Any) -> Any:  # noqa: ANN401
    """Whether two rows agree in a whole band before this one."""
    for earlier in range(band):
        start = earlier * rows
        same = True
        for place in range(start, start + rows):
            if signatures[x, place] != signatures[y, place]:
                same = False
                break
        if same:
            return True
    return False


@njit(nogil=True, cache=True)
def _met_before_each(signatures: Any, x: Any, y: Any, band: Any, rows: Any) -> Any:  # noqa: ANN401
    met = np.empty(len(x), dtype=np.bool_)
    for pair in range(len(x)):
        met[pair] = _met_before(signatures, x[pair], y[pair], band, rows)
    return met
