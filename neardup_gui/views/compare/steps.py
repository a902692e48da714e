"""From passage to passage, and from change to change."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QObject, Signal

from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.views.compare.scrolling import READING_HEIGHT, Synchronizer
from neardup_gui.views.compare.text_pane import TextPane

LOW = 0.6  # of the height; a passage further down is brought up


class PassageSteps(QObject):
    """Knows the current passage of a pair, counted from 0, and brings it in sight.

    Signals:
        moved_to: Another passage is the current one, or None.
        selected: The user went to a passage.
    """

    moved_to = Signal(object)
    selected = Signal(int)

    def __init__(
        self, panes: tuple[TextPane, TextPane], synchronizer: Synchronizer, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._panes = panes
        self._synchronizer = synchronizer
        self._comparison: Comparison | None = None
        self.current: int | None = None
        for pane in panes:
            pane.passage_clicked.connect(self._on_clicked)

    def set_comparison(self, comparison: Comparison | None) -> None:
        """The pair whose passages these are; none of them is current."""
        self._comparison, self.current = comparison, None

    def select(self, passage: int) -> None:
        """Bring a passage and its counterpart opposite each other."""
        if self._comparison is None:
            return
        start = self._comparison.sides[0].extents[passage][0]
        geometry = self._panes[0].geometry_of_text
        y = geometry.line_top(start)
        if not 0 <= y <= LOW * geometry.height:
            y = READING_HEIGHT * geometry.height
        self._make_current(passage)
        for pane, side in zip(self._panes, self._comparison.sides, strict=True):
            pane.place_cursor(side.extents[passage][0])
        self._synchronizer.align(passage, 0, start, y)
        self.selected.emit(passage)

    def select_strongest(self) -> None:
        """Bring the first one in sight, if there is any."""
        if self._comparison is not None and self._comparison.marks:
            self.select(self._comparison.by_strength[0])

    def step(self, by: int) -> None:
        """Go on by so many, in the order of the text at the left."""
        if self._comparison is None or not self._comparison.marks:
            return
        side = self._comparison.sides[0]
        if self.current is None:
            top = self._panes[0].geometry_of_text.visible_span()[0]
            place = bisect_left([side.extents[passage][1] for passage in side.order], top + 1)
            place += min(by, 0)
        else:
            place = side.order.index(self.current) + by
        self.select(side.order[min(max(place, 0), len(side.order) - 1)])

    def _make_current(self, passage: int) -> None:
        self.current = passage
        self._synchronizer.set_current(passage)
        self.moved_to.emit(passage)

    def _on_clicked(self, passage: int, index: int) -> None:
        pane = self._panes[index]
        position = pane.textCursor().position()
        self._make_current(passage)
        y = pane.geometry_of_text.line_top(position)
        self._synchronizer.align(passage, index, position, max(y, 0.0))
        self.selected.emit(passage)
