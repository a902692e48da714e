"""All keys of the application on one sheet, made from the actions themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

__all__ = ["KeyGroup", "KeysDialog"]

WIDTH = 460
FRAME = 80  # what the system draws around a window, and some air


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """A heading and its lines: keys, what they do."""

    title: str
    lines: Sequence[tuple[str, str]]


class KeysDialog(QDialog):
    """Stays beside the window while one works; Esc closes it."""

    def __init__(self, groups: Sequence[KeyGroup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("All keys")
        self.setModal(False)
        sheet = QWidget()
        grid = QGridLayout(sheet)
        grid.setContentsMargins(24, 16, 24, 20)
        grid.setHorizontalSpacing(28)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        for group in groups:
            self._add_group(grid, group)
        grid.setRowStretch(grid.rowCount(), 1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("All keys")
        area.setWidget(sheet)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        room = self.screen().availableGeometry().height() - FRAME
        wanted = sheet.sizeHint()
        self.resize(max(wanted.width() + FRAME // 2, WIDTH), min(wanted.height() + 2, room))

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
            grid.addWidget(QLabel(meaning, wordWrap=True), row, 1)
