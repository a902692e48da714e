"""The rows of `signed` to the units, digests, signatures and fingerprints of all documents."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import Int64Array
from core.base.memory import require_memory
from core.base.progress import Cancelled, Progress, ProgressReport, Stage, stop_if
from core.review.header import Facts
from core.review.packing import SignedRow, signed_type, unpack_signed
from core.review.sqlite_bounds import ReadBudget
from core.signatures.signing import SignedTexts

ROWS_AT_ONCE = 4096
SIGNATURE_TYPE = "<u4"


class WantedRows(NamedTuple):
    """Which row each document has: their numbers and checksums, int64."""

    numbers: Int64Array
    checksums: Int64Array


def load_signed(
    connection: sqlite3.Connection,
    wanted: WantedRows,
    facts: Facts,
    width: int,
    progress: Progress,
    cancelled: Cancelled,
) -> SignedTexts:
    """The signed rows of all documents, of which several may have one in common.

    Args:
        connection: The review.
        wanted: By document.
        facts: What it says of itself.
        width: Values of a signature under its settings.
        progress: Told the number of documents, after some thousand rows.
        cancelled: Polled as often.

    Raises:
        ValueError: They are damaged, or some are missing.
        StorageError: There is no memory for so many.
    """
    dtype, count = _type_of(facts, width), len(wanted.numbers)
    order = np.argsort(wanted.numbers, kind="stable")
    numbers, checksums = wanted.numbers[order], wanted.checksums[order]
    _check_sizes(connection, numbers, dtype.itemsize)
    parts, done = [unpack_signed([], dtype)], 0
    for own, rows in _chunks(connection):
        stop_if(cancelled)
        some = slice(done, int(np.searchsorted(numbers, own[-1], side="right")))
        source = _sources(own, rows, WantedRows(numbers[some], checksums[some]))
        parts.append(unpack_signed(rows, dtype).take(source))
        done = some.stop
        progress(ProgressReport(Stage.OPEN, done, count))
    if done != count:
        raise ValueError("Some signatures are missing.")
    signed = SignedTexts.join(parts)
    # Mostly the rows are in the order of the names already, and need not be copied once more.
    return signed if (order == np.arange(count)).all() else signed.take(np.argsort(order))


def _chunks(connection: sqlite3.Connection) -> Iterator[tuple[list[int], list[SignedRow]]]:
    """All rows and their numbers, some thousand at a time."""
    cursor = connection.execute("SELECT id, data, skip_grams FROM signed ORDER BY id")
    while chunk := cursor.fetchmany(ROWS_AT_ONCE):
        yield [row[0] for row in chunk], [SignedRow._make(row[1:]) for row in chunk]


def _type_of(facts: Facts, width: int) -> np.dtype[np.void]:
    """The type of the fixed part of a row.

    Raises:
        ValueError: It is not that of the settings.
    """
    if (facts.signature_type, facts.signature_width) != (SIGNATURE_TYPE, width):
        raise ValueError("The signatures are not those of the settings.")
    return signed_type(np.dtype(SIGNATURE_TYPE), width)


def _sources(numbers: Sequence[int], rows: Sequence[SignedRow], wanted: WantedRows) -> Int64Array:
    """Which of some rows, with these numbers, each document has.

    Raises:
        ValueError: It is not there, or damaged.
    """
    own = np.array(numbers, dtype=np.int64)
    sums = np.fromiter((row.checksum for row in rows), np.int64, len(rows))
    source = np.minimum(np.searchsorted(own, wanted.numbers), len(own) - 1)
    if not ((own[source] == wanted.numbers) & (sums[source] == wanted.checksums)).all():
        raise ValueError("Signatures are damaged.")
    return source


def _check_sizes(connection: sqlite3.Connection, numbers: Int64Array, least: int) -> None:
    """Raise before rows are read that cannot be: only their sizes are looked at.

    Args:
        connection: The review.
        numbers: Of the rows that documents have, ascending.
        least: Bytes of a row without fingerprints.
    """
    room, own, sizes = ReadBudget(connection), array("q"), array("q")
    query = "SELECT id, length(data), length(skip_grams) FROM signed ORDER BY id"
    for number, size, grams in connection.execute(query):
        if size < least or len(own) == len(numbers) or (own and number <= own[-1]):
            raise ValueError("There are more signatures than documents, or too short ones.")
        room.take(size)
        room.take(grams)
        own.append(number)
        sizes.append(size + grams)
    if not own:
        return
    places = np.searchsorted(np.array(own), numbers).clip(max=len(own) - 1)
    needed = 2 * int(np.array(sizes)[places].sum())
    require_memory(needed, "Opening this review", "Close other programs and retry.")
