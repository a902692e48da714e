"""A field for the name of a document: what is typed offers those that have it in their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCompleter, QWidget

from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.views.widgets.controls import TextField
from neardup_gui.views.widgets.letter_width import letter_width

LETTERS = 26  # that have room at least


class NameField(TextField):
    """Takes a name as it is shown in the lists.

    Attributes:
        names_like: Gives names that contain a text.

    Signals:
        chosen: A name was picked, or entered with Enter.
    """

    chosen = Signal()

    def __init__(self, side: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names_like: Callable[[str], Sequence[str]] = lambda _text: ()
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        self.setPlaceholderText(f"Document {side}")
        self.setAccessibleName(f"Document {side}")
        self.setMinimumWidth(LETTERS * letter_width(self.fontMetrics()) // 2)
        self.setAcceptDrops(False)
        self.textEdited.connect(self._offer)
        completer.activated.connect(self.chosen)
        self.returnPressed.connect(self.chosen)

    def show_name(self, name: str) -> None:
        """Show the name of another document, from its beginning."""
        self.setText(name)
        self.setCursorPosition(0)
        self.setToolTip(tool_tip(full_name(name)) if name else "")

    def _offer(self, text: str) -> None:
        self._names.setStringList(list(self.names_like(text)) if text else [])
