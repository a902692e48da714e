"""The evidence of up to millions of pairs, in chunks of which a later save writes only some.

Pairs are ordered by the later of their two documents: those of new documents come last, and the
chunks before them stay as they are.
"""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt32Array
from core.base.memory import require_memory
from core.base.parallel import results_of
from core.base.progress import Cancelled
from core.evidence.overlap import Overlap
from core.evidence.pairs import pair_codes
from core.evidence.store import Evidence
from core.review.packing import checksum_of, decompressed
from core.review.sqlite_bounds import ReadBudget

__all__ = ["load_pairs", "save_pairs", "verify_pairs"]


PAIRS_IN_CHUNK = 16_384
COLUMNS = 5
BYTES_OF_PAIR = 4 * COLUMNS
BYTES_IN_MEMORY = 80  # of a pair while it is loaded
LARGEST_ID = 2**32 - 1
HEAD = struct.Struct("<qq")


class _Columns(NamedTuple):
    """Pairs by ids of documents, ordered by `later`, then `earlier`; all uint32."""

    later: UInt32Array
    earlier: UInt32Array
    shared: UInt32Array
    longest: UInt32Array
    words: UInt32Array


def save_pairs(
    connection: sqlite3.Connection,
    evidence: Evidence,
    ids: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> None:
    """Make the stored pairs those of the evidence; `ids` are those of the documents in order."""
    columns = _by_ids(evidence, ids)
    known = dict(connection.execute("SELECT first, checksum FROM pairs"))
    fresh, kept = [], set()
    for start, stop in _cut(columns.later, sorted(known)):
        first = int(columns.later[start])
        raw = _raw(columns, start, stop)
        checksum = _checksum(first, stop - start, raw)
        if known.get(first) == checksum:
            kept.add(first)
        else:
            fresh.append((first, stop - start, checksum, raw))
    gone = [(first,) for first in known if first not in kept]
    connection.executemany("DELETE FROM pairs WHERE first = ?", gone)
    tasks = (pool.submit(zlib.compress, raw, 1) for *_, raw in fresh)
    for (first, count, checksum, _), data in zip(fresh, results_of(tasks, cancelled), strict=True):
        connection.execute("INSERT INTO pairs VALUES (?, ?, ?, ?)", (first, count, checksum, data))


def load_pairs(connection: sqlite3.Connection, ids: Int64Array, total: int) -> Evidence:
    """The evidence by positions of the documents; their sizes are left empty.

    Args:
        connection: The review.
        ids: The ids of the documents, in the order of their positions. Pairs of others are dropped.
        total: How many pairs must be there.

    Raises:
        ValueError, zlib.error: The pairs are damaged.
        StorageError: There is no memory for so many.
    """
    columns = np.concatenate(
        [np.empty((COLUMNS, 0), dtype=np.uint32), *_chunks(connection, len(ids), total)], axis=1
    )
    if columns.shape[1] != total:
        raise ValueError("Some pairs are missing.")
    order = np.argsort(ids)
    one, other = _positions(columns[0], ids, order), _positions(columns[1], ids, order)
    codes = np.minimum(one, other).astype(np.uint64) << np.uint64(32)
    codes |= np.maximum(one, other).astype(np.uint64)
    present = np.flatnonzero((one >= 0) & (other >= 0))
    present = present[np.argsort(codes[present])]
    overlap = Overlap(*(column[present].view(np.int32) for column in columns[2:]))
    return Evidence(codes[present], overlap, np.empty(0, dtype=np.int64))


def _chunks(connection: sqlite3.Connection, documents: int, total: int) -> Iterator[UInt32Array]:
    """The columns of all chunks in the order of their pairs, of which there are so many.

    Raises:
        ValueError, zlib.error: There are more, or not in their order, or they are damaged.
    """
    if total > documents * (documents + 1) // 2:  # of copies, that of one with itself is kept
        raise ValueError("There are more pairs than documents can have.")
    require_memory(
        BYTES_IN_MEMORY * total, f"Opening {total:,} pairs", "Close other programs and retry."
    )
    room, done, last = ReadBudget(connection), 0, -1
    for first, count, checksum, size in connection.execute(
        "SELECT first, count, checksum, length(data) FROM pairs ORDER BY first"
    ):
        if not (isinstance(count, int) and 0 < count <= total - done and first > last):
            raise ValueError("There are more pairs than there should be.")
        room.take(size)
        (data,) = connection.execute("SELECT data FROM pairs WHERE first = ?", (first,)).fetchone()
        columns = _columns(first, count, checksum, data)
        codes = pair_codes(columns[0], columns[1])
        if first != columns[0, 0] or not (codes[1:] > codes[:-1]).all():
            raise ValueError("Pairs are not in their order.")
        done, last = done + count, int(columns[0, -1])
        yield columns


def verify_pairs(connection: sqlite3.Connection, documents: int, total: int) -> None:
    """Raise unless the pairs of so many documents are as they were written, and so many.

    Raises:
        ValueError, zlib.error: They are not.
        StorageError: There is no memory for so many.
    """
    if sum(columns.shape[1] for columns in _chunks(connection, documents, total)) != total:
        raise ValueError("Some pairs are missing.")


def _by_ids(evidence: Evidence, ids: Int64Array) -> _Columns:
    if len(ids) and int(ids.max()) > LARGEST_ID:
        raise OverflowError("The numbers of documents have come to their end.")
    x = ids[(evidence.codes >> np.uint64(32)).astype(np.int64)].astype(np.uint64)
    y = ids[(evidence.codes & np.uint64(0xFFFFFFFF)).astype(np.int64)].astype(np.uint64)
    codes = np.maximum(x, y) << np.uint64(32) | np.minimum(x, y)
    order = np.argsort(codes)
    codes = codes[order]
    return _Columns(
        (codes >> np.uint64(32)).astype(np.uint32),
        codes.astype(np.uint32),
        *(column[order].astype(np.int32).view(np.uint32) for column in evidence.overlap),
    )


def _cut(later: UInt32Array, firsts: list[int]) -> Iterator[tuple[int, int]]:
    """Slices of whole documents: where chunks begin that are stored, and inside too large ones."""
    stored = np.searchsorted(later, np.array(firsts, dtype=np.uint32)).tolist()
    for begin, end in pairwise(sorted({0, *stored, len(later)})):
        start = begin
        while end - start > 2 * PAIRS_IN_CHUNK:
            document = later[start + PAIRS_IN_CHUNK]
            stop = int(np.searchsorted(later, document))
            if stop == start:
                stop = int(np.searchsorted(later, document, side="right"))
            yield start, stop
            start = stop
        if start < end:
            yield start, end


def _raw(columns: _Columns, start: int, stop: int) -> bytes:
    """The columns one after the other, of each all first bytes, all second bytes and so on.

    Numbers are small and neighbours alike, so most of these rows compress to nothing.
    """
    part = np.array([column[start:stop] for column in columns], dtype="<u4")
    return part.view(np.uint8).reshape(COLUMNS, -1, 4).transpose(0, 2, 1).tobytes()


def _columns(first: int, count: int, checksum: int, data: bytes) -> UInt32Array:
    """The columns of a stored chunk, (5, n)."""
    raw = decompressed(BYTES_OF_PAIR * count, data)
    if _checksum(first, count, raw) != checksum:
        raise ValueError("Pairs are damaged.")
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(COLUMNS, 4, count).transpose(0, 2, 1)
    return np.ascontiguousarray(planes).view("<u4").reshape(COLUMNS, count).astype(np.uint32)


def _checksum(first: int, count: int, raw: bytes) -> int:
    return checksum_of(raw, seed=checksum_of(HEAD.pack(first, count)))


def _positions(numbers: UInt32Array, ids: Int64Array, order: Int64Array) -> Int64Array:
    """Positions of documents with these ids; -1 where there is none."""
    if not len(ids):
        return np.full(len(numbers), -1, dtype=np.int64)
    place = np.searchsorted(ids, numbers, sorter=order)
    position: Int64Array = order[np.minimum(place, len(ids) - 1)]
    return np.where(ids[position] == numbers, position, -1)
