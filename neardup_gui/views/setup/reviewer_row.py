"""The name that verdicts and notes are signed with."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from neardup_gui.views.widgets.controls import TextField

SIDE = 15
MOST = 200  # characters


class ReviewerRow(QWidget):
    """One field; empty, it is the user of the system who judges.

    Signals:
        named: The name, when it is entered.
    """

    named = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel("Revie&wer")
        self._field = TextField()
        self._field.setMaxLength(MOST)
        self._field.setPlaceholderText("Your name in this computer")
        self._field.setAccessibleName("Reviewer")
        self._field.setToolTip("Verdicts and notes are signed with this name, also in reports")
        title.setBuddy(self._field)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE, 8, SIDE, 8)
        row.setSpacing(12)
        row.addWidget(title)
        row.addWidget(self._field, 1)
        self._field.editingFinished.connect(self._tell)

    def show_name(self, name: str) -> None:
        """Show the name there is."""
        self._field.setText(name)

    def _tell(self) -> None:
        self.named.emit(self._field.text().strip())
