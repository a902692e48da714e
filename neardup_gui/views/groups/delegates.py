"""How the rows of the list of groups are painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from neardup_gui.environment.theme import colors
from neardup_gui.models.groups.rows import RowKind
from neardup_gui.models.groups.table import GroupRole
from neardup_gui.views.pairs.delegates import NameDelegate, ResemblanceDelegate

Index = QModelIndex | QPersistentModelIndex
OPEN, CLOSED = "▾", "▸"
GAP = 6
MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
KIND, OPENED = int(GroupRole.KIND), int(GroupRole.OPEN)


def mark_room(metrics: QFontMetrics) -> int:
    """The room before a name for the mark that says whether a row is open."""
    return max(metrics.horizontalAdvance(OPEN), metrics.horizontalAdvance(CLOSED)) + GAP


class GroupNameDelegate(NameDelegate):
    """The centre in bold behind its mark, members and copies further and further in."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        kind = RowKind(index.data(KIND))
        opened = index.data(OPENED)
        step = mark_room(option.fontMetrics)
        left = {RowKind.GROUP: 0, RowKind.MEMBER: 1, RowKind.FOLD: 1, RowKind.COPY: 2}[kind] * step
        if opened is not None:
            painter.setFont(option.font)
            painter.setPen(colors().muted)
            painter.drawText(area.adjusted(left, 0, 0, 0), MIDDLE, OPEN if opened else CLOSED)
        font = QFont(option.font)
        if kind is RowKind.GROUP:
            font.setWeight(QFont.Weight.DemiBold)
        option.font = font
        room = area.adjusted(left + step, 0, 0, 0)
        if kind is RowKind.FOLD:
            painter.setFont(font)
            painter.setPen(colors().muted)
            painter.drawText(room, MIDDLE, str(index.data() or ""))
        else:
            super()._paint_content(painter, option, index, room)


class GroupResemblanceDelegate(ResemblanceDelegate):
    """Of a member the bar and the number, of a group how many documents it has."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        if RowKind(index.data(KIND)) is RowKind.MEMBER:
            super()._paint_content(painter, option, index, area)
            return
        painter.setFont(option.font)
        painter.setPen(colors().muted)
        painter.drawText(area, MIDDLE, str(index.data() or ""))
