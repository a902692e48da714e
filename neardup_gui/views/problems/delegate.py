"""How the rows of the problems are painted: headings with a link, files below them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from core.base.wording import count
from neardup_gui.environment.theme import colors, mix
from neardup_gui.models.problems.groups import FileGroup
from neardup_gui.models.problems.tree import ProblemColumn, ProblemsModel

Index = QModelIndex | QPersistentModelIndex
ROW_AIR = 13
PADDING = 10
GAP = 9
WIDE_GAP = 18
LEAST_ADVICE = 60
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
ONE_LINE = LEFT | int(Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class HeadingParts:
    """Where the parts of a heading stand; the advice gives way, the link never does."""

    title: QRect
    number: QRect
    advice: QRect
    link: QRect


def bold(font: QFont) -> QFont:
    """The same letters, heavier."""
    heavy = QFont(font)
    heavy.setWeight(QFont.Weight.DemiBold)
    return heavy


def heading_parts(area: QRect, font: QFont, group: FileGroup, link: str) -> HeadingParts:
    """Share the room of a row between the parts of a heading."""
    metrics = QFontMetrics(font)
    title = QFontMetrics(bold(font)).horizontalAdvance(group.title) + 1
    number = metrics.horizontalAdvance(count(len(group.rows))) + 1
    wanted = metrics.horizontalAdvance(group.advice) + 2
    words = metrics.horizontalAdvance(link) + 2 if link else 0
    gap = WIDE_GAP if link else 0
    room = area.width() - title - GAP - number - WIDE_GAP - gap - words
    advice = min(wanted, room) if room >= LEAST_ADVICE else 0

    def part(x: int, width: int) -> QRect:
        return QRect(area.left() + x, area.top(), width, area.height())

    at = title + GAP
    after = at + number + WIDE_GAP
    link_at = after + (advice + gap if advice else 0)
    return HeadingParts(part(0, title), part(at, number), part(after, advice), part(link_at, words))


class ProblemDelegate(QStyledItemDelegate):
    """Paints headings over the whole row and files in columns."""

    def __init__(self, model: ProblemsModel, parent: QStyledItemDelegate | None = None) -> None:
        super().__init__(parent)
        self._problems = model
        self.hovered: QPersistentModelIndex | None = None  # the heading whose link is pointed at

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        """Every row is as high as the others."""
        return QSize(40, option.fontMetrics.height() + ROW_AIR)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a cell."""
        now = colors()
        area: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, now.selection)
        line = mix(now.border, now.base, 0.6)
        painter.fillRect(area.left(), area.bottom(), area.width(), 1, line)
        group = self._problems.group_at(index)
        if group is None:
            return
        if self._problems.file_at(index) is None:
            self._paint_heading(painter, option, index, group)
            return
        painter.setFont(option.font)
        painter.setPen(now.text if index.column() == ProblemColumn.NAME else now.muted)
        end, indent = Qt.TextElideMode.ElideMiddle, 0
        if index.column() == ProblemColumn.DETAIL:
            end, indent = Qt.TextElideMode.ElideRight, PADDING
        room = area.adjusted(indent, 0, -PADDING, 0)
        text = str(index.data(DISPLAY)).replace("\n", " ")
        painter.drawText(room, ONE_LINE, painter.fontMetrics().elidedText(text, end, room.width()))

    def _paint_heading(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, group: FileGroup
    ) -> None:
        now = colors()
        link = self.link_of(group)
        area: QRect = option.rect
        parts = heading_parts(area.adjusted(0, 0, -PADDING, 0), option.font, group, link)
        painter.setFont(bold(option.font))
        painter.setPen(now.text)
        painter.drawText(parts.title, ONE_LINE, group.title)
        painter.setFont(option.font)
        painter.setPen(now.muted)
        painter.drawText(parts.number, ONE_LINE, count(len(group.rows)))
        metrics = painter.fontMetrics()
        advice = metrics.elidedText(group.advice, Qt.TextElideMode.ElideRight, parts.advice.width())
        painter.drawText(parts.advice, ONE_LINE, advice)
        font = QFont(option.font)
        font.setUnderline(self.hovered is not None and self.hovered == index)
        painter.setFont(font)
        painter.setPen(now.accent)
        painter.drawText(parts.link, ONE_LINE, link)

    def link_of(self, group: FileGroup) -> str:
        """The words of the link of a group; empty when there is nothing to do."""
        remedy = self._problems.remedy_of(group)
        return str(remedy) if remedy else ""
