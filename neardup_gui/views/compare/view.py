"""One pair side by side: header, texts, rulers and the bands between them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from neardup_gui.models.compare.comparison import Comparison
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.finding import Finder, FoundPhrase
from neardup_gui.views.compare.header import CompareHeader
from neardup_gui.views.compare.page import SentencePage
from neardup_gui.views.compare.text_pane import TextPane
from neardup_gui.views.compare.texts import PairTexts

RULE = 1
AT_ONCE = 100  # milliseconds in which changes may take the place of passages without a word
ROOMY = 3.5  # times the least height of the texts, and there is room for the dot plot


class CompareView(QWidget):
    """Shows a comparison and leads from passage to passage.

    Passages are counted from 0 in signals and slots; `shown` carries the `Comparison`,
    `differences_wanted` whether the user wants changes to be shown, and not what is shared.
    """

    passage_selected = Signal(int)
    differences_wanted = Signal(bool)
    back_requested = Signal()
    found = Signal(int, int, bool)
    shown = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared: Comparison | None = None  # the pair that is open
        self._comparison: Comparison | None = None  # what is shown of it
        self._differences = False
        self._slow = QTimer(self, singleShot=True, interval=AT_ONCE)
        self._to_reveal = False
        self._focused_pane = 0  # of the pair before, while another is loaded
        self.header = CompareHeader()
        self._texts = PairTexts()
        self.panes = self._texts.panes
        self._steps = self._texts.steps
        self._finder = Finder(self)
        self._lay_out()
        self._connect()
        self.clear()

    def _lay_out(self) -> None:
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
        column.addWidget(self._texts, 1)
        self._page_without_pair = SentencePage()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page_without_pair)
        self._pages.addWidget(pair)

    def _connect(self) -> None:
        self._texts.moved.connect(self._on_moved)
        self.header.chips.passage_chosen.connect(self._steps.select)
        self.header.differences_wanted.connect(self.differences_wanted)
        self.header.dot_plot.passage_chosen.connect(self.select_passage)
        self._slow.timeout.connect(self.header.say_finding)
        self._steps.moved_to.connect(self.header.set_current)
        self._steps.selected.connect(self.passage_selected)
        self.header.dot_plot.place_chosen.connect(self._on_places_chosen)
        self._finder.found.connect(self._on_found)
        self._finder.counted.connect(self.found)
        self._finder.marked.connect(self._texts.show_found)

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
        """Show a pair, with its strongest passage in sight, or its first change."""
        focused = self._page_without_pair.hasFocus()
        self._shared = comparison
        self.header.show_comparison(comparison)
        self._comparison = shown = self._wanted(comparison)
        self.header.show_marks(shown)
        self._texts.show_comparison(shown)
        self._finder.set_comparison(shown)
        self._pages.setCurrentIndex(1)
        if focused:
            self.panes[self._focused_pane].setFocus()
        self._to_reveal = not self.isVisible()
        if not self._to_reveal:
            self._reveal_strongest_passage()
        self.shown.emit(comparison)

    def set_differences(self, wanted: bool) -> None:
        """Show what was changed, as soon as it is known, or what is shared; at the same place."""
        self._differences = wanted
        self.header.show_mode(differences=wanted)
        self._show_again()

    def show_changes(self, changes: Comparison) -> None:
        """The changes of the pair that is shown are known now."""
        if self._shared is not None:
            self._shared = replace(self._shared, changes=changes)
            self._show_again()

    def _wanted(self, shared: Comparison) -> Comparison:
        """What is to be shown of a pair, as far as it is known."""
        if not self._differences:
            self._slow.stop()
            return shared
        if shared.changes is None:
            self._slow.start()
            return shared
        self._slow.stop()
        return shared.changes

    def _show_again(self) -> None:
        """Show the other one of the two, where the reader is."""
        if self._shared is None or self._comparison is None:
            return
        wanted = self._wanted(self._shared)
        if wanted is self._comparison:
            self.header.show_marks(wanted)
            return
        self._comparison = wanted
        self.header.show_marks(wanted)
        self._texts.show_in_place(wanted)
        self._finder.set_comparison(wanted)

    def show_loading(self, names: tuple[str, str]) -> None:
        """Say that another pair is on its way; the focus waits for it where it was."""
        focused = [index for index, pane in enumerate(self.panes) if pane.hasFocus()]
        if not self._page_without_pair.hasFocus():  # it has it from a pair before
            self._focused_pane = focused[0] if focused else 0
        self._leave(f"Loading {names[0]} and {names[1]}…")
        if focused:
            self._page_without_pair.setFocus()

    def clear(self, why: str = "Choose a pair to read it side by side.") -> None:
        """Show no pair."""
        self._leave(why)

    def _leave(self, sentence: str) -> None:
        self._shared = self._comparison = None
        self._slow.stop()
        self._texts.clear()
        self._finder.set_comparison(None)
        self._page_without_pair.say(sentence)
        self._pages.setCurrentIndex(0)

    def select_passage(self, passage: int) -> None:
        """Bring a shared passage and its counterpart opposite each other; beside changes its place.

        Where changes are shown these are numbered, and not the passages.
        """
        if self._shared is None:
            return
        if self._comparison is self._shared:
            self._steps.select(passage)
        else:
            side = self._shared.sides[0]
            self.panes[0].scroll_to_share(side.extents[passage][0] / max(side.text.length, 1))

    def next_passage(self) -> None:
        """Go to the next passage, in the order of the text at the left."""
        self._steps.step(1)

    def previous_passage(self) -> None:
        """Go to the passage before."""
        self._steps.step(-1)

    def set_synchronized(self, together: bool) -> None:
        """Scroll the texts together, or each by itself."""
        self._texts.synchronizer.together = together
        if together:
            self._texts.synchronizer.follow(0)

    def swap_sides(self) -> None:
        """Exchange left and right; passages keep their numbers."""
        if self._shared is not None:
            current = self._steps.current
            self.show_comparison(self._shared.swapped())
            if current is not None:
                self._steps.select(current)

    @property
    def selected_pane(self) -> TextPane | None:
        """The text in which something is selected, the focused one first."""
        ordered = sorted(self.panes, key=lambda pane: not pane.hasFocus())
        return next((pane for pane in ordered if pane.selection()), None)

    def copy_quotation(self) -> None:
        """Copy what is selected, with its document and page."""
        if self.selected_pane is not None:
            self.selected_pane.copy_quotation()

    def find_text(self, phrase: str) -> None:
        """Go to the first place of a phrase in the texts; `found` says which of how many."""
        self._finder.find(phrase)

    def find_next(self) -> None:
        """Go to the next place of the phrase."""
        self._finder.step(1)

    def find_previous(self) -> None:
        """Go to the place of the phrase before."""
        self._finder.step(-1)

    def _reveal_strongest_passage(self) -> None:
        self._steps.select_strongest()
        self._on_moved()

    def _on_moved(self) -> None:
        if self._comparison is None or self._shared is None:
            return
        sides = zip(self._texts.spans, self._comparison.sides, self._shared.sides, strict=True)
        a, b = (_scaled(span, shown, of) for span, shown, of in sides)
        self.header.dot_plot.set_window(a, b)
        self.header.show_pages(self._texts.pages)

    def _on_places_chosen(self, a: float, b: float) -> None:
        self.panes[0].scroll_to_share(a)
        if not self._texts.synchronizer.together:
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


def _scaled(span: tuple[int, int], shown: Side, plotted: Side) -> tuple[int, int]:
    """A span of the text that is shown in the one of the plot, which has other room in it."""
    start, end = (place * plotted.text.length // max(shown.text.length, 1) for place in span)
    return start, end
