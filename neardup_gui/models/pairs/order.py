"""Which pairs a table shows and in which order, as arrays of row numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.evidence.pairs import Pairs
from neardup_gui.models.scan_result import DocumentNames

__all__ = ["PairFilter", "Rows", "passing", "ranked"]

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which of the listed pairs are shown."""

    text: str = ""
    min_resemblance: float = 0.0
    min_containment: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        return not self.text and self.min_resemblance <= 0 and self.min_containment <= 0


def ranked(pairs: Pairs, attribute: str | None, *, ascending: bool) -> Rows:
    """All rows, ordered by a column; equal ones stay in the order of their rank.

    Args:
        pairs: Most similar first.
        attribute: The column to order by, documents by their numbers, which follow their names;
            None for the rank itself.
        ascending: Whether the smallest comes first.
    """
    if attribute is None:
        rows = np.arange(len(pairs), dtype=np.int32)
        return rows if ascending else rows[::-1].copy()
    keys = getattr(pairs, attribute)
    if not ascending:
        keys = -keys.astype(np.float64)
    return np.argsort(keys, kind="stable").astype(np.int32)


def passing(rows: Rows, pairs: Pairs, names: DocumentNames, chosen: PairFilter) -> Rows:
    """Those of some rows that a filter lets through, in their order."""
    if chosen.is_empty:
        return rows
    shown = np.ones(len(pairs), dtype=np.bool_)
    if chosen.min_resemblance > 0:
        shown &= pairs.resemblance >= chosen.min_resemblance
    if chosen.min_containment > 0:
        most = np.maximum(pairs.containment_a, pairs.containment_b)
        shown &= most >= chosen.min_containment
    if chosen.text:
        named = names.containing(chosen.text)
        shown &= named[pairs.a] | named[pairs.b]
    return rows[shown[rows]]
