"""What all fields of a window have in common: what they refuse is said in the window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from neardup_gui.models.words.message import Message
from neardup_gui.views.shell.message_bar import MessageBar
from neardup_gui.views.widgets.number_box import NumberBox


class RefusedNumbers(QObject):
    """Says in the message bar what a field cannot read, until a number is entered."""

    def __init__(self, message_bar: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._bar = message_bar
        self._said = Message("")
        for box in window.findChildren(NumberBox):
            box.refused.connect(self._on_refused)
            box.valueChanged.connect(self._on_taken)

    def _on_refused(self, sentence: str) -> None:
        self._said = Message(sentence, warning=True)
        self._bar.show_message(self._said)

    def _on_taken(self) -> None:
        self._bar.withdraw(self._said)
