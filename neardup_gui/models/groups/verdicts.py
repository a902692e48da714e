"""What is said of the pairs of groups: how many of each are judged, and whether all alike."""

from __future__ import annotations

import numpy as np

from core.base.arrays import Int64Array, UInt8Array
from core.scan.judgements import VERDICTS, Verdict
from neardup_gui.models.groups.grouped import GroupList

__all__ = ["GroupVerdicts"]


class GroupVerdicts:
    """Counts of judged pairs by group, made at once for all."""

    def __init__(self, listed: GroupList, verdicts: UInt8Array | None) -> None:
        """`verdicts` are places in `VERDICTS`, one for each listed pair; None before there are."""
        count = len(listed.pairs)
        if verdicts is None or len(verdicts) != count:  # of another list, whose own are to come
            verdicts = np.zeros(count, dtype=np.uint8)
        self._verdicts = verdicts
        within = self._verdicts[listed.within]
        starts = listed.starts
        totals = [np.append(0, np.cumsum(within == number)) for number in range(len(VERDICTS))]
        self._counts = np.array([one[starts[1:]] - one[starts[:-1]] for one in totals])

    def total(self, group: int) -> int:
        """How many pairs a group has."""
        return int(self._counts[:, group].sum())

    def judged(self, group: int) -> int:
        """How many of them are judged."""
        return int(self._counts[1:, group].sum())

    def count(self, group: int, verdict: Verdict) -> int:
        """How many of them have a verdict."""
        return int(self._counts[VERDICTS.index(verdict), group])

    def of_group(self, group: int) -> Verdict:
        """The verdict that all pairs of a group have; not reviewed where they have several."""
        alike = np.flatnonzero(self._counts[:, group])
        return VERDICTS[alike[0]] if len(alike) == 1 else Verdict.NOT_REVIEWED

    def of_pair(self, pair: int) -> Verdict:
        """What is said of a listed pair."""
        return VERDICTS[int(self._verdicts[pair])]

    def is_open(self, pairs: Int64Array) -> bool:
        """Whether one of some pairs is not judged."""
        return bool((self._verdicts[pairs] == 0).any())
