"""A word and a number in a frame with round ends, which is on or off."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from neardup_gui.environment.theme import colors, mix

SIDE, AIR = 10, 3
FOCUS = 2.0


class FilterChip(QAbstractButton):
    """Checked, it stands out by its frame and its ground, not by its colour alone."""

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._word = word
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_number("0")

    def show_number(self, number: str) -> None:
        """Say how many there are."""
        self.setText(f"{self._word} {number}")
        self.setAccessibleName(f"Show {self.text()}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for the words."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * SIDE
        return QSize(width, metrics.height() + 2 * AIR)

    def minimumSizeHint(self) -> QSize:
        """Never cut off."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the frame and the words."""
        now = colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        thick = FOCUS if self.hasFocus() or self.isChecked() else 1.0
        ink = now.accent if self.hasFocus() or self.isChecked() else now.border
        painter.setPen(QPen(ink, thick))
        ground = mix(now.accent, now.base, 0.12) if self.isChecked() else now.base
        painter.setBrush(ground if self.isEnabled() else now.window)
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2)
        words = now.accent if self.isChecked() else now.text
        painter.setPen(words if self.isEnabled() else mix(now.text, now.window, 0.45))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
