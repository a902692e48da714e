"""What says what a passage is, and the line between passages and documents."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.words.passages import MEANINGS, PassageMeaning, key_of, name_of
from neardup_gui.views.widgets.tool_button import ToolButton

__all__ = ["MeaningButton", "ThinSplitter"]

GRIP = 5


class MeaningButton(ToolButton):
    """Says what a passage is; the key beside the words is one of the Review menu."""

    def __init__(self, meaning: PassageMeaning | None, parent: QWidget | None = None) -> None:
        super().__init__(QAction(name_of(meaning)), parent)
        self._key = key_of(meaning)
        self.defaultAction().setParent(self)
        self.setToolTip(tool_tip(MEANINGS[meaning]))

    def _hint(self) -> str:
        return self._key


class ThinHandle(QSplitterHandle):
    """A hair line."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().base)
        painter.fillRect(self.width() // 2, 0, 1, self.height(), colors().border)


class ThinSplitter(QSplitter):
    """Two lists beside each other, each as wide as the user wants it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(GRIP)

    def createHandle(self) -> QSplitterHandle:
        """A handle that is hardly seen."""
        return ThinHandle(self.orientation(), self)
