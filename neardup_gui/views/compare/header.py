"""Above the texts: whose they are, every number of the pair, the passages, the dot plot."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from core.base.wording import count, counted
from core.evidence.hunks import ChangeKind
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.comparison import MOST_FACTS, Comparison
from neardup_gui.models.compare.passage_mark import PassageMark
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.views.compare.chips import PassageChips
from neardup_gui.views.compare.highlights import change_color, passage_color
from neardup_gui.views.compare.labels import (
    no_passage_sentence,
    passage_sentence,
    remarks_in_lines,
)
from neardup_gui.views.compare.names import NamesRow
from neardup_gui.views.compare.why_panel import WhyPanel
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.dock import CLOSE_ROOM
from neardup_gui.views.widgets.flow_layout import FlowLayout
from neardup_gui.views.widgets.link_label import LinkLabel

EDGE = 92
PADDING = 5.0
SHORTEST_LINE = 3.0
NEAR = 9.0


class DotPlot(QWidget):
    """Text that stands in the same order runs down the diagonal; moved text lies off it."""

    passage_chosen = Signal(int)
    place_chosen = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Dot plot: text A across, text B down")
        self.setToolTip("A across, B down; a line for every passage. Click to go there.")
        self._comparison: Comparison | None = None
        self._current: int | None = None
        self._window = ((0, 0), (0, 0))
        self._cache: tuple[object, QPixmap] | None = None

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(EDGE, EDGE)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show a pair."""
        self._comparison, self._current, self._cache = comparison, None, None
        self.update()

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        self._current = passage
        self.update()

    def set_window(self, a: tuple[int, int], b: tuple[int, int]) -> None:
        """The display positions on the screen."""
        self._window = (a, b)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The lines from the cache; the current one and the window over them."""
        if self._comparison is None:
            return
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture(self._comparison))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._current is not None:
            self._draw_passage(painter, self._comparison, self._current, 4.5)
        painter.setPen(QPen(colors().muted, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        (a_start, a_end), (b_start, b_end) = self._window
        corner = self._point(self._comparison, a_start, b_start)
        window = QRectF(corner, self._point(self._comparison, a_end, b_end))
        window.setSize(window.size().expandedTo(QSize(5, 5).toSizeF()))
        painter.drawRect(window)

    def _picture(self, comparison: Comparison) -> QPixmap:
        key = (self.devicePixelRatioF(), colors())
        if self._cache is None or self._cache[0] != key:
            ratio = self.devicePixelRatioF()
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors().border, 1))
            painter.setBrush(colors().raised)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            for passage in range(len(comparison.marks)):
                self._draw_passage(painter, comparison, passage, 2.5)
            painter.end()
            self._cache = (key, picture)
        return self._cache[1]

    def _draw_passage(
        self, painter: QPainter, comparison: Comparison, passage: int, width: float
    ) -> None:
        pen = QPen(passage_color(comparison.marks[passage]).line, width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(*self._line(comparison, passage))

    def _line(self, comparison: Comparison, passage: int) -> tuple[QPointF, QPointF]:
        (a_start, a_end), (b_start, b_end) = (side.extents[passage] for side in comparison.sides)
        start = self._point(comparison, a_start, b_start)
        end = self._point(comparison, a_end, b_end)
        length = math.hypot(end.x() - start.x(), end.y() - start.y())
        if length < SHORTEST_LINE:
            end = QPointF(start.x() + SHORTEST_LINE, start.y() + SHORTEST_LINE)
        return start, end

    def _point(self, comparison: Comparison, a: int, b: int) -> QPointF:
        edge = EDGE - 2 * PADDING
        x, y = (
            PADDING + edge * position / max(side.text.length, 1)
            for side, position in zip(comparison.sides, (a, b), strict=True)
        )
        return QPointF(x, y)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the passage that is near, or else the place."""
        if self._comparison is None:
            return
        point = event.position()
        near = [
            (_distance(point, *self._line(self._comparison, passage)), passage)
            for passage in range(len(self._comparison.marks))
        ]
        if near and min(near)[0] <= NEAR:
            self.passage_chosen.emit(min(near)[1])
            return
        edge = EDGE - 2 * PADDING
        shares = ((value - PADDING) / edge for value in (point.x(), point.y()))
        self.place_chosen.emit(*(min(max(share, 0.0), 1.0) for share in shares))


def _distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """From a point to a line between two."""
    along = end - start
    square = max(QPointF.dotProduct(along, along), 1e-9)
    share = min(max(QPointF.dotProduct(point - start, along) / square, 0.0), 1.0)
    away = point - (start + along * share)
    return math.hypot(away.x(), away.y())


SAME = "No word was changed: the texts differ in white space at most."


def changes_in_words(marks: Sequence[PassageMark]) -> str:
    """How many changes there are of which kind, as rich text."""
    if not marks:
        return SAME
    numbers = Counter(mark.kind for mark in marks if mark.kind is not None)
    parts = [_styled(kind, numbers[kind]) for kind in ChangeKind if numbers[kind]]
    return f"<b>{counted(len(marks), 'change')}</b>: {', '.join(parts)}"


def _styled(kind: ChangeKind, number: int) -> str:
    line = "line-through" if kind is ChangeKind.ONLY_A else "underline"
    fill = change_color(kind).fill.name()
    style = f"background-color: {fill}; text-decoration: {line}"
    return f'{count(number)} <span style="{style}">&nbsp;{kind.value}&nbsp;</span>'


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
