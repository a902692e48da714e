"""The pages of help: contents and search at the left, a page with links at the right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from core.base.messages import N_, gettext
from core.program.help_pages import HelpPage, find_pages
from neardup_gui.environment.theme import colors
from neardup_gui.views.widgets.buttons import ToolButton
from neardup_gui.views.widgets.containers import size_within_screen
from neardup_gui.views.widgets.controls import SearchField
from neardup_gui.views.widgets.labels import bold, letter_width
from neardup_gui.views.widgets.layouts import column_in, row_of, split

MARGIN = 28
INDENT = 22
LINE_HEIGHT = 125  # per cent
CELL, TABLE_AIR = 4, 6
LETTERS, LINES = 120, 44  # the window is as wide and as high as so many, if the screen has room
LIST_LETTERS = 36
AIR = 10
ROW_AIR = 2  # around a row of the contents
OBJECT = "\ufffc"  # what stands for a picture in a text
NOTHING = N_("No page contains these words.")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
PAGE_ROLE = Qt.ItemDataRole.UserRole


class PageView(QTextBrowser):
    """Shows one page, and knows the way back. Nothing is fetched: all came with the program.

    Signals:
        shown: The name of the page that is shown now.
    """

    shown = Signal(str)

    def __init__(self, pages: Sequence[HelpPage], pictures: Path) -> None:
        super().__init__()
        self._pages = {page.name: page for page in pages}
        self._pictures = pictures
        self._visited: list[tuple[str, int]] = []  # pages, and how far they were scrolled
        self._index = -1  # of the page that is shown, in what was visited
        self._words: list[str] = []
        self._is_stale = False  # made for other colours or another size of the text
        self.setAccessibleName(gettext("Help page"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.anchorClicked.connect(lambda url: self.open_page(url.path().removesuffix(".md")))

    @property
    def name(self) -> str:
        """Of the page that is shown."""
        return self._visited[self._index][0] if self._visited else ""

    def open_page(self, name: str) -> None:
        """Show a page; those that one had gone back from are forgotten."""
        if name in self._pages and name != self.name:
            self._remember()
            self._visited[self._index + 1 :] = [(name, 0)]
            self._index += 1
            self._show()

    def can_step(self, steps: int) -> bool:
        """Whether there is a page so many steps forward, or back."""
        return 0 <= self._index + steps < len(self._visited)

    def step(self, steps: int) -> None:
        """Show the page so many steps forward, or back."""
        if self.can_step(steps):
            self._remember()
            self._index += steps
            self._show()

    def mark(self, words: str) -> None:
        """Mark some words wherever they stand on the page."""
        self._words = words.split()
        self._show_marks()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Pictures follow the width of the page."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and self.name:
            self._remember()
            self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Links have the colour of the palette that they were made with."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self.name:
            self._is_stale = True
            self._refresh()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """Follow what has changed while it was closed."""
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if self._is_stale and self.isVisible():
            self._show()

    def _remember(self) -> None:
        if self._visited:
            self._visited[self._index] = self.name, self.verticalScrollBar().value()

    def _show(self) -> None:
        self._is_stale = False
        name, scrolled = self._visited[self._index]
        text = self._pages[name].text
        document = QtGui.QTextDocument(self)
        document.setDefaultFont(self.font())
        document.setDocumentMargin(MARGIN)
        document.setIndentWidth(INDENT)
        document.setMarkdown(text)  # forgets resources
        for picture in PICTURE.findall(text):
            document.addResource(
                QtGui.QTextDocument.ResourceType.ImageResource.value,
                QUrl(picture),
                self._fit(picture),
            )
        _set_distances(document)
        if self.isRightToLeft():
            _set_upright(document)
        self.setDocument(document)  # Qt deletes the one before
        self.verticalScrollBar().setValue(scrolled)
        self._show_marks()
        self.shown.emit(name)

    def _fit(self, picture: str) -> QtGui.QImage:
        """A picture, as wide as the page at most."""
        image = _picture(self._pictures / QUrl(picture).fileName())
        room = max(self.viewport().width() - 2 * MARGIN, 1)
        if image.width() > room:
            width = min(image.width(), round(room * self.devicePixelRatioF()))
            image = image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
            image.setDevicePixelRatio(width / room)
        return image

    def _show_marks(self) -> None:
        look = QtGui.QTextCharFormat()
        look.setBackground(colors().passages[0].strong)
        marks = []
        for word in self._words:
            cursor = self.document().find(word, 0)
            while not cursor.isNull():
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = cursor, look
                marks.append(mark)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marks)
        bar = self.verticalScrollBar()
        if marks and not bar.value():  # as the page opened: lead to the first of them
            first = min((mark.cursor for mark in marks), key=QtGui.QTextCursor.position)
            rect = self.cursorRect(first)
            if rect.bottom() > self.viewport().height():
                bar.setValue(rect.top() - MARGIN)


@lru_cache(maxsize=1)  # a page is made again for each width: also when its scroll bar comes
def _picture(path: Path) -> QtGui.QImage:
    return QtGui.QImage(str(path))


def _set_distances(document: QtGui.QTextDocument) -> None:
    """Markdown has no style sheet: set the distances in the document itself."""
    lines = QtGui.QTextBlockFormat()
    lines.setLineHeight(
        LINE_HEIGHT, QtGui.QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    )
    block = document.begin()
    while block.isValid():
        if OBJECT not in block.text():  # a picture is high enough
            QtGui.QTextCursor(block).mergeBlockFormat(lines)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QtGui.QTextTable):
            look = frame.format()
            look.setBorder(0)
            look.setCellPadding(CELL)
            look.setCellSpacing(0)
            look.setBottomMargin(TABLE_AIR)
            frame.setFormat(look)


def _set_upright(document: QtGui.QTextDocument) -> None:
    """Words that are emphasised are bold in place of slanted, as Arabic has it.

    Many fonts have no slanted letters for it, and Qt shows boxes in their place.
    """
    look = QtGui.QTextCharFormat()
    look.setFontItalic(False)
    look.setFontWeight(QtGui.QFont.Weight.DemiBold)
    block = document.begin()
    while block.isValid():
        for stretch in block.textFormats():
            if stretch.format.fontItalic():
                cursor = QtGui.QTextCursor(document)
                cursor.setPosition(block.position() + stretch.start)
                end = cursor.position() + stretch.length
                cursor.setPosition(end, QtGui.QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(look)
        block = block.next()


class HelpWindow(QDialog):
    """Stays beside the window while one works; Esc clears the search, then closes it."""

    def __init__(
        self,
        pages: Sequence[HelpPage],
        title: str,
        pictures: Path = Path(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._pages = pages
        self._search = SearchField()
        self._search.setPlaceholderText(gettext("Search all pages"))
        self._search.setAccessibleName(gettext("Search all pages"))
        self._contents = QListWidget()
        self._contents.setAccessibleName(gettext("Contents"))
        self._contents.setFrameShape(QListWidget.Shape.NoFrame)
        self._contents.setSpacing(ROW_AIR)
        self._contents.setWordWrap(True)
        self._contents.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing = QLabel(gettext(NOTHING), wordWrap=True)
        self._view = PageView(pages, pictures)
        self._back = self._action(gettext("Back"), QtGui.QKeySequence.StandardKey.Back)
        self._forward = self._action(gettext("Forward"), QtGui.QKeySequence.StandardKey.Forward)
        self._lay_out()
        self._connect()
        self._list_pages("")

    def open_page(self, name: str) -> None:
        """Show a page, whatever was searched for."""
        self._search.clear()
        self._view.open_page(name)
        self._view.setFocus()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """As large as the text is now."""
        letter, line = letter_width(self.fontMetrics()), self.fontMetrics().lineSpacing()
        wanted = QSize(LETTERS * letter, LINES * line)
        if not event.spontaneous():
            self.resize(size_within_screen(self, wanted))
        self._fit_contents()
        super().showEvent(event)

    def _action(self, text: str, key: QtGui.QKeySequence.StandardKey) -> QtGui.QAction:
        action = QtGui.QAction(text, self)
        action.setShortcuts(key)
        action.setEnabled(False)
        self.addAction(action)
        return action

    def _lay_out(self) -> None:
        top = row_of(
            *(ToolButton(action) for action in (self._back, self._forward)),
            1,
            self._search,
            spacing=AIR,
        )
        beside = QWidget()
        column_in(beside, self._nothing, (self._contents, 1), margins=0)
        self._nothing.setContentsMargins(AIR, AIR, AIR, AIR)
        self._both = split(QSplitter(Qt.Orientation.Horizontal), (beside, self._view), (0, 1))
        column_in(self, top, (self._both, 1), margins=AIR, spacing=AIR)

    def _connect(self) -> None:
        self._search.textChanged.connect(self._list_pages)
        self._search.left.connect(self._on_search_left)
        self._contents.currentItemChanged.connect(self._on_chosen)
        self._view.shown.connect(self._on_page_shown)
        self._back.triggered.connect(partial(self._view.step, -1))
        self._forward.triggered.connect(partial(self._view.step, 1))
        QtGui.QShortcut(
            QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Find), self, self._search.setFocus
        )

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_contents()

    def _fit_contents(self) -> None:
        """Make the contents as wide as larger text needs."""
        width = LIST_LETTERS * letter_width(self.fontMetrics())
        width = min(width, self.width() // 3)
        self._both.setSizes([width, self.width() - width])

    def _list_pages(self, words: str) -> None:
        """The contents, or the pages with some words, the one most about them first."""
        pages = find_pages(self._pages, words) if words.split() else self._pages
        with QSignalBlocker(self._contents):
            self._contents.clear()
            for section, group in groupby(pages, key=lambda page: page.section):
                if pages is self._pages:
                    self._add_heading(section)
                for page in group:
                    self._add_page(page)
        self._nothing.setVisible(not pages)
        self._view.mark(words)
        self._on_page_shown()

    def _add_heading(self, section: str) -> None:
        item = QListWidgetItem(self._in_its_direction(section), self._contents)
        item.setFont(bold(self._contents.font()))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)

    def _add_page(self, page: HelpPage) -> None:
        item = QListWidgetItem(self._in_its_direction(page.title), self._contents)
        item.setData(PAGE_ROLE, page.name)
        item.setToolTip(page.title)

    def _in_its_direction(self, title: str) -> str:
        """A title of a page that is in another language keeps its own order."""
        return f"\u2068{title}\u2069" if self.isRightToLeft() else title

    def _on_search_left(self) -> None:
        """Enter and Down lead to the first page that was found."""
        if self._search.text() and self._contents.count():
            self._contents.setCurrentRow(0)
        self._contents.setFocus()

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        name = item.data(PAGE_ROLE) if item else None
        if name:
            self._view.open_page(name)

    def _on_page_shown(self) -> None:
        """Mark in the contents which page is open."""
        self._back.setEnabled(self._view.can_step(-1))
        self._forward.setEnabled(self._view.can_step(1))
        for row in range(self._contents.count()):
            item = self._contents.item(row)
            if item.data(PAGE_ROLE) == self._view.name:
                with QSignalBlocker(self._contents):
                    self._contents.setCurrentItem(item)
