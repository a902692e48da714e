"""The line below the table in which a note is written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from neardup_gui.environment.theme import colors
from neardup_gui.views.widgets.controls import Caption
from neardup_gui.views.widgets.cut_label import CutLabel

LINES = 2
SIDE, AIR = 12, 6
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class NoteRow(QWidget):
    """A field for a note: Enter keeps it, Shift+Enter begins a line, Esc leaves it as it was.

    Signals:
        written: The note, and what it is about.
    """

    written = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about: object = None
        self._before: QWidget | None = None
        title = QLabel("&Note")
        self._subject = CutLabel()
        self._field = QPlainTextEdit()
        self._field.setTabChangesFocus(True)
        self._field.setAccessibleName("Note on the selected pairs")
        self._field.installEventFilter(self)
        title.setBuddy(self._field)
        row = QHBoxLayout(self)
        row.setContentsMargins(SIDE, AIR, SIDE, AIR)
        row.setSpacing(10)
        row.addWidget(title, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self._subject)
        column.addWidget(self._field)
        row.addLayout(column, 1)
        hint = Caption()
        hint.setText("Enter keeps it, Esc leaves it")
        hint.setWordWrap(False)
        row.addWidget(hint, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def begin(self, note: str, about: object, names: str) -> None:
        """Let the user write, beginning from the note there is; `names` says what it is about."""
        self._subject.show_sentence(names)
        self._before = QApplication.focusWidget()
        self._about = about
        self._field.setFixedHeight(
            LINES * self._field.fontMetrics().lineSpacing() + 2 * self._field.frameWidth() + 10
        )
        self._field.setPlainText(note)
        self._field.selectAll()
        self.show()
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Write nothing, and give the keyboard back."""
        before, self._before = self._before, None
        if before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Enter keeps the note, Esc leaves it."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
            return True
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in ENTER and not shift:
            self.written.emit(self._field.toPlainText(), self._about)
            self.leave()
            return True
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a line above."""
        QPainter(self).fillRect(QRect(0, 0, self.width(), 1), colors().border)
