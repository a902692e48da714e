"""The list of pairs as a slim column of cards: both names, how much they share, the verdict."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from core.base.messages import gettext
from core.base.wording import share
from core.reports.pair_words import NOTHING_FOUND
from neardup_gui.environment.theme import colors
from neardup_gui.models.pairs.columns import WEAK_TRACE, Column, Role
from neardup_gui.models.words.documents import without_day
from neardup_gui.views.widgets.labels import elided_name
from neardup_gui.views.widgets.rows_table import (
    DISPLAY,
    LEFT,
    ONE_LINE,
    RIGHT,
    Index,
    RowDelegate,
    in_its_direction,
    paint_bar,
    visual,
)

LINES = 3
AIR, GAP = 7, 8
BAR_SHARE = 0.24  # of the width, at most
LEAST_BAR = 24  # pixels of which a length can be told


def card_height(metrics: QFontMetrics) -> int:
    """How high a card is."""
    return LINES * (metrics.height() + 2) + 2 * AIR


class CardDelegate(RowDelegate):
    """Draws a whole row in the cell of the rank."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        painter.setFont(option.font)
        metrics, now = painter.fontMetrics(), colors()
        height = metrics.height() + 2
        top = area.top() + AIR
        lines = [QRect(area.left(), top + n * height, area.width(), height) for n in range(LINES)]

        def of(column: Column, role: int = DISPLAY) -> object:
            return index.sibling(index.row(), column).data(role)

        mark_a, mark_b = (
            without_day(str(of(column, int(Role.MARK)) or ""))
            for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)
        )
        marks = f"{mark_a} {str(of(Column.VERDICT) or '')[:1]}".strip(), mark_b
        painter.setPen(now.muted)
        for line, mark in zip(lines, marks, strict=False):
            painter.drawText(line, RIGHT | ONE_LINE, mark)
        rooms = [area.width() - metrics.horizontalAdvance(mark) - GAP for mark in marks]
        names = [str(of(column) or "") for column in (Column.DOCUMENT_A, Column.DOCUMENT_B)]
        painter.setPen(now.text)
        alike = str(of(Column.DOCUMENT_A, int(Role.ALIKE)) or "")
        for line, room, name, other in zip(lines, rooms, names, names[::-1], strict=False):
            shown = in_its_direction(painter, elided_name(metrics, name, room, other, alike))
            painter.drawText(line, LEFT | ONE_LINE, shown)
        reason = of(Column.RESEMBLANCE, int(Role.MARK))
        kind = reason if reason == gettext(WEAK_TRACE) else of(Column.OVERLAP, int(Role.KIND))
        words = gettext("{share} shared", share=of(Column.OVERLAP)), kind
        said = " · ".join(str(word) for word in words if word)
        said = str(reason) if reason == gettext(NOTHING_FOUND) else said
        self._paint_share(painter, lines[2], of(Column.OVERLAP, int(Role.VALUE)), said)

    def _bar_room(self, metrics: QFontMetrics, width: int) -> int:
        """How wide the bar of every card is: all or none have one, and 100 % is as long in each."""
        whole = gettext("{share} shared", share=share(1.0))
        kinds = gettext("word for word"), gettext("reworked")
        longest = max(metrics.horizontalAdvance(f"{whole} · {kind}") for kind in kinds)
        room = min(round(BAR_SHARE * width), width - longest - GAP)
        return room if room >= LEAST_BAR else 0

    def _paint_share(self, painter: QPainter, line: QRect, value: object, words: str) -> None:
        """The bar and the words; where these need all of the line, without the bar."""
        metrics = painter.fontMetrics()
        rest = line
        before = self._bar_room(metrics, line.width()) + GAP
        if before > GAP and metrics.horizontalAdvance(words) <= line.width() - before:
            rest = visual(painter, line, line.adjusted(before, 0, 0, 0))
            if isinstance(value, float):
                bar = line.adjusted(0, 0, before - GAP - line.width(), 0)
                paint_bar(painter, visual(painter, line, bar), value)
        painter.setPen(colors().muted)
        said = metrics.elidedText(words, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, LEFT | ONE_LINE, said)
