"""The table of files that gave no text, and why."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from neardup_gui.models import wording

if TYPE_CHECKING:
    from core.documents.model import Problem

__all__ = ["ProblemColumn", "ProblemsModel"]

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
DISPLAY = int(Qt.ItemDataRole.DisplayRole)
TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)


class ProblemColumn(IntEnum):
    """The columns, from left to right."""

    NAME = 0
    DETAIL = 1


TITLES = ("File", "What happened")


class ProblemsModel(QAbstractTableModel):
    """One row for each file that gave no text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: Sequence[Problem] = ()

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Show other problems; the same ones again change nothing."""
        if list(problems) == list(self._problems):
            return
        self.beginResetModel()
        self._problems = tuple(problems)
        self.endResetModel()

    def name_at(self, row: int) -> str:
        """The name of the file in a row."""
        return self._problems[row].name

    def as_text(self, rows: Sequence[int]) -> str:
        """Rows for the clipboard: name, tabulator, sentence."""
        chosen = (self._problems[row] for row in rows)
        return "\n".join(f"{problem.name}\t{problem.detail}" for problem in chosen)

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """The number of problems."""
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(TITLES)

    def data(self, index: Index, role: int = DISPLAY) -> object:
        """What a cell shows."""
        if not index.isValid() or role not in (DISPLAY, TOOL_TIP):
            return None
        problem = self._problems[index.row()]
        text = problem.name if index.column() == ProblemColumn.NAME else problem.detail
        return text if role == DISPLAY else wording.tool_tip(text)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        """The names of the columns."""
        horizontal = orientation == Qt.Orientation.Horizontal
        if horizontal and role == DISPLAY and 0 <= section < len(TITLES):
            return TITLES[section]
        return None
