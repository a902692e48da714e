"""Both panes scroll together along the alignment of the two texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject

from neardup_gui.models.compare.alignment import Alignment
from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.views.compare.text_pane import TextPane

READING_HEIGHT = 0.3


class Synchronizer(QObject):
    """Moves one pane when the other was scrolled.

    The line at about a third of the height is the one that is read; what stands opposite in the
    other text is brought to the same height. Near the beginning the line lies higher, so that both
    beginnings can be seen.
    """

    def __init__(self, panes: tuple[TextPane, TextPane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._busy = False
        self._seen = [-1, -1]
        self.together = True
        for pane in panes:
            pane.scrolled.connect(self._on_scrolled)
            pane.resized.connect(self._on_resized)

    def set_comparison(self, comparison: Comparison | None) -> None:
        """The pair that the panes show."""
        self._comparison = comparison
        self._current = None

    def set_current(self, passage: int | None) -> None:
        """While the current passage is read, its own counterpart stands opposite, moved or not."""
        self._current = passage

    def follow(self, index: int) -> None:
        """Bring the other pane to where this one is."""
        if self._comparison is None:
            return
        geometry = self._panes[index].geometry_of_text
        wanted = READING_HEIGHT * geometry.height
        start, end, top = geometry.line_at(geometry.room_above(geometry.line_at(0)[0], wanted))
        alignment = self._alignment_at(self._comparison, index, start, end)
        anchor = alignment.anchor_between(index, start, end)
        position = start if anchor is None else anchor
        with self._without_following():
            self._panes[1 - index].geometry_of_text.bring(alignment.across(index, position), top)

    def align(self, passage: int, index: int, position: int, y: float) -> None:
        """Bring a position of a passage to a height, and its counterpart opposite."""
        if self._comparison is None:
            return
        other = self._comparison.within[passage].across(index, position)
        here, there = (
            self._panes[index].geometry_of_text,
            self._panes[1 - index].geometry_of_text,
        )
        y = min(here.room_above(position, y), there.room_above(other, y))
        with self._without_following():
            here.bring(position, y)
            there.bring(other, y)

    def _alignment_at(self, comparison: Comparison, index: int, start: int, end: int) -> Alignment:
        if self._current is not None:
            first, last = comparison.sides[index].extents[self._current]
            if first < end and start < last:
                return comparison.within[self._current]
        return comparison.alignment

    @contextmanager
    def _without_following(self) -> Iterator[None]:
        """What scrolls meanwhile moves nothing else."""
        before, self._busy = self._busy, True
        try:
            yield
        finally:
            self._busy = before
            self._seen = [pane.geometry_of_text.line_at(0)[0] for pane in self._panes]

    def _on_scrolled(self, index: int) -> None:
        """Follow, unless only the count of lines above has changed."""
        if self._busy:
            return
        first = self._panes[index].geometry_of_text.line_at(0)[0]
        if self.together and first != self._seen[index]:
            self.follow(index)
        self._seen[index] = first

    def _on_resized(self, _index: int) -> None:
        if self.together and not self._busy and not self._hold_current():
            self.follow(0)

    def _hold_current(self) -> bool:
        """Keep the current passage opposite its counterpart; False when it is not on the screen.

        In a lower pane the line that is read can be one above the passage.
        """
        if self._comparison is None or self._current is None:
            return False
        geometry = self._panes[0].geometry_of_text
        first, last = self._comparison.sides[0].extents[self._current]
        seen_first, seen_last = geometry.visible_span()
        position = max(first, seen_first)
        if position >= min(last, seen_last):
            return False
        self.align(self._current, 0, position, geometry.line_top(position))
        return True
