"""Above the texts: whose they are, every number of the pair, the passages, the dot plot."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from neardup_gui.models.compare.comparison import MOST_FACTS, Comparison
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.compare.chips import PassageChips
from neardup_gui.views.compare.dot_plot import DotPlot
from neardup_gui.views.compare.labels import (
    no_passage_sentence,
    passage_sentence,
    remarks_in_lines,
)
from neardup_gui.views.compare.legend import changes_in_words
from neardup_gui.views.compare.names import NamesRow
from neardup_gui.views.compare.why_panel import WhyPanel
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.dock import CLOSE_ROOM
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel

MARGIN = 16
DIFFERENCES, SHARED = "Differences", "Shared text"
WHY, WHY_OPEN = "Why this pair", "Hide why"


class CompareHeader(QWidget):
    """Everything that is known of the pair, before its texts.

    Signals:
        why_opened: Whether the words on why the pair is listed are open.
        differences_wanted: Whether the user wants to see what was changed.
    """

    why_opened = Signal(bool)
    differences_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._marked: Comparison | None = None  # its passages or changes are on the chips
        self._names = NamesRow()
        self._names.remarks_clicked.connect(self._on_remarks_clicked)
        self._remarks = Caption()
        self._remarks.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remarks_of: int | None = None
        self._facts = [QLabel() for _ in range(MOST_FACTS)]
        self._sentence = QLabel()
        self._sentence.setTextFormat(Qt.TextFormat.RichText)
        self._sentence.setWordWrap(True)
        self._mode = LinkLabel(DIFFERENCES)
        self._mode.setToolTip("Shared text or differences (D)")
        self._mode.clicked.connect(self._on_mode_clicked)
        self._why = LinkLabel(WHY)
        self._why.clicked.connect(self.toggle_why)
        self._why_panel = WhyPanel()
        self._why_panel.hide()
        self.chips = PassageChips()
        self.dot_plot = DotPlot()
        self._lay_out()

    def _lay_out(self) -> None:
        numbers = FlowLayout(18, 3)
        for label in self._facts:
            label.setTextFormat(Qt.TextFormat.RichText)
            numbers.addWidget(label)
        numbers.addWidget(self._why)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self._names)
        left.addWidget(self._remarks)
        left.addLayout(numbers)
        left.addWidget(self._why_panel)
        marks = QHBoxLayout()
        marks.setSpacing(MARGIN)
        marks.addWidget(self.chips, 1)
        marks.addStretch(0)
        marks.addWidget(self._mode)
        left.addLayout(marks)
        left.addWidget(self._sentence)
        left.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 4, CLOSE_ROOM, 12)
        row.setSpacing(MARGIN)
        row.addLayout(left, 1)
        row.addWidget(self.dot_plot, 0, Qt.AlignmentFlag.AlignTop)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._comparison = comparison
        self._names.show_sides(comparison.sides)
        self._show_remarks(None)
        facts = comparison.numbers.facts
        for number in self._facts[len(facts) :]:
            number.hide()
        for number, fact in zip(self._facts, facts, strict=False):
            number.show()
            number.setText(f"{fact.name} <b>{html.escape(fact.value)}</b>")
            number.setToolTip(tool_tip(fact.meaning))
        self._why_panel.show_why(comparison.why)
        self.dot_plot.show_comparison(comparison)
        self.show_marks(comparison)

    def show_marks(self, comparison: Comparison) -> None:
        """Show the passages of the pair, or its changes."""
        self._marked = comparison
        self.chips.show_comparison(comparison)
        self.chips.setVisible(bool(comparison.marks))
        self.dot_plot.set_current(None)
        if comparison.shows_changes:
            self._sentence.setText(changes_in_words(comparison.marks))
        elif comparison.marks:
            self._sentence.setText(html.escape(passage_sentence(comparison, None)))
        else:
            self._sentence.setText(no_passage_sentence(comparison.numbers))
        self._sentence.show()

    def show_mode(self, *, differences: bool) -> None:
        """Say what the other way of reading the texts is."""
        self._mode.setText(SHARED if differences else DIFFERENCES)
        self._mode.updateGeometry()

    def say_finding(self) -> None:
        """Say that the changes are not known yet."""
        self._sentence.setText("Finding what was changed…")
        self._sentence.show()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self.chips.set_current(passage)
        shared = self._marked is None or not self._marked.shows_changes
        self.dot_plot.set_current(passage if shared else None)
        if shared and self._marked is not None and self._marked.marks:
            self._sentence.setText(html.escape(passage_sentence(self._marked, passage)))

    def set_compact(self, compact: bool) -> None:
        """Do without the dot plot where the texts need its height."""
        self.dot_plot.setHidden(compact)

    def toggle_why(self) -> None:
        """Open or close the words on why the pair is listed; they stay open from pair to pair."""
        self._why_panel.setVisible(self._why_panel.isHidden())
        self._why.setText(WHY if self._why_panel.isHidden() else WHY_OPEN)
        self.why_opened.emit(not self._why_panel.isHidden())

    def show_rare(self, sentences: Sequence[str]) -> None:
        """Say how rare the passages of the pair are."""
        self._why_panel.show_rare(sentences)

    def show_pages(self, pages: tuple[int, int]) -> None:
        """Show which page of each document is read."""
        self._names.show_pages(pages)

    def _on_mode_clicked(self) -> None:
        self.differences_wanted.emit(self._mode.text() == DIFFERENCES)

    def _on_remarks_clicked(self, side: int) -> None:
        self._show_remarks(None if side == self._remarks_of else side)

    def _show_remarks(self, side: int | None) -> None:
        self._remarks_of = side
        if side is not None and self._comparison is not None:
            shown = self._comparison.sides[side]
            self._remarks.setText(f"{shown.name}:\n{remarks_in_lines(shown.origin.remarks)}")
        self._remarks.setVisible(side is not None)
