"""Packs values into the bytes of a row and back, with their checksums.

Checksums are BLAKE2b cut to 63 bits, which fit SQLite's signed integers. They are cryptographic
because the MAC of a review is over them (see `core.review.header`).

Skip-grams of documents are packed into the bytes of a column and back.

The hash of a gram has five bytes, which nothing makes smaller; its position is near that of the
gram before it, so the difference is kept, in one byte wherever all of a document fit in it.

The evidence of up to millions of pairs is in chunks, of which a later save writes only a few.

Pairs are ordered by the later of their two documents: those of new documents come last, and the
chunks before them stay as they are.
"""

from __future__ import annotations

import sqlite3
import struct
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import AnyArray, Int64Array, UInt32Array, UInt64Array
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.base.tasks import results_of
from core.base.wording import count as count_of
from core.evidence.overlap import Overlap
from core.evidence.pairs import pair_codes, split_codes
from core.review.validation import ReadBudget, at_most, size_of
from core.signatures.signing import POSITION_BITS, SignedTexts, positions_of
from core.text.shingling import Fingerprints

HASH = 5  # bytes
NARROW, WIDE = 1, 3  # bytes of a difference; the first byte of a column says which
LARGEST_POSITION = (1 << 24) - 1


def pack_grams(grams: Fingerprints) -> list[bytes]:
    """The column of each document; empty without grams."""
    ends = np.cumsum(grams.counts)
    steps = positions_of(grams.values)
    steps[1:] -= steps[:-1].copy()
    first = (ends - grams.counts)[grams.counts > 0]
    steps[first] = positions_of(grams.values[first])
    hashes = (grams.values >> POSITION_BITS).astype("<u8").view(np.uint8).reshape(-1, 8)
    packed = hashes[:, :HASH].tobytes()
    narrow, wide = (_steps(steps, width) for width in (NARROW, WIDE))
    largest = np.zeros(len(ends), dtype=np.int64)
    largest[grams.counts > 0] = np.maximum.reduceat(steps, first) if len(first) else 0
    columns, start = [], 0
    for end, most in zip(ends.tolist(), largest.tolist(), strict=True):
        width, packed_steps = (NARROW, narrow) if most < 1 << 8 else (WIDE, wide)
        column = bytes([width]) + packed[HASH * start : HASH * end]
        columns.append(column + packed_steps[width * start : width * end] if end > start else b"")
        start = end
    return columns


def unpack_grams(columns: Sequence[bytes]) -> Fingerprints:
    """The grams again.

    Raises:
        ValueError: These are no such columns.
    """
    each = [_count(column) for column in columns]
    counts = np.array(each, dtype=np.int64)
    widths = np.array([column[0] if column else NARROW for column in columns], dtype=np.int64)
    steps = np.empty(int(counts.sum()), dtype=np.int64)
    for width in (NARROW, WIDE):
        has_width = widths == width
        part = b"".join(
            columns[index][1 + HASH * each[index] :] for index in np.flatnonzero(has_width).tolist()
        )
        steps[np.repeat(has_width, counts)] = _unpacked(part, width)
    hashes = b"".join(
        column[1 : 1 + HASH * count] for column, count in zip(columns, each, strict=True)
    )
    values = np.zeros((len(steps), 8), dtype=np.uint8)
    values[:, :HASH] = np.frombuffer(hashes, dtype=np.uint8).reshape(-1, HASH)
    positions = _summed(steps, counts)
    if len(positions) and int(positions.max()) > LARGEST_POSITION:
        raise ValueError("A skip-gram stands behind the end of any text.")
    hash_bits: UInt64Array = values.view("<u8").ravel().astype(np.uint64) << POSITION_BITS
    return Fingerprints(hash_bits | positions.astype(np.uint64), counts)


def _steps(steps: Int64Array, width: int) -> bytes:
    """All differences in so many bytes each; those that need more are cut."""
    return steps.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].tobytes()


def _count(column: bytes) -> int:
    if not column:
        return 0
    count, rest = divmod(len(column) - 1, HASH + column[0])
    if column[0] not in {NARROW, WIDE} or rest or not count:
        raise ValueError("The skip-grams of a document have the wrong size.")
    return count


