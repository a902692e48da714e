"""Everything that is drawn in a text besides its letters, and what is said of a place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextBlock,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QPlainTextDocumentLayout

from core.base.messages import gettext, ngettext
from core.base.wording import count, in_a_row
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.side import FoundSpans, PassageMark, Side, Spans
from neardup_gui.views.compare.highlights import (
    Drawing,
    Highlights,
    VisibleBlock,
    exchange_title,
    passage_title,
    x_of,
)

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
        self._laid_out: set[int] = set()  # numbers of blocks; a text has a hundred thousand
        self.column = column
        self.generation = 0  # another number: lines that were known may be gone

    def set_bidirectional(self, bidirectional: bool) -> None:
        """Whether paragraphs may run from right to left and then begin at the right."""
        self._mirrored = bidirectional

    def use_column(self, column: TextColumn) -> None:
        """Lay every block out again, in another column, when it is next needed."""
        for number in self._laid_out:
            if (block := self._document.findBlockByNumber(number)).isValid():
                block.layout().clearLayout()
        self._laid_out.clear()
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
        self._laid_out.add(block.blockNumber())
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


VEIL = {False: 0.38, True: 0.42}  # light and dark: the letters keep a contrast of 4.5 : 1 and more
PILL_RISE = 0.62  # of the letters above the base line
PADDING = 6.0


def paint_aside(drawing: Drawing, side: Side, font: QFont) -> None:
    """Draw over the text what makes it grey, and the labels in `font`."""
    if not len(side.aside):
        return
    veil = QColor(colors().base)
    veil.setAlphaF(VEIL[colors().dark])
    for block in drawing.blocks:
        end = block.start + block.length
        for start, stop, part in side.aside.between(block.start, end):
            for rect, _ in drawing.pieces(block, (start, stop)):
                drawing.painter.fillRect(rect, veil)
            _draw_label(drawing.painter, side, block, part, font)


def _draw_label(painter: QPainter, side: Side, block: VisibleBlock, part: int, font: QFont) -> None:
    """The reason, in the room before a part."""
    start, end = side.labels[part]
    if start == end or not block.start <= start < block.start + block.length:
        return
    line = block.layout.lineForTextPosition(start - block.start)
    one, other = x_of(line, start - block.start), x_of(line, end - block.start)
    metrics = QFontMetricsF(font)
    room = abs(other - one) - 4
    words = metrics.elidedText(side.reasons[part], Qt.TextElideMode.ElideRight, room - PADDING)
    pill = QRectF(0, 0, min(metrics.horizontalAdvance(words) + 2 * PADDING, room), metrics.height())
    shift = pill.width() / 2 + 1 if other > one else -pill.width() / 2 - 1
    pill.moveCenter(QPointF(one + shift, block.top + line.y() + line.ascent() * PILL_RISE))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors().muted, 1))
    painter.setBrush(colors().base)
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def aside_title(side: Side, position: int) -> str:
    """Why the text at a position does not count; empty where it does."""
    part = side.aside.at(position)
    if part is None:
        return ""
    return gettext("Set aside: {reason}. It does not count.", reason=gettext(side.reasons[part]))


def aside_description(side: Side) -> str:
    """What is set aside in a text, for those who cannot see it: "2 × quotation, 1 × template"."""
    if not side.reasons:
        return ""
    counts = Counter(side.reasons).items()
    return ngettext(
        "{n} part set aside: {reasons}",
        "{n} parts set aside: {reasons}",
        len(side.reasons),
        reasons=in_a_row(f"{number} × {gettext(reason)}" for reason, number in counts),
    )


DOTS = [1.0, 2.0]  # widths of the line


def paint_disguises(drawing: Drawing, side: Side) -> None:
    """Draw the frames over the text."""
    pen = QPen(colors().text, 1)
    pen.setDashPattern(DOTS)
    drawing.frame(side.disguises, pen, 1.5)


def disguise_title(side: Side, position: int) -> str:
    """What the mark at a position is; empty where there is none."""
    number = side.disguises.at(position)
    if number is None:
        return ""
    mark = side.marked[number]
    if mark.characters == 1:
        return gettext("Not what it seems: {what}.", what=mark.says)
    return ngettext(
        "Not what it seems: {what}, and {n} more here.",
        "Not what it seems: {what}, and {n} more here.",
        mark.characters - 1,
        what=mark.says,
    )


def disguise_description(side: Side) -> str:
    """What is marked in a text, for those who cannot see it: "3 × invisible character"."""
    if not side.marked:
        return ""
    counts = Counter[str]()
    for mark in side.marked:
        counts[mark.kind] += mark.characters
    return ngettext(
        "{n} mark of what is not seen: {kinds}",
        "{n} marks of what is not seen: {kinds}",
        len(side.marked),
        kinds=in_a_row(f"{count(number)} × {gettext(kind)}" for kind, number in counts.items()),
    )


SCALE = 0.86
GAP = 8.0


def paint_page_marks(drawing: Drawing, side: Side, column: TextColumn) -> None:
    """Draw the marks among the visible blocks."""
    painter, marks = drawing.painter, side.text.page_marks
    seen = [(block, marks[block.start]) for block in drawing.blocks if block.start in marks]
    if not seen:
        return
    font = QFont(QApplication.font())
    font.setPointSizeF(SCALE * font.pointSizeF())
    painter.setFont(font)
    for block, page in seen:
        label = side.origin.cite(page)
        area = QRectF(column.left, block.top, column.width, block.height)
        words = QFontMetricsF(font).horizontalAdvance(label)
        rule = QRectF(area.left(), round(area.center().y()), area.width() - words - GAP, 1.0)
        painter.fillRect(rule, colors().border)
        painter.setPen(colors().muted)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)


class PaneMarks:
    """The marks of one text; positions are display positions."""

    def __init__(
        self, side: Side, marks: Sequence[PassageMark], badge_font: QFont, index: int
    ) -> None:
        """`index` is 0 for text A, 1 for B."""
        self._side = side
        self._index = index
        self._headings = side.headings
        self._marks = marks
        self.highlights = Highlights(side, marks, badge_font)
        self.found = FoundSpans.nowhere()
        self._touch = Spans([_touched(side, owner) for owner in range(len(marks))])

    def paint_below(self, drawing: Drawing, column: TextColumn) -> None:
        """What lies under the letters."""
        for block in drawing.blocks:
            if block.start in self._headings:
                area = QRectF(column.left, block.top, column.width, block.height)
                drawing.painter.fillRect(area, colors().raised)
        self.highlights.paint(drawing)
        paint_page_marks(drawing, self._side, column)

    def paint_above(self, drawing: Drawing) -> None:
        """What lies over the letters."""
        paint_aside(drawing, self._side, self.highlights.badge_font)
        paint_disguises(drawing, self._side)
        drawing.frame(self.found, QPen(colors().text, 1), 0.5)

    @property
    def description(self) -> str:
        """What is marked besides passages, for those who cannot see it."""
        parts = (disguise_description(self._side), aside_description(self._side))
        return "; ".join(filter(None, parts))

    def passage_at(self, position: int) -> int | None:
        """The passage at a position or at its badge."""
        return self._touch.at(position)

    def _exchange_title(self, position: int) -> str:
        number = self._side.exchanges.at(position)
        return "" if number is None else exchange_title(self._side.instead[number], self._index)

    def title_at(self, position: int) -> str:
        """What a tool tip says of a position; empty where there is nothing to say."""
        passage = self.passage_at(position)
        titles = (
            "" if passage is None else passage_title(self._marks[passage]),
            self._exchange_title(position),
            disguise_title(self._side, position),
            aside_title(self._side, position),
        )
        return "\n".join(filter(None, titles))


def _touched(side: Side, owner: int) -> tuple[int, int, int]:
    """Where a click chooses a passage; words that stand in the other text only are easily met."""
    start, end = side.badges[owner][0], side.extents[owner][1]
    return (start, end, owner) if end > start else (max(start - 1, 0), end + 1, owner)
