"""Tabs as flat words: the open one is bold, one with something to mend is in the warning colour."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from neardup_gui.environment.theme import colors

SIDE = 15
AIR = 15
UNDERLINE = 2


class FlatTabBar(QTabBar):
    """Draws the words and a line below the open one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the words in bold, so that nothing moves when a tab is opened."""
        metrics = QFontMetrics(self._bold())
        return QSize(
            metrics.horizontalAdvance(self.tabText(index)) + 2 * SIDE, metrics.height() + AIR
        )

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Words are never cut off."""
        return self.tabSizeHint(index)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the tabs."""
        now = colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, now.border)
        for index in range(self.count()):
            area, current = self.tabRect(index), index == self.currentIndex()
            marked = bool(self.tabData(index))
            painter.setFont(self._bold() if current else self.font())
            painter.setPen(now.warning if marked else now.text if current else now.muted)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), self.tabText(index))
            if current:
                line = now.accent if self.hasFocus() else now.text
                painter.fillRect(
                    area.left() + SIDE,
                    area.bottom() - UNDERLINE,
                    area.width() - 2 * SIDE,
                    UNDERLINE,
                    line,
                )

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font


class FlatTabs(QTabWidget):
    """Pages below flat tabs, each with its number in the title."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(FlatTabBar())
        self.setDocumentMode(True)
        self.setAccessibleName("Lists")
        self.tabBar().setAccessibleName("Lists")

    def set_title(self, page: QWidget, title: str, *, warning: bool = False) -> None:
        """Name the tab of a page; a warning is drawn in the warning colour."""
        index = self.indexOf(page)
        self.setTabText(index, title)
        self.tabBar().setTabData(index, warning)

    def title_of(self, page: QWidget) -> str:
        """What the tab of a page is called."""
        return self.tabText(self.indexOf(page))
