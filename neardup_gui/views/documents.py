"""A single document: its text, marked by how many others share each part, and which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QLabel,
    QMenu,
    QSplitter,
    QStackedLayout,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from core.base.messages import N_, gettext, ngettext
from core.scan.judgements import Verdict
from neardup_gui.models.documents import (
    DocumentColumn,
    DocumentReading,
    DocumentsModel,
    Holder,
    HoldersModel,
    LanguageChoice,
    NamedLanguage,
    language_choice,
)
from neardup_gui.models.scan_result import ListedPair
from neardup_gui.models.table_model import Index
from neardup_gui.views.compare.ruler import Ruler
from neardup_gui.views.compare.text_pane import TextPane
from neardup_gui.views.pairs.page import NoteRow
from neardup_gui.views.passages import HoldersTable
from neardup_gui.views.widgets import rows_table
from neardup_gui.views.widgets.containers import mirrored_margins
from neardup_gui.views.widgets.labels import CutLabel, SentencePage, bold
from neardup_gui.views.widgets.layouts import column_in, column_of, row_in, rule, split

Choose = Callable[[str | None], object]


def offer_languages(menu: QMenu, choice: LanguageChoice, choose: Choose) -> None:
    """Offer the languages of the folder, then all, then the detected one."""
    offered = menu.addMenu(choice.title)
    _offer(offered, choice.near, choice, choose)
    all_languages = offered.addMenu(gettext("Another language"))
    for letters, languages in choice.all:
        _offer(all_languages.addMenu(letters), languages, choice, choose)
    if choice.detected is not None:
        offered.addSeparator()
        offered.addAction(choice.detected.name).triggered.connect(partial(choose, None))


def _offer(
    menu: QMenu, languages: Iterable[NamedLanguage], choice: LanguageChoice, choose: Choose
) -> None:
    group = QActionGroup(menu)  # shows them as exclusive choices
    for language in languages:
        action = group.addAction(menu.addAction(language.name))
        action.setCheckable(True)
        action.setChecked(language.code == choice.now)
        action.triggered.connect(partial(choose, language.code))


PAGE_NOTHING = N_("Documents appear here in a moment.")


class ShareDelegate(rows_table.BarDelegate):
    """The bar and the number, if something is in others."""

    def _paint_content(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, area: QRect
    ) -> None:
        if index.data():
            super()._paint_content(painter, option, index, area)


class DocumentsTable(rows_table.RowsTable):
    """One row per document, ordered by any column.

    Signals:
        document_selected: The `DocumentKey` of another document, once the row rests.
        language_given: The numbers of documents and the code of their language, None for the one
            that is told from the text.
    """

    document_selected = Signal(object)
    language_given = Signal(object, object)

    def __init__(self, model: DocumentsModel) -> None:
        super().__init__(model, DocumentColumn.NAME, gettext("Documents"))
        self._documents = model
        self.setItemDelegateForColumn(DocumentColumn.NAME, rows_table.NameDelegate(self))
        self.setItemDelegateForColumn(DocumentColumn.ELSEWHERE, ShareDelegate(self))
        for column in (DocumentColumn.ROLE, DocumentColumn.LANGUAGE):
            self.setItemDelegateForColumn(column, rows_table.MutedDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(DocumentColumn.ELSEWHERE, Qt.SortOrder.DescendingOrder)
        self.current_row_settled.connect(self.emit_document)
        self._on_reset()

    def emit_document(self) -> None:
        """Emit the document of the current row."""
        if 0 <= self.current_row < self._documents.rowCount():
            self.document_selected.emit(self._documents.key_at(self.current_row))

    def forget_selection(self) -> None:
        """Select nothing, and order by the share in others, for a new folder."""
        self.sortByColumn(DocumentColumn.ELSEWHERE, Qt.SortOrder.DescendingOrder)
        super().forget_selection()

    def make_menu(self) -> QMenu:
        """The menu of the current document."""
        menu = super().make_menu()
        if 0 <= self.current_row < self._documents.rowCount():
            menu.addAction(gettext("Read it by itself")).triggered.connect(self.opened)
            key = self._documents.key_at(self.current_row)
            self._offer_report(menu, gettext("Report of this document…"), key)
            self._offer_languages(menu)
            name = self._documents.name_at(self.current_row)
            if role := self._documents.role_at(self.current_row):
                self._offer_roles(menu.addMenu(DocumentColumn.ROLE.title), name, role)
            self._offer_file(menu, name)
        return menu

    def _offer_languages(self, menu: QMenu) -> None:
        listed, rows = self._documents.listed, self.selected_rows.tolist()
        documents = [self._documents.number_at(row) for row in rows]
        if documents and listed.detected:
            choose = partial(self.language_given.emit, documents)
            offer_languages(menu, language_choice(listed, documents), choose)

    def _on_reset(self) -> None:
        for column in DocumentColumn:
            self.setColumnHidden(column, self._documents.is_hidden(column))
        self._measure()
        super()._on_reset()

    def _on_lost(self) -> None:
        if self.isVisible():
            self.select_row(0)


class DocumentsPage(rows_table.RowsPage):
    """Shows the documents.

    Signals:
        verdict_given: A verdict on the pair that is read, or on that of the chosen holder.
        note_wanted: The user wants to write a note on it.
    """

    help_page = "documents"
    verdict_given = Signal(object)
    note_wanted = Signal()

    hidden = N_("No document has a name like this.")
    table: DocumentsTable

    def __init__(self, model: DocumentsModel) -> None:
        super().__init__(model, DocumentsTable(model), gettext(PAGE_NOTHING))
        self.note_row = NoteRow()
        self._stack(self.table, self.note_row, main=self.table)

    def judge(self, verdict: Verdict) -> None:
        """Give the open pair a verdict; a single document has none."""
        self.verdict_given.emit(verdict)

    def write_note(self) -> None:
        """Let the user write a note on the pair that is read."""
        self.note_wanted.emit()

    def emit_selection(self) -> None:
        """Show the document of the current row again."""
        if self.table.current_row < 0:
            self.table.select_row(0)
        self.table.emit_document()


EDGE = 12


class HoldersList(QWidget):
    """A sentence and the documents.

    Signals:
        pair_wanted: The two documents that the user wants to read, as a `ListedPair`.
    """

    pair_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._model = HoldersModel(self)
        self._caption = QLabel(wordWrap=True)
        self._caption.setContentsMargins(EDGE, 8, EDGE, 6)
        self._caption.hide()
        self.rows = HoldersTable(self._model, gettext("Documents that share this part"))
        self.rows.horizontalHeader().hide()
        column_in(self, self._caption, (self.rows, 1), margins=0, spacing=0)
        self.rows.opened.connect(self._on_opened)

    def show_holders(self, caption: str, holders: Sequence[Holder]) -> None:
        """Show a part, and the documents that share it."""
        self._caption.setText(caption)
        self._caption.setVisible(bool(caption))
        self._model.show_rows(holders)
        self.rows.select_row(0)

    @property
    def chosen(self) -> ListedPair | None:
        """The pair of the current row."""
        row = self.rows.current_row
        return self._model.row_at(row).pair if row >= 0 else None

    def step(self) -> None:
        """Move to the row below, if there is one."""
        self.rows.select_row(self.rows.current_row + 1)

    def _on_opened(self) -> None:
        self.pair_wanted.emit(self._model.row_at(self.rows.current_row).pair)


NOTHING = N_("Select a document to see which parts of it occur in others.")
READING_HEIGHT = 0.3  # of the pane, from its top, to which a part is scrolled
SHARES = (68, 32)  # of the width, for the text and for the documents
ALL = 10_000  # a stretch that takes all room first
CLOSE_ROOM = 34  # at the right, for the button of the pane


class DocumentView(QWidget):
    """Shows a document, moves from part to part, and lists who shares the part at the cursor.

    Signals:
        back_requested: Esc: back to the list of documents.
    """

    back_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._reading: DocumentReading | None = None
        self._current: int | None = None
        self._name = CutLabel()
        self._sentence = QLabel()
        self._sentence.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.pane = TextPane(0)
        self._ruler = Ruler(0)
        self.holders = HoldersList()
        self._lay_out()
        self._connect()
        self.clear()

    def _lay_out(self) -> None:
        texts = QWidget()
        self._ruler.setMaximumWidth(self._ruler.minimumWidth())
        row_in(texts, self._ruler, (self.pane, ALL), 1, margins=0, spacing=0)
        texts.setAutoFillBackground(True)
        texts.setBackgroundRole(QPalette.ColorRole.Base)
        both = split(QSplitter(Qt.Orientation.Horizontal), (texts, self.holders), SHARES)
        both.setHandleWidth(1)
        page = QWidget()
        column_in(page, self._header(), rule(), (both, 1), margins=0, spacing=0)
        self._page_without_document = SentencePage()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page_without_document)
        self._pages.addWidget(page)

    def _header(self) -> QVBoxLayout:
        self._name.setFont(bold(self._name.font()))
        return column_of(
            self._name,
            self._sentence,
            margins=mirrored_margins(self, 16, 8, CLOSE_ROOM, 8),
            spacing=4,
        )

    def _connect(self) -> None:
        self.pane.scrolled.connect(self._on_moved)
        self.pane.resized.connect(self._on_moved)
        self.pane.cursorPositionChanged.connect(self._on_cursor_moved)
        self.pane.passage_clicked.connect(self._on_part_chosen)
        self._ruler.position_chosen.connect(self.pane.scroll_to_share)
        self._ruler.wheel_turned.connect(self.pane.scroll_by_wheel)

    @property
    def entry(self) -> QWidget:
        """The widget that takes the focus."""
        return self.pane if self._pages.currentIndex() else self._page_without_document

    def show_reading(self, reading: DocumentReading) -> None:
        """Show a document; if it is shown already, without its parts, at the same position."""
        cursor, top = self._position_in(reading)
        self._reading = self._current = None
        self._name.show_sentence(reading.side.name)
        self._sentence.setText(reading.sentence)
        self.pane.show_side(reading.side, reading.marks)
        self.pane.setAccessibleName(gettext("Text of {name}", name=reading.side.name))
        self._ruler.show_side(reading.side, reading.marks)
        self._reading = reading
        self._pages.setCurrentIndex(1)
        text = reading.side.text
        self.pane.place_cursor(text.span(cursor, cursor)[0])
        self.pane.geometry_of_text.bring(text.span(top, top)[0], 0)
        if not cursor and not top and reading.marks:
            self._reveal(0)
        self._show_part(self._part_at_cursor())
        self._on_moved()

    def _position_in(self, reading: DocumentReading) -> tuple[int, int]:
        """The code points at the cursor and at the top of a text that is shown already; else 0."""
        before = self._reading
        if before is None or before.side.text.source != reading.side.text.source:
            return 0, 0
        cursor, text = self.pane.textCursor().position(), before.side.text
        top = self.pane.geometry_of_text.visible_span()[0]
        return (text.source_span(cursor, cursor)[0], text.source_span(top, top)[0])

    def show_progress(self, words: str) -> None:
        """Show how far the document has been compared with the others."""
        self._sentence.setText(words)

    def clear(self) -> None:
        """Show no document."""
        focused = self.pane.hasFocus() or self.holders.rows.hasFocus()
        self._reading = self._current = None
        self._page_without_document.say(gettext(NOTHING))
        self._pages.setCurrentIndex(0)
        if focused:
            self._page_without_document.setFocus()

    def step_passage(self, by: int) -> None:
        """Go to the next part that others share, or back with -1."""
        if self._reading is None:
            return
        part = self._reading.step(self.pane.textCursor().position(), by)
        if part is not None:
            self._reveal(part)

    def _reveal(self, part: int) -> None:
        if self._reading is None:
            return
        start = self._reading.side.extents[part][0]
        self.pane.place_cursor(start)
        geometry = self.pane.geometry_of_text
        if not 0 <= geometry.line_top(start) <= 0.7 * geometry.height:
            geometry.bring(start, READING_HEIGHT * geometry.height)
        self._show_part(part)

    def _part_at_cursor(self) -> int | None:
        reading = self._reading
        return reading.part_at(self.pane.textCursor().position()) if reading else None

    def _on_cursor_moved(self) -> None:
        part = self._part_at_cursor()
        if part != self._current:
            self._show_part(part)

    def _on_part_chosen(self, part: int, _side: int) -> None:
        """Show who shares a clicked part; with Enter, move to them."""
        if part == self._current and self.pane.hasFocus():
            self.holders.rows.setFocus()
        self._show_part(part)

    def _show_part(self, part: int | None) -> None:
        self._current = part
        self.pane.set_current(part)
        self._ruler.set_current(part)
        reading = self._reading
        if reading is None or reading.parts is None:
            self.holders.show_holders("", ())
        elif part is None:
            everyone = reading.everyone()
            caption = ngettext(
                "Shared with {n} document in all", "Shared with {n} documents in all", len(everyone)
            )
            self.holders.show_holders(caption if everyone else "", everyone)
        else:
            holders = reading.holders(part)
            caption = ngettext(
                "This part also occurs in {n} other document",
                "This part also occurs in {n} other documents",
                len(holders),
            )
            self.holders.show_holders(caption, holders)

    def _on_moved(self) -> None:
        if self._reading is not None:
            self._ruler.set_window(self.pane.geometry_of_text.visible_span())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc returns from the sharing documents to the text, and from there to the list."""
        if event.key() == Qt.Key.Key_Escape and self.holders.rows.hasFocus():
            self.pane.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self.back_requested.emit()
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        """The size of the header and some lines."""
        height = self._name.sizeHint().height() + self._sentence.sizeHint().height() + 28
        return QSize(360, height + self.pane.minimumSizeHint().height())
