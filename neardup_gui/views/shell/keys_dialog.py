"""All keys of the application on one sheet, made from the actions themselves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from neardup_gui.models.window_state import KeyGroup

WIDTH = 460
FRAME = 80  # what the system draws around a window, and some air


class KeysDialog(QDialog):
    """Stays beside the window while one works; Esc closes it."""

    def __init__(self, groups: Sequence[KeyGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("All keys")
        self.setModal(False)
        sheet = self._make_sheet(_halves(groups))
        screen = self.screen().availableGeometry().size().shrunkBy(QMargins(0, 0, FRAME, FRAME))
        if sheet.sizeHint().width() > screen.width():
            sheet = self._make_sheet([groups])
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAccessibleName("All keys")
        area.setWidget(sheet)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        wanted = sheet.sizeHint()
        bar = area.verticalScrollBar().sizeHint().width()
        width = max(wanted.width() + bar, WIDTH)
        self.resize(min(width, screen.width()), min(wanted.height() + 2, screen.height()))

    def _make_sheet(self, columns: Sequence[Sequence[KeyGroup]]) -> QWidget:
        sheet = QWidget()
        row = QHBoxLayout(sheet)
        row.setContentsMargins(24, 16, 24, 20)
        row.setSpacing(44)
        for groups in columns:
            grid = QGridLayout()
            grid.setHorizontalSpacing(28)
            grid.setVerticalSpacing(5)
            grid.setColumnStretch(1, 1)
            for group in groups:
                self._add_group(grid, group)
            grid.setRowStretch(grid.rowCount(), 1)
            row.addLayout(grid)
        return sheet

    def _add_group(self, grid: QGridLayout, group: KeyGroup) -> None:
        title = QLabel(group.title)
        font = QFont(title.font())
        font.setWeight(QFont.Weight.DemiBold)
        title.setFont(font)
        title.setContentsMargins(0, 10 if grid.count() else 0, 0, 2)
        grid.addWidget(title, grid.rowCount(), 0, 1, 2)
        for keys, meaning in group.lines:
            row = grid.rowCount()
            grid.addWidget(QLabel(keys), row, 0)
            grid.addWidget(QLabel(meaning), row, 1)


def _halves(groups: Sequence[KeyGroup]) -> list[list[KeyGroup]]:
    """The groups in two columns about as high as each other, in their order."""
    lengths = [len(group.lines) + 2 for group in groups]
    cuts = range(1, len(groups))
    cut = min(cuts, key=lambda place: max(sum(lengths[:place]), sum(lengths[place:])), default=0)
    return [column for column in (list(groups[:cut]), list(groups[cut:])) if column]
