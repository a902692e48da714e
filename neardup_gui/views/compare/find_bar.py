"""Looks for a phrase in the two texts that are open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from core.base.wording import count
from neardup_gui.views.widgets.link_label import LinkLabel


class FindBar(QWidget):
    """A field, which of how many places is shown, and the ways to the others.

    Signals:
        phrase_changed: Another phrase to look for.
        next_wanted, previous_wanted: Go to another place.
        closed: The user is done.
    """

    phrase_changed = Signal(str)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(placeholderText="Find in both texts", clearButtonEnabled=True)
        self._field.setAccessibleName("Find in both texts")
        self._field.setMinimumWidth(240)
        self._count = QLabel()
        close = LinkLabel("Close")
        following, before = LinkLabel("Next"), LinkLabel("Previous")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 5, 14, 5)
        row.setSpacing(12)
        for widget in (self._field, following, before, self._count):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(close)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.returnPressed.connect(self.next_wanted)
        following.clicked.connect(self.next_wanted)
        before.clicked.connect(self.previous_wanted)
        close.clicked.connect(self._on_closed)
        self.hide()

    @property
    def phrase(self) -> str:
        """What is looked for."""
        return self._field.text()

    def begin(self) -> None:
        """Show the bar, ready to be typed into."""
        self.show()
        self._field.setFocus()
        self._field.selectAll()

    def show_place(self, place: int, places: int, all_known: bool) -> None:
        """Say which place of how many is in sight; `place` counts from 1."""
        if not self.phrase:
            self._count.clear()
        elif not places:
            self._count.setText("not in these texts" if all_known else "searching…")
        else:
            more = "" if all_known else "…"
            self._count.setText(f"{count(place)} of {count(places)}{more}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the bar."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_closed()
            return
        super().keyPressEvent(event)

    def _on_text_changed(self, text: str) -> None:
        if not text:
            self._count.clear()
        self.phrase_changed.emit(text)

    def _on_closed(self) -> None:
        self.hide()
        self.closed.emit()
