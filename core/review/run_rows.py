"""The pairs of a run on a cluster in a review that is a part of it: the rows of `run_pairs`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from core.base.arrays import AnyArray, Int64Array
from core.base.progress import Cancelled
from core.documents import Document
from core.review.believable import check_run_pairs
from core.review.header import Facts
from core.review.pair_chunks import PairTable, load_pairs, save_pairs
from core.review.typed_values import typed_values
from core.scan.part_of_run import PartOfRun, RunFacts
from core.scan.state import ScanState

RUN_PAIRS = PairTable("run_pairs", (np.int32, np.float32))  # found by, estimate


def save_part(
    connection: sqlite3.Connection,
    state: ScanState,
    ids: Int64Array,
    pool: ThreadPoolExecutor,
    cancelled: Cancelled,
) -> PartOfRun | None:
    """Make the rows those of the part that a scan is of a run; returns it as it is kept.

    Args:
        connection: The review.
        state: The scan.
        ids: Those of the documents in order.
        pool: Threads to compress with.
        cancelled: Polled meanwhile.
    """
    part = state.part and state.part.among([one.name for one in state.documents])
    codes = part.codes if part else np.empty(0, dtype=np.uint64)
    columns: list[AnyArray] = [part.found_by, part.estimate] if part else [codes, codes]
    save_pairs(connection, RUN_PAIRS, codes, columns, ids, pool, cancelled)
    return part


def load_part(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, documents: Sequence[Document]
) -> PartOfRun | None:
    """The part that a review is of a run, None for one of a scan.

    Args:
        connection: The review, in a transaction.
        facts: What it says of itself.
        ids: int64, of the documents.
        documents: The documents.

    Raises:
        TypeError, ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so many pairs.
    """
    codes, (ways, estimate) = load_pairs(connection, RUN_PAIRS, ids, facts.run_pairs)
    if facts.run is None:
        if len(codes):
            raise ValueError("There are pairs of a run, and no run.")
        return None
    check_run_pairs(codes, ways, estimate)
    run = typed_values(RunFacts, facts.run)
    names = tuple(one.name for one in documents)
    return PartOfRun(run, names, codes, ways.astype(np.uint8), estimate)
