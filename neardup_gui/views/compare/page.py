"""A page with one sentence, where no pair is laid out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

MARGIN = 24


class SentencePage(QLabel):
    """Says why there is nothing to read; takes the focus from texts that go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, wordWrap=True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setMargin(MARGIN)
        # Long names are cut at the edge; they do not widen the window.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def say(self, sentence: str) -> None:
        """Show a sentence, also to a screen reader."""
        self.setText(sentence)
        self.setAccessibleName(sentence)
