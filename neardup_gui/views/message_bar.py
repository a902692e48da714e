"""One sentence to the user, inside the window: no dialog to click away."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from neardup_gui.models.message import Message
from neardup_gui.theme import colors
from neardup_gui.views.link_label import LinkLabel

__all__ = ["MessageBar"]

EDGE = 3
MOST_LINKS = 3


class MessageBar(QWidget):
    """Shows the newest message until it is dismissed or another comes; then a question returns.

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
        self._question: Message | None = None
        self._links = [LinkLabel() for _ in range(MOST_LINKS)]
        self._targets: list[object] = []
        self._close = LinkLabel("Dismiss")
        for place, link in enumerate(self._links):
            link.clicked.connect(partial(self._on_link_clicked, place))
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE + 12, 8, 12, 8)
        row.setSpacing(14)
        row.addWidget(self._text, 1)
        for link in self._links:
            row.addWidget(link)
        row.addWidget(self._close)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message in place of the one before."""
        self._message = message
        self._text.setText(message.text)
        self.setAccessibleName(message.text)
        links = message.answers or ((message.link, message.target),)
        self._targets = [target for _, target in links]
        for place, link in enumerate(self._links):
            text = links[place][0] if place < len(links) else ""
            link.setText(text)
            link.setVisible(bool(text))
            link.updateGeometry()
        if message.answers:
            self._question = message
        self.show()
        self.update()

    def dismiss(self) -> None:
        """Take the message away; a question that it has covered is seen again."""
        if self._question is not None and self._question != self._message:
            self.show_message(self._question)
            return
        self._question = None
        self.hide()

    def forget(self) -> None:
        """Take everything away, also a question."""
        self._question = None
        self.hide()

    def settle(self) -> None:
        """The question needs no answer any more."""
        if self._question is not None and self._question == self._message:
            self.hide()
        self._question = None

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

    def _on_link_clicked(self, place: int) -> None:
        self.link_clicked.emit(self._targets[place])
