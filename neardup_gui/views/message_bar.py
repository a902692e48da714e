"""One sentence to the user, inside the window: no dialog to click away."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from neardup_gui.models.message import Message
from neardup_gui.theme import colors
from neardup_gui.views.link_label import LinkLabel

__all__ = ["MessageBar"]

EDGE = 3


class MessageBar(QWidget):
    """Shows the newest message until it is dismissed or another comes.

    Signals:
        link_clicked: The target of the message.
    """

    link_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = Message("")
        self._text = QLabel(wordWrap=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._link = LinkLabel()
        self._close = LinkLabel("Dismiss")
        self._link.clicked.connect(self._on_link_clicked)
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + 12, 8, 12, 8)
        row.setSpacing(14)
        row.addWidget(self._text, 1)
        row.addWidget(self._link)
        row.addWidget(self._close)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message in place of the one before."""
        self._message = message
        self._text.setText(message.text)
        self.setAccessibleName(message.text)
        self._link.setText(message.link)
        self._link.setVisible(bool(message.link))
        self._link.updateGeometry()
        self.show()
        self.update()

    def dismiss(self) -> None:
        """Take the message away."""
        self.hide()

    def withdraw(self, message: Message) -> None:
        """Take this message away, if it is the one that is shown."""
        if message == self._message:
            self.dismiss()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the ground and an edge in the colour of the message."""
        now = colors()
        painter = QPainter(self)
        painter.fillRect(self.rect(), now.raised)
        edge = now.warning if self._message.warning else now.accent
        painter.fillRect(QRect(0, 0, EDGE, self.height()), edge)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc dismisses."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return
        super().keyPressEvent(event)

    def _on_link_clicked(self) -> None:
        self.link_clicked.emit(self._message.target)
