"""What is said of the pairs of groups: how many of each are judged, and whether all alike."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.base.arrays import BoolArray, Int64Array, UInt8Array
from core.scan.judgements import VERDICTS, Verdict
from neardup_gui.models.groups.grouped import GroupList
from neardup_gui.models.pairs.verdicts import PairVerdicts
from neardup_gui.models.words.verdicts import marked


class GroupVerdicts:
    """Counts by group, made at once for all when one is first asked for."""

    def __init__(self, listed: GroupList, pairs: PairVerdicts | None = None) -> None:
        """`pairs` says what is said of the pairs of the same list; None before it is known."""
        self._listed = listed
        self._pairs = pairs or PairVerdicts.none_on(listed.pairs)

    @cached_property
    def _verdict(self) -> UInt8Array:
        """Of each pair within a group."""
        return self._pairs.verdict[self._listed.within]

    @cached_property
    def _is_open(self) -> BoolArray:
        """Which pairs of the list wait for a verdict."""
        return self._pairs.is_open

    @cached_property
    def _judged(self) -> Int64Array:
        return self._counted(~self._is_open[self._listed.within])

    @cached_property
    def _with_verdict(self) -> list[Int64Array]:
        return [self._counted(self._verdict == number) for number in range(len(VERDICTS))]

    def _counted(self, chosen: BoolArray) -> Int64Array:
        """How many pairs of each group are chosen."""
        until = np.append(0, np.cumsum(chosen))
        starts = self._listed.starts
        counts: Int64Array = until[starts[1:]] - until[starts[:-1]]
        return counts

    def total(self, group: int) -> int:
        """How many pairs a group has."""
        return int(self._listed.starts[group + 1] - self._listed.starts[group])

    def judged(self, group: int) -> int:
        """How many of them are judged."""
        return int(self._judged[group])

    def count(self, group: int, verdict: Verdict) -> int:
        """How many of them have a verdict."""
        return int(self._with_verdict[VERDICTS.index(verdict)][group])

    def text_of_group(self, group: int) -> str:
        """The verdict that all pairs of a group have; nothing where they have several."""
        alike = [one for one in VERDICTS if self.count(group, one) == self.total(group)]
        return marked(alike[0]) if alike else ""

    def text_of_pair(self, pair: int) -> str:
        """What is said of a listed pair: "● confirmed"."""
        return self._pairs.text(pair)

    def in_full(self, pair: int) -> str:
        """All that is said of a pair: verdict, who and when, the note."""
        return self._pairs.in_full(pair)

    def note(self, pair: int) -> str:
        """The note on a pair."""
        return self._pairs.note(pair)

    def are_open(self, pairs: Int64Array) -> bool:
        """Whether one of some pairs waits for a verdict."""
        return bool(self._is_open[pairs].any())
