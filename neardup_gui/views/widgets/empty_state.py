"""Words over a table that has no rows."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTableView, QVBoxLayout, QWidget

from neardup_gui.views.widgets.link_label import LinkLabel


class EmptyState(QWidget):
    """A sentence in the middle of an empty table, and the way out.

    It is over the table, not in its place: the table keeps the focus that it has.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__()
        self._sentence = QLabel(wordWrap=True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._clear = LinkLabel("Clear filter")
        self.clear_clicked = self._clear.clicked
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 12, 40, 12)
        column.addStretch(1)
        column.addWidget(self._sentence)
        column.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        over = QVBoxLayout(table.viewport())
        over.setContentsMargins(0, 0, 0, 0)
        over.addWidget(self)

    @property
    def sentence(self) -> str:
        """What is said."""
        return self._sentence.text()

    def show_text(self, sentence: str, can_clear: bool) -> None:
        """Show a sentence, with the link that clears the filter or without."""
        self._sentence.setText(sentence)
        self._clear.setVisible(can_clear)
