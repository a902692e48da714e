"""What a review knows of pairs: their overlap, their reworked passages, and which are listed.

The evidence of up to millions of pairs is in chunks, of which a later save writes only a few. Pairs
are ordered by the later of their two documents: those of new documents come last, and the chunks
before them stay as they are. The model of words and the forecast are one value each.
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
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.base.tasks import results_of
from core.base.wording import count as count_of
from core.evidence.overlap import Overlap
from core.evidence.pairs import OF_PASSAGES, PassageEvidence, pair_codes, split_codes
from core.review.header import Facts
from core.review.packing import LEVEL, checksum_of, decompressed
from core.review.validation import LARGEST_ID, ReadBudget, at_most, size_of

PAIRS_IN_CHUNK = 16_384
BYTES_IN_MEMORY = 80  # of a pair while it is loaded
HEAD = struct.Struct("<qq")

# A model has less than two words and pairs of words for three characters, of 24 bytes at most.
MODEL_OF_CHARACTER = 16
MODEL_OF_DOCUMENT = 64
MODEL_ITSELF = 1 << 16
WORD_MODEL = "word_model"
LARGEST_MODEL = 1 << 30
FORECAST = "forecast"
LARGEST_FORECAST = 1 << 26  # bytes; of 4,096 bands it has half as many


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
# Found by; the estimate from signatures, of a run.
LISTED = PairTable("listed", (np.int32, np.float32))


def save_reworked(
    connection: sqlite3.Connection,
    reworked: PassageEvidence,
    ids: Int64Array,
    pool: ThreadPoolExecutor,
) -> int:
    """Replace the rows by those of the evidence; returns the number of models: 0 or 1.

    Args:
        connection: The review.
        reworked: The evidence.
        ids: Those of the documents in order.
        pool: Threads to compress with.
    """
    bits, *shares, words = reworked.columns
    halves = [half for share in shares for half in share.astype("<f8").view("<u4").reshape(-1, 2).T]
    save_pairs(connection, REWORKED, reworked.codes, (bits, *halves, words), ids, pool)
    save_value(connection, WORD_MODEL, reworked.model)
    return int(len(reworked.model) > 0)


def load_reworked(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, lengths: Int64Array
) -> PassageEvidence:
    """The evidence of reworked passages, by positions of the documents.

    Args:
        connection: The review, in a transaction.
        facts: Its facts.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so much.
    """
    characters = int(lengths.sum())
    most = MODEL_OF_CHARACTER * characters + MODEL_OF_DOCUMENT * len(ids) + MODEL_ITSELF
    # The model of a run on a cluster was learned from documents outside this review.
    most = min(most, LARGEST_MODEL) if facts.run is None else LARGEST_MODEL
    model = value_of(connection, WORD_MODEL, most)
    if bool(model) != facts.models or (facts.reworked and not model):
        raise ValueError("The model of words is missing.")
    codes, columns = load_pairs(connection, REWORKED, ids, facts.reworked)
    bits, *halves, words = columns
    pairs = (np.stack(pair, axis=1) for pair in zip(halves[::2], halves[1::2], strict=True))
    shares = (pair.astype("<u4").view("<f8").ravel().astype(np.float64) for pair in pairs)
    known = dict(zip(OF_PASSAGES, (bits, *shares, words), strict=True))
    return PassageEvidence(codes, **known, model=model)


def verify_values(connection: sqlite3.Connection) -> None:
    """Raise unless the model of words and the forecast are as they were written.

    Raises:
        ValueError, zlib.error: It is not.
        StorageError: There is no memory for it.
    """
    value_of(connection, WORD_MODEL, LARGEST_MODEL)
    value_of(connection, FORECAST, LARGEST_FORECAST)


def save_pairs(
    connection: sqlite3.Connection,
    table: PairTable,
    codes: UInt64Array,
    numbers: Sequence[AnyArray],
    ids: Int64Array,
    pool: ThreadPoolExecutor,
) -> None:
    """Replace the pairs of a table.

    Args:
        connection: The review.
        table: The table.
        codes: By positions of their documents.
        numbers: Their numbers, each an array of one of the table's types.
        ids: Of the documents, in order.
        pool: Threads to compress with.
    """
    typed = [number.astype(dtype) for number, dtype in zip(numbers, table.types, strict=True)]
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
    for (first, count, checksum, _), data in zip(fresh, results_of(tasks), strict=True):
        connection.execute(insert, (first, count, checksum, data))


def load_pairs(
    connection: sqlite3.Connection, table: PairTable, ids: Int64Array, total: int
) -> tuple[UInt64Array, list[AnyArray]]:
    """The pairs of a table by positions of their documents, ascending, and their numbers.

    Args:
        connection: The review.
        table: The table.
        ids: The ids of the documents, in the order of their positions; pairs of others are dropped.
        total: How many pairs must be there.

    Raises:
        ValueError, zlib.error: The pairs are damaged.
        StorageError: There is no memory for so many.
    """
    nothing = np.empty((table.columns, 0), dtype=np.uint32)
    chunks = _chunks(connection, table, len(ids), total)
    columns = np.concatenate([nothing, *chunks], axis=1)
    order = np.argsort(ids)
    x, y = _positions(columns[0], ids, order), _positions(columns[1], ids, order)
    codes = pair_codes(np.minimum(x, y), np.maximum(x, y))
    present = np.flatnonzero((x >= 0) & (y >= 0))
    present = present[np.argsort(codes[present])]
    numbers = zip(columns[2:], table.types, strict=True)
    return codes[present], [column[present].view(dtype) for column, dtype in numbers]


def _chunks(
    connection: sqlite3.Connection, table: PairTable, documents: int, total: int
) -> Iterator[UInt32Array]:
    """The columns of all chunks in the order of their pairs, `total` altogether."""
    if (
        total > documents * (documents + 1) // 2
    ):  # of copies, the pair of a document with itself is kept
        raise ValueError("There are more pairs than documents can have.")
    require_memory(
        BYTES_IN_MEMORY * total,
        gettext("Opening {number} pairs", number=count_of(total)),
        gettext(CLOSE_PROGRAMS),
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
    if done != total:
        raise ValueError("Some pairs are missing.")


def verify_pairs(
    connection: sqlite3.Connection, table: PairTable, documents: int, total: int
) -> None:
    """Raise unless there are so many pairs, and they are as they were written.

    Raises:
        ValueError, zlib.error: They are not.
        StorageError: There is no memory for so many.
    """
    for _ in _chunks(connection, table, documents, total):
        pass


def _by_ids(codes: UInt64Array, numbers: Sequence[AnyArray], ids: Int64Array) -> UInt32Array:
    """Pairs by ids of documents, ordered by the later, then the earlier; one column after another.

    Raises:
        OverflowError: An id is too large.
    """
    if len(ids) and int(ids.max()) > LARGEST_ID:
        raise OverflowError("The numbers of documents have come to their end.")
    x, y = (ids[code] for code in split_codes(codes))
    later, earlier = np.maximum(x, y), np.minimum(x, y)
    order = np.argsort(pair_codes(later, earlier))
    documents = [column[order].astype(np.uint32) for column in (later, earlier)]
    return np.array([*documents, *(column[order].view(np.uint32) for column in numbers)])


def _cut(later: UInt32Array, firsts: list[int]) -> Iterator[tuple[int, int]]:
    """Slices of complete documents, cut where stored chunks begin and inside too large ones."""
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
    """The columns one after the other, each as all first bytes, all second bytes and so on.

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
    """Positions of documents with these ids; -1 for unknown ids."""
    index = np.searchsorted(ids, numbers, sorter=order)
    position: Int64Array = order[np.minimum(index, len(ids) - 1)]
    return np.where(ids[position] == numbers, position, -1)


def save_value(connection: sqlite3.Connection, table: str, value: bytes) -> None:
    """Replace the one value of a table; no bytes are no value."""
    rows = [(1, len(value), checksum_of(value))] if value else []
    if connection.execute(f"SELECT id, size, checksum FROM {table}").fetchall() != rows:
        connection.execute(f"DELETE FROM {table}")
        packed = [(*row, zlib.compress(value, LEVEL)) for row in rows]
        connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", packed)


def value_of(connection: sqlite3.Connection, table: str, most: int) -> bytes:
    """The one value of a table, of at most `most` bytes; no bytes where it has none."""
    with at_most(connection, size_of(connection)):
        rows = connection.execute(f"SELECT size, checksum, data FROM {table}").fetchmany(2)
    if not rows:
        return b""
    if len(rows) > 1:
        raise ValueError(f"There is more than one value of {table}.")
    size, checksum, data = rows[0]
    if not (isinstance(size, int) and 0 < size <= most):
        raise ValueError(f"A value of {table} cannot be of this size.")
    require_memory(2 * size, gettext("Opening this review"), gettext(CLOSE_PROGRAMS))
    value = decompressed(size, data)
    if checksum_of(value) != checksum:
        raise ValueError(f"The value of {table} is damaged.")
    return value
