"""What the least length of a passage guarantees, and what another one would list."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from neardup_gui.models.workbench.passage_lengths import PassageLengths, passage_words
from neardup_gui.views.widgets.scaled_label import ScaledLabel

SIDE, AIR = 12, 8


class PassagesWords(QWidget):
    """Sentences, which a screen reader reads as well."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ScaledLabel(1.0)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, AIR, SIDE, AIR)
        column.addWidget(self._words)
        column.addStretch(1)
        self.show_lengths(None)

    @property
    def text(self) -> str:
        """What is said."""
        return self._words.text()

    def show_lengths(self, told: PassageLengths | None) -> None:
        """Say what passages list; None where there is no list."""
        self._words.setText("\n".join(passage_words(told)))
        self._words.setAccessibleName(" ".join(passage_words(told)))
