"""The evidence of up to millions of pairs, in chunks of which a later save writes only some.

Pairs are ordered by the later of their two documents: those of new documents come last, and the
chunks before them stay as they are.
"""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import AnyArray, Int64Array, UInt32Array, UInt64Array
from core.base.memory import require_memory
from core.base.tasks import Cancelled, results_of
from core.evidence.overlap import Overlap
from core.evidence.pairs import pair_codes, split_codes
from core.review.packing import checksum_of, decompressed
from core.review.sqlite_bounds import ReadBudget

PAIRS_IN_CHUNK = 16_384
BYTES_IN_MEMORY = 80  # of a pair while it is loaded
LARGEST_ID = 2**32 - 1
HEAD = struct.Struct("<qq")


class PairTable(NamedTuple):
    """A table of pairs.

    Attributes:
        name: In the review.
        types: Of the numbers of a pair beside its documents, of four bytes each.
    """

    name: str
    types: tuple[type[np.generic], ...]

    @property
    def columns(self) -> int:
        """How many numbers a pair has, with those of its documents: later, then earlier."""
        return 2 + len(self.types)


OVERLAP = PairTable("pairs", (np.int32,) * len(Overlap._fields))
# Bits, overlap, that of either text, shared words; each half of the numbers of 64 bits.
REWORKED = PairTable("reworked", (np.float32, *(np.uint32,) * 6, np.int32))


def save_pairs(
    connection: sqlite3.Connection,
    table: PairTable,
    codes: UInt64Array,
    numbers: Sequence[AnyArray],
    ids: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> None:
    """Make the pairs of a table these.

    Args:
        connection: The review.
        table: Which.
        codes: By positions of their documents.
        numbers: What there is beside, each an array of one of the table's types.
        ids: Those of the documents in order.
        pool: Threads to compress with.
        cancelled: Polled meanwhile.
    """
    typed = [one.astype(dtype) for one, dtype in zip(numbers, table.types, strict=True)]
    columns = _by_ids(codes, typed, ids)
    known = dict(connection.execute(f"SELECT first, checksum FROM {table.name}"))
    fresh, kept = [], set()
    for start, stop in _cut(columns[0], sorted(known)):
        first = int(columns[0, start])
        raw = _raw(columns, start, stop)
        checksum = _checksum(first, stop - start, raw)
        if known.get(first) == checksum:
            kept.add(first)
        else:
            fresh.append((first, stop - start, checksum, raw))
    gone = [(first,) for first in known if first not in kept]
    connection.executemany(f"DELETE FROM {table.name} WHERE first = ?", gone)
    tasks = (pool.submit(zlib.compress, raw, 1) for *_, raw in fresh)
    insert = f"INSERT INTO {table.name} VALUES (?, ?, ?, ?)"
    for (first, count, checksum, _), data in zip(fresh, results_of(tasks, cancelled), strict=True):
        connection.execute(insert, (first, count, checksum, data))


def load_pairs(
    connection: sqlite3.Connection, table: PairTable, ids: Int64Array, total: int
) -> tuple[UInt64Array, list[AnyArray]]:
    """The pairs of a table by positions of their documents, ascending, and their numbers.

    Args:
        connection: The review.
        table: Which.
        ids: The ids of the documents, in the order of their positions. Pairs of others are dropped.
        total: How many pairs must be there.

    Raises:
        ValueError, zlib.error: The pairs are damaged.
        StorageError: There is no memory for so many.
    """
    nothing = np.empty((table.columns, 0), dtype=np.uint32)
    chunks = _chunks(connection, table, len(ids), total)
    columns = np.concatenate([nothing, *chunks], axis=1)
    if columns.shape[1] != total:
        raise ValueError("Some pairs are missing.")
    order = np.argsort(ids)
    one, other = _positions(columns[0], ids, order), _positions(columns[1], ids, order)
    codes = np.minimum(one, other).astype(np.uint64) << np.uint64(32)
    codes |= np.maximum(one, other).astype(np.uint64)
    present = np.flatnonzero((one >= 0) & (other >= 0))
    present = present[np.argsort(codes[present])]
    numbers = zip(columns[2:], table.types, strict=True)
    return codes[present], [column[present].view(dtype) for column, dtype in numbers]


def _chunks(
    connection: sqlite3.Connection, table: PairTable, documents: int, total: int
) -> Iterator[UInt32Array]:
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
        f"SELECT first, count, checksum, length(data) FROM {table.name} ORDER BY first"
    ):
        if not (isinstance(count, int) and 0 < count <= total - done and first > last):
            raise ValueError("There are more pairs than there should be.")
        room.take(size)
        query = f"SELECT data FROM {table.name} WHERE first = ?"
        (data,) = connection.execute(query, (first,)).fetchone()
        columns = _columns(table, first, count, checksum, data)
        codes = pair_codes(columns[0], columns[1])
        if first != columns[0, 0] or not (codes[1:] > codes[:-1]).all():
            raise ValueError("Pairs are not in their order.")
        done, last = done + count, int(columns[0, -1])
        yield columns


