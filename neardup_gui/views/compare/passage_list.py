"""All passages of a pair in a list that opens over the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from neardup_gui.models.comparison import Comparison
from neardup_gui.views.compare.highlights import passage_color
from neardup_gui.views.compare.wording import passage_label, passage_pages

__all__ = ["PassageList"]

BEGINNING = 60
SIZE = QSize(520, 340)


class PassageList(QListWidget):
    """One line for every passage: number, length and its first words."""

    passage_chosen = Signal(int)

    def __init__(self, comparison: Comparison, current: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("All shared passages")
        self.setUniformItemSizes(True)
        self.resize(SIZE)
        for passage, mark in enumerate(comparison.marks):
            words = _beginning(comparison, passage)
            parts = (str(mark.number), passage_label(mark), passage_pages(mark), words)
            item = QListWidgetItem("    ".join(part for part in parts if part))
            item.setData(Qt.ItemDataRole.DecorationRole, passage_color(mark).line)
            self.addItem(item)
        self.setCurrentRow(current)
        self.itemActivated.connect(self._on_chosen)
        self.itemClicked.connect(self._on_chosen)

    def show_below(self, area: QRectF) -> None:
        """Open under an area of the parent."""
        corner = QPoint(int(area.left()), int(area.bottom()) + 2)
        self.move(self._parent.mapToGlobal(corner))
        self.show()
        self.setFocus()

    def _on_chosen(self, item: QListWidgetItem) -> None:
        passage = self.row(item)
        self.close()
        self.passage_chosen.emit(passage)


def _beginning(comparison: Comparison, passage: int) -> str:
    text = comparison.sides[0].text
    start, _ = text.source_span(*comparison.sides[0].extents[passage])
    return " ".join(text.source[start : start + BEGINNING].split()) + " …"
