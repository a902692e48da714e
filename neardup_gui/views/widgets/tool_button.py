"""A button of the tool bar: the word, and its key in quiet letters."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from neardup_gui.environment.theme import colors, mix

SIDE = 10
GAP = 6
HINT_SCALE = 0.86


class ToolButton(QToolButton):
    """Follows an action: its text, its key, whether it can be used."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shows_key = True
        self.setDefaultAction(action)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoRaise(True)

    def show_key(self, shown: bool) -> None:
        """Whether the key is written beside the word; its tool tip has it in any case."""
        if shown != self._shows_key:
            self._shows_key = shown
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Room for both."""
        text = self.fontMetrics().horizontalAdvance(self._title())
        hint = QFontMetrics(self._hint_font()).horizontalAdvance(self._hint())
        gap = GAP if hint else 0
        return QSize(text + gap + hint + 2 * SIDE, self.fontMetrics().height() + 12)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the word and its key."""
        now = colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        enabled = self.isEnabled()
        painter.setPen(now.text if enabled else mix(now.text, now.window, 0.45))
        area = self.rect().adjusted(SIDE, 0, -SIDE, 0)
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | vertical), self._title())
        painter.setFont(self._hint_font())
        painter.setPen(now.muted if enabled else mix(now.muted, now.window, 0.5))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | vertical), self._hint())

    def _paint_ground(self, painter: QPainter) -> None:
        now = colors()
        if self.isDown() or (self.underMouse() and self.isEnabled()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now.raised)
            painter.drawRoundedRect(self.rect(), 5, 5)
        if self.hasFocus():
            painter.setPen(now.accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)

    def _title(self) -> str:
        return self.defaultAction().iconText()

    def _hint(self) -> str:
        if not self._shows_key:
            return ""
        key = self.defaultAction().shortcut()
        return key.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")

    def _hint_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * HINT_SCALE)
        return font
