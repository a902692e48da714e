"""The manual, beside the window while one works."""

from __future__ import annotations

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextTable
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

SIZE = (720, 760)
MARGIN = 28
LINE_HEIGHT = 125  # per cent
CELL = 3
TABLE_AIR = 6


class ManualWindow(QDialog):
    """Shows a text in Markdown; Esc closes it. Nothing is fetched and no link leads away."""

    def __init__(self, markdown: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.setModal(False)
        self._text = QTextBrowser()
        self._text.setAccessibleName("Manual")
        self._text.setFrameShape(QTextBrowser.Shape.NoFrame)
        self._text.setOpenLinks(False)
        self._text.setTabChangesFocus(True)
        self._text.document().setDocumentMargin(MARGIN)
        self._text.setMarkdown(markdown)
        self._set_margins()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._text)
        self.resize(*SIZE)

    def _set_margins(self) -> None:
        """Markdown has no style sheet: set the distances in the document itself."""
        document = self._text.document()
        lines = QTextBlockFormat()
        proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight
        lines.setLineHeight(LINE_HEIGHT, proportional.value)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format()
                look.setBorder(0)
                look.setCellPadding(CELL)
                look.setCellSpacing(0)
                look.setBottomMargin(TABLE_AIR)
                frame.setFormat(look)
