"""Which pairs a table shows and in which order, as arrays of row numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.base.arrays import BoolArray, Int64Array
from core.evidence.pairs import Pairs
from neardup_gui.models.pairs.verdicts import PairVerdicts
from neardup_gui.models.scan_result import DocumentNames

Rows = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which of the listed pairs are shown.

    Attributes:
        text: Of the name of one of both documents.
        min_resemblance: At least this.
        min_containment: Of A in B or B in A at least this.
        verdicts: Places in `VERDICTS`; all where there is none.
        is_new: Only what came or changed since the user has seen it all.
        check: Of the random check only.
    """

    text: str = ""
    min_resemblance: float = 0.0
    min_containment: float = 0.0
    verdicts: frozenset[int] = frozenset()
    is_new: bool = False
    check: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it lets everything through."""
        numbers = self.min_resemblance > 0 or self.min_containment > 0
        return not (self.text or numbers or self.verdicts or self.is_new or self.check)


def ranked(pairs: Pairs, keys: npt.NDArray[np.generic] | None, *, ascending: bool) -> Rows:
    """All rows, ordered by a column; equal ones stay in the order of their rank.

    Args:
        pairs: In the order of their rank.
        keys: (n,), what to order by, documents by their numbers, which follow their names; None
            for the rank itself.
        ascending: Whether the smallest comes first.
    """
    if keys is None:
        rows = np.arange(len(pairs), dtype=np.int32)
        return rows if ascending else rows[::-1].copy()
    if np.issubdtype(keys.dtype, np.integer):
        whole = keys.astype(np.int64)
        lowest, highest = int(whole.min(initial=0)), int(whole.max(initial=0))
        return _sorted(whole - lowest if ascending else highest - whole)
    shares = keys.astype(np.float64)
    return np.argsort(shares if ascending else -shares, kind="stable").astype(np.int32)


def _sorted(digits: Int64Array) -> Rows:
    """Rows by numbers from 0 on, equal ones in their order: 16 bits after 16, the lowest first.

    NumPy sorts so many bits in linear time, and longer numbers by comparing them.
    """
    rows: Rows = np.arange(len(digits), dtype=np.int32)
    most = int(digits.max(initial=0))
    for shift in range(0, most.bit_length(), 16):
        part = (digits >> shift).astype(np.uint16)
        order = np.argsort(part[rows] if shift else part, kind="stable")
        rows = rows[order]
    return rows


def passing(
    rows: Rows, pairs: Pairs, names: DocumentNames, verdicts: PairVerdicts, chosen: PairFilter
) -> Rows:
    """Those of some rows that a filter lets through, in their order."""
    if chosen.is_empty:
        return rows
    shown = np.ones(len(pairs), dtype=np.bool_)
    if chosen.min_resemblance > 0:
        shown &= pairs.resemblance >= chosen.min_resemblance
    if chosen.min_containment > 0:
        most = np.maximum(pairs.containment_a, pairs.containment_b)
        shown &= most >= chosen.min_containment
    if chosen.verdicts:
        wanted = np.zeros(256, dtype=np.bool_)
        wanted[list(chosen.verdicts)] = True
        shown &= wanted[verdicts.verdict]
    if chosen.check:
        shown &= verdicts.is_checked
    if chosen.is_new:
        shown &= verdicts.news > 0
    if chosen.text:
        named = names.containing(chosen.text)
        shown &= named[pairs.a] | named[pairs.b]
    return rows[shown[rows]]


def next_of(order: Rows, wanted: BoolArray, row: int) -> int | None:
    """The next row of a table, from one on and then from the top, whose pair is wanted."""
    rows = np.flatnonzero(wanted[order])
    if not len(rows):
        return None
    return int(rows[int(np.searchsorted(rows, row)) % len(rows)])
