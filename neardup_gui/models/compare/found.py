"""Where a phrase stands in a text: many places, looked up and drawn without a loop over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

import numpy as np

from core.base.arrays import BoolArray, Int64Array
from neardup_gui.models.compare.display_text import DisplayText


class FoundSpans:
    """Spans in display positions, ascending and apart."""

    def __init__(self, starts: Int64Array, ends: Int64Array) -> None:
        self.starts, self.ends = starts, ends

    @staticmethod
    def nowhere() -> FoundSpans:
        """No place at all."""
        none = np.empty(0, dtype=np.int64)
        return FoundSpans(none, none)

    @staticmethod
    def of(text: DisplayText, starts: Sequence[int], ends: Sequence[int]) -> FoundSpans:
        """Spans of code points, none of them empty, as the text is displayed."""
        if not starts:
            return FoundSpans.nowhere()
        last = [end - 1 for end in ends]
        # A text is displayed in UTF-16; what is put between letters is no part of a span.
        letters = "".join(itemgetter(*last)(text.source)).encode("utf-32-le", "surrogatepass")
        widths = 1 + (np.frombuffer(letters, dtype="<u4") > 0xFFFF)
        return FoundSpans(
            text.starts[list(starts)].astype(np.int64),
            text.starts[last].astype(np.int64) + widths,
        )

    @staticmethod
    def joined(parts: Sequence[FoundSpans]) -> FoundSpans:
        """Those of parts of a text that follow each other."""
        if not parts:
            return FoundSpans.nowhere()
        return FoundSpans(
            np.concatenate([part.starts for part in parts]),
            np.concatenate([part.ends for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.starts)

    def between(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The spans that share a position with [low, high)."""
        first = int(np.searchsorted(self.ends, low, side="right"))
        last = int(np.searchsorted(self.starts, high))
        yield from zip(
            self.starts[first:last].tolist(), self.ends[first:last].tolist(), strict=True
        )

    def rows(self, length: int, height: int) -> BoolArray:
        """Which rows of a picture of the whole text hold a place.

        Args:
            length: Of the text, in display positions.
            height: Of the picture, in rows.

        Returns:
            bool (height,).
        """
        rows = np.zeros(max(height, 1), dtype=np.bool_)
        rows[np.minimum(self.starts * height // max(length, 1), height - 1)] = True
        return rows
