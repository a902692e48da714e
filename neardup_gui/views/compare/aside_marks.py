"""Text that does not count: in grey, with its reason before longer parts of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from core.base.wording import counted
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.side import Side
from neardup_gui.views.compare.lines import VisibleBlock, pieces, x_of

VEIL = {False: 0.38, True: 0.42}  # light and dark: the letters keep a contrast of 4.5 : 1 and more
PILL_RISE = 0.62  # of the letters above the base line
PADDING = 6.0


def paint_aside(
    painter: QPainter, side: Side, blocks: Sequence[VisibleBlock], clip: QRectF, font: QFont
) -> None:
    """Draw over the text what makes it grey, and the labels in `font`."""
    if not len(side.aside):
        return
    veil = QColor(colors().base)
    veil.setAlphaF(VEIL[colors().dark])
    for block in blocks:
        end = block.start + block.length
        for start, stop, part in side.aside.between(block.start, end):
            bidirectional = side.text.bidirectional
            for rect, _ in pieces(block, (start, stop), clip, bidirectional=bidirectional):
                painter.fillRect(rect, veil)
            _draw_label(painter, side, block, part, font)


def _draw_label(painter: QPainter, side: Side, block: VisibleBlock, part: int, font: QFont) -> None:
    """The reason, in the room before a part."""
    start, end = side.labels[part]
    if start == end or not block.start <= start < block.start + block.length:
        return
    line = block.layout.lineForTextPosition(start - block.start)
    one, other = x_of(line, start - block.start), x_of(line, end - block.start)
    metrics = QFontMetricsF(font)
    room = abs(other - one) - 4
    words = metrics.elidedText(side.reasons[part], Qt.TextElideMode.ElideRight, room - PADDING)
    pill = QRectF(0, 0, min(metrics.horizontalAdvance(words) + 2 * PADDING, room), metrics.height())
    shift = pill.width() / 2 + 1 if other > one else -pill.width() / 2 - 1
    pill.moveCenter(QPointF(one + shift, block.top + line.y() + line.ascent() * PILL_RISE))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors().muted, 1))
    painter.setBrush(colors().base)
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def aside_title(side: Side, position: int) -> str:
    """Why the text at a position does not count; empty where it does."""
    part = side.aside.at(position)
    return "" if part is None else f"Set aside: {side.reasons[part]}. It does not count."


def aside_description(side: Side) -> str:
    """What is set aside in a text, for those who cannot see it: "2 × quotation, 1 × template"."""
    if not side.reasons:
        return ""
    parts = (f"{number} × {reason}" for reason, number in Counter(side.reasons).items())
    return f"{counted(len(side.reasons), 'part')} set aside: {', '.join(parts)}"
