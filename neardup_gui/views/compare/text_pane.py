"""One text of the pair: for reading, selecting and copying, with all that is marked in it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from math import ceil

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QPlainTextDocumentLayout, QPlainTextEdit, QToolTip

from core.base.messages import as_shown, gettext, ngettext
from core.base.wording import comma_list, count
from neardup_gui.environment.theme import colors, reading_font, see_through
from neardup_gui.models.compare.side import FoundSpans, PassageMark, Side, Spans
from neardup_gui.models.passages import PassageLocation
from neardup_gui.views.compare.highlights import (
    Drawing,
    Highlights,
    VisibleBlock,
    exchange_title,
    passage_title,
    quotation,
    x_of,
)
from neardup_gui.views.widgets.controls import ReadOnlyText
from neardup_gui.views.widgets.labels import scaled

LINE_SPACING = 1.36
MEASURE = 84
SIDE_MARGIN = 26.0
SAMPLE = "the quick brown fox jumps over the lazy dog and reads on "


class TextColumn:
    """Where the text stands in a pane of some width, in pixels."""

    def __init__(self, metrics: QtGui.QFontMetricsF, pane_width: float) -> None:
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

    def __init__(self, document: QtGui.QTextDocument, column: TextColumn) -> None:
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

    def blockBoundingRect(self, block: QtGui.QTextBlock) -> QRectF:
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

    def documentChanged(self, from_: int, charsRemoved: int, charsAdded: int) -> None:
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

    def _lay_out(self, block: QtGui.QTextBlock, layout: QtGui.QTextLayout) -> None:
        option = QtGui.QTextOption(self._document.defaultTextOption())
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


def paint_excluded(drawing: Drawing, side: Side, font: QtGui.QFont) -> None:
    """Grey out the text with a veil, and draw the labels in `font`."""
    if not len(side.excluded):
        return
    veil = see_through(colors().base, VEIL[colors().dark])
    for block in drawing.blocks:
        end = block.start + block.length
        for start, stop, part in side.excluded.between(block.start, end):
            for rect, _ in drawing.pieces(block, (start, stop)):
                drawing.painter.fillRect(rect, veil)
            _draw_label(drawing.painter, side, block, part, font)


def _draw_label(
    painter: QtGui.QPainter, side: Side, block: VisibleBlock, part: int, font: QtGui.QFont
) -> None:
    """Draw the reason in the room before a part."""
    start, end = side.labels[part]
    if start == end or not block.start <= start < block.start + block.length:
        return
    line = block.layout.lineForTextPosition(start - block.start)
    start_x, end_x = x_of(line, start - block.start), x_of(line, end - block.start)
    metrics = QtGui.QFontMetricsF(font)
    room = abs(end_x - start_x) - 4
    words = metrics.elidedText(side.reasons[part], Qt.TextElideMode.ElideRight, room - PADDING)
    pill = QRectF(0, 0, min(metrics.horizontalAdvance(words) + 2 * PADDING, room), metrics.height())
    shift = pill.width() / 2 + 1 if end_x > start_x else -pill.width() / 2 - 1
    pill.moveCenter(QPointF(start_x + shift, block.top + line.y() + line.ascent() * PILL_RISE))
    painter.save()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
    painter.setPen(QtGui.QPen(colors().muted, 1))
    painter.setBrush(colors().base)
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def exclusion_title(side: Side, position: int) -> str:
    """Why the text at a position does not count; empty where it does."""
    part = side.excluded.at(position)
    if part is None:
        return ""
    return gettext("Set aside: {reason}. It does not count.", reason=gettext(side.reasons[part]))


def exclusion_description(side: Side) -> str:
    """What is set aside in a text, for screen readers: "2 × quotation, 1 × template"."""
    if not side.reasons:
        return ""
    counts = Counter(side.reasons).items()
    return ngettext(
        "{n} part set aside: {reasons}",
        "{n} parts set aside: {reasons}",
        len(side.reasons),
        reasons=comma_list(f"{number} × {gettext(reason)}" for reason, number in counts),
    )


DOTS = [1.0, 2.0]  # widths of the line


def paint_disguises(drawing: Drawing, side: Side) -> None:
    """Draw the frames over the text."""
    pen = QtGui.QPen(colors().text, 1)
    pen.setDashPattern(DOTS)
    drawing.frame(side.disguises, pen, 1.5)


def disguise_title(side: Side, position: int) -> str:
    """The meaning of the mark at a position; empty where there is no mark."""
    number = side.disguises.at(position)
    if number is None:
        return ""
    mark = side.marked[number]
    what = as_shown(mark.name)
    if mark.letter:
        # Translators: a letter and its script or style, as in “Cyrillic а”, “fullwidth a”.
        what = gettext("{script} {letter}", script=what, letter=mark.letter)
    if mark.characters == 1:
        return gettext("Not what it seems: {what}.", what=what)
    return ngettext(
        "Not what it seems: {what}, and {n} more here.",
        "Not what it seems: {what}, and {n} more here.",
        mark.characters - 1,
        what=what,
    )


def disguise_description(side: Side) -> str:
    """What is marked in a text, for screen readers: "3 × invisible character"."""
    if not side.marked:
        return ""
    counts = Counter[str]()
    for mark in side.marked:
        counts[mark.kind] += mark.characters
    return ngettext(
        "{n} mark of what is not seen: {kinds}",
        "{n} marks of what is not seen: {kinds}",
        len(side.marked),
        kinds=comma_list(f"{count(number)} × {gettext(kind)}" for kind, number in counts.items()),
    )


SCALE = 0.86
GAP = 8.0


def paint_page_marks(drawing: Drawing, side: Side, column: TextColumn) -> None:
    """Draw the page marks of the visible blocks."""
    painter, marks = drawing.painter, side.text.page_marks
    seen = [(block, marks[block.start]) for block in drawing.blocks if block.start in marks]
    if not seen:
        return
    font = scaled(QApplication.font(), SCALE)
    painter.setFont(font)
    for block, page in seen:
        label = side.origin.cite(page)
        area = QRectF(column.left, block.top, column.width, block.height)
        words = QtGui.QFontMetricsF(font).horizontalAdvance(label)
        rule = QRectF(area.left(), round(area.center().y()), area.width() - words - GAP, 1.0)
        painter.fillRect(rule, colors().border)
        painter.setPen(colors().muted)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)


CURRENT_MATCH_WIDTH = 2.5  # of the frame around the current match; the others have 1


class PaneMarks:
    """The marks of one text; positions are display positions."""

    def __init__(
        self, side: Side, marks: Sequence[PassageMark], badge_font: QtGui.QFont, index: int
    ) -> None:
        """`index` is 0 for text A, 1 for B."""
        self._side = side
        self._index = index
        self._headings = side.headings
        self._marks = marks
        self.highlights = Highlights(side, marks, badge_font)
        self.matches = self.current_match = FoundSpans.nowhere()
        self._touch = Spans([_touched(side, owner) for owner in range(len(marks))])

    def paint_below(self, drawing: Drawing, column: TextColumn) -> None:
        """Paint the layers under the letters."""
        for block in drawing.blocks:
            if block.start in self._headings:
                area = QRectF(column.left, block.top, column.width, block.height)
                drawing.painter.fillRect(area, colors().raised)
        self.highlights.paint(drawing)
        paint_page_marks(drawing, self._side, column)

    def paint_above(self, drawing: Drawing) -> None:
        """Paint the layers over the letters."""
        paint_excluded(drawing, self._side, self.highlights.badge_font)
        paint_disguises(drawing, self._side)
        drawing.frame(self.matches, QtGui.QPen(colors().text, 1), 0.5)
        drawing.frame(self.current_match, QtGui.QPen(colors().text, CURRENT_MATCH_WIDTH), 0.5)

    @property
    def description(self) -> str:
        """What is marked besides passages, for screen readers."""
        parts = (disguise_description(self._side), exclusion_description(self._side))
        return "; ".join(filter(None, parts))

    def passage_at(self, position: int) -> int | None:
        """The passage at a position or at its badge."""
        return self._touch.at(position)

    def _exchange_title(self, position: int) -> str:
        number = self._side.exchanges.at(position)
        return (
            "" if number is None else exchange_title(self._side.substitutions[number], self._index)
        )

    def title_at(self, position: int) -> str:
        """The tool tip of a position; may be empty."""
        passage = self.passage_at(position)
        titles = (
            "" if passage is None else passage_title(self._marks[passage]),
            self._exchange_title(position),
            disguise_title(self._side, position),
            exclusion_title(self._side, position),
        )
        return "\n".join(filter(None, titles))


def _touched(side: Side, owner: int) -> tuple[int, int, int]:
    """The span in which a click chooses a passage; wider where this text has none of its words."""
    start, end = side.badges[owner][0], side.extents[owner][1]
    return (start, end, owner) if end > start else (max(start - 1, 0), end + 1, owner)


class PaneGeometry:
    """Positions and heights of one pane: y is measured in pixels from the top of its viewport.

    QPlainTextEdit scrolls by whole lines and counts those it has laid out, so scrolling goes by
    blocks and lines, never by the range of the scroll bar.
    """

    def __init__(self, pane: QPlainTextEdit, layout: ReadingLayout) -> None:
        self._pane = pane
        self._layout = layout
        self._blocks: tuple[object, list[VisibleBlock]] = (None, [])
        self._span: tuple[object, tuple[int, int]] = (None, (0, 0))

    @property
    def height(self) -> int:
        """Height of the pane."""
        return self._pane.viewport().height()

    def visible_blocks(self) -> list[VisibleBlock]:
        """The blocks on the screen, from above."""
        key = (
            self._pane.firstVisibleBlock().position(),
            self._pane.contentOffset().y(),
            self._pane.viewport().size(),
            self._pane.document().revision(),
            self._layout.column,
            self._layout.generation,
        )
        if self._blocks[0] != key:
            self._blocks = (key, self._find_visible_blocks())
        return self._blocks[1]

    def _find_visible_blocks(self) -> list[VisibleBlock]:
        blocks = []
        block, top = self._pane.firstVisibleBlock(), self._pane.contentOffset().y()
        while block.isValid() and top < self.height:
            height = self._layout.blockBoundingRect(block).height()
            length = block.length() - 1
            blocks.append(VisibleBlock(block.position(), length, top, height, block))
            top += height
            block = block.next()
        return blocks

    def visible_span(self) -> tuple[int, int]:
        """The first and last position on the screen."""
        blocks = self.visible_blocks()
        if self._span[0] is not blocks:
            self._span = (blocks, (self.line_at(0)[0], self.line_at(self.height - 1)[1]))
        return self._span[1]

    def line_at(self, y: float) -> tuple[int, int, float]:
        """The line at a height: its first position, its end, its top."""
        blocks = self.visible_blocks()
        if not blocks:
            return 0, 0, 0.0
        index = max(bisect_right([block.top for block in blocks], y) - 1, 0)
        block = blocks[index]
        top = block.top
        layout = block.layout
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            bottom = block.top + line.y() + line.height()
            if bottom > y:
                break
            top = bottom
        start = block.start + line.textStart()
        return start, start + line.textLength(), top

    def line_top(self, position: int) -> float:
        """The height of the line that holds a position; infinite when it is off the screen."""
        blocks = self.visible_blocks()
        if not blocks or position < blocks[0].start:
            return float("-inf")
        block = blocks[bisect_right([block.start for block in blocks], position) - 1]
        if position > block.start + block.length:
            return float("inf")
        return block.top + _top_in_block(block.layout, position - block.start)

    def line_bottom(self, position: int) -> float:
        """The lower edge of the line that holds a position; infinite when off the screen."""
        return self.line_top(position) + self._layout.column.pitch

    def room_above(self, position: int, limit: float) -> float:
        """How far from the top the line of a position can stand, counted up to a limit."""
        block, above = self._climb(position, limit)
        if not block.previous().isValid():
            above += self._pane.document().documentMargin()
        return min(above, limit)

    def bring(self, position: int, y: float) -> None:
        """Scroll so that the line of a position stands as near as can be to a height."""
        block, above = self._climb(position, y)
        layout = block.layout()
        heights = [above, *(above - _bottom(layout, line) for line in range(layout.lineCount()))]
        if not block.previous().isValid():
            heights[0] += self._pane.document().documentMargin()
        line = min(range(len(heights)), key=lambda number: abs(heights[number] - y))
        self._pane.verticalScrollBar().setValue(block.firstLineNumber() + line)

    def _climb(self, position: int, limit: float) -> tuple[QtGui.QTextBlock, float]:
        """The block that begins so far above the line of a position, and how far that is."""
        block = self._pane.document().findBlock(position)
        self._layout.blockBoundingRect(block)
        above = _top_in_block(block.layout(), position - block.position())
        while above < limit and block.previous().isValid():
            block = block.previous()
            above += self._layout.blockBoundingRect(block).height()
        return block, above


def _bottom(layout: QtGui.QTextLayout, number: int) -> float:
    line = layout.lineAt(number)
    return line.y() + line.height()


def _top_in_block(layout: QtGui.QTextLayout, position: int) -> float:
    """The upper edge of the line of a position, with the space above it."""
    number = layout.lineForTextPosition(position).lineNumber()
    return _bottom(layout, number - 1) if number > 0 else 0.0


READING_SIZE = 1.12
LEAST_WIDTH = 120
LEAST_LINES = 3
BADGE_SIZE = 0.78


class TextPane(ReadOnlyText):
    """A text that can be read, searched by eye and copied, but not changed.

    Positions are display positions of the side's text; y is measured in pixels of the viewport.
    """

    scrolled = Signal(int)
    resized = Signal(int)
    passage_clicked = Signal(int, int)

    def __init__(self, index: int) -> None:
        """`index` is 0 for A, at the left, and 1 for B; signals carry it."""
        super().__init__()
        self._index = index
        self._side: Side | None = None
        self._marks: PaneMarks | None = None
        self._file_actions: Sequence[QtGui.QAction] = ()
        self._is_fitting = False
        self._kept = (-1, 0)  # after the last change of width: the scroll value, the first position
        self._own_document: QtGui.QTextDocument | None = None  # Qt deletes that which it made
        self._borrowed_from: list[QtGui.QTextDocument] | None = None
        self._set_up_document()
        self.setCenterOnScroll(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._on_value_changed)

    def _set_up_document(self) -> None:
        self.setFont(_font())
        QApplication.instance().fontChanged.connect(self._resize_text)  # type: ignore[union-attr]
        self._use(QtGui.QTextDocument(undoRedoEnabled=False))

    def _use(self, document: QtGui.QTextDocument, *, bidirectional: bool = False) -> None:
        """Show a document from its beginning."""
        document.setParent(self)
        document.setDefaultFont(self.font())
        self._layout = ReadingLayout(document, self._column())
        self._layout.set_bidirectional(bidirectional)
        document.setDocumentLayout(self._layout)
        document.setDocumentMargin(self._layout.column.margin)
        self.geometry_of_text = PaneGeometry(self, self._layout)
        option = QtGui.QTextOption()
        option.setWrapMode(QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        self.verticalScrollBar().setValue(0)
        self.setDocument(document)
        if self._own_document is not None:
            self._own_document.deleteLater()
        self._own_document = document

    def minimumSizeHint(self) -> QSize:
        """Some lines, whatever else wants to be seen."""
        return QSize(LEAST_WIDTH, round(LEAST_LINES * self._layout.column.pitch))

    def _column(self) -> TextColumn:
        metrics = QtGui.QFontMetricsF(self.font())
        column = TextColumn(metrics, self.viewport().width())
        self.setMaximumWidth(ceil(column.most))
        return column

    def show_side(self, side: Side, marks: Sequence[PassageMark]) -> None:
        """Show a text from its beginning."""
        self.give_back()
        self._side = side
        self._marks = PaneMarks(side, marks, self._badge_font(), self._index)
        if side.text.prepared:
            document = side.text.prepared.pop()
            self._borrowed_from = side.text.prepared
            document.moveToThread(self.thread())
            self._use(document, bidirectional=side.text.bidirectional)
        else:
            self._layout.set_bidirectional(side.text.bidirectional)
            self.setPlainText(side.text.shown)
        self.setAccessibleName(
            gettext("Text {side}: {name}", side="AB"[self._index], name=side.name)
        )
        self.setAccessibleDescription(self._marks.description)

    def give_back(self) -> None:
        """Give the document of a long text back, for the pane that shows the text next."""
        lent, document = self._borrowed_from, self._own_document
        if lent is None or document is None:
            return
        self._own_document = self._borrowed_from = None
        self._use(QtGui.QTextDocument(undoRedoEnabled=False))
        document.setParent(None)
        document.setDocumentLayout(None)  # type: ignore[arg-type] # it is that of this pane
        document.moveToThread(None)  # type: ignore[arg-type] # as it was
        lent.append(document)

    def set_current(self, passage: int | None) -> None:
        """Emphasise a passage, or none."""
        if self._marks is not None:
            self._marks.highlights.current = passage
            self.viewport().update()

    def show_found(self, matches: FoundSpans) -> None:
        """Frame the matches of a phrase."""
        if self._marks is not None:
            self._marks.matches = matches
            if not len(matches):
                self._marks.current_match = matches
            self.viewport().update()

    def show_current_match(self, *spans: tuple[int, int]) -> None:
        """Emphasise and reveal the current match, spans of the source; or no match."""
        if self._side is None or self._marks is None:
            return
        starts, ends = ([span[end] for span in spans] for end in (0, 1))
        self._marks.current_match = FoundSpans.of(self._side.text, starts, ends)
        self.viewport().update()
        for span in spans:
            self.reveal_source(*span)

    def set_file_actions(self, actions: Sequence[QtGui.QAction]) -> None:
        """The actions of the context menu on the file of this text."""
        self._file_actions = actions

    def place_cursor(self, start: int, end: int | None = None) -> None:
        """Put the text cursor at a position, or select a span; nothing scrolls."""
        value = self.verticalScrollBar().value()
        cursor = QtGui.QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(start if end is None else end, QtGui.QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(value)

    def reveal_source(self, start: int, end: int) -> None:
        """Select code points of the source and scroll to them."""
        if self._side is None:
            return
        first, last = self._side.text.span(start, end)
        self.place_cursor(first, last)
        geometry = self.geometry_of_text
        if not 0 <= geometry.line_top(first) <= 0.8 * geometry.height:
            geometry.bring(first, 0.3 * geometry.height)

    def reveal_location(self, occurrence: PassageLocation) -> None:
        """Reveal where a passage stands in this text."""
        if self._side is not None and self._side.name in occurrence.names:
            self.reveal_source(*occurrence.spans[occurrence.names.index(self._side.name)])

    def scroll_to_share(self, share: float) -> None:
        """Scroll so that a position, as a share of the text from 0 to 1, is in the middle."""
        if self._side is not None:
            position = round(share * self._side.text.length)
            self.geometry_of_text.bring(position, 0.5 * self.geometry_of_text.height)

    def scroll_by_wheel(self, turn: int) -> None:
        """Scroll as the wheel was turned, in eighths of a degree."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() - round(turn * QApplication.wheelScrollLines() / 120))

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the selection from the source, without the characters added for display.

        The object is Qt's own: the clipboard keeps it until the program has ended, and by then
        Python, and with it everything that was made there, is gone (the process would crash).
        """
        data = super().createMimeDataFromSelection()
        data.text()  # what is displayed is filled in when it is first asked for: before, not after
        data.clear()
        if selected := self.selection():
            data.setText(selected[0].text.source[slice(*selected[1:])].replace("\f", "\n"))
        return data

    def copy_quotation(self) -> None:
        """Copy the selection in quotation marks, with the name of the document and its page."""
        if selected := self.selection():
            side, start, end = selected
            words = quotation(side.text.source[start:end], side.name, side.cite(start, end))
            QtGui.QGuiApplication.clipboard().setText(words)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Offer the actions on the selection and on the file."""
        menu = self.createStandardContextMenu(event.pos())
        copy = QtGui.QAction(gettext("Copy with source"), menu)
        copy.setEnabled(self.textCursor().hasSelection())
        copy.triggered.connect(self.copy_quotation)
        menu.addActions([copy, *self.actions()])
        menu.addSeparator()
        menu.addActions(list(self._file_actions))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def selection(self) -> tuple[Side, int, int] | None:
        """The document, and the code points of it that are selected; None for nothing."""
        cursor, side = self.textCursor(), self._side
        if side is None or not cursor.hasSelection():
            return None
        return side, *side.text.source_span(cursor.selectionStart(), cursor.selectionEnd())

    def drawing(self, painter: QtGui.QPainter, clip: QRectF) -> Drawing:
        """What is drawn besides the letters, of a part of the pane."""
        bidirectional = self._side is not None and self._side.text.bidirectional
        return Drawing(painter, self.geometry_of_text.visible_blocks(), clip, bidirectional)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The passages first, the text over them, and over it what greys it or frames it."""
        clip = QRectF(event.rect())
        painter = QtGui.QPainter(self.viewport())
        if self._marks is not None:
            self._marks.paint_below(self.drawing(painter, clip), self._layout.column)
        painter.end()
        super().paintEvent(event)
        painter = QtGui.QPainter(self.viewport())
        if self._marks is not None:
            self._marks.paint_above(self.drawing(painter, clip))
        if self.hasFocus():
            painter.fillRect(0, 0, self.viewport().width(), 2, colors().accent)
        painter.end()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Fit the column to the pane before Qt lays the text out again, from the same place on."""
        bar, (value, top) = self.verticalScrollBar(), self._kept
        if bar.value() != value:  # not moved by the last change: from there, or it would drift
            top = self.geometry_of_text.line_at(1)[0]  # a line above may end in a part of a pixel
        self._layout.column = self._column()
        self._is_fitting = True
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.geometry_of_text.bring(top, 0)
            self._kept = (bar.value(), top)
        self._is_fitting = False
        self.resized.emit(self._index)

    def _resize_text(self) -> None:
        """Lay the same text out again, larger or smaller, from the same place on."""
        top = self.geometry_of_text.line_at(0)[0]
        self.setFont(_font())
        self.document().setDefaultFont(self.font())
        if self._marks is not None:
            self._marks.highlights.badge_font = self._badge_font()
        self._layout.use_column(self._column())
        self.document().setDocumentMargin(self._layout.column.margin)
        self.geometry_of_text.bring(top, 0)
        self.resized.emit(self._index)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """A click on a passage, without selecting, chooses it."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self._choose_passage(self.cursorForPosition(event.position().toPoint()).position())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Enter chooses the passage at the text cursor, as a click does."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._choose_passage(self.textCursor().position())
            return
        super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Name the passage under the mouse in a tool tip."""
        if isinstance(event, QtGui.QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            position = self.cursorForPosition(event.pos()).position()
            text = "" if self._marks is None else self._marks.title_at(position)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        """Show the mark of the focus."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        """Take the mark of the focus away."""
        super().focusOutEvent(event)
        self.viewport().update()

    def _choose_passage(self, position: int) -> None:
        passage = None if self._marks is None else self._marks.passage_at(position)
        if passage is not None:
            self.passage_clicked.emit(passage, self._index)

    def _on_value_changed(self) -> None:
        if not self._is_fitting:  # the user did not scroll, and `resized` follows
            self.scrolled.emit(self._index)

    def _badge_font(self) -> QtGui.QFont:
        font = QApplication.font()
        font.setPointSizeF(BADGE_SIZE * self.font().pointSizeF())
        font.setBold(True)
        return font


def _font() -> QtGui.QFont:
    return reading_font(READING_SIZE * QApplication.font().pointSizeF())
