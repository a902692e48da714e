"""The two texts of a pair between their rulers, with the bands that join them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.found import FoundSpans
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.connectors import Connectors
from neardup_gui.views.compare.ruler import Ruler
from neardup_gui.views.compare.scrolling import READING_HEIGHT, Synchronizer
from neardup_gui.views.compare.steps import PassageSteps
from neardup_gui.views.compare.text_pane import TextPane

ALL = 10_000  # of the room, before anything else has some


class PairTexts(QWidget):
    """Shows the texts of a comparison, the other way round or at the same place.

    Signals:
        moved: What is on the screen has changed.
    """

    moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self.panes = (TextPane(0), TextPane(1))
        self.rulers = (Ruler(0), Ruler(1))
        self.connectors = Connectors(self.panes)
        self.synchronizer = Synchronizer(self.panes, self)
        self.steps = PassageSteps(self.panes, self.synchronizer, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rulers[0], 1)  # what the texts have no use for
        row.addWidget(self.panes[0], ALL)
        row.addWidget(self.connectors)
        row.addWidget(self.panes[1], ALL)
        row.addWidget(self.rulers[1], 1)
        for pane in self.panes:
            pane.scrolled.connect(self._on_moved)
            pane.resized.connect(self._on_moved)
        for ruler, pane in zip(self.rulers, self.panes, strict=True):
            ruler.place_chosen.connect(pane.scroll_to_share)
            ruler.wheel_turned.connect(pane.scroll_by_wheel)
        self.connectors.wheel_turned.connect(self.panes[0].scroll_by_wheel)
        self.connectors.passage_chosen.connect(self.steps.select)
        self.steps.moved_to.connect(self._on_moved_to)

    @property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The display positions of both texts on the screen."""
        a, b = (pane.geometry_of_text.visible_span() for pane in self.panes)
        return a, b

    @property
    def pages(self) -> tuple[int, int]:
        """The page of both texts that is read."""
        if self._comparison is None:
            return 1, 1
        a, b = self._comparison.sides
        return _page(self.panes[0], a), _page(self.panes[1], b)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show two texts from their beginnings."""
        self.synchronizer.set_comparison(None)
        self._comparison = comparison
        self.steps.set_comparison(comparison)
        for pane, ruler, side in zip(self.panes, self.rulers, comparison.sides, strict=True):
            pane.show_side(side, comparison.marks)
            ruler.show_side(side, comparison.marks)
            ruler.set_current(None)
        self.connectors.show_comparison(comparison)
        self.synchronizer.set_comparison(comparison)

    def show_in_place(self, comparison: Comparison) -> None:
        """Show the same texts with other marks, where the reader is."""
        if self._comparison is None:
            return
        geometry = self.panes[0].geometry_of_text
        position, _, top = geometry.line_at(READING_HEIGHT * geometry.height)
        place = self._comparison.sides[0].text.source_span(position, position)[0]
        self.show_comparison(comparison)
        geometry.bring(int(comparison.sides[0].text.starts[place]), top)
        self.synchronizer.follow(0)
        self._on_moved()

    def show_found(self, spans: Sequence[FoundSpans]) -> None:
        """Mark every place of a phrase in both texts and on their rulers."""
        for pane, ruler, found in zip(self.panes, self.rulers, spans, strict=True):
            pane.show_found(found)
            ruler.show_found(found)

    def clear(self) -> None:
        """Show no pair."""
        self._comparison = None
        self.steps.set_comparison(None)
        self.synchronizer.set_comparison(None)

    def _on_moved_to(self, passage: int | None) -> None:
        for part in (*self.panes, *self.rulers, self.connectors):
            part.set_current(passage)

    def _on_moved(self) -> None:
        if self._comparison is None:
            return
        for ruler, span in zip(self.rulers, self.spans, strict=True):
            ruler.set_window(span)
        self.connectors.update()
        self.moved.emit()


def _page(pane: TextPane, side: Side) -> int:
    """The page that is read in a pane: the one at the reading height."""
    if side.text.pages == 1:
        return 1
    geometry = pane.geometry_of_text
    return side.text.page_at(geometry.line_at(READING_HEIGHT * geometry.height)[0])
