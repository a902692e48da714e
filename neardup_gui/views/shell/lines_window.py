"""Lines to be run elsewhere, beside the window while one works: which, the lines, what differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontDatabase, QFontMetrics, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from neardup_gui.views.widgets.controls import Caption, ComboBox
from neardup_gui.views.widgets.push_button import PushButton

LETTERS, ROWS = 100, 40
SIDE, MARGIN = 20, 8
NOT_THERE = "These settings cannot be had there."


class Lines(Protocol):
    """Lines for a place."""

    @property
    def title(self) -> str:
        """For whom."""

    @property
    def code(self) -> str:
        """The lines; "" where there are none."""

    @property
    def differs(self) -> str:
        """What is otherwise there, or why there are none."""


class LinesWindow(QDialog):
    """Follows the settings; Esc closes it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("These settings elsewhere")
        self.setModal(False)
        self._lines: Sequence[Lines] = ()
        self._where = ComboBox()
        self._where.setAccessibleName("Where")
        self._code = QPlainTextEdit(readOnly=True)
        self._code.setAccessibleName("Lines to copy")
        self._code.setTabChangesFocus(True)
        self._code.document().setDocumentMargin(MARGIN)
        self._code.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._differs = QLabel(wordWrap=True)
        self._differs.setTextFormat(Qt.TextFormat.PlainText)
        self._differs.setAccessibleName("What is otherwise there")
        self._copy = PushButton("Copy", filled=True)
        self._told = Caption()
        self._lay_out()
        self._where.currentIndexChanged.connect(self._show_chosen)
        self._copy.clicked.connect(self._on_copied)

    def show_lines(self, lines: Sequence[Lines]) -> None:
        """Show the lines of other settings, for the place that is chosen."""
        self._lines = lines
        titles = [one.title for one in lines]
        if [self._where.itemText(place) for place in range(self._where.count())] != titles:
            with QSignalBlocker(self._where):
                self._where.clear()
                self._where.addItems(titles)
        self._show_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        """Letters of one width, as large as the text is now."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.font().pointSizeF())
        self._code.setFont(font)
        metrics = QFontMetrics(font)
        wanted = QSize(LETTERS * metrics.averageCharWidth(), ROWS * metrics.lineSpacing())
        self.resize(wanted.boundedTo(self.screen().availableGeometry().size()))
        super().showEvent(event)

    def _lay_out(self) -> None:
        title = QLabel("&For")
        title.setBuddy(self._where)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(title)
        top.addWidget(self._where, 1)
        bottom = QHBoxLayout()
        bottom.setSpacing(12)
        bottom.addWidget(self._told, 1)
        bottom.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, SIDE, SIDE, SIDE)
        column.setSpacing(12)
        column.addLayout(top)
        column.addWidget(self._code, 1)
        column.addWidget(self._differs)
        column.addLayout(bottom)

    def _show_chosen(self) -> None:
        lines = self._lines[max(0, self._where.currentIndex())]
        if lines.code != self._code.toPlainText():
            self._code.setPlainText(lines.code)
            self._told.clear()
        self._code.setPlaceholderText("" if lines.code else NOT_THERE)
        self._differs.setText(lines.differs)
        self._differs.setVisible(bool(lines.differs))
        self._copy.setVisible(bool(lines.code))

    def _on_copied(self) -> None:
        lines = self._lines[self._where.currentIndex()]
        QGuiApplication.clipboard().setText(lines.code)
        self._told.setText(f"Copied: {lines.title}.")
