"""What became of the pairs of a list when something was decided that changed it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.base.arrays import Int64Array
from core.evidence.pairs import Pairs
from neardup_gui.models.scan_result import DocumentNames, ScanResult

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class ListDifference:
    """Pairs of a list and of the one before it, row by row.

    Attributes:
        before: int64 (n,), the row that each pair had; -1 for one that was not listed.
        left: How many pairs are not listed any more.
        came: How many were not listed before.
        changed: How many are listed in both with another resemblance.
    """

    before: Int64Array
    left: int
    came: int
    changed: int

    @property
    def is_empty(self) -> bool:
        """Whether the list is what it was."""
        return not (self.left or self.came or self.changed)


def difference_of(before: ScanResult, now: ScanResult) -> ListDifference:
    """Compare two lists of the same scan, in which documents are known by their names."""
    numbers = _followed(now.names, before.names)
    old, new = before.pairs, now.pairs
    known = _codes(old, np.arange(len(before.names), dtype=np.int64), len(before.names))
    wanted = _codes(new, numbers, len(before.names))
    order = np.argsort(known, kind="stable")
    places = np.searchsorted(known[order], wanted)
    places[places == len(known)] = 0
    rows = order[places] if len(known) else np.full(len(wanted), NOWHERE)
    found = (known[rows] == wanted) if len(known) else np.zeros(len(wanted), dtype=np.bool_)
    rows = np.where(found, rows, NOWHERE).astype(np.int64)
    same = old.resemblance[rows[found]] == new.resemblance[found]
    stayed = int(np.count_nonzero(found))
    return ListDifference(rows, len(old) - stayed, len(new) - stayed, int(np.count_nonzero(~same)))


def _followed(names: DocumentNames, before: DocumentNames) -> Int64Array:
    """The number that each document had; -1 for one that was not there."""
    found = (before.index(name) for name in names.shown)
    return np.array([NOWHERE if n is None else n for n in found], dtype=np.int64)


def _codes(pairs: Pairs, numbers: Int64Array, documents: int) -> npt.NDArray[np.int64]:
    """A number for each pair, whichever document comes first; below 0 where one is not known."""
    if not len(pairs):
        return np.zeros(0, dtype=np.int64)
    a, b = numbers[pairs.a], numbers[pairs.b]
    codes = np.minimum(a, b) * documents + np.maximum(a, b)
    return np.where(np.minimum(a, b) < 0, np.int64(-1), codes)
