"""References: compared with the documents to review, and never with each other.

At least one document of each pair is to review. Pairs of references are left out before they cost
anything, and limits on how many documents may share something count only the pairs that would be
compared: a thousand references and one document to review are a thousand pairs.
"""

from __future__ import annotations

import numpy as np

from core.base.arrays import BoolArray, Int64Array, IntegerArray


def are_compared(to_review: BoolArray, a: IntegerArray, b: IntegerArray) -> BoolArray:
    """Which pairs have a document that is to review."""
    return np.asarray(to_review[a] | to_review[b])


def pairs_of(reviewed: IntegerArray, documents: IntegerArray) -> Int64Array:
    """The number of pairs among documents of which `reviewed` are to review."""
    all_documents, to_review = np.asarray(documents, np.int64), np.asarray(reviewed, np.int64)
    return to_review * (2 * all_documents - to_review - 1) // 2


def pairs_of_all(documents: int) -> int:
    """The number of pairs among documents that are all to review."""
    return documents * (documents - 1) // 2


def count_pairs(to_review: BoolArray, rows: IntegerArray) -> int:
    """How many pairs of the documents in some rows are compared."""
    reviewed = np.count_nonzero(to_review[rows])
    return int(pairs_of(np.array(reviewed), np.array(len(rows))))


def reviewed_in_runs(
    to_review: BoolArray, members: IntegerArray, starts: IntegerArray
) -> Int64Array:
    """The number of members of each run that are to review.

    Args:
        to_review: By document.
        members: Documents, run after run.
        starts: Where each run begins; none is empty.
    """
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    return np.add.reduceat(to_review[members], starts, dtype=np.int64)
