"""Which places of two texts stand opposite each other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence


class Alignment:
    """Which position of B stands opposite a position of A: piecewise linear between anchors."""

    def __init__(self, anchors: Sequence[tuple[int, int]]) -> None:
        """`anchors` rise in both texts; where one stands still, the other has text of its own."""
        self._columns = ([a for a, _ in anchors], [b for _, b in anchors])

    def across(self, side: int, position: int) -> int:
        """The position in the other text that stands opposite one in this."""
        here, there = self._columns[side], self._columns[1 - side]
        index = min(max(bisect_right(here, position) - 1, 0), len(here) - 2)
        share = (position - here[index]) / max(here[index + 1] - here[index], 1)
        return round(there[index] + min(max(share, 0), 1) * (there[index + 1] - there[index]))

    def anchor_between(self, side: int, low: int, high: int) -> int | None:
        """The first anchor of a text in [low, high), if there is one."""
        here = self._columns[side]
        index = bisect_left(here, low)
        return here[index] if index < len(here) and here[index] < high else None

    def swapped(self) -> Alignment:
        """The same with A and B exchanged."""
        return Alignment(list(zip(self._columns[1], self._columns[0], strict=True)))

    @staticmethod
    def through(anchors: Iterable[tuple[int, int]], ends: tuple[int, int]) -> Alignment:
        """From the beginnings of two texts to their ends, through the anchors that rise."""
        rising = [(0, 0)]
        for anchor in sorted({(0, 0), ends, *anchors}):
            if anchor[1] >= rising[-1][1] and anchor != rising[-1]:
                rising.append(anchor)
        return Alignment(rising if len(rising) > 1 else [(0, 0), (0, 0)])