def _unpacked(data: bytes, width: int) -> Int64Array:
    steps = np.zeros((len(data) // width, 4), dtype=np.uint8)
    steps[:, :width] = np.frombuffer(data, dtype=np.uint8).reshape(-1, width)
    return steps.view("<u4").ravel().astype(np.int64)


def _summed(steps: Int64Array, counts: Int64Array) -> Int64Array:
    """The sums of the differences up to each, of every document from its first one."""
    sums = np.concatenate([[0], np.cumsum(steps)])
    starts = np.cumsum(counts) - counts
    sums_in_documents: Int64Array = sums[1:] - np.repeat(sums[starts], counts)
    return sums_in_documents


# Level 1 of zlib: generated advertisements shrink to .48 at 62 MB/s, at level 6 to .46 at 37.
LEVEL = 1
MOST_RATIO = 1032  # of zlib: 258 bytes for two bits
AT_ONCE = 1 << 20  # characters or bytes in a call that holds the interpreter


def encoded(text: str) -> bytes:
    """Any string as bytes, lone surrogates too."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """The string again."""
    return data.decode("utf-8", "surrogatepass")


def checksum_of(data: bytes, seed: int = 0) -> int:
    """The checksum of bytes, 0 to 2^63 - 1."""
    if not seed:  # a salt of zeros, which takes as long as a row
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "little") >> 1
    digest = blake2b(data, digest_size=8, salt=seed.to_bytes(8, "little")).digest()
    return int.from_bytes(digest, "little") >> 1


def row_checksum(numbers: Sequence[int], blobs: Sequence[bytes]) -> int:
    """The checksum of a row.

    Raises:
        ValueError, TypeError: A column of a stored row is not of its type.
    """
    try:
        packed = struct.pack(f"<{len(numbers) + len(blobs)}q", *numbers, *map(len, blobs))
    except struct.error as error:
        raise ValueError("A column is no number.") from error
    return checksum_of(packed + b"".join(blobs))


def pack_text(text: str) -> tuple[int, bytes]:
    """The size of a text in UTF-8, and that compressed."""
    data = b"".join(
        encoded(text[start : start + AT_ONCE]) for start in range(0, len(text), AT_ONCE)
    )
    return len(data), zlib.compress(data, LEVEL)


def unpack_text(size: int, data: bytes) -> str:
    """The text again.

    Raises:
        ValueError, zlib.error: These are not the bytes of a text of this size.
    """
    value = decompressed(size, data)
    return decoded(value) if size <= AT_ONCE else "".join(map(decoded, _characters(value)))


def most_of(compressed: int) -> int:
    """The most bytes that so many bytes of zlib can hold."""
    return MOST_RATIO * compressed


def decompressed(size: int, data: bytes) -> bytes:
    """Decompress exactly `size` bytes, however many the data would give.

    Raises:
        ValueError, zlib.error: These are not the bytes of a value of this size.
    """
    if not 0 <= size <= most_of(len(data)):
        raise ValueError("The size of a compressed value cannot be so.")
    inflating = zlib.decompressobj()
    value = inflating.decompress(data, max(size, 1))
    more = not inflating.eof and inflating.decompress(inflating.unconsumed_tail, 1)
    if len(value) != size or more or not inflating.eof or inflating.unused_data:
        raise ValueError("The size of a compressed value is wrong.")
    return value


def _characters(data: bytes) -> Iterator[bytes]:
    """Cut UTF-8 into pieces of about a megabyte, never inside a character."""
    start = 0
    while start < len(data):
        end = start + AT_ONCE
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        yield data[start:end]
        start = end


def signed_type(dtype: np.dtype[np.generic], width: int) -> np.dtype[np.void]:
    """The fixed part of a signed row: units, digest, signature; fingerprints follow it."""
    little = np.dtype(dtype).newbyteorder("<")
    return np.dtype([("units", "<i8"), ("digest", "<u8", (2,)), ("signature", little, (width,))])


class SignedRow(NamedTuple):
    """The columns of a row of `signed`; without skip-grams the second is empty."""

    data: bytes
    skip_grams: bytes

    @property
    def checksum(self) -> int:
        """Of both; without skip-grams as in reviews that knew of none."""
        checksum = checksum_of(self.data)
        return checksum_of(self.skip_grams, seed=checksum) if self.skip_grams else checksum


def signed_rows(signed: SignedTexts, positions: Int64Array) -> Iterator[SignedRow]:
    """The signed texts at given positions as rows, `ROWS_AT_ONCE` packed at a time."""
    row_type = signed_type(signed.signatures.dtype, signed.signatures.shape[1])
    for start in range(0, len(positions), ROWS_AT_ONCE):
        part = signed.take(positions[start : start + ROWS_AT_ONCE])
        headers = np.empty(len(part.units), dtype=row_type)
        headers["units"], headers["digest"] = part.units, part.digests
        headers["signature"] = part.signatures
        values, counts = part.fingerprints
        tails, ends = values.astype("<u8").tobytes(), (8 * np.cumsum(counts)).tolist()
        skip_grams = pack_grams(part.skip_grams)
        for head, (begin, end), grams in zip(
            headers, pairwise([0, *ends]), skip_grams, strict=True
        ):
            yield SignedRow(head.tobytes() + tails[begin:end], grams)


def unpack_signed(rows: Sequence[SignedRow], dtype: np.dtype[np.void]) -> SignedTexts:
    """Signed texts from their rows.

    Raises:
        ValueError: A row is not of a size that it can have.
    """
    width = dtype.itemsize
    headers = np.frombuffer(b"".join(row.data[:width] for row in rows), dtype=dtype)
    values = np.frombuffer(b"".join(row.data[width:] for row in rows), dtype="<u8")
    counts = np.fromiter((len(row.data) - width for row in rows), np.int64, len(rows)) // 8
    if len(headers) != len(rows) or len(values) != counts.sum():
        raise ValueError("A signed row has the wrong size.")
    native: UInt64Array = values.astype(np.uint64)
    return SignedTexts(
        headers["units"].astype(np.int64),
        headers["digest"].astype(np.uint64),
        headers["signature"].astype(headers["signature"].dtype.newbyteorder("=")),
        Fingerprints(native, counts),
        unpack_grams([row.skip_grams for row in rows]),
    )


ROWS_AT_ONCE = 4096
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
LISTED = PairTable(
    "listed", (np.int32, np.float32)
)  # found by; the estimate from signatures, of a run


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
