"""What is signed of the texts of a review: a row for each text, however many documents have it.

A row begins with what every text has: units, digest and signature. Fingerprints follow it.

Skip-grams are a column of their own. The hash of a gram has five bytes, which nothing makes
smaller; its position is near that of the gram before it, so the difference is kept, in one byte
wherever all of a document fit in it.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array, UInt64Array
from core.base.memory import CLOSE_PROGRAMS, require_memory
from core.base.messages import gettext
from core.base.tasks import Progress, ProgressReport, Stage, stop_if_cancelled
from core.review.header import Facts
from core.review.packing import checksum_of
from core.review.validation import ReadBudget
from core.signatures.signing import POSITION_BITS, SignedTexts, positions_of
from core.text.shingling import Fingerprints

HASH = 5  # bytes
NARROW, WIDE = 1, 3  # bytes of a difference; the first byte of a column says which
LARGEST_POSITION = (1 << 24) - 1
ROWS_AT_ONCE = 4096
SIGNATURE_TYPE = "<u4"


def save_signed(
    connection: sqlite3.Connection, signed: SignedTexts, fresh: Sequence[tuple[int, int]]
) -> None:
    """Insert signed rows, of each of which number and position are given."""

    def rows() -> Iterator[tuple[int, bytes, bytes]]:
        positions = np.array([position for _, position in fresh], dtype=np.int64)
        for (number, _), row in zip(fresh, signed_rows(signed, positions), strict=True):
            stop_if_cancelled()
            yield number, *row

    connection.executemany("INSERT INTO signed VALUES (?, ?, ?)", rows())


class WantedRows(NamedTuple):
    """Which row each document has: their numbers and checksums, int64."""

    numbers: Int64Array
    checksums: Int64Array


def load_signed(
    connection: sqlite3.Connection, wanted: WantedRows, facts: Facts, width: int, progress: Progress
) -> SignedTexts:
    """The signed rows of all documents, of which several may share one.

    Args:
        connection: The review.
        wanted: By document.
        facts: Its facts.
        width: Values of a signature under its settings.
        progress: Told the number of documents, after every few thousand rows.

    Raises:
        ValueError: They are damaged, or some are missing.
        StorageError: There is no memory for so many.
    """
    dtype, count = _type_of(facts, width), len(wanted.numbers)
    order = np.argsort(wanted.numbers, kind="stable")
    numbers, checksums = wanted.numbers[order], wanted.checksums[order]
    _check_sizes(connection, numbers, dtype.itemsize)
    parts, done = [unpack_signed([], dtype)], 0
    for ids, rows in _chunks(connection):
        stop_if_cancelled()
        chunk = slice(done, int(np.searchsorted(numbers, ids[-1], side="right")))
        source = _sources(ids, rows, WantedRows(numbers[chunk], checksums[chunk]))
        parts.append(unpack_signed(rows, dtype).take(source))
        done = chunk.stop
        progress(ProgressReport(Stage.OPEN, done, count))
    if done != count:
        raise ValueError("Some signatures are missing.")
    signed = SignedTexts.join(parts)
    # Mostly the rows are in the order of the names already, and need not be copied once more.
    return signed if (order == np.arange(count)).all() else signed.take(np.argsort(order))


def _chunks(connection: sqlite3.Connection) -> Iterator[tuple[list[int], list[SignedRow]]]:
    """All rows and their numbers, a few thousand at a time."""
    cursor = connection.execute("SELECT id, data, skip_grams FROM signed ORDER BY id")
    while chunk := cursor.fetchmany(ROWS_AT_ONCE):
        yield [row[0] for row in chunk], [SignedRow._make(row[1:]) for row in chunk]


def _type_of(facts: Facts, width: int) -> np.dtype[np.void]:
    """The type of the fixed part of a row."""
    if (facts.signature_type, facts.signature_width) != (SIGNATURE_TYPE, width):
        raise ValueError("The signatures are not those of the settings.")
    return signed_type(np.dtype(SIGNATURE_TYPE), width)


def _sources(numbers: Sequence[int], rows: Sequence[SignedRow], wanted: WantedRows) -> Int64Array:
    """The index of each document's row among rows with these numbers."""
    ids = np.array(numbers, dtype=np.int64)
    sums = np.fromiter((row.checksum for row in rows), np.int64, len(rows))
    source = np.minimum(np.searchsorted(ids, wanted.numbers), len(ids) - 1)
    if not ((ids[source] == wanted.numbers) & (sums[source] == wanted.checksums)).all():
        raise ValueError("Signatures are damaged.")
    return source


def _check_sizes(connection: sqlite3.Connection, numbers: Int64Array, least: int) -> None:
    """Raise before impossible rows are read: only their sizes are looked at.

    Args:
        connection: The review.
        numbers: Of the rows that documents have, ascending.
        least: Bytes of a row without fingerprints.
    """
    room, ids, sizes = ReadBudget(connection), array("q"), array("q")
    query = "SELECT id, length(data), length(skip_grams) FROM signed ORDER BY id"
    for number, size, grams in connection.execute(query):
        if size < least or len(ids) == len(numbers) or (ids and number <= ids[-1]):
            raise ValueError("There are more signatures than documents, or too short ones.")
        room.take(size)
        room.take(grams)
        ids.append(number)
        sizes.append(size + grams)
    if not ids:
        return
    indices = np.searchsorted(np.array(ids), numbers).clip(max=len(ids) - 1)
    needed = 2 * int(np.array(sizes)[indices].sum())
    require_memory(needed, gettext("Opening this review"), gettext(CLOSE_PROGRAMS))


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
        """Of both."""
        return checksum_of(self.skip_grams, seed=checksum_of(self.data))


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
