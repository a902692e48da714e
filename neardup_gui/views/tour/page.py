"""One step of the tour: what it explains, what can be moved, what comes out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QVBoxLayout, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.tour.pictures import Shown
from neardup_gui.models.tour.steps import Step
from neardup_gui.views.tour.chart import ChartView
from neardup_gui.views.tour.knobs import Knobs
from neardup_gui.views.tour.pictures import CellsView, SetsView
from neardup_gui.views.tour.texts import MarkedText, RowList
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.letter_width import letter_width
from neardup_gui.views.widgets.scaled_label import ScaledLabel

HEADING, TEXT = 1.7, 1.15
LINE = 92  # letters: longer lines are hard to read
SIDE_BY_SIDE = 100  # letters: in less room pictures stand below one another
MARGIN = 26
BAR = 4


class Finding(ScaledLabel):
    """What came out, beside a bar; read aloud when it changes."""

    def __init__(self) -> None:
        super().__init__(TEXT)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setContentsMargins(3 * BAR, 2, 0, 2)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar before the words."""
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, BAR, self.height(), colors().accent)


class StepPage(QWidget):
    """Shows a step; its `knobs` say what the user moves."""

    def __init__(self, step: Step, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.step = step
        self.knobs = Knobs(step)
        self.finding = Finding()
        self.chart, self.sets, self.cells = ChartView(), SetsView(), CellsView()
        self.rows, self.marked = RowList(), MarkedText()
        self._rows_title, self._marked_title = Caption(), Caption()
        self._wide: list[QLabel] = []
        self._pictures = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self.show_shown(Shown(finding="Reading the sample corpus…"))

    def show_shown(self, shown: Shown) -> None:
        """Show what came out."""
        self.finding.setText(shown.finding)
        self.chart.show_chart(shown.chart)
        self.sets.show_sets(shown.sets)
        self.cells.show_grid(shown.grid)
        self.rows.show_rows(shown.rows_title, shown.rows)
        self.marked.show_marked(shown.marked)
        marked = shown.marked.title if shown.marked else ""
        for label, title in ((self._rows_title, shown.rows_title), (self._marked_title, marked)):
            label.setText(title)
            label.setVisible(bool(title))
        self._beside.setVisible(bool(shown.rows or shown.marked))
        self.knobs.show_sentence(shown.sentence)

    def show_problem(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self.finding.setText(sentence)

    def _lay_out(self) -> None:
        heading = ScaledLabel(HEADING, self.step.value.heading)
        text = ScaledLabel(TEXT, self.step.value.text)
        for label in (heading, text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._wide = [text, self.finding]
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN - 8, MARGIN, MARGIN - 8)
        column.setSpacing(12)
        for widget in (heading, text, self.knobs, self.finding, self.sets, self.cells):
            column.addWidget(widget)
        self._beside = QWidget()
        beside = QVBoxLayout(self._beside)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(4)
        for part in (self._rows_title, self.rows, self._marked_title, self.marked):
            beside.addWidget(part)
        self._pictures.setSpacing(20)
        self._pictures.addWidget(self.chart, 5)
        self._pictures.addWidget(self._beside, 4)
        column.addLayout(self._pictures, 1)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put pictures beside or below one another."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        letter = letter_width(self.fontMetrics())
        for label in self._wide:
            label.setMaximumWidth(round(TEXT * LINE * letter))
        self.knobs.setMaximumWidth(round(TEXT * LINE * letter))
        narrow = self.width() < SIDE_BY_SIDE * letter
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._pictures.direction() != way:
            self._pictures.setDirection(way)
