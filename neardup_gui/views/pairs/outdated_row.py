"""The line above a list that was made with other settings than are chosen now."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.views.widgets.cut_label import CutLabel
from neardup_gui.views.widgets.tool_button import ToolButton

EDGE = 3


class OutdatedRow(QWidget):
    """One line, cut at its end where there is no room, and the button that scans again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = CutLabel()
        self._button = ToolButton(QAction(self))
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + 9, 3, 6, 3)
        row.setSpacing(10)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._button)
        self.hide()

    @property
    def sentence(self) -> str:
        """What is said; empty when the list is up to date."""
        return "" if self.isHidden() else self._sentence.text()

    def offer(self, rescan: QAction) -> None:
        """The action that brings the list up to date."""
        self._button.setDefaultAction(rescan)

    def show_sentence(self, sentence: str, *, is_of_run: bool = False) -> None:
        """Say why the list is out of date, nothing when it is not; no scan helps that of a run."""
        self._button.setHidden(is_of_run)
        self._sentence.show_sentence(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and an edge in the colour of warnings."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().raised)
        painter.fillRect(QRect(0, 0, EDGE, self.height()), colors().warning)
