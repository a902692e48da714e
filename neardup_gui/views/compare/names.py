"""The names of both documents in a row, with their formats and the way to their remarks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.base.wording import counted
from neardup_gui.environment.theme import colors
from neardup_gui.models.compare.document_kind import NOWHERE
from neardup_gui.models.compare.side import Side
from neardup_gui.models.words.numbers import full_name, tool_tip
from neardup_gui.views.compare.labels import remarks_in_lines
from neardup_gui.views.widgets.elide import elided_name
from neardup_gui.views.widgets.link_label import LinkLabel

GAP = 6  # between a name and "and"
APART = 6  # more of it where something stands between them
WIDE_GAP = 10


class NameLabel(QLabel):
    """A file name, shortened in the middle when there is no room; plain text, always."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        font = QFont(self.font())
        font.setBold(True)
        self.setFont(font)

    def show_name(self, side: str, name: str) -> None:
        """Show a name; all of it is in the tool tip."""
        self.setText(" ".join(name.split()))
        self.setToolTip(tool_tip(full_name(name)))
        self.setAccessibleName(f"Document {side}: {name}")

    def shown_width(self, room: int) -> int:
        """How wide the name is where it has so much room; shortened, it may need less."""
        shown = elided_name(self.fontMetrics(), self.text(), room)
        return min(room, self.fontMetrics().horizontalAdvance(shown) + 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The name, or its beginning and end."""
        painter = QPainter(self)
        painter.setPen(colors().text)
        shown = elided_name(self.fontMetrics(), self.text(), self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)


class DocumentLabels:
    """What is said of one document: its name, its format and page, how many remarks."""

    def __init__(self, parent: QWidget) -> None:
        self.name = NameLabel(parent)
        self.detail = QLabel(parent)
        self.detail.setTextFormat(Qt.TextFormat.PlainText)
        self.detail.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.mark = QLabel(parent)
        self.mark.setTextFormat(Qt.TextFormat.PlainText)
        self.mark.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.remarks = LinkLabel("", parent)
        self._side: Side | None = None
        self._detail_room = 0

    def show_side(self, letter: str, side: Side) -> None:
        """Show a document from its first page."""
        self._side = side
        self.name.show_name(letter, side.name)
        self.shorten_mark(shorten=False)
        self.mark.setToolTip(tool_tip(side.origin.mark))
        self.mark.setVisible(bool(side.origin.mark))
        # The last page is the widest: nothing moves while the text is scrolled.
        self.show_page(side.text.pages)
        self._detail_room = self.detail.sizeHint().width() if self.detail.text() else 0
        self.show_page(1)
        number = len(side.origin.remarks)
        self.remarks.setText(counted(number, "remark", "remarks"))
        self.remarks.setAccessibleName(f"{self.remarks.text()} on document {letter}")
        self.remarks.setToolTip(tool_tip(remarks_in_lines(side.origin.remarks)))
        self.remarks.setVisible(number > 0)

    def shorten_mark(self, *, shorten: bool) -> None:
        """Say of a document that is not there only so, or also since when."""
        origin = self._side.origin if self._side else NOWHERE
        self.mark.setText(origin.short_mark if shorten else origin.mark)

    def show_page(self, page: int) -> None:
        """Show another page as the one that is read."""
        if self._side is not None:
            self.detail.setText(self._side.origin.describe(self._side.text.pages, page))

    @property
    def room(self) -> int:
        """How wide the name is in full."""
        return self.name.sizeHint().width() + 1

    @property
    def detail_room(self) -> int:
        """How wide the format is, with the gap before it."""
        return self._detail_room + WIDE_GAP if self._detail_room else 0

    @property
    def mark_room(self) -> int:
        """How wide the mark of a document is that is not there, with the gap before it."""
        return self.mark.sizeHint().width() + WIDE_GAP if self.mark.text() else 0

    @property
    def remarks_room(self) -> int:
        """How wide the link is, with the gap before it; it is always shown."""
        hidden = self.remarks.isHidden()
        return 0 if hidden else self.remarks.sizeHint().width() + WIDE_GAP

    def place(self, x: int, height: int, name_width: int, *, in_full: bool) -> int:
        """Place everything from x on; return where it ends."""
        name_width = self.name.shown_width(name_width)
        self.name.setGeometry(x, 0, name_width, height)
        x += name_width
        if self.mark_room:
            self.mark.setGeometry(x + WIDE_GAP, 0, self.mark_room - WIDE_GAP, height)
            x += self.mark_room
        self.detail.setVisible(in_full and self._detail_room > 0)
        if in_full and self._detail_room:
            self.detail.setGeometry(x + WIDE_GAP, 0, self._detail_room, height)
            x += self.detail_room
        if self.remarks_room:
            self.remarks.setGeometry(x + WIDE_GAP, 0, self.remarks.sizeHint().width(), height)
            x += self.remarks_room
        return x


class NamesRow(QWidget):
    """Both names in a row; when they do not fit, the shorter gives way only below one half.

    Signals:
        remarks_clicked: The document, 0 or 1, whose remarks the user wants to see.
    """

    remarks_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._documents = (DocumentLabels(self), DocumentLabels(self))
        self._and = QLabel("and", self)
        for index, document in enumerate(self._documents):
            document.remarks.clicked.connect(partial(self.remarks_clicked.emit, index))

    def show_sides(self, sides: tuple[Side, Side]) -> None:
        """Show the documents A and B."""
        for document, letter, side in zip(self._documents, "AB", sides, strict=True):
            document.show_side(letter, side)
        self._place()

    def show_pages(self, pages: tuple[int, int]) -> None:
        """Show which page of each document is read."""
        for document, page in zip(self._documents, pages, strict=True):
            document.show_page(page)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(200, self._documents[0].name.sizeHint().height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room again."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        one, other = self._documents
        between = self._and.sizeHint().width() + 2 * GAP
        wishes = (one.room, other.room)
        for shorten in (False, True):
            for document in self._documents:
                document.shorten_mark(shorten=shorten)
            always = (one.remarks_room, one.mark_room, other.remarks_room, other.mark_room)
            room = max(self.width() - between - APART - sum(always), 0)
            if sum(wishes) <= room:
                break
        in_full = sum(wishes) + one.detail_room + other.detail_room <= room
        first = min(wishes[0], max(room // 2, room - wishes[1]))
        second = min(wishes[1], room - first)
        height = self.height()
        x = one.place(0, height, first, in_full=in_full)
        x += APART if x > first else 0
        self._and.setGeometry(x + GAP, 0, between - 2 * GAP, height)
        other.place(x + between, height, second, in_full=in_full)
