"""One pair side by side: header, texts, rulers and the bands between them."""

from __future__ import annotations

from bisect import bisect_left

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from neardup_gui.models.compare.comparison import Comparison, Side
from neardup_gui.views.compare.connectors import Connectors
from neardup_gui.views.compare.finding import Finder, FoundPhrase
from neardup_gui.views.compare.header import CompareHeader
from neardup_gui.views.compare.page import SentencePage
from neardup_gui.views.compare.ruler import Ruler
from neardup_gui.views.compare.scrolling import READING_HEIGHT, Synchronizer
from neardup_gui.views.compare.text_pane import TextPane

__all__ = ["CompareView"]

RULE = 1
ROOMY = 3.5  # times the least height of the texts, and there is room for the dot plot


class CompareView(QWidget):
    """Shows a comparison and leads from passage to passage.

    Passages are counted from 0 in signals and slots; `shown` carries the `Comparison`.
    """

    passage_selected = Signal(int)
    back_requested = Signal()
    found = Signal(int, int)
    shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._to_reveal = False
        self._focused_pane = 0  # of the pair before, while another is loaded
        self.header = CompareHeader()
        self.panes = (TextPane(0), TextPane(1))
        self.rulers = (Ruler(), Ruler())
        self.connectors = Connectors(self.panes)
        self._synchronizer = Synchronizer(self.panes, self)
        self._finder = Finder(self)
        self._lay_out()
        self._connect()
        self.clear()

    def _lay_out(self) -> None:
        texts = QHBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self.rulers[0])
        texts.addWidget(self.panes[0], 1)
        texts.addWidget(self.connectors)
        texts.addWidget(self.panes[1], 1)
        texts.addWidget(self.rulers[1])
        rule = QFrame()
        rule.setFrameShape(QFrame.Shape.NoFrame)
        rule.setFixedHeight(RULE)
        rule.setAutoFillBackground(True)
        rule.setBackgroundRole(rule.palette().ColorRole.Mid)
        pair = QWidget()
        column = QVBoxLayout(pair)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(rule)
        column.addLayout(texts, 1)
        self._page_without_pair = SentencePage()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page_without_pair)
        self._pages.addWidget(pair)

    def _connect(self) -> None:
        for pane in self.panes:
            pane.passage_clicked.connect(self._on_passage_clicked)
            pane.scrolled.connect(self._on_moved)
            pane.resized.connect(self._on_moved)
        for ruler, pane in zip(self.rulers, self.panes, strict=True):
            ruler.place_chosen.connect(pane.scroll_to_share)
            ruler.wheel_turned.connect(pane.scroll_by_wheel)
        self.connectors.wheel_turned.connect(self.panes[0].scroll_by_wheel)
        self.connectors.passage_chosen.connect(self.select_passage)
        self.header.chips.passage_chosen.connect(self.select_passage)
        self.header.dot_plot.passage_chosen.connect(self.select_passage)
        self.header.dot_plot.place_chosen.connect(self._on_places_chosen)
        self._finder.found.connect(self._on_found)
        self._finder.counted.connect(self.found)

    @property
    def entry(self) -> QWidget:
        """Where the keyboard enters: the text at the left, not what stands above it."""
        return self.panes[0] if self._pages.currentIndex() else self._page_without_pair

    def focus_texts(self) -> None:
        """Lead into the texts, or to what stands in their place."""
        self.entry.setFocus()

    def minimumSizeHint(self) -> QSize:
        """A header that is never cut, with as many lines as its numbers need, and some text."""
        width = max(self.width(), 1)
        texts = self.panes[0].minimumSizeHint().height()
        height = self.header.heightForWidth(width) + RULE + texts
        return QSize(super().minimumSizeHint().width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The texts come first: what is only a picture of them gives way to their lines."""
        super().resizeEvent(event)
        lines = self.height() / self.panes[0].minimumSizeHint().height()
        self.header.set_compact(lines < ROOMY)
        self.updateGeometry()

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair, with its strongest passage in sight."""
        focused = self._page_without_pair.hasFocus()
        self._comparison, self._current = comparison, None
        self._synchronizer.set_comparison(None)
        self.header.show_comparison(comparison)
        for pane, ruler, side in zip(self.panes, self.rulers, comparison.sides, strict=True):
            pane.show_side(side, comparison.marks)
            ruler.show_side(side, comparison.marks)
            ruler.set_current(None)
        self.connectors.show_comparison(comparison)
        self._synchronizer.set_comparison(comparison)
        self._finder.set_comparison(comparison)
        self._pages.setCurrentIndex(1)
        if focused:
            self.panes[self._focused_pane].setFocus()
        self._to_reveal = not self.isVisible()
        if not self._to_reveal:
            self._reveal_strongest_passage()
        self.shown.emit(comparison)

    def show_loading(self, names: tuple[str, str]) -> None:
        """Say that another pair is on its way; the focus waits for it where it was."""
        focused = [index for index, pane in enumerate(self.panes) if pane.hasFocus()]
        if not self._page_without_pair.hasFocus():  # it has it from a pair before
            self._focused_pane = focused[0] if focused else 0
        self._leave(f"Loading {names[0]} and {names[1]}…")
        if focused:
            self._page_without_pair.setFocus()

    def clear(self) -> None:
        """Show no pair."""
        self._leave("Choose a pair to read it side by side.")

    def _leave(self, sentence: str) -> None:
        self._comparison = self._current = None
        self._synchronizer.set_comparison(None)
        self._finder.set_comparison(None)
        self._page_without_pair.say(sentence)
        self._pages.setCurrentIndex(0)

    def select_passage(self, passage: int) -> None:
        """Bring a passage and its counterpart opposite each other."""
        if self._comparison is None:
            return
        start = self._comparison.sides[0].extents[passage][0]
        geometry = self.panes[0].geometry_of_text
        y = geometry.line_top(start)
        if not 0 <= y <= 0.6 * geometry.height:
            y = READING_HEIGHT * geometry.height
        self._make_current(passage)
        for pane, side in zip(self.panes, self._comparison.sides, strict=True):
            pane.place_cursor(side.extents[passage][0])
        self._synchronizer.align(passage, 0, start, y)
        self.passage_selected.emit(passage)

    def next_passage(self) -> None:
        """Go to the next passage, in the order of the text at the left."""
        self._step(1)

    def previous_passage(self) -> None:
        """Go to the passage before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._comparison is None or not self._comparison.marks:
            return
        side = self._comparison.sides[0]
        if self._current is None:
            top = self.panes[0].geometry_of_text.visible_span()[0]
            place = bisect_left([side.extents[passage][1] for passage in side.order], top + 1)
            place += min(by, 0)
        else:
            place = side.order.index(self._current) + by
        self.select_passage(side.order[min(max(place, 0), len(side.order) - 1)])

    def set_synchronized(self, together: bool) -> None:
        """Scroll the texts together, or each by itself."""
        self._synchronizer.together = together
        if together:
            self._synchronizer.follow(0)

    def swap_sides(self) -> None:
        """Exchange left and right; passages keep their numbers."""
        if self._comparison is not None:
            current = self._current
            self.show_comparison(self._comparison.swapped())
            if current is not None:
                self.select_passage(current)

    def find_text(self, phrase: str) -> None:
        """Go to the first place of a phrase in the texts; `found` says which of how many."""
        self._finder.find(phrase)

    def find_next(self) -> None:
        """Go to the next place of the phrase."""
        self._finder.step(1)

    def find_previous(self) -> None:
        """Go to the place of the phrase before."""
        self._finder.step(-1)

    def _make_current(self, passage: int | None) -> None:
        self._current = passage
        self._synchronizer.set_current(passage)
        for part in (self.header, *self.panes, *self.rulers, self.connectors):
            part.set_current(passage)

    def _reveal_strongest_passage(self) -> None:
        if self._comparison is not None and self._comparison.marks:
            self.select_passage(self._comparison.by_strength[0])
        self._on_moved()

    def _on_passage_clicked(self, passage: int, index: int) -> None:
        pane = self.panes[index]
        position = pane.textCursor().position()
        self._make_current(passage)
        y = pane.geometry_of_text.line_top(position)
        self._synchronizer.align(passage, index, position, max(y, 0.0))
        self.passage_selected.emit(passage)

    def _on_moved(self) -> None:
        if self._comparison is None:
            return
        spans = [pane.geometry_of_text.visible_span() for pane in self.panes]
        for ruler, span in zip(self.rulers, spans, strict=True):
            ruler.set_window(span)
        self.header.dot_plot.set_window(spans[0], spans[1])
        sides = self._comparison.sides
        self.header.show_pages((_page(self.panes[0], sides[0]), _page(self.panes[1], sides[1])))
        self.connectors.update()

    def _on_places_chosen(self, a: float, b: float) -> None:
        self.panes[0].scroll_to_share(a)
        if not self._synchronizer.together:
            self.panes[1].scroll_to_share(b)

    def _on_found(self, place: FoundPhrase) -> None:
        self.panes[place.side].reveal_source(place.start, place.end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads back to the table."""
        if event.key() == Qt.Key.Key_Escape:
            self.back_requested.emit()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """The strongest passage can be brought in sight only now."""
        super().showEvent(event)
        if self._to_reveal:
            self._to_reveal = False
            self._reveal_strongest_passage()


def _page(pane: TextPane, side: Side) -> int:
    """The page that is read in a pane: the one at the reading height."""
    if side.text.pages == 1:
        return 1
    geometry = pane.geometry_of_text
    return side.text.page_at(geometry.line_at(READING_HEIGHT * geometry.height)[0])
