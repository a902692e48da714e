"""Text laid out for reading: a column of comfortable width, with space between the lines."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextDocument, QTextLayout, QTextOption
from PySide6.QtWidgets import QPlainTextDocumentLayout

LINE_SPACING = 1.36
MEASURE = 84
SIDE_MARGIN = 26.0
SAMPLE = "the quick brown fox jumps over the lazy dog and reads on "


class TextColumn:
    """Where the text stands in a pane of some width, in pixels."""

    def __init__(self, metrics: QFontMetricsF, pane_width: float) -> None:
        """At most about `MEASURE` letters wide; a pane needs no more than `most`."""
        letter = metrics.horizontalAdvance(SAMPLE) / len(SAMPLE)
        self.most = MEASURE * letter + 2 * SIDE_MARGIN
        self.width = max(min(pane_width, self.most) - 2 * SIDE_MARGIN, 8 * letter)
        self.left = SIDE_MARGIN
        self.pitch = float(round(LINE_SPACING * metrics.height()))
        # Above the text; QPlainTextEdit also cuts so much at its right.
        self.margin = min(self.pitch, SIDE_MARGIN - 2)


class ReadingLayout(QPlainTextDocumentLayout):
    """QPlainTextEdit knows neither line spacing nor a column, but asks here for every block.

    Blocks are laid out when they are first needed, as Qt's own class does.
    """

    def __init__(self, document: QTextDocument, column: TextColumn) -> None:
        super().__init__(document)
        self._document = document
        self._mirrored = False
        self._announcing = False
        self._announced = 0
        self.column = column
        self.generation = 0  # another number: lines that were known may be gone

    def set_bidirectional(self, bidirectional: bool) -> None:
        """Whether paragraphs may run from right to left and then begin at the right."""
        self._mirrored = bidirectional

    def use_column(self, column: TextColumn) -> None:
        """Lay every block out again, in another column, when it is next needed."""
        block = self._document.firstBlock()
        while block.isValid():
            block.layout().clearLayout()
            block = block.next()
        self.column = column
        self.generation += 1
        self._announce()

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The place of a block, laid out now if it is not yet."""
        if not block.isValid():
            return QRectF()
        layout = block.layout()
        if layout.lineCount() == 0:
            self._lay_out(block, layout)
            self._announce()
        last = layout.lineAt(layout.lineCount() - 1)
        right = self.column.left + self.column.width
        return QRectF(0.0, 0.0, right, last.y() + last.height())

    def documentChanged(
        self,
        from_: int,
        charsRemoved: int,
        charsAdded: int,
    ) -> None:
        """Qt forgets lines here, and lays a text of a single block out by itself: undo that."""
        self.generation += 1
        super().documentChanged(from_, charsRemoved, charsAdded)
        self.generation += 1
        if self._document.blockCount() == 1:
            self._document.firstBlock().layout().clearLayout()
            self.update.emit()

    def _announce(self) -> None:
        """Tell the scroll bar how many lines there are now, which may lay out more of them."""
        if self._announcing:
            return
        self._announcing = True
        while self._announced != self._document.lineCount():
            self._announced = self._document.lineCount()
            self.documentSizeChanged.emit(self.documentSize())
        self._announcing = False

    def _lay_out(self, block: QTextBlock, layout: QTextLayout) -> None:
        option = QTextOption(self._document.defaultTextOption())
        if self._mirrored and block.textDirection() == Qt.LayoutDirection.RightToLeft:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout.setTextOption(option)
        bottom = 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLeadingIncluded(True)
            line.setLineWidth(self.column.width)
            height = line.height()
            bottom += max(self.column.pitch, height)
            line.setPosition(QPointF(self.column.left, bottom - height))
        layout.endLayout()
        block.setLineCount(layout.lineCount())