def verify_pairs(
    connection: sqlite3.Connection, table: PairTable, documents: int, total: int
) -> None:
    """Raise unless the pairs of so many documents are as they were written, and so many.

    Raises:
        ValueError, zlib.error: They are not.
        StorageError: There is no memory for so many.
    """
    chunks = _chunks(connection, table, documents, total)
    if sum(columns.shape[1] for columns in chunks) != total:
        raise ValueError("Some pairs are missing.")


def _by_ids(codes: UInt64Array, numbers: Sequence[AnyArray], ids: Int64Array) -> UInt32Array:
    """Pairs by ids of documents, ordered by the later, then the earlier; one column after another.

    Raises:
        OverflowError: An id is too large.
    """
    if len(ids) and int(ids.max()) > LARGEST_ID:
        raise OverflowError("The numbers of documents have come to their end.")
    x, y = (ids[one].astype(np.uint64) for one in split_codes(codes))
    codes = np.maximum(x, y) << np.uint64(32) | np.minimum(x, y)
    order = np.argsort(codes)
    codes = codes[order]
    documents = [(codes >> np.uint64(32)).astype(np.uint32), codes.astype(np.uint32)]
    return np.array([*documents, *(column[order].view(np.uint32) for column in numbers)])


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


def _raw(columns: UInt32Array, start: int, stop: int) -> bytes:
    """The columns one after the other, of each all first bytes, all second bytes and so on.

    Numbers are small and neighbours alike, so most of these rows compress to nothing.
    """
    part = np.ascontiguousarray(columns[:, start:stop], dtype="<u4")
    return part.view(np.uint8).reshape(len(part), -1, 4).transpose(0, 2, 1).tobytes()


def _columns(table: PairTable, first: int, count: int, checksum: int, data: bytes) -> UInt32Array:
    """The columns of a stored chunk, (columns of the table, n)."""
    raw = decompressed(4 * table.columns * count, data)
    if _checksum(first, count, raw) != checksum:
        raise ValueError("Pairs are damaged.")
    planes = np.frombuffer(raw, dtype=np.uint8).reshape(-1, 4, count).transpose(0, 2, 1)
    return np.ascontiguousarray(planes).view("<u4").reshape(-1, count).astype(np.uint32)


def _checksum(first: int, count: int, raw: bytes) -> int:
    return checksum_of(raw, seed=checksum_of(HEAD.pack(first, count)))


def _positions(numbers: UInt32Array, ids: Int64Array, order: Int64Array) -> Int64Array:
    """Positions of documents with these ids; -1 where there is none."""
    if not len(ids):
        return np.full(len(numbers), -1, dtype=np.int64)
    place = np.searchsorted(ids, numbers, sorter=order)
    position: Int64Array = order[np.minimum(place, len(ids) - 1)]
    return np.where(ids[position] == numbers, position, -1)
