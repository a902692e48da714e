"""How the rows of a table are painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.pairs.cells import Role
from neardup_gui.models.pairs.columns import Column
from neardup_gui.views.widgets.elide import elided_name

PADDING = 10
BAR_HEIGHT = 6
BAR_GAP = 10
FOCUS_WIDTH = 3
SINCE = " since "  # what comes after it in a mark can be left out
ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
ONE_LINE = int(Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
ELIDE = Qt.TextElideMode.ElideMiddle

Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """A cell of a row: text elided in the middle, a hair line below, no grid.

    The current row of the table that has the focus carries a bar at its left edge.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell."""
        area: QRect = option.rect
        self._paint_ground(painter, option, index, area)
        self._paint_content(painter, option, index, area.adjusted(PADDING, 0, -PADDING, 0))

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        now = colors()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, now.selection)
            view = option.widget
            if index.column() == 0 and isinstance(view, QTableView) and view.hasFocus():
                painter.fillRect(area.left(), area.top(), FOCUS_WIDTH, area.height(), now.accent)
        painter.fillRect(
            area.left(), area.bottom(), area.width(), 1, mix(now.border, now.base, 0.6)
        )

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        text = str(index.data(DISPLAY) or "")
        painter.setFont(option.font)
        painter.setPen(self._ink())
        alignment = int(index.data(ALIGNMENT) or Qt.AlignmentFlag.AlignVCenter)
        shown = self._shortened(painter.fontMetrics(), text, area.width())
        # Shaped as a whole, a shortened text can be a little wider than it was measured.
        painter.drawText(area, alignment | ONE_LINE, shown)

    def _shortened(self, metrics: QFontMetrics, text: str, width: int) -> str:
        return metrics.elidedText(text, ELIDE, width)

    def _ink(self) -> QColor:
        return colors().text


class NameDelegate(RowDelegate):
    """A name, shortened where there is no room, and behind it a mark that is read in full."""

    def _shortened(self, metrics: QFontMetrics, text: str, width: int) -> str:
        return elided_name(metrics, text, width)

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        mark = str(index.data(int(Role.MARK)) or "")
        if not mark:
            super()._paint_content(painter, option, index, area)
            return
        painter.setFont(option.font)
        metrics, most = painter.fontMetrics(), area.width() // 2
        if metrics.horizontalAdvance(mark) > most:
            mark = mark.partition(SINCE)[0]  # the tool tip has the day
        room = metrics.horizontalAdvance(f"{mark} ") + BAR_GAP
        super()._paint_content(painter, option, index, area.adjusted(0, 0, -room, 0))
        painter.setPen(colors().muted)
        painter.drawText(area, RIGHT | ONE_LINE, mark)


class MutedDelegate(RowDelegate):
    """A cell whose text is beside the point."""

    def _ink(self) -> QColor:
        return colors().muted


class ResemblanceDelegate(RowDelegate):
    """A bar as long as the resemblance, and the number; a mark takes the place of the bar."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        painter.setFont(option.font)
        number = painter.fontMetrics().horizontalAdvance(Column.RESEMBLANCE.words.sample)
        before = area.adjusted(0, 0, -number - BAR_GAP, 0)
        mark = str(index.data(int(Role.MARK)) or "")
        if mark:
            painter.setPen(colors().muted)
            shown = painter.fontMetrics().elidedText(mark, ELIDE, before.width())
            painter.drawText(before, LEFT | ONE_LINE, shown)
        else:
            _paint_bar(painter, before, float(index.data(int(Role.VALUE)) or 0))
        painter.setPen(self._ink())
        painter.drawText(area, RIGHT, str(index.data(DISPLAY) or ""))


def _paint_bar(painter: QPainter, area: QRect, share: float) -> None:
    bar = QRectF(
        area.left(), area.center().y() - BAR_HEIGHT / 2 + 0.5, max(area.width(), 0), BAR_HEIGHT
    )
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colors().track)
    painter.drawRoundedRect(bar, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
    bar.setWidth(max(bar.width() * share, BAR_HEIGHT))
    painter.setBrush(colors().accent)
    painter.drawRoundedRect(bar, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
    painter.restore()
