"""How many buckets there are of each size, and how many pairs they hold, as bars."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from neardup_gui.environment.theme import Colors, colors, mix
from neardup_gui.models.words.numbers import tool_tip
from neardup_gui.models.workbench.buckets import Fill, fill_words

SIDE = 12
AIR = 6
GAP = 0.3  # of the room of a class, between it and the next
WIDEST = 64  # pixels of a class
FADED = 0.6  # of the hue of what is checked for nothing
LEAST = 0.5  # buckets; where a logarithmic bar begins
LEGEND = ("buckets", "pairs")
TITLE = "Documents in a bucket"
NOTE = "logarithmic"
CENTRE = int(Qt.AlignmentFlag.AlignCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class BucketBars(QWidget):
    """Two bars for each class of sizes, both by the logarithm of their number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fills: tuple[Fill, ...] = ()
        self.setAccessibleName("Buckets by the number of their documents")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_fills(self, fills: tuple[Fill, ...]) -> None:
        """Draw other buckets."""
        self._fills = fills
        self.setAccessibleDescription("; ".join(fill_words(one) for one in fills if one.buckets))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a dozen classes."""
        return QSize(360, 180)

    def minimumSizeHint(self) -> QSize:
        """Still readable."""
        line = self.fontMetrics().height()
        return QSize(12 * line, 5 * line)

    def event(self, event: QEvent) -> bool:
        """Say of the class below the mouse what it holds."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            fill = self._at(event.pos().x())
            words = tool_tip(fill_words(fill)) if fill else ""
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the bars, what they are, and the sizes below."""
        now = colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.base)
        if not self._fills:
            return
        line = QFontMetrics(self.font()).height()
        self._paint_legend(painter, line)
        bottom = self.height() - 2 * line - AIR
        room = QRectF(SIDE, line + 2 * AIR, self.width() - 2 * SIDE, bottom - line - 2 * AIR)
        hues = _hues(now)
        tallest = max(max(one.buckets, one.pairs) for one in self._fills)
        for place, fill in enumerate(self._fills):
            left, width = self._place(place)
            bar = width * (1 - GAP) / 2
            for nth, number in enumerate((fill.buckets, fill.pairs)):
                height = room.height() * _height(number, tallest)
                painter.fillRect(
                    QRectF(left + nth * bar, room.bottom() - height, bar - 1, height), hues[nth]
                )
        painter.fillRect(QRectF(SIDE, room.bottom(), room.width(), 1), now.border)
        self._paint_sizes(painter, QRectF(0, bottom, self.width(), line))
        painter.setPen(now.muted)
        below = QRectF(SIDE, bottom + line, self.width() - 2 * SIDE, line)
        painter.drawText(below, LEFT, TITLE)

    def _paint_legend(self, painter: QPainter, line: int) -> None:
        now, metrics = colors(), QFontMetrics(self.font())
        left = SIDE
        for name, hue in zip(LEGEND, _hues(now), strict=True):
            painter.fillRect(QRectF(left, AIR + line / 4, line / 2, line / 2), hue)
            left += round(line * 0.8)
            width = metrics.horizontalAdvance(name)
            painter.setPen(now.muted)
            painter.drawText(QRectF(left, AIR, width + 2, line), LEFT, name)
            left += width + SIDE
        painter.drawText(QRectF(left, AIR, self.width() - left, line), LEFT, NOTE)

    def _paint_sizes(self, painter: QPainter, area: QRectF) -> None:
        """Those for which there is room."""
        metrics = QFontMetrics(self.font())
        painter.setPen(colors().muted)
        until = -1.0
        for place, fill in enumerate(self._fills):
            left, width = self._place(place)
            middle, words = left + width * (1 - GAP) / 2, metrics.horizontalAdvance(fill.name)
            start = max(middle - words / 2, 0)
            if start > until:
                text = QRectF(start - 1, area.top(), words + 2, area.height())
                painter.drawText(text, CENTRE, fill.name)
                until = start + words + AIR

    def _place(self, place: int) -> tuple[float, float]:
        """Where a class begins, and how wide it is."""
        width = min((self.width() - 2 * SIDE) / max(len(self._fills), 1), WIDEST)
        return SIDE + place * width, width

    def _at(self, x: float) -> Fill | None:
        for place, fill in enumerate(self._fills):
            left, width = self._place(place)
            if left <= x < left + width:
                return fill
        return None


def _hues(now: Colors) -> tuple[QColor, QColor]:
    """Of buckets, and of their pairs."""
    return now.bars, mix(now.extra, now.base, FADED)


def _height(number: int, tallest: int) -> float:
    if not number:
        return 0.0
    return math.log(number / LEAST) / math.log(max(tallest, 1) / LEAST)
