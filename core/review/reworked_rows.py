"""What was measured of reworked passages: the rows of `reworked`, and of the model of words."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from core.base.arrays import Int64Array
from core.base.memory import require_memory
from core.base.progress import Cancelled
from core.evidence.reworked_evidence import ReworkedEvidence
from core.review.header import Facts
from core.review.packing import checksum_of, decompressed
from core.review.pair_chunks import REWORKED, load_pairs, save_pairs
from core.review.sqlite_bounds import ReadBudget, at_most, size_of

LEVEL = 1  # of zlib
# A model has less than two words and pairs of words for three characters, of 24 bytes at most.
MODEL_OF_CHARACTER = 16
MODEL_OF_DOCUMENT = 64
MODEL_ITSELF = 1 << 16
LARGEST_MODEL = 1 << 30


def save_reworked(
    connection: sqlite3.Connection,
    reworked: ReworkedEvidence,
    ids: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> int:
    """Make the rows those of the evidence; returns how many models there are: 0 or 1.

    Args:
        connection: The review.
        reworked: What was measured.
        ids: Those of the documents in order.
        pool: Threads to compress with.
        cancelled: Polled meanwhile.
    """
    how = (ids, pool, cancelled)
    save_pairs(connection, REWORKED, reworked.codes, reworked.columns, *how)
    rows = [(1, len(one), checksum_of(one), one) for one in filter(None, [reworked.model])]
    stored = connection.execute("SELECT id, size, checksum FROM word_model").fetchall()
    if stored != [row[:3] for row in rows]:
        packed = [(*row, zlib.compress(model, LEVEL)) for *row, model in rows]
        connection.execute("DELETE FROM word_model")
        connection.executemany("INSERT INTO word_model VALUES (?, ?, ?, ?)", packed)
    return len(rows)


def load_reworked(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, lengths: Int64Array
) -> ReworkedEvidence:
    """What was measured, by positions of the documents.

    Args:
        connection: The review, in a transaction.
        facts: What it says of itself.
        ids: int64, of the documents.
        lengths: int64, of their texts in code points.

    Raises:
        ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so much.
    """
    characters = int(lengths.sum())
    most = MODEL_OF_CHARACTER * characters + MODEL_OF_DOCUMENT * len(ids) + MODEL_ITSELF
    # That of a run on a cluster was learned from documents that are not here.
    most = min(most, LARGEST_MODEL) if facts.run is None else LARGEST_MODEL
    models = list(_models(connection, most))
    if len(models) != facts.models or (facts.reworked and not models):
        raise ValueError("The model of words is missing, or there are several.")
    codes, (words, bits, share) = load_pairs(connection, REWORKED, ids, facts.reworked)
    return ReworkedEvidence(codes, words, bits, share, models[0] if models else b"")


def verify_model(connection: sqlite3.Connection) -> None:
    """Raise unless the model of words is as it was written.

    Raises:
        ValueError, zlib.error: It is not.
        StorageError: There is no memory for it.
    """
    for _ in _models(connection, LARGEST_MODEL):
        pass


def _models(connection: sqlite3.Connection, most: int) -> Iterator[bytes]:
    """The models, of which there is one, and not of more bytes than this."""
    room = ReadBudget(connection)
    with at_most(connection, size_of(connection)):
        query = "SELECT size, checksum, data FROM word_model ORDER BY id"
        for size, checksum, data in connection.execute(query):
            if not (isinstance(size, int) and 0 < size <= most):
                raise ValueError("A model of words cannot be of this size.")
            room.take(len(data))
            require_memory(2 * size, "Opening this review", "Close other programs and retry.")
            model = decompressed(size, data)
            if checksum_of(model) != checksum:
                raise ValueError("The model of words is damaged.")
            yield model
