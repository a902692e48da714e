"""What a review keeps of the list of its pairs, or of the part of a run on a cluster."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np

from core.base.arrays import Int64Array
from core.candidates.forecast import KnownPairs
from core.documents.model import Document
from core.review import packing, validation
from core.review.header import Facts
from core.review.packing import LISTED
from core.review.rows import FORECAST, LARGEST_FORECAST
from core.scan.lister import KnownList, ListFacts
from core.scan.run_subset import PartOfRun, RunFacts
from core.scan.state import ScanState


def save_list(
    connection: sqlite3.Connection, state: ScanState, ids: Int64Array, pool: ThreadPoolExecutor
) -> PartOfRun | None:
    """Replace the rows by those of the last list, or of the part of a run.

    Args:
        connection: The review.
        state: The scan.
        ids: Those of the documents in order.
        pool: Threads to compress with.

    Returns:
        The part as it is kept; None for a scan.
    """
    part = state.part and state.part.among([document.name for document in state.documents])
    listed = part or state.known_list
    codes = listed.codes if listed else np.empty(0, dtype=np.uint64)
    columns = (
        listed.found_by if listed else codes,
        part.estimate if part else np.zeros(len(codes)),
    )
    packing.save_pairs(connection, LISTED, codes, columns, ids, pool)
    forecast = state.known_list and state.known_list.forecast
    packing.save_value(connection, FORECAST, forecast.to_bytes() if forecast else b"")
    return part


def load_part(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, documents: Sequence[Document]
) -> PartOfRun | None:
    """The part of a run that a review is; None for a review of a scan.

    Args:
        connection: The review, in a transaction.
        facts: Its facts.
        ids: int64, of the documents.
        documents: The documents.

    Raises:
        TypeError, ValueError, zlib.error: It is damaged, or cannot be so.
        StorageError: There is no memory for so many pairs.
    """
    if facts.run is None:
        return None
    codes, (ways, estimate) = packing.load_pairs(connection, LISTED, ids, facts.listed)
    validation.check_run_pairs(codes, ways, estimate)
    run = validation.typed_values(RunFacts, facts.run)
    names = tuple(document.name for document in documents)
    return PartOfRun(run, names, codes, ways.astype(np.uint8), estimate)


def load_list(
    connection: sqlite3.Connection, facts: Facts, ids: Int64Array, *, is_measured: bool
) -> KnownList | None:
    """The list that a scan keeps; arguments and errors as of `load_part`.

    Its basis says which documents it is of. None where there is none, or where stored values are
    not used (`is_measured`): then they are only checked for damage.
    """
    if facts.run is not None:
        return None
    codes, (ways, _) = packing.load_pairs(connection, LISTED, ids, facts.listed)
    if facts.list is None:
        if len(codes):
            raise ValueError("There are pairs of a list, and no list.")
        return None
    validation.check_ways(codes, ways)
    kept = packing.value_of(connection, FORECAST, LARGEST_FORECAST)
    if not is_measured:
        return None
    forecast = None
    with suppress(LookupError, TypeError, ValueError):  # none, or of another version
        forecast = KnownPairs.from_bytes(kept)
    return KnownList(
        validation.typed_values(ListFacts, facts.list), codes, ways.astype(np.uint8), forecast
    )
