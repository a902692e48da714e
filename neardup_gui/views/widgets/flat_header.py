"""The heading of a table: flat, quiet, with a mark on the column it is sorted by."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.views.pairs.delegates import PADDING

MARKS = {Qt.SortOrder.AscendingOrder: " ▴", Qt.SortOrder.DescendingOrder: " ▾"}


class FlatHeader(QHeaderView):
    """A horizontal header in the colours of the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(40)

    def sizeHint(self) -> QSize:
        """A little more air than the rows have."""
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 14)

    def paintSection(
        self,
        painter: QPainter,
        rect: QRect,
        logicalIndex: int,
    ) -> None:
        """Draw the title of a column."""
        model = self.model()
        title = str(model.headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        alignment = model.headerData(
            logicalIndex, Qt.Orientation.Horizontal, int(Qt.ItemDataRole.TextAlignmentRole)
        )
        if self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex:
            title += MARKS[self.sortIndicatorOrder()]
        painter.fillRect(rect, colors().base)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colors().border)
        painter.setPen(colors().muted)
        area = rect.adjusted(PADDING, 0, -PADDING, 0)
        title = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(alignment or Qt.AlignmentFlag.AlignVCenter), title)
