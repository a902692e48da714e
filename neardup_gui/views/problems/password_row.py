"""Asks, inside the page, for the password of locked files."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from neardup_gui.environment.theme import colors
from neardup_gui.views.widgets.controls import Caption, ProblemLabel, TextField
from neardup_gui.views.widgets.link_label import LinkLabel

SIDE = 14
FIELD_WIDTH = 220
NOTE = "Tried on every locked file. Kept only until Neardup is closed, never stored."


class PasswordRow(QWidget):
    """A field for a password that is forgotten when it is taken away.

    Signals:
        entered: A password to try.
        cancelled: None is wanted after all.
    """

    entered = Signal(str)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel("Password")
        self._field = TextField()
        self._field.setAccessibleName("Password of the locked files")
        self._field.setMinimumWidth(FIELD_WIDTH)
        self._field.setMaxLength(1000)
        self._label.setBuddy(self._field)
        self._reveal = LinkLabel("Show")
        self._try = QPushButton("Try again")
        self._cancel = LinkLabel("Cancel")
        self._note = Caption()
        self._note.setText(NOTE)
        self._problem = ProblemLabel()
        self._lay_out()
        self._field.returnPressed.connect(self._on_entered)
        self._field.textChanged.connect(self._on_text_changed)
        self._try.clicked.connect(self._on_entered)
        self._reveal.clicked.connect(self._on_reveal_clicked)
        self._cancel.clicked.connect(self.leave)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.leave)
        self._busy = False
        self._hide_letters()
        self._on_text_changed()
        self.hide()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(SIDE, 9, SIDE, 10)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(5)
        row = (self._label, self._field, self._reveal, self._try, self._cancel)
        for column, widget in enumerate(row):
            grid.addWidget(widget, 0, column)
        grid.setColumnStretch(len(row), 1)
        grid.addWidget(self._note, 1, 1, 1, len(row))
        grid.addWidget(self._problem, 2, 1, 1, len(row))

    def start(self) -> None:
        """Ask."""
        if self.isHidden():
            self._field.clear()
            self._problem.show_sentence("")
            self._hide_letters()
        self.show()
        self._field.setFocus()

    def leave(self) -> None:
        """Ask no more."""
        self.forget()
        self.cancelled.emit()

    def forget(self) -> None:
        """Forget what was typed, and go away."""
        self._field.clear()
        self.hide()

    def show_outcome(self, sentence: str, *, opened: bool) -> None:
        """Say what came of it: wrong passwords are asked for again."""
        if opened:
            self._field.clear()
        self._problem.show_sentence(sentence)
        if not opened and not self.isHidden():
            self._field.setFocus()
            self._field.selectAll()

    def set_busy(self, busy: bool) -> None:
        """While a scan runs, no password can be tried."""
        self._busy = busy
        self._on_text_changed()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors().window)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors().border)

    def _on_entered(self) -> None:
        if self._try.isEnabled():
            self._problem.show_sentence("")
            self.entered.emit(self._field.text())

    def _on_text_changed(self) -> None:
        self._try.setEnabled(bool(self._field.text()) and not self._busy)

    def _on_reveal_clicked(self) -> None:
        hidden = self._field.echoMode() == QLineEdit.EchoMode.Password
        self._hide_letters(hidden=not hidden)

    def _hide_letters(self, *, hidden: bool = True) -> None:
        mode = QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal
        self._field.setEchoMode(mode)
        self._reveal.setText("Show" if hidden else "Hide")
        self._reveal.setAccessibleName("Show the password" if hidden else "Hide the password")
        self._reveal.updateGeometry()
