"""Hashes of several texts, as many of each as it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.base.arrays import BoolArray, Int64Array, IntegerArray, UInt64Array


class Fingerprints(NamedTuple):
    """The fingerprints of several texts: uint64 values, and how many each text has (int64)."""

    values: UInt64Array
    counts: Int64Array

    def take(self, rows: BoolArray | IntegerArray) -> Fingerprints:
        """Those of the texts where a mask is true, or with these numbers in this order."""
        if rows.dtype == np.bool_:
            return Fingerprints(self.values[np.repeat(rows, self.counts)], self.counts[rows])
        counts = self.counts[rows]
        ends = np.cumsum(self.counts)
        shift = ends[rows] - np.cumsum(counts)
        places = np.arange(int(counts.sum())) + np.repeat(shift, counts)
        return Fingerprints(self.values[places], counts)

    @staticmethod
    def join(parts: Sequence[Fingerprints]) -> Fingerprints:
        """Those of several batches of texts, one after the other."""
        if not parts:
            return Fingerprints(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64))
        return Fingerprints(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )
