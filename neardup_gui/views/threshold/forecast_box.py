"""The picture in words, in a quiet box."""

from __future__ import annotations

import html

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.reports.curve.forecast_words import ForecastNumbers, Sentence, plain
from neardup_gui.environment.theme import colors
from neardup_gui.views.threshold.hatching import Area, Swatch

RADIUS = 6
AREAS = (Area.MISSED, Area.EXTRA, Area.LISTED)


class ForecastBox(QWidget):
    """Three sentences, each beside a sample of what it speaks of."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(11, 9, 11, 9)
        grid.setHorizontalSpacing(9)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(len(AREAS), 1)
        self._swatches = [Swatch(area) for area in AREAS]
        self._labels = [QLabel() for _ in AREAS]
        for row, (swatch, label) in enumerate(zip(self._swatches, self._labels, strict=True)):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            swatch.setContentsMargins(0, 0, 0, 0)
            grid.addWidget(swatch, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1)

    def show_forecast(self, forecast: ForecastNumbers) -> None:
        """Show the sentences; one that is empty takes no room."""
        for swatch, label, sentence in zip(self._swatches, self._labels, forecast, strict=True):
            label.setText(rich(sentence))
            label.setVisible(bool(sentence))
            swatch.setVisible(bool(sentence))
        self.setAccessibleName("What this threshold means")
        self.setAccessibleDescription(plain(forecast))

        needed = self._grid.totalHeightForWidth(self.width())
        self.setMinimumHeight(max(self.minimumHeight(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width needs another height; while it stays, what is below never jumps up."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setMinimumHeight(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors().raised)
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)


def rich(sentence: Sentence) -> str:
    """A sentence as Qt reads it, with what is strong in it."""
    return "".join(
        f"<b>{html.escape(run.text)}</b>" if run.strong else html.escape(run.text)
        for run in sentence
    )
